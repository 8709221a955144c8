package parley

import (
	"slices"
	"strings"
	"unicode"
)

// The kinds of folders. A message is always in a folder; labels come beside it.
const (
	KindFolder = "folder"
	KindLabel  = "label"
)

// LabelPrefix begins the id of a label, FolderPrefix that of a folder: the kind
// never changes, and whoever has the id knows it.
const LabelPrefix = "lbl_"

// Bounds of the folders and labels of one's own.
const (
	MaxFolders     = 500 // of one account, labels included
	MaxFolderName  = 100 // characters
	MaxFolderDepth = 10  // levels, the top one included
)

// Misleads reports whether a name of a folder or label has a mark that turns the
// direction of text: what is shown beside it could be read as something else, and two
// names that look the same could be two (Unicode UAX #9 section 2).
func Misleads(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) })
}

// IsLabel reports whether the folder is a label.
func (id FolderID) IsLabel() bool { return strings.HasPrefix(string(id), LabelPrefix) }

// IsFixed reports whether every account has the folder.
func (id FolderID) IsFixed() bool { return slices.Contains(FixedFolders[:], id) }

// Valid reports whether there can be a folder or label of this id.
func (id FolderID) Valid() bool {
	prefix := FolderPrefix
	if id.IsLabel() {
		prefix = LabelPrefix
	}
	_, err := ParseID(prefix, string(id))
	return err == nil || id.IsFixed()
}

// Folder is the id of the folder or label that command c creates in a place: an
// account's mailbox.
func (s Secret) Folder(c CommandID, place string, label bool) FolderID {
	prefix := FolderPrefix
	if label {
		prefix = LabelPrefix
	}
	return FolderID(FormatID(prefix, s.Derive("folder", string(c[:]), place)))
}

// NewFolder asks for a folder or label.
type NewFolder struct {
	Name   string
	Parent FolderID // "" at the top
	Label  bool
	Color  string // "#rrggbb" or ""
}

// FolderChange is what PATCH does to a folder: absent fields stay.
type FolderChange struct {
	Name   *string
	Parent *FolderID // "": to the top
	Color  *string
}

// Leaving says what becomes of messages that are in no other folder than one that
// is deleted (RFC 8621 2.5: a message without a mailbox does not exist).
type Leaving string

// The ways. What is in another folder, too, only leaves the deleted one.
const (
	LeaveNone    Leaving = ""        // a folder that has messages is not deleted
	LeaveArchive Leaving = "archive" // to Archive
	LeaveTrash   Leaving = "trash"   // to Trash
	LeaveRemove  Leaving = "remove"  // for good: RFC 8621's onDestroyRemoveEmails
)
