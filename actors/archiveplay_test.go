package actors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/faulty"
)

// archivePlay is a life of one mailbox: mails and posts come, are read, changed
// and deleted for good. All of it derives from the seed.
type archivePlay struct {
	acc   parley.AccountID
	steps []any // commands and reads, in order
}

var playBegin = time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)

func newArchivePlay(seed uint64, n int) archivePlay {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := archivePlay{acc: accountID("ana")}
	room := testSecret.Thread(cmd(p.acc, "room").ID)
	var messages []parley.MessageID
	var threads []parley.ThreadID
	var seq parley.Seq
	any := func() parley.MessageID { return messages[rng.IntN(len(messages))] }
	for i := range n {
		c := parley.Command{ID: testSecret.Command(p.acc, fmt.Sprint("c", i)), First: at(i)}
		id := testSecret.Message(c.ID, string(p.acc))
		text := strings.Repeat(fmt.Sprintf("word%d ", i), 1+rng.IntN(30))
		switch k := rng.IntN(12); {
		case k < 4 || len(messages) == 0:
			m := mailOf("ana", i, text)
			p.steps = append(p.steps, m)
			messages, threads = append(messages, id), append(threads, m.NewThread)
		case k < 6:
			seq++
			e := thread.Event{Seq: seq, At: at(i), Type: thread.Posted, Message: id, Text: text, Actor: parley.Author{Name: "Bo", Account: accountID("bo")}}
			p.steps = append(p.steps, mailbox.Deliver{Room: room, Deliveries: []thread.Delivery{{Event: e, Prev: seq - 1}}})
			messages, threads = append(messages, id), append(threads, room)
		case k < 8: // and once more, which is for good
			m := any()
			p.steps = append(p.steps, mailbox.DeleteMessage{Cmd: c, Message: m})
			c.ID = testSecret.Command(p.acc, fmt.Sprint("again", i))
			p.steps = append(p.steps, mailbox.DeleteMessage{Cmd: c, Message: m})
		case k < 9:
			yes := true
			p.steps = append(p.steps, mailbox.ChangeMessages{Cmd: c, Messages: []parley.MessageID{any()}, Change: parley.Change{Seen: &yes}})
		case k < 11:
			p.steps = append(p.steps, mailbox.AskMessages{Thread: threads[rng.IntN(len(threads))], Page: parley.Page{Limit: 50, End: rng.IntN(2) > 0}})
		default:
			p.steps = append(p.steps, mailbox.AskBody{ID: any()})
		}
	}
	for _, id := range messages {
		p.steps = append(p.steps, mailbox.AskMessage{ID: id})
	}
	return p
}

// together is how many steps are asked for at once: what a read shows would depend
// on when the process died.
func (p archivePlay) together(i int) int {
	n := 1
	for p.quick(i) && n < 1+i*i%5 && i+n < len(p.steps) && p.quick(i+n) {
		n++
	}
	return n
}

// quick says of a step that it waits for nothing before it.
func (p archivePlay) quick(i int) bool {
	switch p.steps[i].(type) {
	case undoOf, idle:
		return false
	}
	return !isRead(p.steps[i])
}

func at(i int) time.Time { return playBegin.Add(time.Duration(i) * time.Minute) }

// mailOf is the arrival of the i-th mail.
func mailOf(who string, i int, text string) mailbox.DeliverMail {
	acc := accountID(who)
	c := parley.Command{ID: testSecret.Command(acc, fmt.Sprint("c", i)), First: at(i)}
	raw := []byte("Subject: s\r\n\r\n" + text)
	id := testSecret.Message(c.ID, string(acc))
	return mailbox.DeliverMail{
		Cmd: c, KeyLife: time.Hour, Nodes: []mailbox.Hash{mailbox.PersonHash(string(id))}, NewThread: testSecret.Thread(c.ID), Raw: raw,
		Message: mailbox.Message{ID: id, Size: int64(len(raw)), Subject: "s", Body: mailbox.Body{InLog: true, Mail: true}},
	}
}

// refusals are what a play draws now and then.
var refusals = []parley.Code{parley.NotFound, parley.Gone, parley.AlreadySent, parley.AlreadyUndone, parley.NotUndoable,
	parley.BadRequest, parley.BadAddress, parley.BadContent, parley.Conflict}

// played is what a play came to.
type played struct {
	answers []string // of the reads
	image   *rowImage
	ops     int // of the first life
	seals   int // segments in the end
	unsaid  int // drafts with words that nobody can read any more
}

// run plays to the end. With crashAt the process dies at that operation, and
// another one takes over; a negative one has writes of jobs fail.
func (p archivePlay) run(t testing.TB, seed uint64, segment, crashAt int, lost faulty.Outcome) played {
	t.Helper()
	inner := newMemory()
	var out played
	var err error
	s := newStage(t, inner, p.acc, seed, 1, segment)
	s.crashAt, s.lost, s.faults = crashAt, lost, crashAt < 0
	lives := uint64(1)
	reborn := func() {
		if lives == 1 {
			out.ops = s.ops
		}
		lives++
		s = newStage(t, inner, p.acc, seed, lives, segment)
	}
	ends := map[int]parley.Revision{} // of what can be undone
	var clock time.Time
	for i := 0; i < len(p.steps); {
		if _, is := p.steps[i].(idle); !is { // a job is carried out in the moment of its command
			clock = at(i)
		}
		s.clock = clock
		s.watch()
		group := slices.Clone(p.steps[i : i+p.together(i)])
		if u, is := group[0].(undoOf); is {
			group[0] = mailbox.Undo{Cmd: u.cmd, Revision: ends[u.step]}
		}
		answers, err := s.play(group)
		if err != nil || slices.ContainsFunc(answers, func(a answer) bool { return parley.CodeOf(a.err) == parley.Unavailable }) {
			s.kill()
			reborn()
			continue
		}
		for k, a := range answers {
			switch step := group[k].(type) {
			case idle:
				ends[i-1] = parley.Revision(s.committed)
			case mailbox.Undo:
				rep, _ := a.rep.(mailbox.Reply)
				rep.Replayed = false
				out.answers = append(out.answers, fmt.Sprintf("%d %T: %+v %v", i+k, step, rep, a.err))
			}
			if step := group[k]; isRead(step) {
				out.answers = append(out.answers, fmt.Sprintf("%d %T: %+v %v", i+k, step, a.rep, a.err))
			} else if c := parley.CodeOf(a.err); a.err != nil && !slices.Contains(refusals, c) {
				t.Fatalf("step %d %T: %v", i+k, step, a.err)
			}
		}
		i += len(group)
	}
	for s.quiet() != nil {
		reborn()
	}
	if lives == 1 {
		out.ops = s.ops
	}
	s.finished(inner)
	out.image, err = readImage(t.Context(), inner, persistence.Mailbox, s.row)
	if err != nil {
		t.Fatal(err)
	}
	out.seals = len(out.image.segments)
	out.unsaid = p.unspoken(t, inner, out)
	p.reprojected(t, inner, s)
	s.kill()
	return out
}
