package directory

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence"
	"github.com/parley-im/parley/persistence/record"
)

// MaxTokens bounds the tokens of one account, expired ones that are still shown included.
const MaxTokens = 200

// shown is how long an expired token stays in the list.
const shown = 30 * 24 * time.Hour

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// CreateToken makes a bearer token. The secret is shown by this and by a repeat
// of the same command, never again.
func (d *Directory) CreateToken(
	ctx context.Context, cmd parley.Command, acc parley.AccountID, t parley.Token,
) (tok parley.Token, secret string, replayed bool, err error) {
	const op = "directory.create_token"
	if err = d.inTime(op, cmd); err != nil {
		return parley.Token{}, "", false, err
	}
	err = retry(ctx, op, func() error {
		r, err := d.openFor(ctx, acc, cmd)
		if err != nil {
			return err
		}
		k, err := d.remembered(r, cmd)
		if err != nil {
			return err
		}
		var b bearer
		if replayed = k != nil; replayed {
			tok, b, err = d.issued(r, cmd, k)
		} else {
			tok, b, err = d.issue(ctx, r, cmd, t)
		}
		if err == nil {
			secret = b.String()
		}
		return err
	})
	if err != nil {
		return parley.Token{}, "", false, parley.Wrap(parley.Unavailable, op, err)
	}
	return tok, secret, replayed, nil
}

// issued gives the first answer again.
func (d *Directory) issued(r *row, cmd parley.Command, k *key) (parley.Token, bearer, error) {
	id := parley.TokenID(k.GetToken())
	b, err := d.newBearer(cmd.ID, r.id, k.version)
	if err != nil {
		return parley.Token{}, b, err
	}
	if t := r.tokens[id]; b.token != id || t == nil || t.GetRevokedAt() != 0 {
		return parley.Token{}, b, parley.E(parley.Gone, "directory.create_token", "the token was deleted")
	}
	return r.token(id), b, nil
}

func (d *Directory) issue(ctx context.Context, r *row, cmd parley.Command, t parley.Token) (parley.Token, bearer, error) {
	now := d.now()
	t, err := checkToken("directory.create_token", t, now)
	if err != nil {
		return parley.Token{}, bearer{}, err
	}
	if err := d.room(ctx, r); err != nil {
		return parley.Token{}, bearer{}, err
	}
	b, err := d.newBearer(cmd.ID, r.id, r.counter+1)
	if err != nil {
		return parley.Token{}, b, err
	}
	rec := &record.Token{Name: t.Name, SecretSha256: b.digest(), CreatedAt: now.UnixMicro(), ExpiresAt: micros(t.ExpiresAt)}
	for _, s := range t.Scopes {
		rec.Scopes = append(rec.Scopes, string(s))
	}
	cells := []persistence.Cell{put([]byte(tokenPrefix+string(b.token)), rec)}
	if !cmd.ID.IsZero() {
		cells = append(cells, d.keyCell(cmd, b.token))
	}
	if _, err := d.commit(ctx, r, cells...); err != nil {
		return parley.Token{}, b, err
	}
	made := &row{id: r.id, tokens: map[parley.TokenID]*token{b.token: {Token: rec}}}
	return made.token(b.token), b, nil
}

// room sweeps the row and refuses one more token when there are too many.
func (d *Directory) room(ctx context.Context, r *row) error {
	left := d.sweep(ctx, r)
	expired, keys, err := d.expiredKeys(ctx, r.id)
	if err != nil {
		return err
	}
	d.erase(ctx, r.id, expired...)
	if left >= MaxTokens || keys >= maxKeys || len(r.tokens) >= 2*MaxTokens {
		return fault(parley.RateLimited, "directory.create_token", "", "too many tokens")
	}
	return nil
}

// sweep erases what is void: tokens revoked or long expired, and uses without
// a token. It returns how many tokens are left.
func (d *Directory) sweep(ctx context.Context, r *row) (left int) {
	var void []persistence.Dead
	old := d.now().Add(-shown).UnixMicro()
	for id, t := range r.tokens {
		if t.GetRevokedAt() == 0 && (t.GetExpiresAt() == 0 || t.GetExpiresAt() > old) {
			left++
			continue
		}
		void = append(void, dead(tokenPrefix+string(id), t.version))
	}
	for id, u := range r.uses {
		if t := r.tokens[id]; t == nil || t.GetRevokedAt() != 0 {
			void = append(void, dead(usePrefix+string(id), u.version))
		}
	}
	d.erase(ctx, r.id, void...)
	return left
}

// Tokens lists an account's tokens, the newest first.
func (d *Directory) Tokens(ctx context.Context, acc parley.AccountID) ([]parley.Token, error) {
	r, err := d.current(ctx, acc)
	if err != nil {
		return nil, parley.Wrap(parley.Unavailable, "directory.tokens", err)
	}
	ts := make([]parley.Token, 0, len(r.tokens))
	for id, t := range r.tokens {
		if t.GetRevokedAt() == 0 {
			ts = append(ts, r.token(id))
		}
	}
	slices.SortFunc(ts, func(a, b parley.Token) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return ts, nil
}
