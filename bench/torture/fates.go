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
