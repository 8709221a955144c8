package directory

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// eachRow reads a table whole.
func eachRow(
	t *testing.T, s persistence.Store, table persistence.Table, f persistence.Family, do func(row []byte, cells []persistence.Cell),
) {
	t.Helper()
	rows, err := s.Rows(t.Context(), table, nil, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		cells, err := s.Read(t.Context(), table, row, persistence.Range{Family: f, Limit: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		do(row, cells[0])
	}
}

// checkRows looks at both tables: each name is listed by one open account at
// most, which its claim names. It returns how many accounts are open.
func checkRows(t *testing.T, s persistence.Store) (open int) {
	t.Helper()
	owners := map[name]string{}
	eachRow(t, s, persistence.Directory, persistence.Dir, func(row []byte, cells []persistence.Cell) {
		var c record.Claim
		if len(cells) != 1 || proto.Unmarshal(cells[0].Value, &c) != nil || c.GetVersion() != cells[0].Version {
			t.Fatalf("row %q: got cells %v, want one claim of its version", row, cells)
		}
		owners[name(row[2:])] = c.GetAccount()
	})
	listed := map[name]string{}
	eachRow(t, s, persistence.Account, persistence.Arch, func(row []byte, cells []persistence.Cell) {
		r := &record.Account{}
		for _, c := range cells {
			if string(c.Qualifier) == string(accountCell) && proto.Unmarshal(c.Value, r) != nil {
				t.Fatalf("row %q: not an account", row)
			}
		}
		if r.GetId() == "" || r.GetClosedAt() != 0 {
			return
		}
		open++
		for _, n := range names(r) {
			if listed[n] != "" || owners[n] != r.GetId() {
				t.Errorf("%s: listed by %s and %q, claimed by %q", n, r.GetId(), listed[n], owners[n])
			}
			listed[n] = r.GetId()
		}
	})
	return open
}

// render writes a cell for people; the golden pins what later versions must read.
func render(c persistence.Cell) string {
	q, value := string(c.Qualifier), ""
	var m proto.Message
	switch {
	case q == "v":
		value = fmt.Sprint(binary.BigEndian.Uint64(c.Value))
	case q == "account":
		m = &record.Account{}
	case q == "password":
		m = &record.Password{}
	case q == "claim":
		m = &record.Claim{}
	case strings.HasPrefix(q, tokenPrefix):
		m = &record.Token{}
	case strings.HasPrefix(q, usePrefix):
		m = &record.TokenUse{}
	case strings.HasPrefix(q, keyPrefix):
		m = &record.CommandKey{}
	}
	if m != nil {
		if err := proto.Unmarshal(c.Value, m); err != nil {
			return err.Error()
		}
		// protojson varies its white space on purpose.
		value = strings.Join(strings.Fields(protojson.MarshalOptions{Multiline: false}.Format(m)), " ")
		value = strings.NewReplacer(`": `, `":`, `, "`, `,"`).Replace(value)
	}
	return fmt.Sprintf("%s:%s @%d\n\t%s\n\t%x\n", c.Family, q, c.Version, value, c.Value)
}

func TestRows(t *testing.T) {
	d, c := alone(t)
	a := with("Ana@example.org", "old@example.org")
	a.ExternalID, a.Zone, a.Locale, a.Quota, a.Metadata = "crm-1", "Europe/Lisbon", "pt", 1<<30, map[string]string{"team": "blue"}
	acc, _, err := d.Create(t.Context(), c.command(1), a, password)
	if err != nil {
		t.Fatal(err)
	}
	phone := parley.Token{Name: "phone", Scopes: []parley.Scope{parley.ScopeRead}, ExpiresAt: c.now().Add(parley.KeyLife)}
	_, secret := issued(t, d, c.command(2), acc.ID, phone)
	if _, err := d.Authenticate(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	d.writeUse(t.Context(), <-d.uses.queue)
	if _, err := d.RemoveAddress(t.Context(), acc.ID, "old@example.org"); err != nil {
		t.Fatal(err)
	}
	gone := made(t, d, parley.Command{}, with("bo@example.org"))
	if err := d.Close(t.Context(), gone.ID, 0); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, table := range []persistence.Table{persistence.Account, persistence.Directory} {
		family := map[persistence.Table]persistence.Family{persistence.Account: persistence.Arch, persistence.Directory: persistence.Dir}[table]
		eachRow(t, d.store, table, family, func(row []byte, cells []persistence.Cell) {
			fmt.Fprintf(&out, "%s %x %s\n", table, row[:2], row[2:])
			for _, c := range cells {
				out.WriteString(render(c))
			}
		})
	}
	golden(t, "testdata/rows.golden", out.String())
}

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s differs, %v; got:\n%s", file, err, got)
	}
}
