package portable

import (
	"fmt"

	"github.com/parley-im/parley"
)

// Bounds of what is read.
const (
	// MaxLetter is the largest message that is taken.
	MaxLetter = 100 << 20
	// MaxEntries are the files of an archive, and the messages of a source.
	MaxEntries = 1 << 20
	// An archive may unpack to minUnpacked, or to maxRatio times its size if that
	// is more: mail seldom gets to a tenth, and what is made to burst a disk gets to
	// a thousandth.
	minUnpacked = 1 << 30
	maxRatio    = 100
	// maxDirectory are the bytes that tell of a zip's files, which are held in memory.
	maxDirectory = 16 << 20
	// maxFolders are the folders with messages that one source may have.
	maxFolders = 10_000
)

func tooMuch(what string) error {
	return parley.E(parley.TooLarge, "portable.read", what)
}

// budget counts what one pass over an archive unpacks.
type budget struct {
	bytes, most    int64
	entries, files int64
}

func newBudget(size int64) *budget {
	return &budget{files: MaxEntries, most: max(minUnpacked, size*min(maxRatio, (1<<60)/max(size, 1)))}
}

func (b *budget) entry() error {
	if b.entries++; b.entries > b.files {
		return tooMuch(fmt.Sprintf("it has more than %d files or messages", b.files))
	}
	return nil
}

func (b *budget) take(n int) error {
	if b.bytes += int64(n); b.bytes > b.most {
		return tooMuch(fmt.Sprintf("it unpacks to more than %d MiB", b.most>>20))
	}
	return nil
}

// begin begins a pass.
func (b *budget) begin() { b.bytes, b.entries = 0, 0 }
