// Package codec gives the rows of mailboxes and rooms their stored form: the
// fence and the mark, actions and pages of a mailbox, events and pages of a room.
//
// It promises that a value comes back as it was, times to the microsecond in
// UTC and empty lists as nil where the two mean the same; that equal values have
// equal bytes, so that cells can be compared; and that no bytes make it panic. A
// kind of action that it does not know is ErrUnknownAction: a replay must stop
// there. What it writes, later versions read (testdata holds a row of each table).
//
// The forms are those of persistence/record. Where the cells are is the work of
// package actors, the form between grains that of package wire.
package codec
