package torture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

// played is a life after a play that has settled and is well.
func played(t *testing.T, seed uint64) (*Play, *Life) {
	t.Helper()
	play := NewPlay(seed, Secret(), 4, time.Now)
	l, err := Open(LifeConfig{FS: vfs.NewMem(), Secret: play.Secret})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := play.Enrol(t.Context(), l.Directory); err != nil {
		t.Fatal(err)
	}
	play.Run(t.Context(), 18, l.Node.Client())
	if err := l.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, p := range play.Check(t.Context(), l) {
		t.Fatalf("before anything was spoiled: %s", p)
	}
	return play, l
}

// doneOnce finds a command of a kind that was done at once.
func (p *Play) doneOnce(t *testing.T, k Kind) *Op {
	t.Helper()
	for _, o := range p.H.Ops() {
		if o.Kind == k && o.Outcome == Done && o.Attempts == 1 {
			return o
		}
	}
	t.Fatalf("the play has no %s", k)
	return nil
}

// spoil puts a cell into a row.
func spoil(t *testing.T, l *Life, table persistence.Table, id, qualifier, value string) {
	t.Helper()
	cell := persistence.Cell{Family: persistence.Meta, Qualifier: []byte(qualifier), Version: 1 << 60, Value: []byte(value)}
	if err := l.Store.Put(t.Context(), table, parley.RowKey(id), []persistence.Cell{cell}); err != nil {
		t.Fatal(err)
	}
}

// TestCheckSees spoils what was told or what is stored, one thing at a time: each
// has to be seen, as what it is.
func TestCheckSees(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, p *Play, l *Life)
		want  string
	}{
		{"a post that was answered and is not there", func(t *testing.T, p *Play, _ *Life) {
			p.H.begin(&Op{Kind: Post, Room: p.Rooms()[0], Outcome: Done, Attempts: 1})
		}, "is missing"},
		{"a post that was refused and is there", func(t *testing.T, p *Play, _ *Life) {
			p.doneOnce(t, Post).Outcome = Refused
		}, "was refused (<nil>) and is there"},
		{"a post with other words", func(t *testing.T, p *Play, _ *Life) {
			p.doneOnce(t, Post).Text = "other words"
		}, "says"},
		{"a post at another place", func(t *testing.T, p *Play, _ *Life) {
			p.doneOnce(t, Post).Seq++
		}, "was answered as"},
		{"a post before one that was answered earlier", func(t *testing.T, p *Play, _ *Life) {
			for _, o := range p.H.Ops() {
				if o.Room == p.Rooms()[0] && o.Outcome == Done && o.Kind == Create {
					o.Call = p.H.tick() + 1e6
				}
			}
		}, "which was answered before it was asked"},
		{"a mail that was answered and is not there", func(t *testing.T, p *Play, _ *Life) {
			o := p.H.begin(&Op{Kind: Mail, To: []int{0}, Each: []Outcome{Done}, Outcome: Done})
			o.ID = o.Word + "@else.where"
		}, "lacks the mail"},
		{"a mail with other bytes", func(t *testing.T, p *Play, _ *Life) {
			p.doneOnce(t, Mail).Raw[10]++
		}, "has other bytes"},
		{"a file with other bytes", func(t *testing.T, p *Play, _ *Life) {
			for _, o := range p.H.Ops() {
				if o.Kind == Mail && o.Outcome == Done && o.File != nil {
					o.File[0]++
					return
				}
			}
			t.Fatal("no mail has a file")
		}, "opens"},
		{"a mark that was answered and is not there", func(t *testing.T, p *Play, _ *Life) {
			for id, s := range p.players[0].stands {
				p.players[0].stands[id] = stand{fates: fates{{folders: "spam"}: true}, thread: s.thread, mail: s.mail, subject: s.subject}
			}
		}, "may stand as"},
		{"words of others in a row", func(t *testing.T, p *Play, l *Life) {
			spoil(t, l, persistence.Mailbox, string(p.People[0].Account), "zz", "hidden "+word(999))
		}, "row holds " + word(999)},
		{"a reminder of nothing", func(t *testing.T, p *Play, l *Life) {
			key := append([]byte{0x7f, 0, 0, 0, 0, 0, 0, 0}, "thread\x00thr_x\x00"...)
			cell := persistence.Cell{Family: persistence.Remind, Qualifier: key, Version: 1, Value: []byte{1}}
			if err := l.Store.Put(t.Context(), persistence.Reminder, []byte{7}, []persistence.Cell{cell}); err != nil {
				t.Fatal(err)
			}
		}, "1 reminders stand"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			play, l := played(t, 3)
			tc.spoil(t, play, l)
			problems := play.Check(t.Context(), l)
			if !strings.Contains(fmt.Sprint(problems), tc.want) {
				t.Errorf("got %d problems, none with %q: %.500s", len(problems), tc.want, fmt.Sprint(problems))
			}
		})
	}
}
