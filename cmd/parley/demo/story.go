package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"
)

// story tells the play, or says what was checked of it.
type story struct {
	out      io.Writer
	checking bool
	checked  int
}

// scene begins a part.
func (s *story) scene(title string) {
	if !s.checking {
		fmt.Fprintf(s.out, "\n%s\n", title)
	}
}

// tell says what happened.
func (s *story) tell(format string, args ...any) {
	if !s.checking {
		fmt.Fprintf(s.out, "  "+format+"\n", args...)
	}
}

// check compares. A check that fails ends the play, told or not.
func (s *story) check(what string, got, want any) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("check failed: %s: got %v, want %v", what, got, want)
	}
	s.checked++
	if s.checking {
		fmt.Fprintf(s.out, "ok  %s\n", what)
	}
	return nil
}

// first is the first error; each of the checks beside each other ran.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// patience is how long others' copies may take. They take milliseconds.
const patience = 20 * time.Second

var errNotYet = errors.New("not yet")

// until asks again while the answer is errNotYet.
func until(ctx context.Context, what string, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil || !errors.Is(err, errNotYet) && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited %v: %s: %w", patience, what, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
