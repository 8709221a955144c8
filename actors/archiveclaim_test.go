package actors

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// TestPurgeWhileTheArchiveClaims: an activation that finds debts makes its epoch
// its own before it pays them; what is purged meanwhile is blanked all the same.
func TestPurgeWhileTheArchiveClaims(t *testing.T) {
	s, first := sealedMail(t, 40)
	remove := func(key string, id parley.MessageID) mailbox.DeleteMessage {
		return mailbox.DeleteMessage{Cmd: parley.Command{ID: testSecret.Command(accountID("ana"), key), First: s.clock}, Message: id}
	}
	if _, err := s.do(remove("trash", first), remove("purge", first)); err != nil {
		t.Fatal(err)
	}
	if s.kill(); !s.fence.Owing {
		t.Fatal("nothing is owed")
	}
	clock, inner := s.clock, s.inner
	for seed := uint64(1); seed <= 5; seed++ {
		s = newStage(t, inner, accountID("ana"), seed, 1+seed, 2000)
		s.clock = clock
		for !s.archive.busy {
			s.step()
		}
		m := mailOf("ana", 100+int(seed), strings.Repeat("gone ", 20))
		m.Cmd.First = clock
		id := m.Message.ID
		answers, err := s.do(m, remove(fmt.Sprint("trash", seed), id), remove(fmt.Sprint("purge", seed), id))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			if a.err != nil {
				t.Error(a.err)
			}
		}
		s.kill()
	}
	s = newStage(t, inner, accountID("ana"), 1, 10, 2000)
	s.clock = clock
	if err := s.quiet(); err != nil {
		t.Fatal(err)
	}
	s.finished(inner)
	s.kill()
	canonicalOf(t, inner, accountID("ana"))
}
