package mailbox_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// play is a random life of a mailbox: rooms that go on whether or not the copy
// follows, mail in any order, and an owner who tidies up.
type play struct {
	*rapid.T
	twins *twins
	naive *naive
	now   time.Time
	rooms []*room
	sent  []letter
	done  []any // commands under a key, to be repeated
	n     int   // makes keys distinct
}

// TestPlay holds a mailbox to the naive one after every step, its paged twin to
// the one in memory, and its log, blanked and not, to both.
func TestPlay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { newPlay(rt).run() })
}

func newPlay(rt *rapid.T) *play {
	p := &play{T: rt, twins: newTwins(rt), naive: newNaive(me), now: begin}
	p.twins.touch(rapid.SampledFrom([]int{2, 5, mailbox.MaxTouched}).Draw(rt, "touch"))
	p.twins.keep = func(keys []mailbox.Key) []mailbox.Key {
		if len(keys) == 0 {
			return nil
		}
		from := rapid.IntRange(0, len(keys)).Draw(rt, "keep from")
		return keys[from:]
	}
	return p
}

func (p *play) run() {
	p.Repeat(map[string]func(*rapid.T){
		"room":    func(*rapid.T) { p.room() },
		"post":    func(*rapid.T) { p.post() },
		"post2":   func(*rapid.T) { p.post() },
		"move":    func(*rapid.T) { p.move() },
		"divide":  func(*rapid.T) { p.divide() },
		"bring":   func(*rapid.T) { p.bring() },
		"bring2":  func(*rapid.T) { p.bring() },
		"mail":    func(*rapid.T) { p.mail() },
		"mail2":   func(*rapid.T) { p.mail() },
		"again":   func(*rapid.T) { p.mailAgain() },
		"change":  func(*rapid.T) { p.changeMessages() },
		"thread":  func(*rapid.T) { p.changeThread() },
		"delete":  func(*rapid.T) { p.deleteThread() },
		"restore": func(*rapid.T) { p.restoreThread() },
		"remove":  func(*rapid.T) { p.deleteMessage() },
		"split":   func(*rapid.T) { p.split() },
		"reparse": func(*rapid.T) { p.reparse() },
		"merge":   func(*rapid.T) { p.merge() },
		"undo":    func(*rapid.T) { p.undo() },
		"undo2":   func(*rapid.T) { p.undo() },
		"draft":   func(*rapid.T) { p.draft() },
		"edit":    func(*rapid.T) { p.edit() },
		"discard": func(*rapid.T) { p.discard() },
		"send":    func(*rapid.T) { p.send() },
		"folder":  func(*rapid.T) { p.folder() },
		"many":    func(*rapid.T) { p.changeMany() },
		"read":    func(*rapid.T) { p.readFolder() },
		"upload":  func(*rapid.T) { p.upload() },
		"errand":  func(*rapid.T) { p.transfer() },
		"errand2": func(*rapid.T) { p.transfer() },
		"repeat":  func(*rapid.T) { p.repeat() },
		"wait":    func(*rapid.T) { p.wait() },
		"close": func(*rapid.T) {
			if rapid.IntRange(0, 30).Draw(p.T, "close") == 17 {
				p.do(mailbox.Close{})
			}
		},
		"": func(*rapid.T) { p.look() },
	})
	p.everything()
}

// do gives the command to the product and to the naive mailbox.
func (p *play) do(cmd any) {
	since := p.naive.last
	got, err := p.twins.do(cmd, p.now)
	want, wantErr := p.naive.do(cmd, p.now, got)
	if err == nil && wantErr == nil && got.Job != "" {
		want = p.naive.worked(p.T, p.twins.whole, since, got, want)
	}
	if u, ok := cmd.(mailbox.Undo); ok && err == nil && wantErr == nil && p.naive.past[u.Revision].job && !got.Replayed {
		want = p.naive.adopt(p.twins.whole, since, got, want, true)
	}
	if parley.CodeOf(err) != parley.CodeOf(wantErr) || (err == nil) != (wantErr == nil) {
		p.Fatalf("%+v\ngot  %+v, %v\nwant %+v, %v", cmd, got, err, want, wantErr)
	}
	l := &lookout{t: p.T, s: p.twins.whole, n: p.naive, now: p.now}
	l.is("reply", got, nil, want)
	l.figures()
}

func (p *play) pick(n int, what string) int { return rapid.IntRange(0, n-1).Draw(p.T, what) }

func (p *play) some(what string) bool { return rapid.Bool().Draw(p.T, what) }

func draw[T any](p *play, what string, from ...T) T { return rapid.SampledFrom(from).Draw(p.T, what) }

// chosen is a part of a list, in any order, perhaps with repeats.
func chosen[T any](p *play, what string, most int, from ...T) []T {
	return rapid.SliceOfN(rapid.SampledFrom(from), 0, most).Draw(p.T, what)
}

// key is a new key now and then, or none.
func (p *play) key() (c parley.Command) {
	if p.some("key") {
		p.n++
		c.ID, c.Body, c.First = parley.CommandID(bits("key", p.n)), digest("body", p.n), p.now
	}
	return c
}

// keyed notes a command so that it may come again.
func (p *play) keyed(cmd any) {
	p.do(cmd)
	p.done = append(p.done, cmd)
}

// repeat sends a command again, at times with another body or much later.
func (p *play) repeat() {
	if len(p.done) == 0 {
		return
	}
	cmd := p.done[p.pick(len(p.done), "which")]
	other := func(c parley.Command) parley.Command {
		if rapid.IntRange(0, 3).Draw(p.T, "other") == 0 {
			c.Body = digest("another body")
		}
		if rapid.IntRange(0, 3).Draw(p.T, "anew") == 0 {
			c.First = p.now // a client that uses its key anew once it has expired
		}
		return c
	}
	switch c := cmd.(type) {
	case mailbox.ChangeMessages:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.ChangeThread:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.ChangeMany:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.ReadFolder:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.DeleteMessage:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.SplitThread:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.MergeThreads:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.Undo:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.Upload:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.CreateFolder:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.ChangeFolder:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.DeleteFolder:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.DeliverMail:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.WriteDraft:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.DiscardDraft:
		c.Cmd = other(c.Cmd)
		cmd = c
	case mailbox.SendDraft:
		c.Cmd = other(c.Cmd)
		cmd = c
	}
	p.do(cmd)
}

// wait goes forward only: a key may be dropped at its last moment by one clock, and
// be missed by another that is behind.
func (p *play) wait() {
	p.now = p.now.Add(draw(p, "wait", time.Second, time.Hour, 26*time.Hour, 8*24*time.Hour, 31*24*time.Hour))
}

var everybody = []string{"ana", "bo", "cy@out"}
