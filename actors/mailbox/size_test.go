package mailbox

import (
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/thread"
)

// A room says the size of a text with each post, also of one that is in the event.
func TestSizeOfPosts(t *testing.T) {
	attached := []thread.Attachment{{Size: 1000}}
	for _, tc := range []struct {
		name  string
		event thread.Event
		want  int64
	}{
		{"text in the event", thread.Event{Text: "four", TextSize: 4}, 4},
		{"text in a blob", thread.Event{TextBlob: parley.Digest{1}, TextSize: 70_000}, 70_000},
		{"with a file of somebody else", thread.Event{Text: "four", TextSize: 4, Attachments: attached}, 4},
		{"with a file of one's own", thread.Event{Text: "four", TextSize: 4, Attachments: attached, Actor: parley.Author{Account: "me"}}, 1004},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := NewWhole("me")
			tc.event.Seq, tc.event.Type, tc.event.Message = 1, thread.Posted, parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{1}))
			room := parley.ThreadID(parley.FormatID(parley.ThreadPrefix, [16]byte{2}))
			blob := parley.BlobID(parley.FormatID(parley.BlobPrefix, [16]byte{3}))
			d, err := s.Decide(Deliver{Room: room, Deliveries: []thread.Delivery{{Event: tc.event}}, Blobs: [][]parley.BlobID{{blob}}}, time.Unix(1, 0))
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Actions[0].Filed.Message.Size; got != tc.want {
				t.Errorf("got %d bytes, want %d", got, tc.want)
			}
		})
	}
}
