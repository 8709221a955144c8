package maildir

import (
	"strings"

	"github.com/parley-im/parley"
)

// trashed marks a message that its owner wants to be rid of.
const trashed = 'T'

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

// Keywords are what letters mean. Those in lower case belong to the program that
// wrote them.
func Keywords(letters string) (all []parley.Keyword) {
	for _, f := range flags {
		if strings.IndexByte(letters, f.letter) >= 0 {
			all = append(all, f.means)
		}
	}
	return all
}

// Trashed reports whether the message was thrown away.
func (n Name) Trashed() bool { return strings.IndexByte(n.Flags, trashed) >= 0 }

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
