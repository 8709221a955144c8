package actors

import (
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/embedded"
)

// call is ask for an answer that may be an error; it comes as a grain's call does.
func (h *byHand) call(cmd any) (heard func() (answered bool, err error)) {
	var answered bool
	var got error
	h.handle(input{cmd: cmd, since: h.begun, reply: func(_ any, err error) { answered, got = true, err }})
	return func() (bool, error) { return answered, got }
}

// twoByHand are two activations of one room, which the first has made; the second
// has taken the row since and let cy in.
func twoByHand(t *testing.T) (one, two *byHand) {
	t.Helper()
	one = newByHand(t)
	one.create(t)
	two = byHandOn(t, one.inner, 1000)
	added := two.ask(t, thread.Add{By: "ana", Who: seat("cy")})
	if two.run(); !added() {
		t.Fatal("cy was not let in")
	}
	return one, two
}

var byCy = thread.Post{Author: "cy", Message: "msg_cy", Text: "hello", Cmd: parley.Command{ID: parley.CommandID{1}}}

// An activation that has lost its row refuses nothing by what it remembers.
func TestRefusalsAreProven(t *testing.T) {
	one, two := twoByHand(t)
	posted := two.ask(t, byCy)
	if two.run(); !posted() {
		t.Fatal("cy's post is not answered")
	}
	heard := one.call(byCy) // a repeat, by whom the first activation does not know
	one.run()
	if answered, err := heard(); !answered || parley.CodeOf(err) != parley.Unavailable || !errors.Is(one.cause, errLost) {
		t.Errorf("got %v %v, and the activation ended by %v; want Unavailable by the loss of the row", answered, err, one.cause)
	}
}

// One that has its row looks once, and answers.
func TestRefusalsCostOneRead(t *testing.T) {
	h := newByHand(t)
	h.create(t)
	h.reads = 0
	heard := h.call(byCy)
	h.run()
	if answered, err := heard(); !answered || parley.CodeOf(err) != parley.NotFound || h.reads != 1 {
		t.Errorf("got %v %v with %d reads; want NotFound with 1", answered, err, h.reads)
	}
}

// What finds nothing to do is said to be done: it needs the same proof.
func TestFulfilledWishesAreProven(t *testing.T) {
	one, two := twoByHand(t)
	left := two.ask(t, thread.Leave{Who: "bo"})
	if two.run(); !left() {
		t.Fatal("bo did not leave")
	}
	heard := one.call(thread.Join{Who: seat("bo")})
	one.run()
	if answered, err := heard(); !answered || parley.CodeOf(err) != parley.Unavailable {
		t.Errorf("got %v %v; want Unavailable, since bo is out by now", answered, err)
	}
}

// A put that was under way before the command came proves nothing for it.
func TestProofBeginsAfterTheCommand(t *testing.T) {
	h := newByHand(t)
	h.create(t)
	posted := h.ask(t, thread.Post{Author: "ana", Message: "msg_1", Text: "hello"})
	h.loop() // the put is under way
	heard := h.call(byCy)
	h.reads = 0
	h.beside[0]()
	h.beside = h.beside[1:]
	h.loop()
	if answered, _ := heard(); !posted() || answered {
		t.Fatalf("posted %v, refused %v by an older put", posted(), answered)
	}
	h.run()
	if answered, err := heard(); !answered || parley.CodeOf(err) != parley.NotFound || h.reads != 1 {
		t.Errorf("got %v %v with %d reads; want NotFound with 1", answered, err, h.reads)
	}
}

// Pages that another activation has written do not fit the state of this one.
func TestPagesOfAnotherActivationAreNotTaken(t *testing.T) {
	store, err := embedded.Open(embedded.Config{Dir: "store", FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	one, two := byHandOn(t, store, 0), byHandOn(t, store, 1000)
	for _, h := range []*byHand{one, two} {
		h.activation.m = newMailboxMachine("acc_test", nil, func(uint64) []byte { return nil })
		h.table, h.row = persistence.Mailbox, parley.RowKey("acc_test")
		h.load(nil)
		h.run()
	}
	uploaded := two.ask(t, mailbox.Upload{ID: "blb_1", Blob: mailbox.Blob{Bytes: 1}})
	if two.run(); !uploaded() {
		t.Fatal("the upload is not answered")
	}
	answered := false
	one.handle(input{cmd: mailbox.AskBlob{ID: "blb_1"}, read: true, reply: func(_ any, err error) {
		answered = true
		if parley.CodeOf(err) != parley.Unavailable || !errors.Is(one.cause, errLost) {
			t.Errorf("got %v, and the activation ended by %v; want Unavailable by the loss of the row", err, one.cause)
		}
	}})
	if one.run(); !answered {
		t.Error("not answered")
	}
}
