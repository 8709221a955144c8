package thread

import (
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
)

var people = []parley.AccountID{"ana", "bo", "cy", "dee", "eve"}

// world is a room as it runs: commands decided ahead of what is committed,
// pages flushed now and then, copies that come and fall behind, crashes.
type world struct {
	t         *rapid.T
	s         *State
	log       model
	committed parley.Seq
	stored    map[string]Page
	copies    []*copyOf
	now       time.Time
	n         uint64 // makes keys and messages distinct
}

// TestModel plays a random life of a room and holds it to the model after every step.
func TestModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &world{t: rt, s: New("thr"), stored: map[string]Page{}, now: time.Unix(1e9, 0)}
		for _, p := range people {
			w.copies = append(w.copies, &copyOf{acc: p})
		}
		w.begin()
		w.commit(false)
		rt.Repeat(map[string]func(*rapid.T){
			"post": func(*rapid.T) { w.decide(Post{Cmd: w.key(), Author: w.person(), Message: w.message(), Text: "x"}) },
			"post2": func(*rapid.T) {
				w.decide(Post{Cmd: w.key(), Author: w.person(), Message: w.message(), Text: "y", Carried: &Carried{Subject: "false"}})
			},
			"join":   func(*rapid.T) { w.decide(Join{Cmd: w.key(), Who: who(string(w.person()))}) },
			"leave":  func(*rapid.T) { w.decide(Leave{Who: w.person()}) },
			"add":    func(*rapid.T) { w.decide(Add{By: w.person(), Who: w.newcomer()}) },
			"remove": func(*rapid.T) { w.decide(Remove{By: w.person(), Part: parley.PartID(w.person())}) },
			"alter":  func(*rapid.T) { w.decide(w.alter()) },
			"split":  func(*rapid.T) { w.split() },
			"made":   func(*rapid.T) { w.made() },
			"commit": func(*rapid.T) { w.commit(rapid.Bool().Draw(w.t, "flush")) },
			"deliver": func(*rapid.T) {
				w.deliver(rapid.SampledFrom(w.copies).Draw(w.t, "to"), rapid.IntRange(1, 9).Draw(w.t, "batch"))
			},
			"restore": func(*rapid.T) { w.restore(rapid.SampledFrom(w.copies).Draw(w.t, "copy")) },
			"crash":   func(*rapid.T) { w.crash() },
			"wait": func(*rapid.T) {
				w.now = w.now.Add(time.Duration(rapid.IntRange(-1, 50).Draw(w.t, "hours")) * time.Hour)
			},
			"": func(*rapid.T) { w.check() },
		})
		w.settle()
	})
}

// begin makes the room, of nothing or of a mail thread: what it takes along are its
// first events, all or none of which are there after a crash.
func (w *world) begin() {
	c := Create{Cmd: w.key(), Maker: who("ana"), Others: []parley.Participant{who("bo")}, Open: true, History: w.history()}
	for range rapid.IntRange(0, 4).Draw(w.t, "carried") {
		c.Of = "thr_mail"
		mail := &Carried{Author: parley.Author{Address: "dee@example.net"}, At: w.now, Channel: parley.ChannelMail}
		c.Carried = append(c.Carried, Post{Author: w.person(), Message: w.message(), Text: "z", Carried: mail})
	}
	w.decide(c)
	w.checkBegun(c)
}

func (w *world) checkBegun(c Create) {
	if len(w.log.log) != 1+len(c.Carried) {
		w.t.Fatalf("the room begins with %d events, takes %d along", len(w.log.log), len(c.Carried))
	}
	for i, e := range w.log.log[1:] {
		if want := c.Carried[i]; e.Type != Posted || e.Message != want.Message || e.Actor.Account != "ana" || e.Carried == nil || *e.Carried != *want.Carried {
			w.t.Fatalf("event %d is %+v, carries %+v", e.Seq, e, want)
		}
	}
	if d, err := w.s.Decide(c, w.now); err != nil || !d.Answer.Replayed || len(d.Events) > 0 {
		w.t.Fatalf("the repeat: %+v, %v", d, err)
	}
}

func (w *world) person() parley.AccountID { return rapid.SampledFrom(people).Draw(w.t, "person") }

func (w *world) history() parley.History {
	return rapid.SampledFrom([]parley.History{parley.HistoryAll, parley.HistoryJoined}).Draw(w.t, "history")
}

func (w *world) newcomer() parley.Participant {
	p := who(string(w.person()))
	p.State = rapid.SampledFrom([]parley.PartState{parley.StateIn, parley.StateInvited}).Draw(w.t, "as")
	p.Role = rapid.SampledFrom([]parley.Role{"", parley.RoleModerator}).Draw(w.t, "role")
	return p
}

func (w *world) alter() Alter {
	history := w.history()
	a := Alter{By: w.person(), History: &history}
	if rapid.Bool().Draw(w.t, "promote") {
		a.Part = parley.PartID(w.person())
		a.Role = rapid.SampledFrom([]parley.Role{parley.RoleMember, parley.RoleModerator}).Draw(w.t, "role")
	}
	return a
}

func (w *world) message() parley.MessageID {
	w.n++
	return parley.MessageID(string(rune('a'+w.n%26)) + "m")
}

func (w *world) key() (c parley.Command) {
	w.n++
	c.First = w.now
	c.ID[0], c.ID[1], c.ID[2] = byte(w.n), byte(w.n>>8), 1
	return c
}

func (w *world) decide(cmd any) {
	d, err := w.s.Decide(cmd, w.now)
	if err != nil {
		return
	}
	for _, e := range d.Events {
		w.log.log = append(w.log.log, e)
		w.s.Apply(e)
	}
}

// commit makes all that was decided durable, with or without the pages.
func (w *world) commit(flush bool) {
	if flush {
		for key, page := range w.s.Dirty() {
			if page == nil {
				delete(w.stored, key)
			} else {
				w.stored[key] = page
			}
		}
		w.s.Clean()
		if got, want := w.load().All(), w.s.All(); !reflect.DeepEqual(got, want) {
			w.t.Fatalf("flushed pages give\n%+v\nwant\n%+v", got, want)
		}
	}
	w.committed = w.s.Last()
	w.s.Committed(w.committed)
}

// load is the state as the store has it: pages, then the events after them.
func (w *world) load() *State {
	s := New("thr")
	if err := s.Load(maps.Clone(w.stored)); err != nil {
		w.t.Fatal(err)
	}
	return s
}

// crash loses what was not committed, and cursors that were not flushed.
func (w *world) crash() {
	w.s, w.log = w.load(), w.log.upTo(w.committed)
	for _, e := range w.log.log {
		w.s.Apply(e)
	}
	w.s.Committed(w.committed)
}

// deliver sends one batch from where the room believes the copy to be; the
// copy answers with where it is.
func (w *world) deliver(c *copyOf, batch int) {
	last, lagging := w.s.Wants(c.acc)
	if !lagging {
		return
	}
	from := w.s.Next(c.acc, last)
	to := min(from-1+parley.Seq(batch), w.committed)
	for _, d := range w.s.Deliveries(c.acc, w.log.log[from-1:to]) {
		w.checkDelivery(c.acc, d)
		c.take(d)
	}
	w.s.Came(Came{c.acc, c.last})
}

func (w *world) restore(c *copyOf) {
	c.restore(rapid.IntRange(0, len(c.got)).Draw(w.t, "back to"))
}

// split moves what somebody named; the room keeps which room that made.
func (w *world) split() {
	w.n++
	room := parley.ThreadID(parley.FormatID(parley.ThreadPrefix, [16]byte{byte(w.n), byte(w.n >> 8)}))
	var posts []Moving
	for range rapid.IntRange(1, 3).Draw(w.t, "posts") {
		post := parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{byte(len(posts))}))
		posts = append(posts, Moving{post, parley.Seq(rapid.IntRange(0, len(w.log.log)).Draw(w.t, "seq"))})
	}
	c := Split{Cmd: w.key(), By: w.person(), Room: room, Posts: posts}
	w.decide(c)
	w.resplit(c)
}

// resplit repeats a split: the answer still tells how the room is made.
func (w *world) resplit(c Split) {
	n := parley.Seq(len(w.log.log))
	if last := w.log.log[n-1]; last.Cmd == c.Cmd.ID {
		d, err := w.s.Decide(c, w.now)
		list := w.s.room.Offshoots
		if want := w.s.Found(list[len(list)-1]); err != nil || len(d.Events) > 0 || !reflect.DeepEqual(d.Answer.Founds(), want) {
			w.t.Fatalf("the repeat says %+v, %v; want %+v", d.Answer, err, want)
		}
	}
}

// made brings word of one room that is there.
func (w *world) made() {
	if list := w.s.Unmade(); len(list) > 0 {
		w.s.Made(Made{rapid.SampledFrom(list).Draw(w.t, "made").Room})
	}
}

// settle brings everything to rest: each copy then has all that it may see,
// once and in order, and the pages, the log and the live state agree.
func (w *world) settle() {
	w.commit(true)
	for _, c := range w.copies {
		w.s.Came(Came{c.acc, c.last})
		for range 10 * len(w.log.log) {
			w.deliver(c, 3)
		}
		if got, want := c.seqs(), w.log.visible(c.acc); !slices.Equal(got, want) {
			w.t.Fatalf("%s has %v, want %v", c.acc, got, want)
		}
	}
	folded := New("thr")
	for _, e := range w.log.log {
		folded.Apply(e)
	}
	for _, c := range w.copies {
		folded.Came(Came{c.acc, c.last})
	}
	if got, want := folded.Canonical(), w.s.Canonical(); got != want {
		w.t.Fatalf("folded: %s\nlive: %s", got, want)
	}
	if got, want := folded.All(), w.s.All(); !reflect.DeepEqual(got, want) {
		w.t.Fatalf("folded: %+v\nlive: %+v", got, want)
	}
}
