package mailbox_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// look compares a few lists, at times on the twin whose pages come and go;
// everything compares all of them.
func (p *play) look() {
	l := p.lookout(p.twins.whole)
	if p.some("things") {
		l.things()
	}
	if p.some("paged") {
		l.s, l.load = p.twins.paged, p.twins.load
		defer p.twins.flush()
	}
	l.drafts("")
	l.threads(p.query(), chosen(p, "people", 2, p.who()...)...)
	if ids := p.threadIDs(); len(ids) > 0 {
		l.messages(ids[p.pick(len(ids), "thread")], p.some("notices"))
	}
}

func (p *play) lookout(s *mailbox.State) *lookout {
	return &lookout{t: p.T, s: s, n: p.naive, now: p.now, limit: rapid.IntRange(1, 4).Draw(p.T, "limit")}
}

// who names people as a list of threads may be asked for them.
func (p *play) who() (names []string) {
	for _, name := range everybody {
		if q := person(name); q.Account != "" {
			names = append(names, string(q.Account))
		}
	}
	return append(names, "ana@out", "CY@out", "me@here")
}

func (p *play) query() parley.ThreadQuery {
	q := parley.ThreadQuery{
		Folder: draw(p, "folder", append(everywhere, "")...),
		Kind:   draw(p, "kind", "", parley.KindMail, parley.KindRoom),
	}
	if p.some("filter unread") {
		q.Unread = new(p.some("unread"))
	}
	if p.some("filter more") {
		q.Flagged, q.Muted = p.flag("flagged"), p.flag("muted")
		q.Label = draw(p, "label", "", ownLabels[0], ownLabels[1])
		q.Channel = draw(p, "channel", "", parley.ChannelChat, parley.ChannelMail, parley.ChannelSMS)
	}
	return q
}

func (p *play) everything() {
	l := p.lookout(p.twins.whole)
	for _, f := range append(everywhere, "") {
		for _, unread := range []*bool{nil, new(true), new(false)} {
			q := parley.ThreadQuery{Folder: f, Unread: unread}
			l.threads(q)
			l.threads(q, p.who()[0], "ana@out")
			q.Label = ownLabels[0]
			l.threads(q)
		}
	}
	l.drafts("")
	for _, on := range []*bool{new(true), new(false)} {
		l.threads(parley.ThreadQuery{Flagged: on})
		l.threads(parley.ThreadQuery{Muted: on})
	}
	for _, id := range p.threadIDs() {
		l.drafts(id)
		l.messages(id, true)
	}
	for _, f := range files {
		l.blob(fileID(f))
	}
	l.things()
	p.twins.settle()
	if p.twins.rounds > maxRounds {
		p.Fatalf("one command or list took %d rounds of loading", p.twins.rounds)
	}
}

// maxRounds bounds how often a command or a list of a small mailbox has to go
// back to the store: each round finds what the one before led to. A walk
// over a folder goes by the folder's list, threads, their lists and messages.
const maxRounds = 10

func (p *play) threadIDs() (ids []parley.ThreadID) {
	for id := range p.naive.threads {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
