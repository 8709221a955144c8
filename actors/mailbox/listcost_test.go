package mailbox_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/actors/tree"
)

// forest is a mailbox of many threads of one mail each, of which only the lists
// are kept: the pages of threads and messages are made when they are asked for.
type forest struct {
	n      int
	blocks map[string]map[uint32]*tree.Block // by tree
	header mailbox.Header
}

// grove is one tree of a forest to package tree.
type grove struct{ blocks map[uint32]*tree.Block }

func (g grove) Block(n uint32) (*tree.Block, bool) { return g.blocks[n], true }
func (g grove) Put(n uint32, b *tree.Block)        { g.blocks[n] = b }

// growForest has half its threads in a folder and half in Inbox; every third is
// unread, every tenth has a label, every twentieth is flagged.
func growForest(n int) *forest {
	f := &forest{n: n, blocks: map[string]map[uint32]*tree.Block{}, header: mailbox.Header{Threads: int64(n), Messages: int64(n), Last: 1}}
	for i := range n {
		for _, name := range f.lists(i) {
			if f.blocks[name] == nil {
				f.blocks[name] = map[uint32]*tree.Block{}
			}
			at := begin.Add(time.Duration(i) * time.Second).UnixMicro()
			id := treeID(i)
			key := binary.BigEndian.AppendUint64(nil, ^(uint64(at) ^ 1<<63))
			tree.Tree{P: grove{f.blocks[name]}}.Insert(append(key, id[:]...))
		}
	}
	return f
}

// treeID holds a thread's or message's number.
func treeID(i int) (id [16]byte) {
	binary.BigEndian.PutUint64(id[8:], uint64(i))
	return id
}

func (f *forest) lists(i int) []string {
	var out []string
	for _, in := range append(f.folders(i), "") {
		if out = append(out, "T"+string(in)+"/a"); i%3 == 0 {
			out = append(out, "T"+string(in)+"/u")
		}
	}
	if i%20 == 0 {
		out = append(out, "Fflagged")
	}
	return out
}

func (f *forest) folders(i int) []parley.FolderID {
	out := []parley.FolderID{ownFolders[0]}
	if i%2 == 0 {
		out[0] = parley.Inbox
	}
	if i%10 == 0 {
		out = append(out, ownLabels[0])
	}
	return set(out)
}

// page is what the store has under a key.
func (f *forest) page(k mailbox.Key) mailbox.Page {
	number := func(prefix string) int {
		id, err := parley.ParseID(prefix, string(k[len(k)-30:]))
		if err != nil || binary.BigEndian.Uint64(id[:]) != 0 {
			return -1
		}
		return int(binary.BigEndian.Uint64(id[8:]))
	}
	switch k[0] {
	case 'h':
		return &f.header
	case 'f':
		return &mailbox.FolderTree{Own: []mailbox.OwnFolder{{ID: ownFolders[0], Name: "boats"}, {ID: ownLabels[0], Name: "urgent"}}}
	case 't':
		if i := number(parley.ThreadPrefix); i >= 0 && i < f.n {
			return f.thread(i)
		}
	case 'i':
		name, n := string(k[1:len(k)-5]), binary.BigEndian.Uint32([]byte(k[len(k)-4:]))
		if b := f.blocks[name][n]; b != nil {
			return &mailbox.BlockPage{Block: b}
		}
	}
	return nil
}

func (f *forest) thread(i int) *mailbox.Thread {
	th := &mailbox.Thread{ID: parley.ThreadID(parley.FormatID(parley.ThreadPrefix, treeID(i))), Kind: parley.KindMail, Messages: 1,
		LastAt: begin.Add(time.Duration(i) * time.Second).UnixMicro()}
	for _, in := range f.folders(i) {
		th.Folders = append(th.Folders, mailbox.ThreadFolder{Folder: in, Total: 1})
	}
	if i%3 == 0 {
		th.Unread, th.UnreadShown = 1, 1
	}
	if i%20 == 0 {
		th.Flagged = 1
	}
	return th
}

// levels is the depth of a list.
func (f *forest) levels(name string) (n int) {
	blocks := f.blocks[name]
	for b := blocks[0]; b != nil; b = blocks[b.Children[0]] {
		if n++; b.Leaf {
			break
		}
	}
	return n
}

// cold counts the blocks that something reads of which nothing is in memory.
func (f *forest) cold(t *testing.T, op func(*mailbox.State) error) (blocks int) {
	t.Helper()
	s := mailbox.New(me)
	s.Load(mailbox.HeaderKey, &f.header)
	for {
		err := op(s)
		need, ok := mailbox.IsNeed(err)
		if !ok {
			if err != nil {
				t.Fatal(err)
			}
			return blocks
		}
		for _, k := range need.Pages {
			p := f.page(k)
			if _, block := p.(*mailbox.BlockPage); block {
				blocks++
			}
			s.Load(k, p)
		}
	}
}

// look is one thing that is asked of a mailbox, and the lists it goes into.
type look struct {
	name  string
	lists []string
	op    func(f *forest) func(*mailbox.State) error
}

func looks() []look {
	list := func(name, tree string, q parley.ThreadQuery, share int) []look {
		ask := func(p parley.Page) func(f *forest) func(*mailbox.State) error {
			return func(f *forest) func(*mailbox.State) error {
				q := q
				if q.Page = p; p.Number < 0 { // the page in the middle
					q.Page.Number = f.n/share/50/2 + 1
				}
				return func(s *mailbox.State) error {
					got, err := s.Threads(q, nil)
					if err == nil && (len(got.Items) == 0 || got.Total <= 0) {
						err = fmt.Errorf("%d items of %d", len(got.Items), got.Total)
					}
					return err
				}
			}
		}
		return []look{
			{name + ", newest page", []string{tree}, ask(parley.Page{Limit: 50})},
			{name + ", page N", []string{tree}, ask(parley.Page{Limit: 50, Number: -1})},
			{name + ", last page", []string{tree}, ask(parley.Page{Limit: 50, End: true})},
		}
	}
	yes := true
	all := list("all", "T/a", parley.ThreadQuery{}, 1)
	all = append(all, list("own folder", "T"+string(ownFolders[0])+"/a", parley.ThreadQuery{Folder: ownFolders[0]}, 2)...)
	all = append(all, list("own folder, unread", "T"+string(ownFolders[0])+"/u", parley.ThreadQuery{Folder: ownFolders[0], Unread: &yes}, 6)...)
	all = append(all, list("label", "T"+string(ownLabels[0])+"/a", parley.ThreadQuery{Label: ownLabels[0]}, 10)...)
	all = append(all, list("flagged", "Fflagged", parley.ThreadQuery{Flagged: &yes}, 20)...)
	return append(all,
		look{"folders with counts", nil, func(*forest) func(*mailbox.State) error {
			return func(s *mailbox.State) error { _, err := s.Folders(); return err }
		}},
		look{"mail in", []string{"T/a", "T/u", "Tinbox/a", "Tinbox/u"}, func(f *forest) func(*mailbox.State) error {
			cmd := letter{id: "new", from: "new@out", at: begin.Add(time.Duration(f.n) * time.Second)}.command()
			return func(s *mailbox.State) error { _, err := s.Decide(cmd, begin); return err }
		}})
}

// TestListCost: from a thousand threads to a hundred thousand, a list, its count, a
// page by number and a delivery read at most one block more for each level that a
// list is deeper, and one where a page lies across two leaves.
func TestListCost(t *testing.T) {
	sizes := []int{1_000, 10_000, 100_000}
	var forests []*forest
	for _, n := range sizes {
		forests = append(forests, growForest(n))
	}
	for _, l := range looks() {
		var counts []string
		had := 0
		for i, f := range forests {
			got := f.cold(t, l.op(f))
			if counts = append(counts, fmt.Sprint(got)); i == 0 {
				had = got
			}
			most := had
			for _, name := range l.lists {
				most += f.levels(name) - forests[0].levels(name) + 1
			}
			if got > most {
				t.Errorf("%s: %d blocks of %d threads, %d of %d; want at most %d", l.name, got, f.n, had, forests[0].n, most)
			}
		}
		t.Logf("%s: %s", l.name, strings.Join(counts, " → "))
	}
}
