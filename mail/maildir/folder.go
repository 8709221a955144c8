package maildir

import (
	"strings"

	"github.com/parley-im/parley"
)

// subfolders are the folders in the words that most programs use, which are
// those of RFC 6154. The inbox is the Maildir itself.
var subfolders = map[parley.FolderID]string{
	parley.Inbox:   "",
	parley.Other:   ".Other",
	parley.Archive: ".Archive",
	parley.Sent:    ".Sent",
	parley.Drafts:  ".Drafts",
	parley.Spam:    ".Junk",
	parley.Trash:   ".Trash",
}

// Subfolder is where the messages of a folder go, below the Maildir; "" is the
// Maildir itself.
func Subfolder(id parley.FolderID) string { return subfolders[id] }

// folders are the names in use, in lower case.
var folders = map[string]parley.FolderID{
	"":                 parley.Inbox,
	"inbox":            parley.Inbox,
	"other":            parley.Other,
	"archive":          parley.Archive,
	"archives":         parley.Archive,
	"archived":         parley.Archive,
	"all mail":         parley.Archive,
	"sent":             parley.Sent,
	"sent items":       parley.Sent,
	"sent messages":    parley.Sent,
	"sent mail":        parley.Sent,
	"sent-mail":        parley.Sent,
	"sentmail":         parley.Sent,
	"draft":            parley.Drafts,
	"drafts":           parley.Drafts,
	"spam":             parley.Spam,
	"junk":             parley.Spam,
	"junk mail":        parley.Spam,
	"junk e-mail":      parley.Spam,
	"junk email":       parley.Spam,
	"bulk mail":        parley.Spam,
	"trash":            parley.Trash,
	"bin":              parley.Trash,
	"deleted items":    parley.Trash,
	"deleted messages": parley.Trash,
}

// above stand before the names that matter: some servers have all folders below
// the inbox.
var above = [...]string{"inbox.", "[gmail].", "[google mail]."}

// Folder finds what a subfolder is here. Levels are parted by dots; what is below
// a folder that is known belongs to it.
func Folder(subfolder string) (parley.FolderID, bool) {
	name := strings.ToLower(strings.TrimPrefix(subfolder, "."))
	for _, prefix := range above {
		name = strings.TrimPrefix(name, prefix)
	}
	id, ok := folders[name]
	if top, _, nested := strings.Cut(name, "."); !ok && nested && top != "" {
		id, ok = folders[top]
	}
	return id, ok
}
