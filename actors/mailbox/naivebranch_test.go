package mailbox_test

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// branch moves posts that are here to the room that was made for them. They come
// before all that is posted there, by their time.
func (n *naive) branch(from *talk, o *thread.Offshoot, notice *note) {
	into := n.threads[o.Room]
	if into == nil {
		into = &talk{Thread: parley.Thread{ID: o.Room, Kind: parley.KindRoom, Subject: o.Subject, State: parley.StateIn, History: parley.HistoryJoined, LastAt: notice.ReceivedAt}}
		n.threads[o.Room] = into
	}
	for _, p := range o.Posts {
		m := n.find(p.Message)
		if m == nil || m.Thread != from.ID || m.Notice != "" {
			continue
		}
		m.Thread, m.Seq, m.Generation, m.Revision = into.ID, 0, m.Generation+1, n.last
		m.order = m.ReceivedAt.UnixMicro() - 1<<62
		into.hidden = false
	}
	into.Revision = n.last
	for _, l := range [][2]*talk{{from, into}, {into, from}} {
		if !slices.Contains(l[0].Linked, l[1].ID) {
			l[0].Linked = append(l[0].Linked, l[1].ID)
			slices.Sort(l[0].Linked)
		}
	}
}
