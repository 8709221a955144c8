package verb

import (
	"fmt"
	"strings"
)

// sums are what an import came to.
type sums struct {
	added, known, refused int
	moved                 int      // were there when the Maildir was listed, and then not
	strange               []string // subfolders of names that mean nothing here
	special               int      // neither files nor folders
	empty                 int      // without a byte, as a full disk leaves them
}

// maxNamed bounds the names in a summary.
const maxNamed = 10

// summary is one line: the figures, and what the owner may not have expected.
func (s *sums) summary(folder string) string {
	text := fmt.Sprintf("%d messages: %d added, %d known", s.added+s.known+s.refused, s.added, s.known)
	if s.refused > 0 {
		text += fmt.Sprintf(", %d refused", s.refused)
	}
	if n := len(s.strange); n > 0 {
		names := make([]string, 0, maxNamed)
		for _, name := range s.strange[:min(n, maxNamed)] {
			names = append(names, fmt.Sprintf("%q", name))
		}
		text += fmt.Sprintf("; to %s went also %s", folder, strings.Join(names, ", "))
		if n > maxNamed {
			text += fmt.Sprintf(" and %d more folders", n-maxNamed)
		}
	}
	if s.moved > 0 {
		text += fmt.Sprintf("; %d were moved meanwhile, run it again for them", s.moved)
	}
	if s.special > 0 {
		text += fmt.Sprintf("; %d were passed over, which are links or no files", s.special)
	}
	if s.empty > 0 {
		text += fmt.Sprintf("; %d were passed over, which are empty", s.empty)
	}
	return text
}
