package verb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/datadir"
	"github.com/parley-im/parley/persistence"
)

// Message says in one line what is wrong and what to do next.
func Message(err error) string {
	var held *datadir.HeldError
	switch {
	case errors.As(err, &held):
		return fmt.Sprintf("%v, which does not answer; wait until it is done, or stop it", held)
	case errors.Is(err, datadir.ErrAbsent):
		return fmt.Sprintf("%v; parley serve and parley account add make one", err)
	case errors.Is(err, context.Canceled):
		return "interrupted; run it again to go on"
	case errors.Is(err, persistence.ErrNoSpace):
		return "the disk is full; make space and run it again"
	}
	// What a stranger may read was written to be read; the name of the operation
	// before it was not. Without such words the cause is shown, since who reads
	// this runs the server.
	text := err.Error()
	if e := (*parley.Error)(nil); errors.As(err, &e) && e.Public != "" && e.Err == nil {
		public := e.Public
		if e.Field != "" {
			public = e.Field + ": " + public
		}
		text = strings.Replace(text, e.Error(), public, 1)
	}
	return text
}

// account finds whom an address belongs to.
func account(ctx context.Context, s *system.System, address string) (parley.AccountID, error) {
	id, err := s.Accounts.Resolve(ctx, address)
	if parley.CodeOf(err) == parley.NoRecipient {
		return "", fmt.Errorf("no account has the address %s; parley account list shows those there are", address)
	}
	return id, err
}
