package directory

import (
	"errors"
	"reflect"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
)

func rename(to string) func(*parley.Account) error {
	return func(a *parley.Account) error { a.Name = to; return nil }
}

func TestUpdate(t *testing.T) {
	d, _ := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	got, err := d.Update(t.Context(), acc.ID, acc.Version, func(a *parley.Account) error {
		a.Name, a.Addresses = "Ana B", append(a.Addresses, "B@example.org")
		a.ID, a.Closed, a.Version = "acc_other", true, 99 // not for callers to change
		return nil
	})
	want := acc
	want.Name, want.Addresses, want.Version = "Ana B", []string{ana, "b@example.org"}, 2
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("update: got %+v, %v, want %+v", got, err, want)
	}
	if got, err := d.Get(t.Context(), acc.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("get: got %+v, %v, want %+v", got, err, want)
	}
	wantOwner(t, d, "b@example.org", acc.ID)
	_, err = d.Update(t.Context(), acc.ID, acc.Version, rename("late"))
	wantCode(t, "an old version", err, parley.Stale)
	if same, err := d.Update(t.Context(), acc.ID, 0, rename("Ana B")); err != nil || same.Version != 2 {
		t.Errorf("no change: got version %d, %v, want 2", same.Version, err)
	}
	if err := d.SetPassword(t.Context(), acc.ID, password); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Update(t.Context(), acc.ID, 2, rename("Ana C")); err != nil || got.Version != 4 {
		t.Errorf("after a password: got version %d, %v, want 4: a password is not part of the account", got.Version, err)
	}
	refused := errors.New("refused")
	if _, err := d.Update(t.Context(), acc.ID, 0, func(*parley.Account) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the caller's refusal: got %v, want %v", err, refused)
	}
	_, err = d.RemoveAddress(t.Context(), acc.ID, "b@example.org")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.RemoveAddress(t.Context(), acc.ID, ana)
	wantCode(t, "the last address", err, parley.BadRequest)
}

func TestUpdateTriesAgain(t *testing.T) {
	c, s := newClock(), &staged{Store: memory(t)}
	d, other := member(t, s, c, 1), member(t, s.Store, c, 2)
	acc := made(t, d, parley.Command{}, with(ana))
	s.onceAt(persistence.Account, func() error {
		_, err := other.Update(t.Context(), acc.ID, 0, func(a *parley.Account) error { a.Locale = "pt"; return nil })
		return err
	})
	got, err := d.Update(t.Context(), acc.ID, 0, rename("Bo"))
	if err != nil || got.Name != "Bo" || got.Locale != "pt" || got.Version != 3 {
		t.Errorf("got %+v, %v, want both changes", got, err)
	}
}

func TestClose(t *testing.T) {
	d, c := alone(t)
	a := with(ana)
	a.ExternalID = "crm-1"
	acc := made(t, d, parley.Command{}, a)
	_, secret := issued(t, d, parley.Command{}, acc.ID, reading)
	if err := d.SetPassword(t.Context(), acc.ID, password); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "an old version", d.Close(t.Context(), acc.ID, 9), parley.Stale)
	for range 2 {
		if err := d.Close(t.Context(), acc.ID, acc.Version); err != nil {
			t.Fatal(err)
		}
	}
	wantOut(t, d, "a closed account's token", secret)
	_, err := d.Password(t.Context(), ana, password)
	wantCode(t, "a closed account's password", err, parley.Unauthenticated)
	_, err = d.Resolve(t.Context(), ana)
	wantCode(t, "a closed account's address", err, parley.NoRecipient)
	_, err = d.Update(t.Context(), acc.ID, 0, rename("Bo"))
	wantCode(t, "update", err, parley.Gone)
	_, _, _, err = d.CreateToken(t.Context(), parley.Command{}, acc.ID, reading)
	wantCode(t, "token", err, parley.Gone)
	wantCode(t, "password", d.SetPassword(t.Context(), acc.ID, password), parley.Gone)
	if got, err := d.Get(t.Context(), acc.ID); err != nil || !got.Closed || got.Addresses != nil {
		t.Errorf("get: got %+v, %v, want it closed and without addresses", got, err)
	}
	if l, err := d.List(t.Context(), parley.Page{}); err != nil || len(l.Items) != 0 {
		t.Errorf("list: got %v, %v, want none", l.Items, err)
	}
	c.pass(unknownLife)
	again, created, err := d.PutExternal(t.Context(), "crm-1", with("bo@example.org"))
	if err != nil || !created || again.ID == acc.ID {
		t.Errorf("its external id: got %+v, %v, %v, want a new account", again, created, err)
	}
}
