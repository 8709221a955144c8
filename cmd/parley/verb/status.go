package verb

import (
	"bytes"

	"github.com/parley-im/parley"
)

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
