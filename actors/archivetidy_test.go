package actors

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

type (
	// undoOf is an undo of the command of an earlier step: its revision is known
	// once that was answered.
	undoOf struct {
		cmd  parley.Command
		step int
	}
	// idle waits until no job runs, and until all is committed.
	idle struct{}
)

// tidyPlay is how the life of an owner who writes drafts, takes things back, and
// changes many at once derives from the seed.
type tidyPlay struct {
	archivePlay
	rng      *rand.Rand
	room     parley.ThreadID
	seq      parley.Seq
	messages []parley.MessageID
	threads  []parley.ThreadID // of mails
	drafts   map[parley.MessageID]string
	sendable map[parley.MessageID]bool
	written  []parley.MessageID // all that were ever drafts
	undoable []int
}

func newTidyPlay(seed uint64, n int) archivePlay {
	acc := accountID("ana")
	p := &tidyPlay{archivePlay: archivePlay{acc: acc}, rng: rand.New(rand.NewPCG(seed, 2)),
		room: testSecret.Thread(cmd(acc, "room").ID), drafts: map[parley.MessageID]string{}, sendable: map[parley.MessageID]bool{}}
	p.mail(0)
	p.mail(1)
	p.post(2, parley.Author{Name: "Bo", Account: accountID("bo")}, testSecret.Message(p.cmd("post2").ID, "post"), "post2 ")
	for i := 3; i < n; i++ {
		p.turn(i)
	}
	for _, id := range append(p.messages, p.written...) {
		p.add(mailbox.AskMessage{ID: id}, mailbox.AskDraft{ID: id})
	}
	return p.archivePlay
}

func (p *tidyPlay) cmd(key string) parley.Command {
	return parley.Command{ID: testSecret.Command(p.acc, key), First: at(len(p.steps))}
}

func (p *tidyPlay) add(steps ...any) { p.steps = append(p.steps, steps...) }

// change adds a command that can be taken back, and waits for its job.
func (p *tidyPlay) change(c any) {
	p.undoable = append(p.undoable, len(p.steps))
	p.add(c, idle{})
}

func (p *tidyPlay) mail(i int) {
	m := mailOf("ana", i, strings.Repeat(fmt.Sprintf("mail%d ", i), 1+p.rng.IntN(20)))
	p.add(m)
	p.messages, p.threads = append(p.messages, m.Message.ID), append(p.threads, m.NewThread)
}

func (p *tidyPlay) post(i int, by parley.Author, id parley.MessageID, text string) {
	p.seq++
	e := thread.Event{Seq: p.seq, At: at(i), Type: thread.Posted, Message: id, Text: text, Actor: by}
	p.add(mailbox.Deliver{Room: p.room, Deliveries: []thread.Delivery{{Event: e, Prev: p.seq - 1}}})
	p.messages = append(p.messages, id)
}

func (p *tidyPlay) turn(i int) {
	c := p.cmd(fmt.Sprint("turn", i))
	any := p.messages[p.rng.IntN(len(p.messages))]
	in := p.threads[p.rng.IntN(len(p.threads))]
	switch p.rng.IntN(18) {
	case 0, 1:
		p.mail(i)
	case 2, 3, 4, 5, 6:
		p.draft(i, c)
	case 7:
		p.change(mailbox.ChangeMessages{Cmd: c, Messages: []parley.MessageID{any}, Change: parley.Change{Flagged: new(p.rng.IntN(2) > 0)}})
	case 8:
		p.change(mailbox.ChangeMany{Cmd: c, Job: testSecret.Job(c.ID), Messages: p.messages, Change: parley.Change{Seen: new(p.rng.IntN(2) > 0)}})
	case 9:
		p.change(mailbox.ReadFolder{Cmd: c, Job: testSecret.Job(c.ID), Folder: parley.Inbox})
	case 10:
		p.change(mailbox.DeleteMessage{Cmd: c, Message: any})
	case 11:
		p.change(mailbox.ChangeThread{Cmd: c, Job: testSecret.Job(c.ID), Thread: in, Op: mailbox.OpDelete})
	case 12, 13:
		p.change(mailbox.MergeThreads{Cmd: c, Thread: in, With: p.threads[p.rng.IntN(len(p.threads))]})
	case 14:
		p.change(mailbox.SplitThread{Cmd: c, Thread: in, Messages: []parley.MessageID{any}, NewThread: testSecret.Thread(c.ID)})
		p.threads = append(p.threads, testSecret.Thread(c.ID))
	default:
		if len(p.undoable) > 0 {
			p.change(undoOf{c, p.undoable[max(0, len(p.undoable)-1-p.rng.IntN(6))]})
		}
	}
}

// draft writes a new one, or goes on with one: its text, its end, or its sending,
// which the room takes or refuses.
func (p *tidyPlay) draft(i int, c parley.Command) {
	text := strings.Repeat(fmt.Sprintf("draft%d ", i), 1+p.rng.IntN(40))
	said := &mailbox.DraftText{Text: text, Size: int64(len(text))}
	k := p.rng.IntN(6)
	if len(p.written) == 0 || k == 0 {
		id := testSecret.Message(c.ID, "draft")
		w := mailbox.WriteDraft{Cmd: c, ID: id, New: true, Kind: parley.KindMail, NewThread: testSecret.Thread(c.ID), Text: said}
		if p.rng.IntN(3) > 0 {
			w.Kind, w.Thread = "", p.room
			p.sendable[id] = true
		}
		p.add(w)
		p.written, p.drafts[id] = append(p.written, id), text
		return
	}
	id := p.written[len(p.written)-1-p.rng.IntN(min(3, len(p.written)))]
	switch {
	case k < 4:
		p.add(mailbox.WriteDraft{Cmd: c, ID: id, Text: said})
		p.drafts[id] = text
	case k == 4:
		p.sendable[id] = false
		p.add(mailbox.DiscardDraft{Cmd: c, ID: id}, mailbox.AskDrafts{Query: parley.DraftQuery{Page: parley.Page{Limit: 20}}})
	default:
		p.add(mailbox.SendDraft{Cmd: c, ID: id})
		if p.rng.IntN(3) > 0 && p.sendable[id] {
			p.sendable[id] = false
			p.post(i, parley.Author{Account: p.acc}, id, p.drafts[id])
		} else {
			p.add(idle{}, mailbox.KeepDraft{ID: id}) // idle: to send again what was kept is no repeat
		}
	}
}
