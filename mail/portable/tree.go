package portable

import (
	"io"
	"path"
	"strings"
	"time"
)

// File is a file or folder of a tree.
type File struct {
	Path    string // with slashes, from the tree's top
	Dir     bool
	Special bool // neither: a link, a device
	At      time.Time
	Open    func() (io.ReadCloser, error) // while the file is told
}

// Tree is a folder or an archive with files.
type Tree interface {
	// Each tells all files, in the same order each time.
	Each(f func(File) error) error
}

// clean is a name in an archive as a path from its top; false for one that leads
// out of it, or that is none.
func clean(name string) (string, bool) {
	name = strings.TrimSuffix(name, "/")
	for strings.HasPrefix(name, "./") {
		name = name[2:]
	}
	if name == "." {
		name = ""
	}
	inside := name == "" || path.Clean(name) == name && name[0] != '/' && name != ".." && !strings.HasPrefix(name, "../")
	return name, inside && !strings.ContainsRune(name, 0)
}
