package wire

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	pb "github.com/parley-im/parley/messages"
)

func TestErrorsKeepTheirCode(t *testing.T) {
	for code := range parley.NumCodes {
		cause := &parley.Error{Code: code, Op: "x", Public: "Slowly.", Field: "to", Err: errors.New("secret")}
		m := travel(t, Reply(mailbox.Reply{Revision: 1}, fmt.Errorf("above: %w", cause)))
		answer, err := Answer(m)
		if answer != nil || err == nil || parley.CodeOf(err) != code {
			t.Errorf("code %d: got %v, %v", code, answer, err)
		}
		public, field := parley.PublicOf(err)
		if public != "Slowly." || field != "to" {
			t.Errorf("code %d: got %q, %q", code, public, field)
		}
		if errors.Is(err, cause.Err) || proto.Size(m) > 32 {
			t.Errorf("code %d: the cause came along: %v", code, m)
		}
	}
}

func TestErrorsKeepWhoCameIn(t *testing.T) {
	want := filled.Value[parley.RosterChange](values(1, true))
	_, err := Answer(travel(t, Reply(nil, fmt.Errorf("above: %w", &parley.Error{Code: parley.ParticipantsChanged, Roster: &want}))))
	if got := parley.RosterOf(err); parley.CodeOf(err) != parley.ParticipantsChanged || !reflect.DeepEqual(got, &want) {
		t.Errorf("got %v with %+v, want %+v", err, got, want)
	}
}

func TestNoDeadline(t *testing.T) {
	m, err := Request(Ping{}, "", time.Time{}, 0)
	if err != nil || m.GetDeadlineUnixMicro() != 0 {
		t.Errorf("got %v, %v", m, err)
	}
}

// The first second of Unix time is a time; the Date of a mail may say it.
func TestTheFirstMomentIsNotNone(t *testing.T) {
	epoch := time.Unix(0, 0).UTC()
	answer, err := Answer(travel(t, Reply(mailbox.OneMessage{Message: parley.Message{At: epoch}}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	m := answer.(mailbox.OneMessage).Message
	if !m.At.Equal(epoch) || !m.ReceivedAt.IsZero() {
		t.Errorf("got %v, %v; want %v and none", m.At, m.ReceivedAt, epoch)
	}
}

func TestWhatIsNoCommand(t *testing.T) {
	for _, cmd := range []any{nil, 1, &mailbox.Close{}, mailbox.Header{}} {
		if m, err := Request(cmd, "", time.Time{}, 0); err == nil {
			t.Errorf("%T became %v", cmd, m)
		}
	}
	if _, err := Answer(Reply(1, nil)); parley.CodeOf(err) != parley.Internal || err == nil {
		t.Errorf("an answer of no kind: got %v, want Internal", err)
	}
}

// What a later version says is an error here, not something less.
func TestWhatIsNotKnown(t *testing.T) {
	later := &pb.Request_Deliver{Deliver: &pb.Deliver{Deliveries: []*pb.Delivery{{Event: &pb.RoomEvent{Type: 9}}}}}
	for _, m := range []*pb.Request{
		nil, {},
		{Command: later},
		{Command: &pb.Request_ChangeThread{ChangeThread: &pb.ChangeThread{Op: 3}}},
		{Command: &pb.Request_DeleteMessage{DeleteMessage: &pb.DeleteMessage{Cmd: &pb.Command{Id: []byte("short")}}}},
		{Command: &pb.Request_AskThreads{AskThreads: &pb.AskThreads{People: []byte("short")}}},
	} {
		if cmd, err := Command(m); cmd != nil || parley.CodeOf(err) != parley.Internal || err == nil {
			t.Errorf("%v: got %+v, %v; want an error", m, cmd, err)
		}
	}
	for _, m := range []*pb.Reply{nil, {}, {Answer: &pb.Reply_Bytes{Bytes: &pb.Bytes{Blob: []byte("short")}}}} {
		if answer, err := Answer(m); answer != nil || err == nil {
			t.Errorf("%v: got %+v, %v; want an error", m, answer, err)
		}
	}
}

func FuzzCommand(f *testing.F) {
	for seed := range uint64(3) {
		for _, cmd := range commands(values(seed, seed == 0)) {
			m, err := Request(cmd, "", time.Time{}, 0)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(must(proto.Marshal(m)))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m := &pb.Request{}
		if proto.Unmarshal(b, m) != nil {
			return
		}
		cmd, err := Command(m)
		if err != nil {
			return
		}
		if _, err := Request(cmd, m.RequestId, time.Time{}, 0); err != nil {
			t.Errorf("%+v was read and cannot be sent: %v", cmd, err)
		}
	})
}

func FuzzAnswer(f *testing.F) {
	for seed := range uint64(3) {
		for _, answer := range answers(values(seed, seed == 0)) {
			f.Add(must(proto.Marshal(Reply(answer, nil))))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m := &pb.Reply{}
		if proto.Unmarshal(b, m) != nil {
			return
		}
		if answer, err := Answer(m); answer != nil && err != nil {
			t.Errorf("both %+v and %v", answer, err)
		}
	})
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
