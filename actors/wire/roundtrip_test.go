package wire

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/codec/filled"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	pb "github.com/parley-im/parley/messages"
)

const rounds = 100

// values draws what passes between grains. full fills every field.
func values(seed uint64, full bool) filled.Config {
	return filled.Config{
		Seed: seed, Full: full,
		Empty: map[string]bool{
			"Change.Folders": true, "Change.Add": true, "Change.Remove": true, "Change.Labels": true, // absent fields stay
			"DeliverMail.Folders": true, // nil lets the rules choose
			"DeliverMail.Raw":     true, // nil: it is in a blob
			"DeleteFolder.After":  true,
			"Delivery.Roster":     true, // nil: Event.Parts alone
			"Bytes.Raw":           true, // nil: the bytes are elsewhere
		},
		Draw: map[reflect.Type]func(*rand.Rand) any{
			reflect.TypeFor[thread.Type]():      func(r *rand.Rand) any { return 1 + r.IntN(7) },
			reflect.TypeFor[mailbox.Draft]():    func(*rand.Rand) any { return mailbox.Draft{} }, // a mail is none
			reflect.TypeFor[parley.Leaving]():   func(r *rand.Rand) any { return [...]parley.Leaving{"archive", "trash", "remove"}[r.IntN(3)] },
			reflect.TypeFor[mailbox.ThreadOp](): func(r *rand.Rand) any { return 1 + r.IntN(2) },
		},
	}
}

// commands is one of each.
func commands(c filled.Config) []any {
	return []any{
		filled.Value[Wake](c), filled.Value[Ping](c), filled.Value[FinishPurge](c),
		filled.Value[mailbox.Deliver](c), filled.Value[mailbox.DeliverMail](c), filled.Value[mailbox.ChangeMessages](c),
		filled.Value[mailbox.ChangeThread](c), filled.Value[mailbox.DeleteMessage](c), filled.Value[mailbox.Upload](c),
		filled.Value[mailbox.Close](c), filled.Value[mailbox.Undo](c),
		filled.Value[mailbox.CreateFolder](c), filled.Value[mailbox.ChangeFolder](c), filled.Value[mailbox.DeleteFolder](c),
		filled.Value[mailbox.ChangeMany](c), filled.Value[mailbox.ReadFolder](c),
		filled.Value[mailbox.StartTransfer](c), filled.Value[mailbox.CancelJob](c), filled.Value[mailbox.AskJob](c), filled.Value[mailbox.AskJobs](c),
		filled.Value[mailbox.SplitThread](c), readings(c), filled.Value[mailbox.MergeThreads](c),
		filled.Value[mailbox.AskStats](c), filled.Value[mailbox.AskFolders](c), filled.Value[mailbox.AskThreads](c),
		filled.Value[mailbox.AskThread](c), filled.Value[mailbox.AskMessages](c), filled.Value[mailbox.AskMessage](c),
		filled.Value[mailbox.AskPlace](c),
		filled.Value[mailbox.AskBody](c), filled.Value[mailbox.AskBlob](c), filled.Value[mailbox.AskEvents](c),
		filled.Value[mailbox.WriteDraft](c), filled.Value[mailbox.DiscardDraft](c), filled.Value[mailbox.SendDraft](c),
		filled.Value[mailbox.KeepDraft](c), filled.Value[mailbox.AskDraft](c), filled.Value[mailbox.AskDrafts](c),
		filled.Value[thread.Create](c), filled.Value[thread.Post](c), filled.Value[thread.Join](c),
		filled.Value[thread.Leave](c), filled.Value[thread.Add](c), filled.Value[thread.Remove](c),
		filled.Value[thread.Alter](c), filled.Value[thread.Split](c), filled.Value[thread.Made](c), filled.Value[thread.Came](c), filled.Value[thread.Ask](c),
	}
}

func answers(c filled.Config) []any {
	return []any{
		nil, filled.Value[mailbox.Reply](c), filled.Value[parley.Stats](c), filled.Value[mailbox.Folders](c),
		filled.Value[parley.Listing[parley.Thread]](c), filled.Value[mailbox.OneThread](c),
		filled.Value[parley.Listing[parley.Message]](c), filled.Value[mailbox.OneMessage](c),
		filled.Value[mailbox.Bytes](c), filled.Value[mailbox.Events](c),
		filled.Value[mailbox.OneDraft](c), filled.Value[parley.Listing[parley.DraftMessage]](c),
		filled.Value[mailbox.OneJob](c), filled.Value[parley.Listing[parley.Job]](c),
		filled.Value[thread.Answer](c), filled.Value[ThreadReply](c), filled.Value[Purged](c),
	}
}

// every draws with many seeds; the first fills every field.
func every(t *testing.T, check func(t *testing.T, c filled.Config)) {
	t.Helper()
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { check(t, values(seed, seed == 0)) })
	}
}

// travel sends a message to another member.
func travel[M proto.Message](t *testing.T, m M) M {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	there := m.ProtoReflect().New().Interface().(M)
	if err := proto.Unmarshal(b, there); err != nil {
		t.Fatal(err)
	}
	return there
}

func TestCommandsComeBack(t *testing.T) {
	deadline := time.UnixMicro(1790000000123456)
	every(t, func(t *testing.T, c filled.Config) {
		for _, cmd := range commands(c) {
			m, err := Request(cmd, "req_1", deadline, 42)
			if err != nil {
				t.Fatal(err)
			}
			for _, got := range []*pb.Request{m, travel(t, m)} { // a grain of this member, and of another
				back, err := Command(got)
				if err != nil || !reflect.DeepEqual(back, cmd) {
					t.Fatalf("got  %+v, %v\nwant %+v", back, err, cmd)
				}
				if got.RequestId != "req_1" || got.DeadlineUnixMicro != deadline.UnixMicro() || got.AtLeast != 42 {
					t.Fatalf("the envelope is %v", got)
				}
			}
		}
	})
}

func TestAnswersComeBack(t *testing.T) {
	every(t, func(t *testing.T, c filled.Config) {
		for _, answer := range answers(c) {
			m := Reply(answer, nil)
			for _, got := range []*pb.Reply{m, travel(t, m)} {
				back, err := Answer(got)
				if err != nil || !reflect.DeepEqual(back, answer) {
					t.Fatalf("got  %+v, %v\nwant %+v", back, err, answer)
				}
			}
		}
	})
}

// Every kind of request and reply of the contract is in the lists above.
func TestEveryKindIsTried(t *testing.T) {
	c := values(1, true)
	tried := map[string]bool{"Reply.failure": true} // by TestErrorsKeepTheirCode
	for _, cmd := range commands(c) {
		m, err := Request(cmd, "", time.Time{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		tried[chosen(m)] = true
	}
	for _, answer := range answers(c) {
		tried[chosen(Reply(answer, nil))] = true
	}
	for _, m := range []proto.Message{&pb.Request{}, &pb.Reply{}} {
		fields := m.ProtoReflect().Descriptor().Oneofs().Get(0).Fields()
		for i := range fields.Len() {
			if name := string(fields.Get(i).Parent().Name()) + "." + string(fields.Get(i).Name()); !tried[name] {
				t.Errorf("nothing becomes %s", name)
			}
		}
	}
}

// chosen names the kind that is set.
func chosen(m proto.Message) string {
	r := m.ProtoReflect()
	field := r.WhichOneof(r.Descriptor().Oneofs().Get(0))
	return string(r.Descriptor().Name()) + "." + string(field.Name())
}

// readings have a signal and an evidence for every name.
func readings(c filled.Config) mailbox.Reparse {
	out := filled.Value[mailbox.Reparse](c)
	for i := range out.Readings {
		r := &out.Readings[i]
		n := min(len(r.Nodes), len(r.Signals), len(r.Evidence))
		r.Nodes, r.Signals, r.Evidence = r.Nodes[:n:n], r.Signals[:n:n], r.Evidence[:n:n]
		if n == 0 {
			r.Nodes, r.Signals, r.Evidence = nil, nil, nil
		}
	}
	return out
}
