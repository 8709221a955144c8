package mailbox

import "github.com/parley-im/parley"

// Drafted is what a draft says after it was written: all but the text, and the
// text where that changed. The actions that held what it said before are blanked
// in the same commit, so that the log does not keep every stroke.
type Drafted struct {
	Message Message
	Text    string
	New     bool
	Told    bool              // the thread shows that there is one more, or what it says
	Kept    bool              // the text stays where it is
	Was     []parley.Revision // the actions that are blanked
	Blanked bool              // what it says is gone for good
}

// Sending sets or ends that a draft is being sent.
type Sending struct {
	Draft  parley.MessageID
	Thread parley.ThreadID
	On     bool
}

// Discarded removes a draft for good.
type Discarded struct {
	Draft  parley.MessageID
	Thread parley.ThreadID
	Gone   bool              // the thread had nothing else
	Was    []parley.Revision // the actions that held it, now blanked
}

// blank leaves what the fold needs once something else was written, or nothing is left.
func (d *Drafted) blank() *Drafted {
	m := d.Message
	keep := Message{ID: m.ID, Thread: m.Thread, Own: m.Own, Author: parley.Author{Account: m.Author.Account}, Channel: m.Channel,
		At: m.At, Received: m.Received, Folders: m.Folders, Keywords: m.Keywords, Size: m.Size, Attachments: nameless(m.Attachments),
		Draft: Draft{Kind: m.Draft.Kind, Alone: m.Draft.Alone}}
	return &Drafted{Message: keep, New: d.New, Told: d.Told, Kept: d.Kept, Was: d.Was, Blanked: true}
}

// nameless are attachments without what they say: the ids of their blobs stay,
// since holding and releasing them goes by these.
func nameless(list []Attachment) (out []Attachment) {
	for _, at := range list {
		at.Name, at.Type, at.CID, at.Path = "", "", "", ""
		at.Digest = parley.Digest{}
		out = append(out, at)
	}
	return out
}
