// Package thread is the pure state machine of a room: the only authority on
// its participants and its order. It decides commands, folds events and says
// what each participant has yet to receive.
//
// It does no I/O and reads no clock: time, ids and stored events are handed in.
// Events are numbered by their sequence, which is also their place in the row's
// log. Nothing in a State refers to a store or to the wire, and nothing in it
// depends on the order of a map.
//
// # Who may do what
//
// Who is in may post, leave and add others. Moderators remove, change roles
// and alter the room. Who left or is invited may join, and anyone may join an
// open room, as a member; who was removed comes back on a moderator's word
// alone. A room with somebody in it has a moderator: when the last one leaves,
// whoever is in for the longest time becomes one, and so does the first to come
// back to an empty room.
//
// # What a participant sees
//
// Membership is a list of intervals of the sequence, from the event of entering
// to the event of leaving, both included. A participant sees what lies in them
// and, on entering, every earlier post that was stamped history=all when it
// was posted; that stays granted when they leave. So what somebody sees only
// ever grows at its end, a copy is complete up to its last sequence, and the
// chain of Delivery.Prev never changes once told.
//
// # Commands that are repeated
//
// The event remembers its command: a repeat is answered as the first time,
// another body is KeyMismatch, a first attempt older than KeyLife is Expired.
// Keys are forgotten in whole chunks, by the times of later events alone, so
// that a replay forgets the same ones. Refusals, and answers to commands that
// had nothing to do, are not remembered: such a repeat is decided again.
package thread
