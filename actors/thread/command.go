package thread

import (
	"time"

	"github.com/parley-im/parley"
)

// Limits of a room in the embedded core.
const (
	MaxParticipants = 500 // in or invited
	MaxSubject      = 998
	MaxInlineText   = 32 << 10 // larger text comes as a blob already
	LargeRoom       = 50       // above this, text over SmallText must be a blob
	SmallText       = 2 << 10
	MaxAttachments  = 100
	MaxMentions     = 500
	MaxName         = 1 << 10 // of a participant or an attachment, and each other short text
	MaxExcerpt      = 1 << 10

	// What a room keeps for ever is its comings, goings and settings, so they are
	// bounded: entries by one's own will, and events that are not posts. Leaving
	// and removing are always possible.
	MaxReturns = 100
	MaxTurns   = 50_000
)

// Create makes the room. The state must be empty; a repeat with the same
// command answers again.
type Create struct {
	Cmd     parley.Command
	Maker   parley.Participant   // moderator; ID and Account set
	Others  []parley.Participant // resolved: accounts only in the embedded core
	Subject string
	History parley.History
	Open    bool
	First   *Post // Cmd of First is ignored
	// Of is the mail thread that the room is made of, and Carried are the messages
	// from there, oldest first, at most parley.MaxCarried. They come before First.
	Of      parley.ThreadID
	Carried []Post
}

// Post speaks in the room.
type Post struct {
	Cmd         parley.Command
	Author      parley.AccountID
	Message     parley.MessageID // derived from the command by the caller
	Text        string
	TextBlob    parley.Digest
	TextSize    int64
	Excerpt     string
	Attachments []Attachment
	ReplyTo     parley.MessageID
	Mentions    []parley.PartID
	Roster      parley.Seq // 0: not said
	Carried     *Carried   // of Create.Carried
}

// Join lets an account in: who left, who was invited, or anyone where the room is open.
type Join struct {
	Cmd parley.Command
	Who parley.Participant // ID, Account, Name set
}

// Leave ends the caller's own interval. Gone is set when the account no longer exists.
type Leave struct {
	Cmd  parley.Command
	Who  parley.AccountID
	Gone bool
}

// Add lets somebody in on the word of somebody who is in; with StateInvited it
// invites. Whoever was removed, or is to be a moderator, takes a moderator's word.
type Add struct {
	Cmd parley.Command
	By  parley.AccountID
	Who parley.Participant
}

// Remove ends somebody's interval on a moderator's word and keeps them from
// joining again; a moderator may add them. Of oneself it is leaving.
type Remove struct {
	Cmd     parley.Command
	By      parley.AccountID
	Part    parley.PartID
	IfMatch parley.Seq // the participants' version that By knows; 0: any
}

// Alter changes the room or one participant's role; nil stays.
type Alter struct {
	Cmd     parley.Command
	By      parley.AccountID
	Subject *string
	Open    *bool
	History *parley.History
	Part    parley.PartID // whose role, "" for none
	Role    parley.Role
	IfMatch parley.Seq // as in Remove, for a role
}

// Came tells how far a participant's copy has come: the last sequence it holds.
// It changes cursors only and is not an event.
type Came struct {
	Account parley.AccountID
	Last    parley.Seq
}

// Made tells that a room that was split off is there. It is not an event either.
type Made struct{ Room parley.ThreadID }

// Ask reads what one account may see of the room itself.
type Ask struct{ Who parley.AccountID }

// Answer replies to every command but Came and Made. A command that finds its wish
// fulfilled makes no event: At is zero and Seq that of the event that last
// touched the participant. A replay has Seq, Message, Part and At as then and
// says nothing of the room, which its caller may have left since.
type Answer struct {
	Seq          parley.Seq // of the event that the command made (the last, if several)
	Message      parley.MessageID
	Part         parley.Participant // who joined, was added, altered or removed
	Replayed     bool
	Roster       parley.Seq // event that last changed the participants
	Subject      string
	Open         bool
	History      parley.History
	Participants []parley.Participant // Ask; of Split, those of the new room
	At           time.Time
}
