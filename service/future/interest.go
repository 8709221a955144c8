package future

import (
	"context"

	"github.com/parley-im/parley"
)

// ErrInterrupted is the cause of an interrupt that was raised without one.
var ErrInterrupted error = &parley.Error{Code: parley.Unavailable, Op: "future", Err: context.Canceled}

// source is what a future hears its value from, and tells of an interrupt. It
// adds to more whom to tell next, so that long chains do not nest.
type source interface {
	interrupt(cause error, more []source) []source
}

func tell(cause error, sources ...source) {
	for len(sources) > 0 {
		last := len(sources) - 1
		s := sources[last]
		sources = s.interrupt(cause, sources[:last])
	}
}

// interest counts who still wants a future; guarded by the future's mu.
type interest struct {
	source source // nil: nobody to tell, or told already
	cause  error  // of the interrupt; not nil once it was sent

	own  int  // consumers of the future itself
	via  int  // consumers of futures that became part of it
	gave bool // the own ones, or the holder while there was none, gave up for good
}

func (i *interest) join(via bool) {
	if via {
		i.via++
	} else {
		i.own++
	}
}

// leave takes back one interest, and tells the source if it was the last.
func (i *interest) leave(via bool, cause error, more []source) []source {
	if via {
		i.via--
	} else {
		i.own--
		i.gave = i.gave || i.own == 0
	}
	return i.check(cause, more)
}

// release takes back one interest and leaves the future to its holder.
func (i *interest) release(via bool) {
	if via {
		i.via--
	} else {
		i.own--
	}
}

// raise is the holder's word, which counts if there is no consumer. The future
// that another became part of is that one's consumer.
func (i *interest) raise(via bool, cause error, more []source) []source {
	if !via && i.own == 0 {
		i.gave = true
	}
	return i.check(cause, more)
}

func (i *interest) check(cause error, more []source) []source {
	if !i.gave || i.via > 0 || i.cause != nil {
		return more
	}
	i.cause = cause
	if i.source != nil {
		more = append(more, i.source)
		i.source = nil
	}
	return more
}

func (i *interest) shared() bool { return i.own > 0 || i.via > 0 }

// Raise says that the holder of f does not want it any more: its producer is
// interrupted unless f has consumers, which then decide. nil means ErrInterrupted.
func (f *Future[T]) Raise(cause error) {
	if cause == nil {
		cause = ErrInterrupted
	}
	root := f.lock()
	var sources []source
	if !root.finished {
		sources = root.interest.raise(root != f, cause, nil)
	}
	root.mu.Unlock()
	tell(cause, sources...)
}

// interrupted is the cause of the interrupt of f, or nil.
func (f *Future[T]) interrupted() error {
	root := f.lock()
	defer root.mu.Unlock()
	return root.interest.cause
}

// attach makes s hear of an interrupt of f, at once if it came before.
func (f *Future[T]) attach(s source) {
	root := f.lock()
	cause := root.interest.cause
	if root.finished {
		cause = nil
	} else if cause == nil {
		root.interest.source = s
	}
	root.mu.Unlock()
	if cause != nil {
		tell(cause, s)
	}
}
