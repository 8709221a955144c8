package directory

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

const password = "correct horse"

func TestPassword(t *testing.T) {
	d, _ := alone(t)
	acc, _, err := d.Create(t.Context(), parley.Command{}, with(ana), password)
	if err != nil {
		t.Fatal(err)
	}
	want := parley.Identity{Account: acc.ID, Scopes: passwordScopes}
	if got, err := d.Password(t.Context(), "ANA@example.org", password); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("password: got %+v, %v, want %+v", got, err, want)
	}
	wrong := func(what, address, password string) {
		t.Helper()
		_, err := d.Password(t.Context(), address, password)
		wantCode(t, what, err, parley.Unauthenticated)
	}
	wrong("wrong", ana, "wrong horse")
	wrong("unknown user", "bo@example.org", password)
	wrong("no address", "bo", password)
	wrong("too long", ana, strings.Repeat("x", maxPassword+1))
	made(t, d, parley.Command{}, with("bo@example.org"))
	wrong("no password set", "bo@example.org", "")
	if err := d.SetPassword(t.Context(), acc.ID, "another horse"); err != nil {
		t.Fatal(err)
	}
	wrong("the old one", ana, password)
	if _, err := d.Password(t.Context(), ana, "another horse"); err != nil {
		t.Errorf("the new one: %v", err)
	}
	if err := d.SetPassword(t.Context(), acc.ID, ""); err != nil {
		t.Fatal(err)
	}
	wrong("taken away", ana, "another horse")
	wantCode(t, "short", d.SetPassword(t.Context(), acc.ID, "horse"), parley.BadRequest)
}

// The parameters are part of the promise; a hash made with them reads back.
func TestPasswordCost(t *testing.T) {
	h := newHasher(1, recommended)
	phc, err := h.hash(t.Context(), []byte("0123456789abcdef"), password)
	if err != nil || !strings.HasPrefix(phc, "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$") {
		t.Errorf("hash: got %s, %v", phc, err)
	}
	for _, tc := range []struct {
		password string
		want     bool
	}{{password, true}, {"wrong horse", false}} {
		if got, err := newHasher(1, cheap).verify(t.Context(), phc, tc.password); err != nil || got != tc.want {
			t.Errorf("verify %q: got %v, %v, want %v", tc.password, got, err, tc.want)
		}
	}
}

func TestHashesAreBounded(t *testing.T) {
	h := newHasher(1, cheap)
	h.slots <- struct{}{} // one runs
	h.queue.Store(waiting + 1)
	err := h.do(t.Context(), func() {})
	wantCode(t, "too many waiting", err, parley.Unavailable)
	h.queue.Store(1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, "cancelled while waiting", h.do(ctx, func() {}), parley.Unavailable)
	if got := h.queue.Load(); got != 1 {
		t.Errorf("waiting afterwards: got %d, want 1", got)
	}
}

func FuzzPHC(f *testing.F) {
	f.Add(cheap.with(make([]byte, saltBytes), password).String())
	f.Add("$argon2id$v=19$m=4294967295,t=1,p=1$AAAAAAAAAAA$AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		if h, ok := parsePHC(s); ok && (h.String() != s || h.memory > 1<<20) {
			t.Errorf("got %q back, want %q", h, s)
		}
	})
}

func BenchmarkPassword(b *testing.B) {
	h := newHasher(1, recommended)
	for b.Loop() {
		if _, err := h.verify(b.Context(), "", password); err != nil {
			b.Fatal(err)
		}
	}
}
