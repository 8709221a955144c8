package mailbox

import (
	"errors"
	"maps"
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/tree"
)

// State is one mailbox as far as it is loaded.
type State struct {
	owner parley.AccountID
	pages map[Key]Page // a nil page is known to be absent
	dirty map[Key]bool // changed since the last flush was taken
	bytes int
	whole bool // every page there is is loaded
	touch int  // entities of one action; 0 means MaxTouched
}

// New is the state of a mailbox of which nothing is loaded.
func New(owner parley.AccountID) *State {
	return &State{owner: owner, pages: map[Key]Page{}, dirty: map[Key]bool{}}
}

// NewWhole is a state that lacks nothing: what it was not given does not exist.
// Folding a log from its first action into it rebuilds the projection.
func NewWhole(owner parley.AccountID) *State {
	s := New(owner)
	s.whole = true
	return s
}

// Touch sets how many entities one action touches, instead of MaxTouched: what is
// decided depends on it, what is folded does not.
func (s *State) Touch(n int) { s.touch = n }

// Owner of the mailbox.
func (s *State) Owner() parley.AccountID { return s.owner }

// Last is the newest action folded in; the header must be loaded.
func (s *State) Last() parley.Revision { return s.header().Last }

func (s *State) header() *Header {
	if h, ok := s.pages[HeaderKey].(*Header); ok && h != nil {
		return h
	}
	return &Header{}
}

// Load takes a page as stored; nil when the store has none. A page that is
// already here stays, since it may be newer.
func (s *State) Load(k Key, p Page) {
	if _, ok := s.pages[k]; ok {
		return
	}
	s.pages[k] = p
	s.bytes += weight(k, p)
}

// weight is what a page holds in memory with its key. A page that is known to be
// absent weighs something, too: whoever asks for what is not there leaves many.
func weight(k Key, p Page) int {
	n := 64 + len(k)
	if p != nil {
		n += p.Weight()
	}
	return n
}

// Loaded reports whether a page, or its absence, is known.
func (s *State) Loaded(k Key) bool { _, ok := s.pages[k]; return ok }

// Bytes estimates what the loaded pages hold.
func (s *State) Bytes() int { return s.bytes }

// TakeDirty returns the pages changed since it was last called; nil means removed.
func (s *State) TakeDirty() map[Key]Page {
	out := make(map[Key]Page, len(s.dirty))
	for k := range s.dirty {
		out[k] = s.pages[k]
	}
	clear(s.dirty)
	return out
}

// Dirty counts the pages that TakeDirty would return.
func (s *State) Dirty() int { return len(s.dirty) }

// Trim forgets clean pages, except the header, until at most budget bytes are
// held. keep says which pages a flush in flight still owns.
func (s *State) Trim(budget int, keep map[Key]Page) {
	for k, p := range s.pages {
		if s.bytes <= budget {
			return
		}
		if _, flushing := keep[k]; k == HeaderKey || s.dirty[k] || flushing {
			continue
		}
		delete(s.pages, k)
		s.bytes -= weight(k, p)
	}
}

// Pages is every loaded page by key, for audits over a wholly loaded state.
func (s *State) Pages() map[Key]Page {
	out := maps.Clone(s.pages)
	maps.DeleteFunc(out, func(_ Key, p Page) bool { return p == nil })
	return out
}

// Apply folds the next action in. It fails only with *Need.
func (s *State) Apply(a Action) error {
	t := s.begin()
	t.apply(&a)
	return t.install()
}

// tx is a change on top of a state: copy-on-write, so that giving it up costs nothing.
type tx struct {
	s    *State
	over map[Key]Page
	old  map[parley.ThreadID]*Thread // threads touched, as they were
	need map[Key]bool
	logs map[parley.Revision]bool
	now  int64 // microseconds of the action being applied
	n    parley.Revision
}

func (s *State) begin() *tx {
	return &tx{s: s, over: map[Key]Page{}, old: map[parley.ThreadID]*Thread{}}
}

// get returns a page, nil if absent. A page that is not loaded is noted as
// needed and reads as absent: whatever follows from it is thrown away.
func (t *tx) get(k Key) Page {
	if p, ok := t.over[k]; ok {
		return p
	}
	p, ok := t.s.pages[k]
	if !ok && !t.s.whole {
		if t.need == nil {
			t.need = map[Key]bool{}
		}
		t.need[k] = true
	}
	return p
}

func (t *tx) put(k Key, p Page) { t.over[k] = p }

// lackLog notes that a decision reads a logged action.
func (t *tx) lackLog(n parley.Revision) {
	if t.logs == nil {
		t.logs = map[parley.Revision]bool{}
	}
	t.logs[n] = true
}

// lacks reports whether anything was missing so far.
func (t *tx) lacks() bool { return len(t.need) > 0 || len(t.logs) > 0 }

func (t *tx) missing() error {
	if !t.lacks() {
		return nil
	}
	n := &Need{Pages: slices.Sorted(maps.Keys(t.need)), Actions: slices.Sorted(maps.Keys(t.logs))}
	return n
}

// install makes the change the state, or says what is missing and changes nothing.
func (t *tx) install() error {
	if err := t.missing(); err != nil {
		return err
	}
	for k, p := range t.over {
		if was, ok := t.s.pages[k]; ok {
			t.s.bytes -= weight(k, was)
		}
		t.s.bytes += weight(k, p)
		t.s.pages[k] = p
		t.s.dirty[k] = true
	}
	return nil
}

// IsNeed returns the Need in err, if that is what it is.
func IsNeed(err error) (*Need, bool) {
	var n *Need
	ok := errors.As(err, &n)
	return n, ok
}

// The typed views of pages. Each returns nil when absent or not loaded.

func (t *tx) header() *Header {
	if h, ok := t.get(HeaderKey).(*Header); ok && h != nil {
		return h
	}
	return &Header{}
}

// editHeader returns a copy that this change owns.
func (t *tx) editHeader() *Header {
	if _, mine := t.over[HeaderKey]; !mine {
		h := *t.header()
		h.Folders = slices.Clone(h.Folders)
		t.put(HeaderKey, &h)
	}
	return t.over[HeaderKey].(*Header)
}

func (t *tx) thread(id parley.ThreadID) *Thread {
	th, _ := t.get(threadKey(id)).(*Thread)
	return th
}

// maxAliases bounds the aliases on the way to a thread. Each is of a thread at
// least as small as the next one was then, so that far fewer are ever met.
const maxAliases = 64

// resolve follows the alias of a merged thread.
func (t *tx) resolve(id parley.ThreadID) *Thread {
	for range maxAliases {
		th := t.thread(id)
		if th == nil || th.Into == "" {
			return th
		}
		id = th.Into
	}
	return nil
}

// editThread returns a copy that this change owns, and remembers how it was so
// that indexes and counts follow in finish.
func (t *tx) editThread(id parley.ThreadID) *Thread {
	if _, touched := t.old[id]; touched {
		return t.over[threadKey(id)].(*Thread)
	}
	th := t.thread(id)
	t.old[id] = th
	var c *Thread
	if th == nil {
		c = &Thread{ID: id, Kind: parley.KindMail}
	} else {
		c = th.clone()
	}
	t.put(threadKey(id), c)
	return c
}

func (t *tx) message(id parley.MessageID) *Message {
	m, _ := t.get(messageKey(id)).(*Message)
	return m
}

func (t *tx) editMessage(id parley.MessageID) *Message {
	m := t.message(id)
	if m == nil {
		return nil
	}
	if _, mine := t.over[messageKey(id)]; mine {
		return m
	}
	m = m.clone()
	t.put(messageKey(id), m)
	return m
}

func (t *tx) node(h Hash) *Node {
	n, _ := t.get(nodeKey(h)).(*Node)
	return n
}

// pager shows one tree's blocks to package tree.
type pager struct {
	t    *tx
	name string
}

// Block implements tree.Pager.
func (p pager) Block(n uint32) (*tree.Block, bool) {
	k := blockKey(p.name, n)
	b, _ := p.t.get(k).(*BlockPage)
	if b == nil {
		return nil, !p.t.need[k]
	}
	return b.Block, true
}

// Put implements tree.Pager.
func (p pager) Put(n uint32, b *tree.Block) {
	if b == nil {
		p.t.put(blockKey(p.name, n), nil)
		return
	}
	p.t.put(blockKey(p.name, n), &BlockPage{b})
}

// BlockPage is a block of a tree as a page.
type BlockPage struct{ *tree.Block }

// Weight implements Page.
func (b *BlockPage) Weight() int { return b.Size() }

func (t *tx) tree(name string) tree.Tree { return tree.Tree{P: pager{t, name}} }
