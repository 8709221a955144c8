package gateway

import (
	"time"

	"github.com/parley-im/parley"
)

type message struct {
	ID          parley.MessageID  `json:"id"`
	Thread      parley.ThreadID   `json:"thread"`
	Kind        string            `json:"kind"` // message or notice
	Notice      parley.Notice     `json:"notice,omitempty"`
	About       []parley.PartID   `json:"about,omitempty"`
	Seq         parley.Seq        `json:"seq,omitempty"`
	Author      author            `json:"author"`
	Channel     parley.Channel    `json:"channel"`
	Subject     string            `json:"subject,omitempty"`
	Text        string            `json:"text"`
	HasHTML     bool              `json:"has_html"`
	HTMLURL     string            `json:"html_url,omitempty"`
	Quoted      []quoted          `json:"quoted,omitempty"`
	Excerpt     string            `json:"excerpt"`
	Attachments []attachment      `json:"attachments"`
	Mentions    []parley.PartID   `json:"mentions"`
	ReplyTo     parley.MessageID  `json:"reply_to,omitempty"`
	At          time.Time         `json:"at"`
	ReceivedAt  time.Time         `json:"received_at"`
	Folders     []parley.FolderID `json:"folders"`
	Labels      []parley.FolderID `json:"labels"`
	Keywords    []parley.Keyword  `json:"keywords"`
	Seen        bool              `json:"seen"`
	Flagged     bool              `json:"flagged"`
	Size        int64             `json:"size"`
	MessageID   string            `json:"message_id,omitempty"`
	To          []address         `json:"to,omitempty"`
	Cc          []address         `json:"cc,omitempty"`
	Gone        bool              `json:"gone"`
	Revision    parley.Revision   `json:"revision"`
}

type address struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address"`
}

func addressShape(a parley.Address) address { return address{Name: a.Name, Address: a.Addr} }

type attachment struct {
	Blob   parley.BlobID `json:"blob"`
	Name   string        `json:"name"`
	Type   string        `json:"type"`
	Size   int64         `json:"size"`
	Inline bool          `json:"inline"`
	CID    string        `json:"cid,omitempty"`
}

func attachmentShape(a parley.Attachment) attachment { return attachment(a) }

func messageShape(m parley.Message) message {
	if m.Gone { // whatever is still stored is not served
		m.Subject, m.Text, m.Excerpt, m.HasHTML, m.Attachments, m.Mentions = "", "", "", false, nil, nil
	}
	kind := "message"
	if m.Notice != "" {
		kind = "notice"
	}
	html := ""
	if m.HasHTML {
		html = prefix + "/messages/" + string(m.ID) + "/html"
	}
	return message{
		ID: m.ID, Thread: m.Thread, Kind: kind, Notice: m.Notice, About: m.Subjects, Seq: m.Seq, Author: authorShape(m.Author), Channel: m.Channel,
		Subject: m.Subject, Text: m.Text, HasHTML: m.HasHTML, HTMLURL: html, Excerpt: m.Excerpt, Attachments: each(m.Attachments, attachmentShape),
		Mentions: each(m.Mentions, same), ReplyTo: m.ReplyTo, At: m.At.UTC(), ReceivedAt: m.ReceivedAt.UTC(), Folders: foldersOf(m.Folders), Labels: labelsOf(m.Folders),
		Keywords: each(m.Keywords, same), Seen: m.Has(parley.Seen), Flagged: m.Has(parley.Flagged), Size: m.Size, MessageID: m.MessageID,
		To: each(m.To, addressShape), Cc: each(m.Cc, addressShape), Gone: m.Gone, Revision: m.Revision,
	}
}
