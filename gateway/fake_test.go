package gateway

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/parley-im/parley"
)

var (
	noon   = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	secret = parley.Secret("0123456789abcdef0123456789abcdef")
)

// idOf makes a well-formed id that a reader of a failure can tell from others.
func idOf[T ~string](prefix, name string) T {
	return T(parley.FormatID(prefix, secret.Derive("test", prefix, name)))
}

var (
	ana, bo, cy = idOf[parley.AccountID]("acc_", "ana"), idOf[parley.AccountID]("acc_", "bo"), idOf[parley.AccountID]("acc_", "cy")
	boat        = idOf[parley.ThreadID]("thr_", "boat")
	invoice     = idOf[parley.ThreadID]("thr_", "invoice")
	hello       = idOf[parley.MessageID]("msg_", "hello")
	bill        = idOf[parley.MessageID]("msg_", "bill")
	purged      = idOf[parley.MessageID]("msg_", "purged")
	anaPart     = idOf[parley.PartID]("par_", "ana")
	boPart      = idOf[parley.PartID]("par_", "bo")
	photo       = idOf[parley.BlobID]("blb_", "photo")
)

// fake is accounts, mailboxes and rooms in memory: enough of each rule to see
// that the gateway asks rightly and answers what it was told.
type fake struct {
	// hook runs first in every method, without the lock: it fails, blocks or
	// looks at the context.
	hook func(ctx context.Context, method string) error

	mu       sync.Mutex // guards the rest
	accounts map[parley.AccountID]parley.Account
	bearers  map[string]parley.Identity
	tokens   map[parley.AccountID][]parley.Token
	commands map[parley.CommandID]remembered
	threads  map[parley.ThreadID]parley.Thread
	messages []parley.Message
	drafts   map[parley.MessageID]parley.DraftMessage
	blobs    map[parley.BlobID]fakeBlob
	raw      map[parley.MessageID]string
	html     map[parley.MessageID]parley.HTMLBody
	folders  []parley.Folder
	jobs     []parley.Job
	events   []parley.Event
	kept     parley.Revision // events before it are gone
	rev      parley.Revision
	more     chan struct{} // closed when events come
	seen     []seen        // what the last calls were given
	behind   bool          // rooms change, and copies do not have it yet
}

type remembered struct {
	body  parley.Digest
	value any
}

type fakeBlob struct {
	parley.Attachment
	content string
}

type seen struct {
	method string
	args   any
}

func newFake() *fake {
	f := &fake{
		accounts: map[parley.AccountID]parley.Account{},
		bearers:  map[string]parley.Identity{},
		tokens:   map[parley.AccountID][]parley.Token{},
		commands: map[parley.CommandID]remembered{},
		threads:  map[parley.ThreadID]parley.Thread{},
		blobs:    map[parley.BlobID]fakeBlob{},
		raw:      map[parley.MessageID]string{},
		folders:  furnishFolders(),
		rev:      9, kept: 3,
		more: make(chan struct{}),
	}
	for _, id := range []parley.AccountID{ana, bo, cy} {
		name := map[parley.AccountID]string{ana: "Ana", bo: "Bo", cy: "Cy"}[id]
		f.accounts[id] = parley.Account{ID: id, Name: name, Addresses: []string{name + "@example.org"}, CreatedAt: noon, Version: 1, Closed: id == cy}
	}
	all := []parley.Scope{parley.ScopeRead, parley.ScopeWrite, parley.ScopeSend, parley.ScopeManage}
	f.bearers["ana"] = parley.Identity{Account: ana, Token: idOf[parley.TokenID]("tok_", "ana"), Scopes: all}
	f.bearers["bo"] = parley.Identity{Account: bo, Token: idOf[parley.TokenID]("tok_", "bo"), Scopes: all}
	f.bearers["app"] = parley.Identity{Account: bo, Token: idOf[parley.TokenID]("tok_", "app"), Scopes: []parley.Scope{parley.ScopeAdmin}}
	for _, s := range append(all, parley.ScopeAdmin) {
		f.bearers["only-"+string(s)] = parley.Identity{Account: ana, Token: idOf[parley.TokenID]("tok_", string(s)), Scopes: []parley.Scope{s}}
	}
	f.furnish()
	return f
}

// furnish puts a room and a mail thread into Ana's copy.
func (f *fake) furnish() {
	author := parley.Author{Account: bo, Part: boPart, Name: "Bo"}
	sender := parley.Author{Name: "Dee", Address: "dee@example.net"}
	f.threads[boat] = parley.Thread{
		ID: boat, Kind: parley.KindRoom, Subject: "Boat", Excerpt: "Saturday at nine?", Messages: 1, Unread: 1, Folders: []parley.FolderID{parley.Inbox},
		LastMessage: hello, LastAt: noon, LastAuthor: author, Participants: f.people(), RosterVersion: 2, Seq: 3,
		History: parley.HistoryJoined, State: parley.StateIn, Revision: 8,
	}
	f.threads[invoice] = parley.Thread{
		ID: invoice, Kind: parley.KindMail, Subject: "Invoice 12", Excerpt: "Attached.", Messages: 1, Folders: []parley.FolderID{parley.Inbox},
		LastMessage: bill, LastAt: noon.Add(-time.Hour), LastAuthor: sender, Authors: []parley.Author{sender}, Revision: 5,
	}
	defer f.furnishDrafts()
	f.blobs[photo] = fakeBlob{parley.Attachment{Blob: photo, Name: "Ré\"sumé.svg", Type: "image/svg+xml", Size: 10}, "0123456789"}
	f.messages = []parley.Message{
		{
			ID: hello, Thread: boat, Seq: 3, Author: author, Channel: parley.ChannelChat, Text: "Saturday at nine?", Excerpt: "Saturday at nine?",
			Attachments: []parley.Attachment{f.blobs[photo].Attachment}, At: noon, ReceivedAt: noon, Folders: []parley.FolderID{parley.Inbox},
			Keywords: []parley.Keyword{parley.Flagged}, Size: 17, Revision: 8,
		},
		{
			ID: bill, Thread: invoice, Author: sender, Channel: parley.ChannelMail, Subject: "Invoice 12", Text: "Attached.", Excerpt: "Attached.", HasHTML: true,
			At: noon, ReceivedAt: noon, Folders: []parley.FolderID{parley.Inbox}, Size: 900, MessageID: "<12@example.net>",
			To: []parley.Address{{Name: "Ana", Addr: "Ana@example.org"}}, Revision: 5,
		},
		{ID: purged, Thread: invoice, Author: sender, Channel: parley.ChannelMail, Text: "must not be shown", Gone: true, At: noon, ReceivedAt: noon, Folders: []parley.FolderID{parley.Trash}, Revision: 6},
	}
	f.raw[bill] = "Subject: Invoice 12\r\n\r\nAttached.\r\n"
	f.html = map[parley.MessageID]parley.HTMLBody{bill: {
		HTML:  `<p id=x onclick="steal()">Attached.<script>steal()</script><img src="cid:logo@x"><img src="https://example.net/seen.png">`,
		Parts: []parley.Attachment{{Blob: photo, CID: "logo@x"}, {Blob: photo}},
	}}
	for r := f.kept; r <= f.rev; r++ {
		f.events = append(f.events, parley.Event{Revision: r, Type: parley.MessageCreated, At: noon, Thread: boat, Message: hello})
		f.events = append(f.events, parley.Event{Revision: r, Index: 1, Type: parley.CountsChanged, At: noon, Badge: int64(r), Other: 1})
	}
}

func (f *fake) people() []parley.Participant {
	return []parley.Participant{
		{ID: anaPart, Account: ana, Name: "Ana", Channel: parley.ChannelChat, Role: parley.RoleModerator, State: parley.StateIn},
		{ID: boPart, Account: bo, Name: "Bo", Channel: parley.ChannelChat, Role: parley.RoleMember, State: parley.StateIn},
	}
}

// enter runs the hook and notes the call; leave is to be deferred.
func (f *fake) enter(ctx context.Context, method string, args any) (leave func(), err error) {
	if f.hook != nil {
		if err := f.hook(ctx, method); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	if f.seen = append(f.seen, seen{method, args}); len(f.seen) > 100 {
		f.seen = f.seen[1:]
	}
	return f.mu.Unlock, nil
}

// last is what a method was given last.
func (f *fake) last(method string) any {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := len(f.seen) - 1; i >= 0; i-- {
		if f.seen[i].method == method {
			return f.seen[i].args
		}
	}
	return nil
}

// remember keeps what a command did, as the grains do.
func remember[T any](f *fake, cmd parley.Command, do func() (T, error)) (v T, replayed bool, err error) {
	if !cmd.ID.IsZero() {
		if r, ok := f.commands[cmd.ID]; ok {
			if r.body != cmd.Body {
				return v, false, parley.E(parley.KeyMismatch, "fake", "")
			}
			return r.value.(T), true, nil
		}
	}
	if v, err = do(); err == nil && !cmd.ID.IsZero() {
		f.commands[cmd.ID] = remembered{cmd.Body, v}
	}
	return v, false, err
}

// act makes the next revision, with an event.
func (f *fake) act(e parley.Event) parley.Revision {
	f.rev++
	e.Revision, e.At = f.rev, noon
	f.events = append(f.events, e)
	close(f.more)
	f.more = make(chan struct{})
	return f.rev
}

func notFound(what string) error {
	return parley.E(parley.NotFound, "fake", "There is no such "+what+".")
}

func stale(ifMatch, have uint64) error {
	if ifMatch != 0 && ifMatch != have {
		return parley.E(parley.Stale, "fake", fmt.Sprintf("The revision is %d.", have))
	}
	return nil
}

func behind(atLeast, have parley.Revision) error {
	if atLeast > have {
		return parley.E(parley.Behind, "fake", "")
	}
	return nil
}
