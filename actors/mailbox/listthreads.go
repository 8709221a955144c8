package mailbox

import (
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// Threads lists threads, newest first.
func (s *State) Threads(q parley.ThreadQuery, people []Hash) (ThreadPage, error) {
	return read(s, func(t *tx) (ThreadPage, error) {
		if err := t.judge(q); err != nil {
			return ThreadPage{}, err
		}
		w, err := window(q.Page)
		if err != nil {
			return ThreadPage{}, err
		}
		lists, rest := t.listsOf(q, people)
		if q.Page.Number > 0 && len(rest) > 0 {
			return ThreadPage{}, noNumber(strings.Join(rest, ", "))
		}
		out := ThreadPage{Total: -1}
		if len(rest) == 0 {
			out.Total = int64(lists[0].Len())
		}
		var got taken
		if q.Page.Number > 0 {
			got = w.number(lists[0], q.Page.Number)
		} else {
			got = t.take(w, lists, func(key []byte) bool { return t.selects(q, t.thread(threadIDOf(key)), len(people) > 0) })
		}
		out.Next, out.Prev = got.next, got.prev
		for _, key := range got.keys {
			if th := t.thread(threadIDOf(key)); th != nil {
				out.Items = append(out.Items, t.item(th))
			}
		}
		return out, nil
	})
}

// judge refuses folders and labels that are not there.
func (t *tx) judge(q parley.ThreadQuery) error {
	switch {
	case q.Folder != "" && !t.known(q.Folder):
		return refuseFolder(parley.NotFound, "folder", "there is no such folder")
	case q.Label != "" && !t.known(q.Label):
		return refuseFolder(parley.NotFound, "label", "there is no such label")
	}
	return nil
}

// noNumber refuses a page by number of a list that only looking at all would count.
func noNumber(fields string) error {
	return &parley.Error{
		Code: parley.BadRequest, Op: "mailbox.list", Field: "page",
		Public: "this list has no pages by number because of " + fields + ": use after and before",
	}
}

// listsOf chooses the lists that serve a query: those of its people, else that of
// its label, folder or flag, else that of all. rest names the fields which these do
// not answer, so that each thread in them has to be looked at.
func (t *tx) listsOf(q parley.ThreadQuery, people []Hash) (lists []list, rest []string) {
	name, answered := listOf(q)
	for _, h := range people {
		lists = append(lists, list{t.tree(personTree(h))})
	}
	if len(people) == 0 {
		lists = append(lists, list{t.tree(name)})
	}
	for _, f := range []struct {
		name  string
		asked bool
	}{
		{"folder", q.Folder != ""}, {"label", q.Label != ""}, {"unread", q.Unread != nil}, {"flagged", q.Flagged != nil},
		{"muted", q.Muted != nil}, {"channel", q.Channel != ""}, {"kind", q.Kind != ""}, {"participant", len(people) > 0},
	} {
		if f.asked && (len(people) > 0 || !slices.Contains(answered, f.name)) {
			rest = append(rest, f.name)
		}
	}
	return lists, rest
}

// listOf is the one list that leaves least to look at, and the fields it answers.
func listOf(q parley.ThreadQuery) (name string, answered []string) {
	yes := func(b *bool) bool { return b != nil && *b }
	at, field := q.Folder, "folder"
	if q.Label != "" {
		at, field = q.Label, "label"
	}
	switch {
	case yes(q.Unread) && q.Folder != "" && q.Label != "": // unread in the folder, by the label
		return allThreads(at), []string{field}
	case yes(q.Unread):
		return unreadThreads(at), []string{field, "unread"}
	case at == "" && yes(q.Flagged):
		return flagTree(flagged), []string{"flagged"}
	case at == "" && yes(q.Muted):
		return flagTree(muted), []string{"muted"}
	}
	return allThreads(at), []string{field}
}

// selects filters what the chosen list does not already guarantee.
func (t *tx) selects(q parley.ThreadQuery, th *Thread, byPerson bool) bool {
	if th == nil {
		return false // not loaded yet: asked again
	}
	switch {
	case q.Kind != "" && th.Kind != q.Kind:
	case (byPerson || q.Folder != "") && !th.listedIn(q.Folder):
	case q.Label != "" && !th.listedIn(q.Label):
	case q.Flagged != nil && *q.Flagged != (th.Flagged > 0):
	case q.Muted != nil && *q.Muted != th.Muted:
	case q.Channel != "" && !slices.ContainsFunc(th.Channels, func(c ThreadChannel) bool { return c.Channel == q.Channel }):
	default:
		return q.Unread == nil || *q.Unread == th.unreadFor(q)
	}
	return false
}

// unreadFor says whether a thread is unread where a query looks.
func (th *Thread) unreadFor(q parley.ThreadQuery) bool {
	switch {
	case q.Folder != "":
		return th.unreadIn(q.Folder)
	case q.Label != "":
		return th.unreadIn(q.Label)
	}
	return th.unreadAnywhere()
}

// listedIn reports whether a folder's list has the thread; "" is the list of all.
func (th *Thread) listedIn(f parley.FolderID) bool {
	if f == "" {
		return th.shown()
	}
	return th.folder(f).Total > 0 || f == parley.Inbox && th.fresh()
}
