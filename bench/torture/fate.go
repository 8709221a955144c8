package torture

import (
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// move gives the message other folders. None means Archive, and Trash remembers
// where from.
func (f fate) move(to []string) fate {
	slices.Sort(to)
	to = slices.Compact(to)
	was := strings.Fields(f.folders)
	if len(to) == 0 {
		to = []string{"archive"}
	}
	switch {
	case !slices.Contains(to, "trash"):
		f.before = ""
	case !slices.Contains(was, "trash"):
		f.before = f.folders
	}
	f.folders = strings.Join(to, " ")
	return f
}

// changed is a PATCH of a message.
func (f fate) changed(c parley.Change) []fate {
	if c.Seen != nil {
		f.seen = *c.Seen
	}
	if c.Flagged != nil {
		f.flagged = *c.Flagged
	}
	to := strings.Fields(f.folders)
	if c.Folders != nil {
		to = strings.Fields(join(c.Folders))
	}
	to = slices.DeleteFunc(to, func(s string) bool { return slices.Contains(c.Remove, parley.FolderID(s)) })
	for _, add := range c.Add {
		to = append(to, string(add))
	}
	return []fate{f.move(to)}
}

// archived is a PATCH of a thread that archives it or takes it back.
func (f fate) archived(yes bool) []fate {
	from, to := "archive", []string{"inbox"}
	if yes {
		from, to = "inbox", nil
	}
	all := strings.Fields(f.folders)
	if !slices.Contains(all, from) {
		return []fate{f}
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == from })
	return []fate{f.move(append(all, to...))}
}

// deleted is a DELETE of the message: to Trash, or from there for good.
func (f fate) deleted() []fate {
	if f.folders == "trash" {
		return []fate{{gone: true}}
	}
	return []fate{f.move([]string{"trash"})}
}

// deletedWithThread purges only when the whole thread is in Trash, which one
// message does not tell.
func (f fate) deletedWithThread() []fate {
	if f.folders == "trash" {
		return []fate{f, {gone: true}}
	}
	return []fate{f.move([]string{"trash"})}
}

// restored comes back from Trash.
func (f fate) restored() []fate {
	if !slices.Contains(strings.Fields(f.folders), "trash") {
		return []fate{f}
	}
	if f.before == anywhere {
		return []fate{{any: true}}
	}
	return []fate{f.move(strings.Fields(f.before))}
}
