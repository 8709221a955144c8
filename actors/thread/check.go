package thread

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/parley-im/parley"
)

func (t turn) checkSettings(subject *string, history *parley.History) error {
	if subject != nil && !short(*subject, MaxSubject) {
		return t.refuse(parley.BadRequest, "subject", fmt.Sprintf("A subject is UTF-8 of at most %d bytes.", MaxSubject))
	}
	if history != nil && *history != parley.HistoryJoined && *history != parley.HistoryAll {
		return t.refuse(parley.BadRequest, "history", "History is joined or all.")
	}
	return nil
}

// checkTurns keeps what a room remembers for ever within bounds.
func (t turn) checkTurns() error {
	if t.room.Turns >= MaxTurns {
		return t.refuse(parley.NotPermitted, "", "This room has changed too often; make a new one.")
	}
	return nil
}

// checkWho holds somebody who is to enter to the embedded core: accounts only.
func (t turn) checkWho(field string, who parley.Participant) error {
	switch {
	case who.Account == "":
		return t.refuse(parley.BadAddress, field, "Only accounts of this server can take part.")
	case who.ID == "":
		return t.refuse(parley.BadRequest, field, "A participant has an id.")
	case who.Role != "" && who.Role != parley.RoleMember && who.Role != parley.RoleModerator:
		return t.refuse(parley.BadRequest, "role", "A role is moderator or member.")
	case !short(who.Name, MaxName), !short(who.Address, MaxName):
		return t.refuse(parley.BadRequest, field, "The name or address is too long or not UTF-8.")
	}
	return nil
}

func (t turn) checkPost(c Post) error {
	switch {
	case c.Message == "":
		return t.refuse(parley.BadRequest, "message", "A message has an id.")
	case c.TextBlob.IsZero() && len(c.Text) > MaxInlineText:
		return t.refuse(parley.TooLarge, "text", "The text is too long.")
	case !utf8.ValidString(c.Text), !short(c.Excerpt, MaxExcerpt), c.TextSize < 0:
		return t.refuse(parley.BadRequest, "text", "The text is not UTF-8 or its size is wrong.")
	case c.TextBlob.IsZero() && strings.TrimSpace(c.Text) == "" && len(c.Attachments) == 0:
		return t.refuse(parley.BadRequest, "text", "A message has text or attachments.")
	case !short(string(c.ReplyTo), MaxName):
		return t.refuse(parley.BadRequest, "reply_to", "This is not a message id.")
	}
	if err := t.checkAttachments(c.Attachments); err != nil {
		return err
	}
	return t.checkMentions(c.Mentions)
}

func (t turn) checkAttachments(list []Attachment) error {
	if len(list) > MaxAttachments {
		return t.refuse(parley.BadRequest, "attachments", fmt.Sprintf("A message has at most %d attachments.", MaxAttachments))
	}
	for _, a := range list {
		if a.Blob.IsZero() || a.Size < 0 || !short(a.Name, MaxName) || !short(a.Type, MaxName) || !short(a.CID, MaxName) {
			return t.refuse(parley.BadRequest, "attachments", "An attachment is wrong.")
		}
	}
	return nil
}

func (t turn) checkMentions(ids []parley.PartID) error {
	if len(ids) > MaxMentions {
		return t.refuse(parley.BadRequest, "mentions", fmt.Sprintf("A message has at most %d mentions.", MaxMentions))
	}
	for _, id := range ids {
		if p := t.byID[id]; p == nil || !p.isIn() {
			return t.refuse(parley.BadRequest, "mentions", "Only participants can be mentioned.")
		}
	}
	return nil
}

// short holds a text to UTF-8, which the stored form asks for, and to a bound.
func short(s string, limit int) bool { return len(s) <= limit && utf8.ValidString(s) }
