package actors

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/faulty"
)

// lines is a log that goroutines write and a test reads.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer // under mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// A commit that fails is found in the log by the id of the request that waited.
func TestRequestIsNamedInTheLog(t *testing.T) {
	var log lines
	var broken atomic.Bool
	w := newWorld(t, vfs.NewMem(), newPeople("ana"), func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		c.Store = faulty.New(c.Store, func(op faulty.Op) faulty.Outcome {
			if broken.Load() && op.Kind == faulty.Commit {
				return faulty.Refuse
			}
			return faulty.Pass
		})
	})
	if err := w.mail(t, "ana", mailText(1, 0)); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	id := parley.NewRequest()
	l, err := w.c.Threads(ctxFor(t), accountID("ana"), parley.ThreadQuery{Folder: parley.Inbox, Page: parley.Page{Limit: 1}}, 0)
	if err != nil || len(l.Items) != 1 {
		t.Fatal(l, err)
	}
	yes := true
	_, err = w.c.ChangeThread(parley.WithRequest(ctxFor(t), id), accountID("ana"), parley.Command{}, 0, l.Items[0].ID, parley.ThreadChange{Archived: &yes})
	if err == nil || errors.Is(err, errMoved) {
		t.Fatalf("got %v, want a failure", err)
	}
	if got := log.String(); !strings.Contains(got, "activation ends") || !strings.Contains(got, id) {
		t.Errorf("the log does not name %s:\n%s", id, got)
	}
}
