package thread

import (
	"time"

	"github.com/parley-im/parley"
)

// Type of an event in a room's sequence.
type Type uint8

// The types. Numbers are stored: never reuse one.
const (
	Created Type = 1 // the room and its first participants
	Posted  Type = 2
	Joined  Type = 3 // by themselves
	Added   Type = 4 // or invited, by somebody who is in
	Left    Type = 5 // by themselves, or because the account is gone
	Removed Type = 6 // by a moderator
	Changed Type = 7 // subject, openness or history of the room; role of a participant
	Divided Type = 8 // a moderator moved posts into a room of their own
)

// Event is one action of a room: committed, ordered, folded and delivered.
type Event struct {
	Seq   parley.Seq
	At    time.Time
	Type  Type
	Actor parley.Author // who did it; name and account as of then

	// Cmd is the command behind the event, so that a repeat finds this answer;
	// a zero ID means none. Body binds the key to its request.
	Cmd  parley.CommandID
	Body parley.Digest

	// Posted.
	Message     parley.MessageID
	Text        string
	TextBlob    parley.Digest // instead of Text when it is large
	TextSize    int64
	Excerpt     string // first words, set when Text is in a blob
	Attachments []Attachment
	ReplyTo     parley.MessageID
	Mentions    []parley.PartID
	HistoryAll  bool // stamped from the room's history setting when posted

	// Created, Joined, Added, Left, Removed, Changed: the participants as they
	// stand after the event; only those that the event touches. The first is whom
	// the event is about, of Created the maker; a successor as moderator follows.
	Parts []parley.Participant

	// Offshoot, of Divided: the room that was made, and what went there.
	Offshoot *Offshoot

	// Gone, of Left: the account no longer exists, so nothing waits for its copy.
	Gone bool

	// Carried: the room was made of a mail thread, or the post comes from there.
	Carried *Carried

	// Created and Changed: what is new, nil means unchanged. Joined and Added: as
	// they are, for the copy of who comes in.
	Subject *string
	Open    *bool
	History *parley.History
}

// Carried says where a message comes from that the room's maker took along, by the
// maker's word alone: nobody here wrote it into the room.
type Carried struct {
	Thread  parley.ThreadID // of Created: in the maker's copy
	Author  parley.Author   // name and address, never an account
	At      time.Time
	Channel parley.Channel
	Subject string
}

// Attachment refers to a blob by its inside name.
type Attachment struct {
	Blob   parley.Digest
	Size   int64
	Name   string
	Type   string
	Inline bool
	CID    string
}

// Delivery is an event on its way to one participant's copy. Prev is the
// sequence of the previous event that this participant may see: a copy takes
// the delivery when Prev <= its last < Seq, so a gap shows as a break in the chain.
type Delivery struct {
	Event
	Prev parley.Seq
	// Roster is everyone in or invited as of the event, for the participants that
	// enter with it; they find Subject, Open and History set, too. It is nil for
	// those who were there and get Event.Parts alone.
	Roster []parley.Participant
	// Peers are the other accounts of a small room: whose lists the event will
	// touch, so that a copy can read them along with its marks.
	Peers []parley.AccountID
}
