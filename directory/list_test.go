package directory

import (
	"fmt"
	"slices"
	"testing"

	"github.com/parley-im/parley"
)

func ids(as []parley.Account) (ids []parley.AccountID) {
	for _, a := range as {
		ids = append(ids, a.ID)
	}
	return ids
}

func page(t *testing.T, d *Directory, p parley.Page) parley.Listing[parley.Account] {
	t.Helper()
	l, err := d.List(t.Context(), p)
	if err != nil {
		t.Fatalf("list %+v: %v", p, err)
	}
	return l
}

func TestList(t *testing.T) {
	d, _ := alone(t)
	if l := page(t, d, parley.Page{End: true}); len(l.Items) != 0 || l.Next != "" || l.Prev != "" {
		t.Errorf("empty: got %+v", l)
	}
	for n := range 23 {
		made(t, d, parley.Command{}, with(fmt.Sprintf("a%d@example.org", n)))
	}
	all := ids(page(t, d, parley.Page{}).Items)
	if len(all) != 23 {
		t.Fatalf("got %d accounts, want 23", len(all))
	}
	var forward []parley.AccountID
	for l := page(t, d, parley.Page{Limit: 5}); ; l = page(t, d, parley.Page{Limit: 5, After: l.Next}) {
		forward = append(forward, ids(l.Items)...)
		if l.Next == "" {
			break
		}
	}
	if !slices.Equal(forward, all) {
		t.Errorf("forwards: got %v, want %v", forward, all)
	}
	var backward []parley.AccountID
	for l := page(t, d, parley.Page{Limit: 5, End: true}); ; l = page(t, d, parley.Page{Limit: 5, Before: l.Prev}) {
		backward = append(ids(l.Items), backward...)
		if l.Prev == "" {
			break
		}
	}
	if !slices.Equal(backward, all) {
		t.Errorf("backwards: got %v, want %v", backward, all)
	}
	middle := page(t, d, parley.Page{Limit: 5, After: string(all[9])})
	if got := ids(page(t, d, parley.Page{Limit: 5, Before: middle.Prev}).Items); !slices.Equal(got, all[5:10]) {
		t.Errorf("the page before: got %v, want %v", got, all[5:10])
	}
	_, err := d.List(t.Context(), parley.Page{After: "acc_?"})
	wantCode(t, "a cursor that is none", err, parley.BadCursor)
}

func TestNames(t *testing.T) {
	d, _ := alone(t)
	var asked []parley.AccountID
	for n := range 20 {
		asked = append(asked, made(t, d, parley.Command{}, with(fmt.Sprintf("a%d@example.org", n))).ID)
	}
	nobody := parley.AccountID(parley.FormatID(parley.AccountPrefix, [16]byte{1}))
	got, err := d.Names(t.Context(), append(asked, nobody, "acc_none"))
	if err != nil || len(got) != len(asked) {
		t.Errorf("names: got %d, %v, want %d", len(got), err, len(asked))
	}
	for _, id := range asked {
		if got[id].ID != id || got[id].Name != "Ana" {
			t.Errorf("name of %s: got %+v", id, got[id])
		}
	}
}
