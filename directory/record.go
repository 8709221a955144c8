package directory

import (
	"maps"
	"slices"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/persistence/record"
)

// micros writes a time as stored; the zero time is 0.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func moment(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// domain shows the account to callers, who may change what they get.
func (r *row) domain() parley.Account {
	a := r.account
	return parley.Account{
		ID: r.id, Name: a.GetName(), Addresses: slices.Clone(a.GetAddresses()), ExternalID: a.GetExternalId(),
		Zone: a.GetZone(), Locale: a.GetLocale(), Quota: a.GetQuota(), Metadata: maps.Clone(a.GetMetadata()),
		CreatedAt: moment(a.GetCreatedAt()), Closed: r.closed(), Version: r.version,
	}
}

// toRecord stores what a caller may choose.
func toRecord(id parley.AccountID, a parley.Account, created int64) *record.Account {
	return &record.Account{
		Id: string(id), Name: a.Name, Addresses: a.Addresses, ExternalId: a.ExternalID,
		Zone: a.Zone, Locale: a.Locale, Quota: a.Quota, Metadata: a.Metadata, CreatedAt: created,
	}
}

// names are the rows of the directory that an account claims, in this order:
// the external id first, since its claim leads PutExternal back to the account
// that holds the others.
func names(a *record.Account) []name {
	ns := make([]name, 0, len(a.GetAddresses())+1)
	if a.GetExternalId() != "" {
		ns = append(ns, externalName(a.GetExternalId()))
	}
	for _, address := range a.GetAddresses() {
		ns = append(ns, addressName(address))
	}
	return ns
}

func (r *row) token(id parley.TokenID) parley.Token {
	t := r.tokens[id]
	scopes := make([]parley.Scope, len(t.GetScopes()))
	for i, s := range t.GetScopes() {
		scopes[i] = parley.Scope(s)
	}
	return parley.Token{
		ID: id, Name: t.GetName(), Scopes: scopes, CreatedAt: moment(t.GetCreatedAt()),
		ExpiresAt: moment(t.GetExpiresAt()), LastUsed: moment(r.uses[id].at),
	}
}
