package gateway

import (
	"context"
	"slices"

	"github.com/parley-im/parley"
)

func (f *fake) Create(ctx context.Context, cmd parley.Command, a parley.Account, password string) (parley.Account, bool, error) {
	leave, err := f.enter(ctx, "Create", password)
	if err != nil {
		return a, false, err
	}
	defer leave()
	return remember(f, cmd, func() (parley.Account, error) {
		a.ID, a.CreatedAt, a.Version = idOf[parley.AccountID]("acc_", a.Name), noon, 1
		f.accounts[a.ID] = a
		return a, nil
	})
}

func (f *fake) Get(ctx context.Context, id parley.AccountID) (parley.Account, error) {
	leave, err := f.enter(ctx, "Get", id)
	if err != nil {
		return parley.Account{}, err
	}
	defer leave()
	if a, ok := f.accounts[id]; ok {
		return a, nil
	}
	return parley.Account{}, notFound("account")
}

func (f *fake) List(ctx context.Context, p parley.Page) (l parley.Listing[parley.Account], err error) {
	leave, err := f.enter(ctx, "List", p)
	if err != nil {
		return l, err
	}
	defer leave()
	for _, id := range []parley.AccountID{ana, bo, cy} {
		l.Items = append(l.Items, f.accounts[id])
	}
	if p.Limit < len(l.Items) {
		l.Items, l.Next = l.Items[:p.Limit], "more"
	}
	return l, nil
}

func (f *fake) Update(ctx context.Context, id parley.AccountID, ifMatch uint64, change func(*parley.Account) error) (parley.Account, error) {
	leave, err := f.enter(ctx, "Update", id)
	if err != nil {
		return parley.Account{}, err
	}
	defer leave()
	a, ok := f.accounts[id]
	if !ok {
		return a, notFound("account")
	}
	if err := stale(ifMatch, a.Version); err != nil {
		return a, err
	}
	if err := change(&a); err != nil {
		return a, err
	}
	a.Version++
	f.accounts[id] = a
	return a, nil
}

func (f *fake) PutExternal(ctx context.Context, external string, a parley.Account) (parley.Account, bool, error) {
	leave, err := f.enter(ctx, "PutExternal", external)
	if err != nil {
		return a, false, err
	}
	defer leave()
	a.ID, a.CreatedAt = idOf[parley.AccountID]("acc_", external), noon
	old, ok := f.accounts[a.ID]
	a.Version = old.Version + 1
	f.accounts[a.ID] = a
	return a, !ok, nil
}

func (f *fake) Close(ctx context.Context, id parley.AccountID, ifMatch uint64) error {
	leave, err := f.enter(ctx, "Close", id)
	if err != nil {
		return err
	}
	defer leave()
	a, ok := f.accounts[id]
	if !ok {
		return notFound("account")
	}
	if err := stale(ifMatch, a.Version); err != nil {
		return err
	}
	a.Closed = true
	f.accounts[id] = a
	return nil
}

func (f *fake) Authenticate(ctx context.Context, bearer string) (parley.Identity, error) {
	leave, err := f.enter(ctx, "Authenticate", nil)
	if err != nil {
		return parley.Identity{}, err
	}
	defer leave()
	if i, ok := f.bearers[bearer]; ok {
		return i, nil
	}
	return parley.Identity{}, parley.E(parley.Unauthenticated, "fake", "")
}

func (f *fake) CreateToken(ctx context.Context, cmd parley.Command, acc parley.AccountID, t parley.Token) (parley.Token, string, bool, error) {
	leave, err := f.enter(ctx, "CreateToken", t)
	if err != nil {
		return t, "", false, err
	}
	defer leave()
	t, replayed, err := remember(f, cmd, func() (parley.Token, error) {
		t.ID, t.CreatedAt = idOf[parley.TokenID]("tok_", t.Name), noon
		f.tokens[acc] = append(f.tokens[acc], t)
		return t, nil
	})
	return t, "parley_shown_once", replayed, err
}

func (f *fake) Tokens(ctx context.Context, acc parley.AccountID) ([]parley.Token, error) {
	leave, err := f.enter(ctx, "Tokens", acc)
	if err != nil {
		return nil, err
	}
	defer leave()
	return slices.Clone(f.tokens[acc]), nil
}

func (f *fake) DeleteToken(ctx context.Context, acc parley.AccountID, id parley.TokenID) error {
	leave, err := f.enter(ctx, "DeleteToken", id)
	if err != nil {
		return err
	}
	defer leave()
	for i, t := range f.tokens[acc] {
		if t.ID == id {
			f.tokens[acc] = slices.Delete(f.tokens[acc], i, i+1)
			return nil
		}
	}
	return notFound("token")
}
