package maildir

import (
	"strings"

	"github.com/parley-im/parley"
)

// Trashed marks a message that its owner wants to be rid of.
const Trashed = 'T'

// flags have the keywords of RFC 8621 4.1.1 that they mean.
var flags = [...]struct {
	letter byte
	means  parley.Keyword
}{
	{'D', parley.Draft},
	{'F', parley.Flagged},
	{'P', "$forwarded"}, // passed
	{'R', parley.Answered},
	{'S', parley.Seen},
}

// Keywords are what the flags mean. Lower case letters belong to the program
// that wrote them.
func (n Name) Keywords() (all []parley.Keyword) {
	for _, f := range flags {
		if strings.IndexByte(n.Flags, f.letter) >= 0 {
			all = append(all, f.means)
		}
	}
	return all
}

// Trashed reports whether the message was thrown away.
func (n Name) Trashed() bool { return strings.IndexByte(n.Flags, Trashed) >= 0 }

// Flags are the letters for keywords. A keyword that has none is left out.
func Flags(keywords []parley.Keyword) string {
	var all []byte
	for _, f := range flags {
		for _, k := range keywords {
			if k == f.means {
				all = append(all, f.letter)
				break
			}
		}
	}
	return string(all)
}
