// Package progress tells a person how far a long piece of work has come.
//
// It promises to write seldom: a line that is rewritten in place on a terminal,
// a line now and then elsewhere, and nothing at all for work that is quick. What
// is counted, and in which words, is the caller's.
package progress

import (
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	onTerminal = 200 * time.Millisecond
	elsewhere  = 5 * time.Second
)

// Line reports one piece of work. It is safe for concurrent use; a nil Line says
// nothing.
type Line struct {
	w        io.Writer
	terminal bool
	now      func() time.Time

	mu    sync.Mutex
	next  time.Time // nothing is written before
	width int       // of what stands on the terminal
}

// New reports to w, which is a terminal or not.
func New(w io.Writer, terminal bool, now func() time.Time) *Line {
	l := &Line{w: w, terminal: terminal, now: now}
	l.next = now().Add(l.pause())
	return l
}

func (l *Line) pause() time.Duration {
	if l.terminal {
		return onTerminal
	}
	return elsewhere
}

// Sayf says how far it is, if it is time to say something.
func (l *Line) Sayf(format string, args ...any) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if now.Before(l.next) {
		return
	}
	l.next = now.Add(l.pause())
	text := fmt.Sprintf(format, args...)
	if !l.terminal {
		fmt.Fprintln(l.w, text)
		return
	}
	// Spaces cover what a longer text left behind.
	width := utf8.RuneCountInString(text)
	fmt.Fprintf(l.w, "\r%s%*s", text, max(0, l.width-width), "")
	l.width = width
}

// End clears the line of a terminal.
func (l *Line) End() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.width > 0 {
		fmt.Fprintf(l.w, "\r%*s\r", l.width, "")
		l.width = 0
	}
}
