package directory

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

func issued(t *testing.T, d *Directory, cmd parley.Command, acc parley.AccountID, tok parley.Token) (parley.Token, string) {
	t.Helper()
	tok, secret, _, err := d.CreateToken(t.Context(), cmd, acc, tok)
	if err != nil {
		t.Fatalf("create token: %v", err)
	}
	return tok, secret
}

func wantIn(t *testing.T, d *Directory, secret string, want parley.Identity) {
	t.Helper()
	got, err := d.Authenticate(t.Context(), secret)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("authenticate: got %+v, %v, want %+v", got, err, want)
	}
}

func wantOut(t *testing.T, d *Directory, what, secret string) {
	t.Helper()
	_, err := d.Authenticate(t.Context(), secret)
	wantCode(t, what, err, parley.Unauthenticated)
}

var reading = parley.Token{Name: "phone", Scopes: []parley.Scope{parley.ScopeSend, parley.ScopeRead, parley.ScopeRead}}

func TestToken(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	limited := reading
	limited.ExpiresAt = c.now().Add(time.Hour)
	tok, secret := issued(t, d, parley.Command{}, acc.ID, limited)
	id := parley.Identity{Account: acc.ID, Token: tok.ID, Scopes: []parley.Scope{parley.ScopeRead, parley.ScopeSend}}
	wantIn(t, d, secret, id)
	other, secret2 := issued(t, d, parley.Command{}, acc.ID, reading)
	mixed, _ := parseBearer(secret2)
	mixed.token = tok.ID
	wantOut(t, d, "the secret of another token", mixed.String())
	wantOut(t, d, "upper case", "PARLEY_"+secret[7:])
	wantOut(t, d, "nothing", "")
	strange := mixed
	strange.account = parley.AccountID(parley.FormatID(parley.AccountPrefix, [16]byte{1}))
	wantOut(t, d, "an account that is none", strange.String())

	ts, err := d.Tokens(t.Context(), acc.ID)
	sort := func(a, b parley.Token) int { return cmp.Compare(a.ID, b.ID) } // both are of one moment
	want := slices.SortedFunc(slices.Values([]parley.Token{tok, other}), sort)
	if err != nil || !reflect.DeepEqual(ts, want) {
		t.Errorf("tokens: got %+v, %v, want %+v", ts, err, want)
	}
	c.pass(time.Hour)
	wantOut(t, d, "expired", secret)
	id.Token = other.ID
	wantIn(t, d, secret2, id)
}

func TestTokenReplay(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	cmd := c.command(1)
	tok, secret := issued(t, d, cmd, acc.ID, reading)
	issued(t, d, parley.Command{}, acc.ID, reading) // the row has moved on
	again, secret2, replayed, err := d.CreateToken(t.Context(), cmd, acc.ID, reading)
	if err != nil || !replayed || secret2 != secret || !reflect.DeepEqual(again, tok) {
		t.Errorf("replay: got %+v, replayed %v, same secret %v, %v", again, replayed, secret2 == secret, err)
	}
	other := cmd
	other.Body = parley.Digest{9}
	_, _, _, err = d.CreateToken(t.Context(), other, acc.ID, reading)
	wantCode(t, "other body", err, parley.KeyMismatch)
	if err := d.DeleteToken(t.Context(), acc.ID, tok.ID); err != nil {
		t.Fatal(err)
	}
	_, _, _, err = d.CreateToken(t.Context(), cmd, acc.ID, reading)
	wantCode(t, "replay after deletion", err, parley.Gone)

	c.pass(parley.KeyLife)
	cmd.First = c.now()
	if _, late := issued(t, d, cmd, acc.ID, reading); late == secret {
		t.Error("a key of last week brought a deleted secret back")
	}
}

func TestRevoke(t *testing.T) {
	c, s := newClock(), memory(t)
	here, there := member(t, s, c, 1), member(t, s, c, 2)
	acc := made(t, here, parley.Command{}, with(ana))
	tok, secret := issued(t, here, parley.Command{}, acc.ID, reading)
	id := parley.Identity{Account: acc.ID, Token: tok.ID, Scopes: []parley.Scope{parley.ScopeRead, parley.ScopeSend}}
	wantIn(t, here, secret, id)
	wantIn(t, there, secret, id)
	if err := here.DeleteToken(t.Context(), acc.ID, tok.ID); err != nil {
		t.Fatal(err)
	}
	wantOut(t, here, "at once here", secret)
	wantIn(t, there, secret, id)
	c.pass(5 * time.Second)
	wantOut(t, there, "within five seconds elsewhere", secret)
	wantCode(t, "delete again", here.DeleteToken(t.Context(), acc.ID, tok.ID), parley.NotFound)
}

func TestManyTokens(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	brief := reading
	brief.ExpiresAt = c.now().Add(time.Minute)
	for range MaxTokens {
		issued(t, d, parley.Command{}, acc.ID, brief)
	}
	_, _, _, err := d.CreateToken(t.Context(), parley.Command{}, acc.ID, reading)
	wantCode(t, "one too many", err, parley.RateLimited)
	c.pass(time.Minute + shown)
	issued(t, d, parley.Command{}, acc.ID, reading)
	if ts, err := d.Tokens(t.Context(), acc.ID); err != nil || len(ts) != 1 {
		t.Errorf("tokens: got %d, %v, want the swept row's one", len(ts), err)
	}
}

func TestLastUsed(t *testing.T) {
	d, c := alone(t)
	acc := made(t, d, parley.Command{}, with(ana))
	tok, secret := issued(t, d, parley.Command{}, acc.ID, reading)
	for range 3 {
		if _, err := d.Authenticate(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		c.pass(10 * time.Second)
	}
	if got := len(d.uses.queue); got != 1 {
		t.Errorf("uses to write: got %d, want 1 an hour", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Run(ctx); err != nil {
		t.Fatal(err)
	}
	ts, err := d.Tokens(t.Context(), acc.ID)
	want := c.now().Truncate(time.Hour)
	if err != nil || len(ts) != 1 || ts[0].ID != tok.ID || !ts[0].LastUsed.Equal(want) {
		t.Errorf("last used: got %+v, %v, want %v", ts, err, want)
	}
	c.pass(time.Hour)
	if _, err := d.Authenticate(t.Context(), secret); err != nil || len(d.uses.queue) != 1 {
		t.Errorf("next hour: got %d to write, %v, want 1", len(d.uses.queue), err)
	}
}

func FuzzBearer(f *testing.F) {
	b := bearer{account: "acc_aaaaaaaaaaaaaaaaaaaaaaaaaa", token: "tok_aaaaaaaaaaaaaaaaaaaaaaaaaa"}
	f.Add(b.String())
	f.Add("parley_")
	f.Fuzz(func(t *testing.T, s string) {
		if b, ok := parseBearer(s); ok && b.String() != s {
			t.Errorf("got %q back, want %q", b, s)
		}
	})
}
