package mailbox_test

import (
	"maps"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
)

// FuzzPlay lets bytes choose what TestPlay draws.
func FuzzPlay(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(rt *rapid.T) { newPlay(rt).run() }))
}

// FuzzDecide reads commands out of bytes, sensible and not. Whatever comes: no
// panic, deciding changes nothing, refusals have a code, actions continue the log,
// and the figures are those of the messages.
func FuzzDecide(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x01\x01\x01\x01\x02\x02\x02\x02\x03\x03\x03\x03\x04\x04\x04\x04\x05\x05\x05\x05"))
	f.Add([]byte("\x01\x00\x00\x00\x01\x01\x01\x00\x01\x02\x81\xff\x02\x00\x07\x00\x03\x00\x01\x00\x03\x00\x01\x00\x01\x00\x00\x00"))
	f.Add([]byte("\x00\xff\xff\xff\x00\x03\xff\x01\x04\x00\x00\x00\x05\x01\x01\x01\x06\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		w, at := newTwins(t), begin
		in = in[:min(len(in), 4*64)]
		for n := byte(0); len(in) >= 4; in, n = in[4:], n+1 {
			cmd := fuzzCommand(in[0], in[1], in[2], in[3], n, at)
			before, last := w.whole.Pages(), w.whole.Last()
			d, err := w.whole.Decide(cmd, at)
			if !maps.Equal(before, w.whole.Pages()) {
				t.Fatalf("deciding %+v changed the state", cmd)
			}
			if err != nil && parley.CodeOf(err) == parley.Internal {
				t.Fatalf("%+v: %v", cmd, err)
			}
			for i, raw := range w.encoded(d.Actions) {
				if d.Actions[i].N != last+parley.Revision(i)+1 || len(d.Actions[i].Events()) == 0 {
					t.Fatalf("%+v: action %d after %d: %+v", cmd, i, last, d.Actions[i])
				}
				if err := w.whole.Apply(w.decoded(raw)); err != nil {
					t.Fatal(err)
				}
			}
			recount(t, w.whole)
			at = at.Add(time.Duration(in[3]) * time.Hour)
		}
	})
}

var (
	fuzzThreads  = []parley.ThreadID{threadID(0), threadID(1), threadID(2), "", "thr_x"}
	fuzzMessages = []parley.MessageID{messageID(0), messageID(1), messageID(2), messageID(3), "", "msg_x"}
	fuzzFolders  = []parley.FolderID{parley.Inbox, parley.Archive, parley.Trash, parley.Spam, parley.Sent, "", "fld_x", folderID(0), labelID(0)}
	fuzzNames    = []string{"ana", "me", "", "\xff\x00", "cy@out"}
	fuzzKeywords = []parley.Keyword{parley.Seen, parley.Draft, "", "\xff"}
)

func at[T any](list []T, n byte) T { return list[int(n)%len(list)] }

// bit is nil, yes or no.
func bit(b byte) *bool {
	if b&1 == 0 {
		return nil
	}
	return new(b&2 != 0)
}

func fuzzCommand(kind, a, b, c, n byte, now time.Time) any {
	key := parley.Command{Body: parley.Digest{c & 1}}
	if c&2 != 0 {
		key.ID = parley.CommandID{1, a & 3}
	}
	if c&4 != 0 {
		key.First = now.Add(-time.Duration(b) * time.Hour)
	}
	change := parley.Change{Seen: bit(b), Flagged: bit(b >> 2), Add: []parley.FolderID{at(fuzzFolders, c)}}
	if b&16 != 0 {
		change.Folders = []parley.FolderID{at(fuzzFolders, b), at(fuzzFolders, b>>5)}
	}
	id := at(fuzzThreads, a)
	switch kind % 10 {
	case 0:
		return fuzzDeliver(id, a, b, c, n, now)
	case 1:
		return fuzzMail(key, a, b, c, now)
	case 2:
		return mailbox.ChangeMessages{Cmd: key, IfMatch: parley.Revision(c >> 6), Messages: fuzzMessages[:a%7], Change: change}
	case 3:
		return mailbox.ChangeThread{Cmd: key, IfMatch: parley.Revision(c >> 6), Thread: id, Op: mailbox.ThreadOp(b % 3),
			Change: parley.ThreadChange{Change: change, Archived: bit(a >> 3), Muted: bit(a >> 5)}}
	case 4:
		return mailbox.DeleteMessage{Cmd: key, Message: at(fuzzMessages, a)}
	case 5:
		return mailbox.Upload{Cmd: key, ID: at([]parley.BlobID{fileID("f"), "", "blb_x"}, b), Blob: mailbox.Blob{Digest: parley.Digest{a}}}
	}
	return fuzzFolder(kind%10, key, a, b, c)
}

func fuzzFolder(kind byte, key parley.Command, a, b, c byte) any {
	id := at([]parley.FolderID{folderID(0), folderID(1), labelID(0), labelID(1), parley.Inbox, "", "fld_x"}, a)
	name, parent := at(fuzzNames, b), at(fuzzFolders, c>>3)
	switch kind {
	case 6:
		return mailbox.CreateFolder{Cmd: key, ID: id, Name: name, Parent: parent}
	case 7:
		return mailbox.ChangeFolder{Cmd: key, ID: id, IfMatch: parley.Revision(b >> 6), Change: parley.FolderChange{Name: &name, Parent: &parent}}
	case 8:
		return mailbox.DeleteFolder{Cmd: key, ID: id, Messages: at([]parley.Leaving{"", "archive", "trash", "remove", "x"}, b), Thread: at(fuzzThreads, c)}
	}
	return mailbox.Close{}
}

// fuzzDeliver has chains that break, names that are none, and lists too short.
func fuzzDeliver(room parley.ThreadID, a, b, c, n byte, now time.Time) mailbox.Deliver {
	d := mailbox.Deliver{Room: threadID("room", room)}
	for i := range a % 4 {
		e := thread.Event{Seq: parley.Seq(b&7 + i), At: now.Add(-time.Duration(c) * time.Minute), Type: thread.Type(c % 9),
			Actor: author(at(fuzzNames, b)), Message: messageID("post", room, b&7+i), Text: at(fuzzNames, c), TextSize: int64(c) - 3}
		e.Attachments = []thread.Attachment{{Blob: digest("f"), Size: int64(a)}, {Blob: digest("f")}}
		e.Mentions = []parley.PartID{partID("me"), ""}
		e.Parts = []parley.Participant{person(at(fuzzNames, a)), person(at(fuzzNames, b>>2))}
		del := thread.Delivery{Event: e, Prev: parley.Seq(b>>3&7) + parley.Seq(i)}
		if c&64 != 0 {
			del.Roster = e.Parts
		}
		d.Deliveries = append(d.Deliveries, del)
		d.Notices = append(d.Notices, messageID("notice", room, b&7+i))
		if c&128 != 0 {
			d.Blobs = append(d.Blobs, []parley.BlobID{fileID("f"), fileID("f")})
		}
	}
	return d
}

// fuzzMail names itself, others and nobody, and comes from any time.
func fuzzMail(key parley.Command, a, b, c byte, now time.Time) mailbox.DeliverMail {
	m := mailbox.DeliverMail{
		Cmd: key, KeyLife: time.Duration(int8(b)) * time.Hour, NewThread: at(fuzzThreads, b), Import: c&8 != 0, BornRead: c&16 != 0,
		Quota: int64(c & 32 * 20), Keywords: []parley.Keyword{at(fuzzKeywords, a), at(fuzzKeywords, c)},
		Message: mailbox.Message{ID: at(fuzzMessages, a), Received: now.UnixMicro() - int64(b)<<20, Size: int64(b), Own: c&1 != 0,
			Subject: at(fuzzNames, a), Author: author(at(fuzzNames, b)), Content: parley.Digest{a & 4}},
	}
	if c&64 != 0 {
		m.Folders = []parley.FolderID{at(fuzzFolders, a), at(fuzzFolders, a)}
	}
	for i := range 1 + b%3 {
		m.Nodes = append(m.Nodes, mailbox.Hash{a >> i & 7})
		m.Signals, m.Evidence = append(m.Signals, parley.SignalReferences), append(m.Evidence, "x")
	}
	return m
}
