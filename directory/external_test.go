package directory

import (
	"reflect"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

func TestPutExternal(t *testing.T) {
	d, _ := alone(t)
	a := with(ana)
	a.Metadata = map[string]string{"plan": "free"}
	acc, created, err := d.PutExternal(t.Context(), "crm-1", a)
	if err != nil || !created || acc.ExternalID != "crm-1" {
		t.Fatalf("put: got %+v, %v, %v", acc, created, err)
	}
	same, created, err := d.PutExternal(t.Context(), "crm-1", a)
	if err != nil || created || !reflect.DeepEqual(same, acc) {
		t.Errorf("again: got %+v, %v, %v, want %+v", same, created, err, acc)
	}
	got, created, err := d.PutExternal(t.Context(), "crm-1", parley.Account{Name: "Bo"})
	want := acc
	want.Name, want.Version = "Bo", got.Version
	if err != nil || created || !reflect.DeepEqual(got, want) {
		t.Errorf("update: got %+v, %v, %v, want %+v", got, created, err, want)
	}
	got, _, err = d.PutExternal(t.Context(), "crm-1", parley.Account{Name: "Bo", Addresses: []string{}})
	if err != nil || len(got.Addresses) != 0 {
		t.Errorf("no addresses: got %+v, %v", got, err)
	}
	_, _, err = d.PutExternal(t.Context(), "", a)
	wantCode(t, "no external id", err, parley.BadRequest)
	b := with("bo@example.org")
	b.ExternalID = "crm-1"
	_, _, err = d.Create(t.Context(), parley.Command{}, b, "")
	wantCode(t, "create with a taken external id", err, parley.Conflict)
}

// The claim names the account, so a second attempt makes the same one.
func TestPutExternalFinishes(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d := member(t, s, c, 1)
	s.onceAt(persistence.Account, func() error { return errCrash })
	_, _, err := d.PutExternal(t.Context(), "crm-1", with(ana))
	wantCode(t, "crash", err, parley.Unavailable)
	begun, err := d.readClaim(t.Context(), externalName("crm-1"))
	if err != nil {
		t.Fatal(err)
	}
	acc, created, err := d.PutExternal(t.Context(), "crm-1", with(ana))
	if err != nil || !created || acc.ID != begun.owner() {
		t.Errorf("again: got %s, %v, %v, want %s", acc.ID, created, err, begun.owner())
	}
}
