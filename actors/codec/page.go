package codec

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

// The first bytes of the keys of pages, as package mailbox gives them.
const (
	headerPage  = 'h'
	threadPage  = 't'
	rosterPage  = 'o'
	messagePage = 'e'
	nodePage    = 'r'
	keyPage     = 'k'
	blobPage    = 'b'
	contactPage = 'c'
	jobPage     = 'j'
	blockPage   = 'i'
	folderPage  = 'f'
)

// split gives the type of a page and what names it.
func split(k mailbox.Key) (kind byte, name string) {
	if k == "" {
		return 0, ""
	}
	return k[0], string(k[1:])
}

// EncodePage gives the cell of a page, which is not nil and of the key's type.
func EncodePage(k mailbox.Key, p mailbox.Page) ([]byte, error) {
	var w writer
	kind, name := split(k)
	m := w.page(kind, name, p)
	if m == nil {
		return nil, fmt.Errorf("codec: page %q is %T", k, p)
	}
	b, err := w.cell(m)
	if err != nil {
		return nil, fmt.Errorf("page %q: %w", k, err)
	}
	return b, nil
}

// page is nil when the page is not of the kind.
func (w *writer) page(kind byte, name string, p mailbox.Page) proto.Message {
	switch p := p.(type) {
	case *mailbox.Header:
		return when(kind == headerPage && p != nil, p, header)
	case *mailbox.Thread:
		return when(kind == threadPage && p != nil, p, func(p *mailbox.Thread) *record.Thread { return w.threadPage(name, p) })
	case *mailbox.Roster:
		return when(kind == rosterPage && p != nil, p, w.roster)
	case *mailbox.Message:
		return when(kind == messagePage && p != nil, p, func(p *mailbox.Message) *record.Message { return w.messagePage(name, p) })
	case *mailbox.Node:
		return when(kind == nodePage && p != nil, p, node)
	case *mailbox.Remembered:
		return when(kind == keyPage && p != nil, p, remembered)
	case *mailbox.Blob:
		return when(kind == blobPage && p != nil, p, blob)
	case *mailbox.Contact:
		return when(kind == contactPage && p != nil, p, contact)
	case *mailbox.FolderTree:
		return when(kind == folderPage && p != nil, p, folderTree)
	case *mailbox.Job:
		return when(kind == jobPage && p != nil, p, w.job)
	case *mailbox.BlockPage:
		return when(kind == blockPage && p != nil, p, w.block)
	}
	return nil
}

func when[P any, M proto.Message](fits bool, p P, convert func(P) M) proto.Message {
	if !fits {
		return nil
	}
	return convert(p)
}

// DecodePage reads what EncodePage wrote under the key. A block of a tree that
// it returns passes its Check.
func DecodePage(k mailbox.Key, b []byte) (mailbox.Page, error) {
	var r reader
	kind, name := split(k)
	p := r.page(kind, name, b)
	if r.err != nil {
		return nil, fmt.Errorf("page %q: %w", k, r.err)
	}
	return p, nil
}

func (r *reader) page(kind byte, name string, b []byte) mailbox.Page {
	switch kind {
	case headerPage:
		return decoded(r, b, &record.Header{}, r.header)
	case threadPage:
		return decoded(r, b, &record.Thread{}, func(m *record.Thread) *mailbox.Thread { return r.threadPage(name, m) })
	case rosterPage:
		return decoded(r, b, &record.Roster{}, r.roster)
	case messagePage:
		return decoded(r, b, &record.Message{}, func(m *record.Message) *mailbox.Message { return r.messagePage(name, m) })
	case nodePage:
		return decoded(r, b, &record.Node{}, r.node)
	case keyPage:
		return decoded(r, b, &record.Remembered{}, r.remembered)
	case blobPage:
		return decoded(r, b, &record.Blob{}, r.blob)
	case contactPage:
		return decoded(r, b, &record.Contact{}, uncontact)
	case folderPage:
		return decoded(r, b, &record.FolderTree{}, r.folderTree)
	case jobPage:
		return decoded(r, b, &record.Job{}, r.job)
	case blockPage:
		return decoded(r, b, &record.Block{}, r.block)
	}
	r.fail("a page of unknown type")
	return nil
}

func decoded[M proto.Message, P any](r *reader, b []byte, m M, convert func(M) P) P {
	r.unmarshal(b, m)
	return convert(m)
}

// messagePage has its id from the key, unless the two differ.
func (w *writer) messagePage(name string, m *mailbox.Message) *record.Message {
	out := w.message(m)
	if name != string(m.ID) {
		out.Id = present(message(m.ID))
	}
	return out
}

func (r *reader) messagePage(name string, m *record.Message) *mailbox.Message {
	out := r.file(m)
	if m.GetId() == nil {
		out.ID = parley.MessageID(name)
	}
	return &out
}

// present tells an empty text from one that is absent.
func present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
