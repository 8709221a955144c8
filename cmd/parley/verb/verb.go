// Package verb holds what an administrator does to the data of a server: accounts
// and tokens, import and export, audit, rebuild and purge.
//
// A verb is a struct whose fields are its arguments. It is filled in where it was
// typed, and run where the data folder is open: there, or in the server that
// holds the folder. It promises to do the same in both places. Output for
// programs goes to Out, what people read meanwhile to Diag.
package verb

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/parley-im/parley/cmd/parley/system"
)

// Verb is one command on the data of a server.
type Verb interface {
	// Name is what a server knows it by.
	Name() string
	// Where says which data folder is meant, and whether to make it.
	Where() (dir string, create bool)
	// Prepare runs where the verb was typed: it makes paths absolute and reads
	// what the verb needs of standard input.
	Prepare(stdin io.Reader) (input []byte, err error)
	// Run does it.
	Run(ctx context.Context, s *system.System, std IO) error
}

// IO is what a verb reads and writes.
type IO struct {
	In       []byte // what Prepare read
	Out      io.Writer
	Diag     io.Writer
	Terminal bool // whether Diag is one
}

// UsageError says that a verb was typed wrongly.
type UsageError struct{ Text string }

func (e *UsageError) Error() string { return e.Text }

func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// Location is the part that all verbs have. It stays where the verb was typed.
type Location struct {
	Dir string `name:"data" json:"-" required:"" placeholder:"DIR" help:"Data folder of the server, which may be running or not."`
}

// Where is the folder; most verbs need one that is there.
func (l Location) Where() (string, bool) { return l.Dir, false }

// Prepare has nothing to do for most verbs.
func (l Location) Prepare(io.Reader) ([]byte, error) { return nil, nil }

// all lists the verbs, each as it is before its arguments are filled in.
func all() []Verb {
	return []Verb{
		&AccountAdd{}, &AccountPasswd{}, &AccountList{}, &Token{},
		&Import{}, &Export{}, &Audit{}, &Rebuild{}, &Reparse{}, &Purge{}, &BlobCheck{}, &BlobSweep{}, &BlobCompact{}, &Top{},
	}
}

// Decode makes the verb that another process sent.
func Decode(name string, args json.RawMessage) (Verb, error) {
	for _, v := range all() {
		if v.Name() != name {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(args))
		d.DisallowUnknownFields()
		if err := d.Decode(v); err != nil {
			return nil, fmt.Errorf("the server runs another version, which does not know this form of %s (%w); restart it, or use its own binary", name, err)
		}
		return v, nil
	}
	return nil, fmt.Errorf("the server runs another version, which does not know %s; restart it, or use its own binary", name)
}
