// Package quote finds what a mail repeats or adds beside its author's words: quoted
// history, a forwarded message, a signature. It gives ranges of lines, so that who
// shows the text can fold them; it never cuts.
//
// It promises that answers between or behind quotes are in no range, that a text
// of which nothing would be left has none, and that time is linear in the texts.
// First it compares with what stands earlier in the thread; then it knows the
// forms that mail programs write, in their languages. Where both are unsure, the
// text is the author's: to show too much is the smaller mistake.
package quote
