package actors

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/faulty"
)

// splitStory is a room of Ana, Bo and, after two posts, Cy.
type splitStory struct {
	*world
	room  parley.ThreadID
	posts []parley.MessageID
}

func newSplitStory(t *testing.T, fs vfs.FS, changes ...func(*Config)) *splitStory {
	s := &splitStory{world: newWorld(t, fs, newPeople("ana", "bo", "cy"), changes...)}
	ctx, ana := ctxFor(t), accountID("ana")
	th, _, _, err := s.c.CreateRoom(ctx, ana, cmd(ana, "make"), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, Subject: "Boat"})
	if err != nil {
		t.Fatal(err)
	}
	s.room = th.ID
	s.post(t, "ana", "one")
	s.post(t, "bo", "two")
	if _, _, _, err := s.c.AddParticipant(ctx, ana, cmd(ana, "add"), th.ID, parley.Recipient{Account: accountID("cy")}); err != nil {
		t.Fatal(err)
	}
	s.post(t, "bo", "three")
	s.post(t, "ana", "four")
	for who, n := range map[string]int{"ana": 4, "bo": 4, "cy": 2} {
		s.texts(t, who, s.room, n)
	}
	return s
}

func (s *splitStory) post(t *testing.T, who, text string) {
	t.Helper()
	p, err := s.c.Post(ctxFor(t), accountID(who), cmd(accountID(who), text), s.room, parley.Post{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	s.posts = append(s.posts, p.Message.ID)
}

func (s *splitStory) split(ctx context.Context) (parley.ThreadID, bool, error) {
	ana := accountID("ana")
	made, _, replayed, err := s.c.SplitThread(ctx, ana, cmd(ana, "split"), 0, s.room, parley.Split{Messages: s.posts[1:3], Subject: "Sails"})
	return made, replayed, err
}

// settled waits until each copy has the new room of all three, and holds what each sees.
func (s *splitStory) settled(t *testing.T, made parley.ThreadID) {
	t.Helper()
	for _, who := range []string{"ana", "bo", "cy"} {
		s.until(t, who+" has the room", func() bool {
			th, _, err := s.c.Thread(ctxFor(t), accountID(who), made, 0)
			return err == nil && len(th.Participants) == 3 && slices.Equal(th.Linked, []parley.ThreadID{s.room}) && th.Subject == "Sails"
		})
	}
	for who, want := range map[string][2]string{"ana": {"one four", "two three"}, "bo": {"one four", "two three"}, "cy": {"four", "three"}} {
		for i, id := range []parley.ThreadID{s.room, made} {
			if got := strings.Join(s.texts(t, who, id, len(strings.Fields(want[i]))), " "); got != want[i] {
				t.Errorf("%s reads %q in room %d, want %q", who, got, i, want[i])
			}
		}
	}
}

func (s *splitStory) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(15 * time.Second); !is(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("it never came that %s", what)
		}
	}
}

// Each finds in the new room those of the posts that they had, and goes on there;
// the posts keep their ids; a repeat makes nothing more; who may not, does not.
func TestSplitOfRoom(t *testing.T) {
	s := newSplitStory(t, vfs.NewMem())
	s.tune.pageBudget, s.tune.flushActions = 1, 3
	ctx, bo, cy := ctxFor(t), accountID("bo"), accountID("cy")
	if _, _, _, err := s.c.SplitThread(ctx, bo, cmd(bo, "split"), 0, s.room, parley.Split{From: s.posts[2]}); parley.CodeOf(err) != parley.NotPermitted {
		t.Errorf("a member's split: %v", err)
	}
	if _, _, _, err := s.c.SplitThread(ctx, cy, cmd(cy, "split"), 0, s.room, parley.Split{Messages: s.posts[:1]}); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("a split of what one does not see: %v", err)
	}
	made, _, err := s.split(ctx)
	if err != nil {
		t.Fatal(err)
	}
	again, replayed, err := s.split(ctx)
	if err != nil || !replayed || again != made {
		t.Errorf("the repeat says %s, %t, %v; want %s", again, replayed, err, made)
	}
	s.settled(t, made)
	if m, _, err := s.c.Message(ctx, cy, s.posts[2], 0); err != nil || m.Thread != made || m.Text != "three" || m.Author.Account != bo {
		t.Errorf("the post is %+v, %v", m, err)
	}
	if _, _, err := s.c.Message(ctx, cy, s.posts[1], 0); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("who came late reads the post: %v", err)
	}
	if _, err := s.c.Post(ctx, cy, cmd(cy, "five"), made, parley.Post{Text: "five"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.texts(t, "bo", made, 3), " "); got != "two three five" {
		t.Errorf("Bo reads %q", got)
	}
	s.clean(t)
}

// The process may die at any operation of the store from the split on. What was
// answered comes to its end with nobody asking, by the reminder that stands, and
// what was not by a repeat.
func TestSplitOfRoomIsCut(t *testing.T) {
	for at, whole := int64(1), false; !whole; at++ {
		t.Run(fmt.Sprint(at), func(t *testing.T) { whole = cutSplit(t, at) })
	}
}

func cutSplit(t *testing.T, at int64) (whole bool) {
	fs := vfs.NewCrashableMem()
	var left atomic.Int64
	left.Store(1 << 30)
	ctx, cancel := context.WithCancel(ctxFor(t)) // who asks goes away with the process
	defer cancel()
	s := newSplitStory(t, fs, func(c *Config) {
		c.Store = faulty.New(c.Store, func(faulty.Op) faulty.Outcome {
			if left.Add(-1) < 0 {
				cancel()
				return faulty.Refuse
			}
			return faulty.Pass
		})
	})
	if err := s.Drain(ctxFor(t)); err != nil {
		t.Fatal(err)
	}
	left.Store(at - 1)
	made, _, err := s.split(ctx)
	whole = left.Load() >= 0 && err == nil
	after := &splitStory{world: newWorld(t, fs.CrashClone(vfs.CrashCloneCfg{}), s.people, func(c *Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Minute) } // reminders are due
	}), room: s.room, posts: s.posts}
	after.tune.foundingGrace, after.tune.reminderAfter = time.Millisecond, time.Millisecond
	after.Tick(ctxFor(t))
	if err != nil {
		after.until(t, "the repeat finds the room", func() bool {
			made, _, err = after.split(ctxFor(t))
			return parley.CodeOf(err) != parley.Unavailable
		})
	}
	if err != nil {
		t.Fatalf("the repeat fails: %v", err)
	}
	after.settled(t, made)
	after.until(t, "nothing is owed", func() bool {
		after.Tick(ctxFor(t))
		if err := after.Drain(ctxFor(t)); err != nil {
			t.Fatal(err)
		}
		rep, err := after.Audit(ctxFor(t), func(int64, int64) {})
		return err == nil && rep.Reminders == 0
	})
	after.clean(t)
	return whole
}
