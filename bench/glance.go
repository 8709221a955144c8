package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-im/parley"
)

// glance is something that somebody does with a mailbox.
type glance struct {
	name string
	more int // blocks more where each list that it looks into is a level deeper
	do   func(ctx context.Context, r *reading) error
}

func (g glance) of(messages int) string { return fmt.Sprintf("%s, of %d messages", g.name, messages) }

// acrossLeaves is the second leaf of a page.
const acrossLeaves = 1

func glances(page int) []glance {
	me := personID(0)
	return []glance{
		{"unread figure", 1, func(ctx context.Context, r *reading) error {
			_, err := r.Stats(ctx, me, 0)
			return err
		}},
		{"newest page", 1 + acrossLeaves, func(ctx context.Context, r *reading) error {
			_, err := r.inbox(ctx, "")
			return err
		}},
		{fmt.Sprintf("page %d", page), 1 + acrossLeaves, func(ctx context.Context, r *reading) error {
			_, err := r.inbox(ctx, r.pageKey)
			return err
		}},
		{"open a thread", 1, func(ctx context.Context, r *reading) error {
			_, _, err1 := r.Thread(ctx, me, r.thread, 0)
			_, err2 := r.Messages(ctx, me, r.thread, "", parley.Page{}, 0)
			return errors.Join(err1, err2)
		}},
		{"mark it read", 3, // unread of Inbox and of everything, the thread
			func(ctx context.Context, r *reading) error {
				seen := true
				_, err := r.ChangeThread(ctx, me, parley.Command{}, 0, r.thread, parley.ThreadChange{Change: parley.Change{Seen: &seen}})
				return err
			}},
		{"mail in", 8, // all and unread of Inbox and of everything, sender, contacts, keys, the thread
			func(ctx context.Context, r *reading) error {
				r.messages++
				return r.receive(ctx, 0, r.paper.letter(r.messages).raw())
			}},
	}
}
