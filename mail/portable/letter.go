package portable

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/parley-im/parley"
)

// Letter is one message, wherever it was found.
type Letter struct {
	N        int64     // its place in the source, from 1
	Where    string    // for whoever reads what is wrong with it
	Raw      []byte    // one byte more than MaxLetter is too large
	At       time.Time // when it was received; zero: its own Date
	From     string    // envelope sender
	Folders  []parley.FolderID
	Keywords []parley.Keyword
	Stated   bool // keywords are all that there were: without $seen it is unread, however old
}

// Unread reports whether the letter is unread although it may be old.
func (l Letter) Unread() bool { return l.Stated && !slices.Contains(l.Keywords, parley.Seen) }

// read reads one message whole.
func read(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, MaxLetter+1)) }

// plain is a message that says nothing else than what is in it.
func plain(where string, raw []byte) Letter {
	l := Letter{Where: where, Raw: raw}
	l.Keywords, l.Stated = statusKeywords(raw)
	return l
}

// statusKeywords reads the fields in which mail programs keep flags in an mbox:
// Status (R: read) and X-Status (F: flagged, A: answered, T: draft). Stated says
// that there is a Status: who has it without R was not read.
func statusKeywords(raw []byte) (all []parley.Keyword, stated bool) {
	flags := [...]struct {
		field string
		flag  byte
		means parley.Keyword
	}{
		{"status:", 'R', parley.Seen},
		{"x-status:", 'F', parley.Flagged},
		{"x-status:", 'A', parley.Answered},
		{"x-status:", 'T', parley.Draft},
	}
	for len(raw) > 0 {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			break // the end of the header
		}
		for _, f := range flags {
			if len(line) < len(f.field) || !bytes.EqualFold(line[:len(f.field)], []byte(f.field)) {
				continue
			}
			stated = stated || f.means == parley.Seen
			if bytes.IndexByte(line[len(f.field):], f.flag) >= 0 {
				all = append(all, f.means)
			}
		}
		raw = rest
	}
	return all, stated
}
