package mailbox_test

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/parley-im/parley"
)

// begin is when every play begins.
var begin = time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)

const me = parley.AccountID("acc_aaaaaaaaaaaaaaaaaaaaaaaaaa")

// bits makes 128 bits of a name.
func bits(name ...any) [parley.IDBytes]byte {
	sum := sha256.Sum256([]byte(fmt.Sprint(name...)))
	return [parley.IDBytes]byte(sum[:parley.IDBytes])
}

func accountID(name ...any) parley.AccountID {
	return parley.AccountID(parley.FormatID(parley.AccountPrefix, bits(name...)))
}

func threadID(name ...any) parley.ThreadID {
	return parley.ThreadID(parley.FormatID(parley.ThreadPrefix, bits(name...)))
}

func messageID(name ...any) parley.MessageID {
	return parley.MessageID(parley.FormatID(parley.MessagePrefix, bits(name...)))
}

func folderID(name ...any) parley.FolderID {
	return parley.FolderID(parley.FormatID(parley.FolderPrefix, bits(name...)))
}

func labelID(name ...any) parley.FolderID {
	return parley.FolderID(parley.FormatID(parley.LabelPrefix, bits(name...)))
}

func blobID(name ...any) parley.BlobID {
	return parley.BlobID(parley.FormatID(parley.BlobPrefix, bits(name...)))
}

func partID(name ...any) parley.PartID {
	return parley.PartID(parley.FormatID(parley.PartPrefix, bits(name...)))
}

func digest(name ...any) parley.Digest { return sha256.Sum256([]byte(fmt.Sprint(name...))) }

// raw is what an id sorts by.
func raw(id string) string {
	b, err := parley.ParseID(id[:4], id)
	if err != nil {
		panic(id + " is not an id")
	}
	return string(b[:])
}
