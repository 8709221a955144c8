package mailbox

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/parley-im/parley"
)

// Key names a page of the state. The first byte tells its type.
type Key string

// The types of pages. The bytes are stored: never reuse one.
const (
	headerPage  = 'h' // Header, one
	threadPage  = 't' // Thread, by id
	rosterPage  = 'o' // Roster of a room, by thread id
	messagePage = 'e' // Message, by id
	nodePage    = 'r' // Node of the reference graph, by hash
	keyPage     = 'k' // Remembered command, by id
	blobPage    = 'b' // Blob that this account may open, by outside id
	contactPage = 'c' // Contact, by hash
	jobPage     = 'j' // Job, by id
	blockPage   = 'i' // tree block, by tree name and number
	folderPage  = 'f' // FolderTree, one
)

// HeaderKey is the page that every activation holds.
const HeaderKey = Key(rune(headerPage))

// FoldersKey is the page of the folders of one's own.
const FoldersKey = Key(rune(folderPage))

// Page is immutable once it is in a State; a change puts a new one.
type Page interface {
	// Weight estimates the bytes held in memory.
	Weight() int
}

// Hash names what has no id of its own: a Message-ID, an address.
type Hash [16]byte

func hash(kind, s string) Hash {
	sum := sha256.Sum256([]byte(kind + "\x00" + s))
	return Hash(sum[:16])
}

// PersonHash names somebody for the participant index: an account id or an address.
func PersonHash(who string) Hash { return hash("person", strings.ToLower(who)) }

// ReferenceHash names a Message-ID in the reference graph.
func ReferenceHash(messageID string) Hash { return hash("mid", messageID) }

// ThreadIndexHash names an Exchange Thread-Index root in the reference graph.
func ThreadIndexHash(root string) Hash { return hash("tix", root) }

// ContentHash names a message without a Message-ID by its content.
func ContentHash(d parley.Digest) Hash { return hash("dig", string(d[:])) }

func threadKey(id parley.ThreadID) Key   { return Key(rune(threadPage)) + Key(id) }
func rosterKey(id parley.ThreadID) Key   { return Key(rune(rosterPage)) + Key(id) }
func messageKey(id parley.MessageID) Key { return Key(rune(messagePage)) + Key(id) }
func nodeKey(h Hash) Key                 { return Key(rune(nodePage)) + Key(h[:]) }
func commandKey(c parley.CommandID) Key  { return Key(rune(keyPage)) + Key(c[:]) }
func blobKey(id parley.BlobID) Key       { return Key(rune(blobPage)) + Key(id) }
func contactKey(h Hash) Key              { return Key(rune(contactPage)) + Key(h[:]) }

func blockKey(name string, n uint32) Key {
	return Key(rune(blockPage)) + Key(name) + Key(binary.BigEndian.AppendUint32([]byte{0}, n))
}

// Need says which pages or logged actions a decision lacks. Nothing was changed.
type Need struct {
	Pages   []Key
	Actions []parley.Revision
}

func (n *Need) Error() string { return "mailbox: pages to load first" }

// The names of trees.
func allThreads(f parley.FolderID) string    { return "T" + string(f) + "/a" }
func unreadThreads(f parley.FolderID) string { return "T" + string(f) + "/u" }
func personTree(h Hash) string               { return "P" + string(h[:]) }
func messageTree(id parley.ThreadID) string  { return "M" + string(id) }
func holderTree(id parley.BlobID) string     { return "B" + string(id) }
func noticeTree(id parley.ThreadID) string   { return "N" + string(id) }

// draftTree lists the drafts of a thread, or all.
func draftTree(id parley.ThreadID) string { return "D" + string(id) }

// flag is what is true of a thread as a whole and has a list of its own.
type flag string

const (
	flagged flag = "flagged"
	muted   flag = "muted"
)

func flagTree(f flag) string { return "F" + string(f) }

const (
	sendingTree = "S" // drafts that are being sent, oldest first
	keyTree     = "K" // remembered commands by expiry
	contactTree = "C" // contacts by last contact, newest first
	uploadTree  = "U" // uploads that no message took, oldest first
)

// newest sorts later times first.
func newest(micros int64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 0, 64), ^(uint64(micros) ^ 1<<63))
}

// oldest sorts earlier times first.
func oldest(micros int64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(micros)^1<<63)
}

func rawID(prefix, id string) []byte {
	b, err := parley.ParseID(prefix, id)
	if err != nil {
		h := hash("id", id)
		return h[:]
	}
	return b[:]
}
