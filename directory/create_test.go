package directory

import (
	"reflect"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

func TestCreateGet(t *testing.T) {
	d, c := alone(t)
	a := parley.Account{
		Name: "Ana", Addresses: []string{"Ana@Bücher.example", "a.n.a@example.org", "ana@bücher.example"}, ExternalID: "crm-1",
		Zone: "Europe/Lisbon", Locale: "pt-PT", Quota: 1 << 20, Metadata: map[string]string{"team": "blue"},
	}
	acc := made(t, d, parley.Command{}, a)
	want := a
	want.ID, want.CreatedAt, want.Version = acc.ID, c.now(), 1
	want.Addresses = []string{"ana@xn--bcher-kva.example", "a.n.a@example.org"}
	if !acc.ID.Valid() || !reflect.DeepEqual(acc, want) {
		t.Errorf("create: got %+v, want %+v", acc, want)
	}
	got, err := d.Get(t.Context(), acc.ID)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("get: got %+v, %v, want %+v", got, err, want)
	}
	wantOwner(t, d, "ANA@BÜCHER.example", acc.ID)
	wantOwner(t, d, "A.N.A@Example.Org", acc.ID)
	_, err = d.Resolve(t.Context(), "bo@example.org")
	wantCode(t, "resolve of nobody", err, parley.NoRecipient)
	_, err = d.Get(t.Context(), "acc_none")
	wantCode(t, "get of no id", err, parley.NotFound)
}

func TestQuota(t *testing.T) {
	d, _ := alone(t)
	small := with("ana@example.org")
	small.Quota = 5
	for _, tc := range []struct {
		acc  parley.Account
		want int64
	}{{small, 5}, {with("bo@example.org"), 10 << 30}} {
		acc := made(t, d, parley.Command{}, tc.acc)
		if got, err := d.Quota(t.Context(), acc.ID); err != nil || got != tc.want {
			t.Errorf("quota: got %d, %v, want %d", got, err, tc.want)
		}
	}
}

func TestReplay(t *testing.T) {
	d, c := alone(t)
	cmd := c.command(1)
	acc := made(t, d, cmd, with("ana@example.org"))
	c.pass(parley.KeyLife - time.Second)
	again, replayed, err := d.Create(t.Context(), cmd, with("ana@example.org"), "")
	if err != nil || !replayed || !reflect.DeepEqual(again, acc) {
		t.Errorf("replay: got %+v, %v, %v, want %+v", again, replayed, err, acc)
	}
	other := cmd
	other.Body = parley.Digest{99}
	_, _, err = d.Create(t.Context(), other, with("bo@example.org"), "")
	wantCode(t, "other body", err, parley.KeyMismatch)
	c.pass(time.Second)
	_, _, err = d.Create(t.Context(), cmd, with("ana@example.org"), "")
	wantCode(t, "after the key's life", err, parley.Expired)
	cmd.First = c.now()
	_, _, err = d.Create(t.Context(), cmd, with("ana@example.org"), "")
	wantCode(t, "the key for a new account, old address", err, parley.Conflict)
	fresh := made(t, d, cmd, with("bo@example.org"))
	if fresh.ID == acc.ID {
		t.Errorf("the key of last week gave its account %s again", acc.ID)
	}
	again, replayed, err = d.Create(t.Context(), cmd, with("bo@example.org"), "")
	if err != nil || !replayed || again.ID != fresh.ID {
		t.Errorf("replay: got %s, %v, %v, want %s", again.ID, replayed, err, fresh.ID)
	}
}

func TestConflictLeavesNothing(t *testing.T) {
	d, c := alone(t)
	ana := made(t, d, c.command(1), with("ana@example.org"))
	_, _, err := d.Create(t.Context(), c.command(2), with("bo@example.org", "ana@example.org"), "")
	wantCode(t, "taken address", err, parley.Conflict)
	if _, field := parley.PublicOf(err); field != "addresses" {
		t.Errorf("field: got %q, want addresses", field)
	}
	bo := made(t, d, c.command(3), with("bo@example.org"))
	wantOwner(t, d, "bo@example.org", bo.ID)
	wantOwner(t, d, "ana@example.org", ana.ID)
}
