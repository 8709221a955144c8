package verb

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/cmd/parley/system"
)

// AccountAdd makes an account.
type AccountAdd struct {
	Location
	Address       string `arg:"" placeholder:"NAME@DOMAIN" help:"Address of the account."`
	FullName      string `name:"name" placeholder:"NAME" help:"Full name, shown to others."`
	PasswordStdin bool   `help:"Read the password from standard input. Without one, only tokens open the account."`
}

// Name is "account add".
func (*AccountAdd) Name() string { return "account add" }

// Where is the folder; the first account may make it.
func (v *AccountAdd) Where() (string, bool) { return v.Dir, true }

// Prepare reads the password.
func (v *AccountAdd) Prepare(stdin io.Reader) ([]byte, error) {
	if !v.PasswordStdin {
		return nil, nil
	}
	return readPassword(stdin)
}

// Run prints the id of the new account.
func (v *AccountAdd) Run(ctx context.Context, s *system.System, std IO) error {
	a := parley.Account{Name: v.FullName, Addresses: []string{v.Address}}
	made, _, err := s.Accounts.Create(ctx, parley.Command{}, a, string(std.In))
	if parley.CodeOf(err) == parley.Conflict {
		return fmt.Errorf("%s is taken; parley account passwd sets another password", v.Address)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(std.Out, made.ID)
	return err
}

// AccountPasswd replaces a password.
type AccountPasswd struct {
	Location
	Address       string `arg:"" placeholder:"NAME@DOMAIN" help:"Address of the account."`
	PasswordStdin bool   `required:"" help:"Read the password from standard input."`
}

// Name is "account passwd".
func (*AccountPasswd) Name() string { return "account passwd" }

// Prepare reads the password.
func (v *AccountPasswd) Prepare(stdin io.Reader) ([]byte, error) { return readPassword(stdin) }

// Run sets it.
func (v *AccountPasswd) Run(ctx context.Context, s *system.System, std IO) error {
	id, err := account(ctx, s, v.Address)
	if err != nil {
		return err
	}
	return s.Accounts.SetPassword(ctx, id, string(std.In))
}

// AccountList lists the accounts.
type AccountList struct {
	Location
	JSON bool `name:"json" help:"Print JSON."`
}

// Name is "account list".
func (*AccountList) Name() string { return "account list" }

// listed is an account as --json prints it.
type listed struct {
	ID        parley.AccountID `json:"id"`
	Name      string           `json:"name"`
	Addresses []string         `json:"addresses"`
	CreatedAt time.Time        `json:"created_at"`
}

// Run prints the accounts.
func (v *AccountList) Run(ctx context.Context, s *system.System, std IO) error {
	accounts := []listed{}
	err := eachAccount(ctx, s, func(a parley.Account) error {
		accounts = append(accounts, listed{a.ID, a.Name, append([]string{}, a.Addresses...), a.CreatedAt.UTC()})
		return nil
	})
	if err != nil {
		return err
	}
	if v.JSON {
		return printJSON(std.Out, accounts)
	}
	w := tabwriter.NewWriter(std.Out, 0, 8, 2, ' ', 0)
	for _, a := range accounts {
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.ID, strings.Join(a.Addresses, ","), a.Name)
	}
	return w.Flush()
}

func eachAccount(ctx context.Context, s *system.System, f func(parley.Account) error) error {
	for p := (parley.Page{Limit: parley.MaxPage}); ; {
		l, err := s.Accounts.List(ctx, p)
		if err != nil {
			return err
		}
		for _, a := range l.Items {
			if err := f(a); err != nil {
				return err
			}
		}
		if l.Next == "" {
			return nil
		}
		p.After = l.Next
	}
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
