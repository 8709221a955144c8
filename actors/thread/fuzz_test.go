package thread

import (
	"testing"
	"time"

	"github.com/parley-im/parley"
)

// FuzzDecide reads commands out of bytes. Whatever comes: no panic, deciding
// changes nothing, events continue the sequence and fold, refusals have a code.
func FuzzDecide(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x01\x01\x01\x01\x02\x02\x02\x02\x03\x03\x03\x03\x04\x04\x04\x04"))
	f.Add([]byte("\x00\xff\x00\x00\x01\x00\xff\x07\x06\x00\x02\x01\x05\x00\x01\x00\x02\x01\x00\x00\x03\x80\x00\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := New("thr")
		at := year
		in = in[:min(len(in), 4*64)] // each step prints the whole state
		for ; len(in) >= 4; in = in[4:] {
			cmd := fuzzCommand(in[0], in[1], in[2], in[3], at)
			before := s.Canonical()
			d, err := s.Decide(cmd, at)
			if s.Canonical() != before {
				t.Fatalf("deciding %+v changed the state", cmd)
			}
			if err != nil && err != ErrNeedBlob && parley.CodeOf(err) == parley.Internal {
				t.Fatalf("%+v: %v", cmd, err)
			}
			for _, e := range d.Events {
				if e.Seq != s.Last()+1 || e.At.Before(s.room.LastAt) {
					t.Fatalf("event %d at %s after %d at %s", e.Seq, e.At, s.Last(), s.room.LastAt)
				}
				s.Apply(e)
			}
			at = at.Add(time.Duration(in[3]) * time.Hour)
		}
		if err := New("thr").Load(s.All()); err != nil {
			t.Fatal(err)
		}
	})
}

// fuzzNames has nobody and a name that is not UTF-8 among the people.
var fuzzNames = [...]string{"ana", "bo", "cy", "dee", "", "\xff"}

func fuzzCommand(kind, a, b, c byte, at time.Time) any {
	one, two := fuzzNames[int(a)%len(fuzzNames)], fuzzNames[int(b)%len(fuzzNames)]
	key := parley.Command{ID: parley.CommandID{kind >> 4, a & 3}, Body: parley.Digest{c & 1}}
	if c&2 != 0 {
		key.First = at.Add(-time.Duration(b) * time.Hour)
	}
	other := who(two)
	other.Role = []parley.Role{"", parley.RoleMember, parley.RoleModerator, "owner"}[c>>2&3]
	other.State = []parley.PartState{"", parley.StateInvited, parley.StateLeft, "odd"}[c>>4&3]
	post := Post{Cmd: key, Author: parley.AccountID(one), Message: "m", Text: two, Mentions: []parley.PartID{parley.PartID(two)}, Roster: parley.Seq(c >> 5)}
	switch kind % 8 {
	case 0:
		return Create{Cmd: key, Maker: who(one), Others: []parley.Participant{other, who("cy")}, Open: c&1 != 0, History: parley.HistoryAll}
	case 1:
		return Create{Cmd: key, Maker: who(one), Others: []parley.Participant{other}, Subject: two, First: &post}
	case 2:
		return post
	case 3:
		return Join{Cmd: key, Who: other}
	case 4:
		return Leave{Cmd: key, Who: parley.AccountID(one), Gone: c&4 != 0}
	case 5:
		return Add{Cmd: key, By: parley.AccountID(one), Who: other}
	case 6:
		return Remove{Cmd: key, By: parley.AccountID(one), Part: parley.PartID(two)}
	default:
		history := parley.History([]string{"all", "joined", "odd"}[c%3])
		return Alter{Cmd: key, By: parley.AccountID(one), Subject: &two, History: &history, Part: parley.PartID(two), Role: other.Role}
	}
}
