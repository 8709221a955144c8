package maildir

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Name is the name of a message's file, taken apart.
type Name struct {
	Unique string
	Flags  string // sorted letters, each once
}

// The parts of a folder. What is in Tmp is not delivered yet.
const (
	Cur = "cur"
	New = "new"
	Tmp = "tmp"
	// Mark is an empty file that tells a Maildir++ subfolder from a Maildir of its
	// own.
	Mark = "maildirfolder"
)

// infos begin the flags: the colon of the specification, and what is in use
// where a file name cannot have one.
var infos = [...]string{":2,", ";2,", "!2,"}

// ParseName takes a file name apart. Files whose names begin with a dot are no
// messages.
func ParseName(file string) (n Name, ok bool) {
	if file == "" || file[0] == '.' {
		return Name{}, false
	}
	for _, info := range infos {
		if i := strings.LastIndex(file, info); i > 0 {
			return Name{Unique: file[:i], Flags: letters(file[i+len(info):])}, true
		}
	}
	return Name{Unique: file}, true
}

// String is the name of a file in Cur.
func (n Name) String() string { return n.Unique + infos[0] + letters(n.Flags) }

// letters are those at the beginning of s, sorted as the specification wants
// them. Others may follow that belong to some program.
func letters(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') })
	if end < 0 {
		end = len(s)
	}
	all := []byte(s[:end])
	slices.Sort(all)
	return string(slices.Compact(all))
}

// Unique names the nth message of one run, which was received at a time.
func Unique(at time.Time, n int) string {
	return fmt.Sprintf("%d.M%06dQ%d.parley", at.Unix(), at.Nanosecond()/1000, n)
}

var unique = regexp.MustCompile(`^(-?\d{1,12})\.M(\d{6})Q\d+\.parley$`)

// Received is the time in a name that Unique made. It holds where the file's own
// time was lost, by a copy say. The names of other programs have the time at
// which the file was made, which is another matter.
func (n Name) Received() (at time.Time, ok bool) {
	parts := unique.FindStringSubmatch(n.Unique)
	if parts == nil {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	micros, err := strconv.ParseInt(parts[2], 10, 64)
	return time.Unix(seconds, micros*1000).UTC(), err == nil
}
