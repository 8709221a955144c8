package codec

import (
	"slices"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

// The names that are stored as a byte, each at the place of its number in the
// enum of package record. There are others, of one's own folders and of clients.
var (
	folders = []parley.FolderID{
		"", parley.Inbox, parley.Other, parley.Archive, parley.Sent, parley.Drafts, parley.Spam, parley.Trash,
	}
	keywords = []parley.Keyword{
		"", parley.Seen, parley.Flagged, parley.Answered, parley.Draft,
		// RFC 8621 4.1.1; nothing here reads them, but clients set them.
		"$forwarded", "$junk", "$notjunk", "$phishing",
	}
)

// names keeps the order; none is nil.
func names[T ~string](known, list []T) *record.Names {
	if len(list) == 0 {
		return nil
	}
	return namesOrEmpty(known, list)
}

// namesOrEmpty tells an empty list from nil.
func namesOrEmpty[T ~string](known, list []T) *record.Names {
	if list == nil {
		return nil
	}
	n := &record.Names{Known: make([]byte, 0, len(list))}
	for _, name := range list {
		i := max(slices.Index(known, name), 0)
		n.Known = append(n.Known, byte(i))
		if i == 0 {
			n.Others = append(n.Others, string(name))
		}
	}
	return n
}

func unnames[T ~string](r *reader, known []T, n *record.Names) []T {
	if len(n.GetKnown()) == 0 && len(n.GetOthers()) == 0 {
		return nil
	}
	return unnamesOrEmpty(r, known, n)
}

func unnamesOrEmpty[T ~string](r *reader, known []T, n *record.Names) []T {
	if n == nil {
		return nil
	}
	list, others := make([]T, 0, len(n.Known)), n.Others
	for _, i := range n.Known {
		switch {
		case i > 0 && int(i) < len(known):
			list = append(list, known[i])
		case i == 0 && len(others) > 0:
			list, others = append(list, T(others[0])), others[1:]
		default:
			r.fail("name %d in a list of %d with %d others", i, len(n.Known), len(n.Others))
			return nil
		}
	}
	if len(others) > 0 {
		r.fail("%d names too many", len(others))
	}
	return list
}

// folder splits a folder into the number of a fixed one and the id of another.
func folder(id parley.FolderID) (record.Folder, string) {
	if i := slices.Index(folders, id); i > 0 {
		return record.Folder(i), ""
	}
	return 0, string(id)
}

func (r *reader) folder(fixed record.Folder, id string) parley.FolderID {
	if fixed == 0 {
		return parley.FolderID(id)
	}
	return word(r, folders, fixed)
}
