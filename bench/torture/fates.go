package torture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parley-im/parley"
)

// fate is how a message may stand in one copy. Folders are sorted and joined, so
// that fates compare.
type fate struct {
	folders, before string // before: where it was when it went to Trash, or anywhere
	seen, flagged   bool
	gone            bool
	any             bool // nothing is known, until the next read
}

// anywhere says that it is not known where a message was before.
const anywhere = "?"

// fates are all the ways in which a message may stand, given what its owner asked
// for and heard. Only the owner changes it, one command after the other.
type fates map[fate]bool

// fresh is how a message may come into a copy: in Inbox, or in Archive where the
// thread is muted; one's own in Sent and read.
func fresh(own bool) fates {
	if own {
		return fates{{folders: "inbox sent", seen: true}: true, {folders: "sent", seen: true}: true}
	}
	return fates{{folders: "inbox"}: true, {folders: "archive"}: true}
}

// after is what becomes of the fates by a command of this outcome.
func (fs fates) after(o Outcome, change func(fate) []fate) fates {
	out := fates{}
	for f := range fs {
		if o != Done {
			out[f] = true
		}
		if o == Refused {
			continue
		}
		if f.gone || f.any {
			out[f] = true
			continue
		}
		for _, g := range change(f) {
			out[g] = true
		}
	}
	return out
}

// narrow keeps the fates that a read agrees with; none left means that the read
// shows what cannot be.
func (fs fates) narrow(m *parley.Message) (fates, error) {
	out := fates{}
	for f := range fs {
		if f.any {
			return only(m), nil
		}
		if !f.gone && f.folders == join(m.Folders) && f.seen == m.Has(parley.Seen) && f.flagged == m.Has(parley.Flagged) {
			out[f] = true
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("stands in %q with %v, may stand as %v", m.Folders, m.Keywords, fs)
	}
	return out, nil
}

// only is how the message stands.
func only(m *parley.Message) fates {
	f := fate{folders: join(m.Folders), seen: m.Has(parley.Seen), flagged: m.Has(parley.Flagged)}
	if slices.Contains(m.Folders, parley.Trash) {
		f.before = anywhere
	}
	return fates{f: true}
}

func (fs fates) inTrash() bool {
	for f := range fs {
		if f.folders == "trash" {
			return true
		}
	}
	return false
}

// mayBeGone and mustBeGone tell of messages that were deleted for good.
func (fs fates) mayBeGone() bool {
	for f := range fs {
		if f.gone || f.any {
			return true
		}
	}
	return false
}

func (fs fates) mustBeGone() bool {
	for f := range fs {
		if !f.gone {
			return false
		}
	}
	return len(fs) > 0
}

func join(folders []parley.FolderID) string {
	var all []string
	for _, f := range folders {
		all = append(all, string(f))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

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
