package verb

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/cmd/parley/system"
	"github.com/parley-im/parley/internal/progress"
)

// Reparse reads the mail of mailboxes again, as this version reads mail.
type Reparse struct {
	Location
	Account string          `arg:"" optional:"" placeholder:"NAME@DOMAIN" help:"Account whose mail is read again."`
	All     bool            `name:"all" help:"Read the mail of every account again."`
	Preview bool            `name:"preview" help:"Print what would change, and change nothing."`
	JSON    bool            `name:"json" help:"Print JSON, an object for each message that reads otherwise."`
	From    parley.Revision `name:"from" placeholder:"N" help:"Go on where it was interrupted: with mail filed from this revision on."`
}

// Name is "reparse".
func (*Reparse) Name() string { return "reparse" }

// Prepare wants one account, or all.
func (v *Reparse) Prepare(io.Reader) ([]byte, error) {
	switch {
	case v.Account == "" && !v.All, v.Account != "" && v.All:
		return nil, usagef("name an account, or say --all")
	case v.All && v.From != 0:
		return nil, usagef("--from is of one account")
	}
	return nil, nil
}

// Run reads one mailbox after the other.
func (v *Reparse) Run(ctx context.Context, s *system.System, std IO) error {
	if !v.All {
		id, err := account(ctx, s, v.Account)
		if err != nil {
			return err
		}
		return v.one(ctx, s, std, v.Account, id)
	}
	return eachAccount(ctx, s, func(a parley.Account) error {
		name := string(a.ID)
		if len(a.Addresses) > 0 {
			name = a.Addresses[0]
		}
		return v.one(ctx, s, std, name, a.ID)
	})
}

func (v *Reparse) one(ctx context.Context, s *system.System, std IO, name string, id parley.AccountID) error {
	line := progress.New(std.Diag, std.Terminal, s.Now)
	defer line.End()
	got, err := s.Node.Client().Reparse(ctx, id, actors.Reparsing{
		From: v.From, Preview: v.Preview,
		Each: func(r mailbox.Reread) error { line.End(); return v.print(std.Out, name, r) },
		Lost: func(m parley.MessageID, err error) {
			line.End()
			fmt.Fprintf(std.Diag, "%s %s: left as it is: %v\n", name, m, err)
		},
		Step: func(done, last parley.Revision) { line.Sayf("reparse: %s, %d of %d", name, done, last) },
	})
	line.End()
	if err != nil {
		return fmt.Errorf("reparse %s: %w; go on with --from %d", name, err, got.Done+1)
	}
	verb := "changed"
	if v.Preview {
		verb = "would change"
	}
	_, err = fmt.Fprintf(std.Diag, "%s: %d mails read, %d %s, %d could not be read\n", name, got.Read, got.Changed, verb, got.Lost)
	return err
}

// rereadJSON is a message as --json prints it.
type rereadJSON struct {
	Account     string           `json:"account"`
	Message     parley.MessageID `json:"message"`
	Differences []differenceJSON `json:"differences"`
}

type differenceJSON struct {
	Field string `json:"field"`
	Was   string `json:"was"`
	Now   string `json:"now"`
}

func (v *Reparse) print(out io.Writer, name string, r mailbox.Reread) error {
	if v.JSON {
		line := rereadJSON{Account: name, Message: r.Message}
		for _, d := range r.Differences {
			line.Differences = append(line.Differences, differenceJSON(d))
		}
		return printJSON(out, line)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", name, r.Message)
	for _, d := range r.Differences {
		fmt.Fprintf(&b, "  %s: %q -> %q\n", d.Field, d.Was, d.Now)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
