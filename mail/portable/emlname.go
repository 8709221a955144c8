package portable

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/parley-im/parley"
)

// emlName is what the name of an exported .eml file says: when the message was
// received, its folders and its flags, as
// 20250303T080000.000000Z-00000012.archive+inbox.FS.eml. In the order of names
// messages stand as they were received.
type emlName struct {
	at      time.Time
	n       int // tells those of one instant apart
	folders []parley.FolderID
	flags   string
}

const emlTime = "20060102T150405.000000Z"

func (e emlName) String() string {
	folders := make([]string, len(e.folders))
	for i, f := range e.folders {
		folders[i] = string(f)
	}
	name := fmt.Sprintf("%s-%08d.%s", e.at.UTC().Format(emlTime), e.n, strings.Join(folders, "+"))
	if e.flags != "" {
		name += "." + e.flags
	}
	return name + ".eml"
}

var emlPattern = regexp.MustCompile(`^(\d{8}T\d{6}\.\d{6}Z)-\d{8,}\.([a-z]+(?:_[a-z2-7]{26})?(?:\+[a-z]+(?:_[a-z2-7]{26})?)*)(?:\.([A-Z]+))?\.eml$`)

// parseEML takes a name apart. Most .eml files have names that say nothing.
func parseEML(file string) (e emlName, ok bool) {
	parts := emlPattern.FindStringSubmatch(file)
	if parts == nil {
		return emlName{}, false
	}
	at, err := time.Parse(emlTime, parts[1])
	if err != nil {
		return emlName{}, false
	}
	e = emlName{at: at, flags: parts[3]}
	for folder := range strings.SplitSeq(parts[2], "+") {
		if !parley.FolderID(folder).Valid() {
			return emlName{}, false
		}
		e.folders = append(e.folders, parley.FolderID(folder))
	}
	return e, true
}

// IsEML tells a file with one message by its name: the content may begin as an
// mbox does, and has to stay as it is all the same.
func IsEML(name string) bool { return strings.EqualFold(path.Ext(name), ".eml") }
