package actors

import (
	"runtime"
	"testing"
	"weak"
)

// An activation must not hold on to a command that it has answered: by its sender
// it would hold the answer too.
func TestAnsweredCommandIsForgotten(t *testing.T) {
	h := newByHand(t)
	h.phase = reading // commands wait from now on
	what, answered := waiting(h)
	h.phase = ready
	h.drain()
	if !*answered {
		t.Fatal("the command was not answered")
	}
	runtime.GC()
	if what.Value() != nil {
		t.Error("the activation still holds what the answered command referred to")
	}
	runtime.KeepAlive(h)
}

// waiting gives the activation a command that refers to something large.
func waiting(h *byHand) (what weak.Pointer[[1 << 16]byte], answered *bool) {
	large := new([1 << 16]byte)
	answered = new(bool)
	h.handle(input{cmd: barrier{}, reply: func(any, error) { *answered = large != nil }})
	return weak.Make(large), answered
}
