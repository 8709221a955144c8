package gateway

import (
	"cmp"
	"fmt"
	"time"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

type account struct {
	ID         parley.AccountID  `json:"id"`
	Name       string            `json:"name"`
	Addresses  []string          `json:"addresses"`
	ExternalID string            `json:"external_id,omitempty"`
	Zone       string            `json:"zone"`
	Locale     string            `json:"locale"`
	Quota      int64             `json:"quota"`
	Metadata   map[string]string `json:"metadata"`
	CreatedAt  time.Time         `json:"created_at"`
	Closed     bool              `json:"closed"`
	Version    uint64            `json:"version"`
}

func accountShape(a parley.Account) account {
	metadata := a.Metadata
	if metadata == nil {
		metadata = map[string]string{}
	}
	return account{
		ID: a.ID, Name: a.Name, Addresses: each(a.Addresses, same), ExternalID: a.ExternalID,
		Zone: cmp.Or(a.Zone, "UTC"), Locale: cmp.Or(a.Locale, "en"), Quota: a.Quota, Metadata: metadata,
		CreatedAt: a.CreatedAt.UTC(), Closed: a.Closed, Version: a.Version,
	}
}

// newAccount asks for an account.
type newAccount struct {
	Name       string            `json:"name"`
	Addresses  []string          `json:"addresses"`
	ExternalID string            `json:"external_id"`
	Zone       string            `json:"zone"`
	Locale     string            `json:"locale"`
	Quota      int64             `json:"quota"`
	Metadata   map[string]string `json:"metadata"`
	Password   string            `json:"password"`
}

// Sanitize holds the fields to what an account may have.
func (b *newAccount) Sanitize(t *edge.Texts) {
	named(t, b.Name)
	t.Line("external_id", &b.ExternalID, maxExternal)
	if b.Password != "" && (len(b.Password) < minPassword || len(b.Password) > maxPassword) {
		t.Fail(edge.Bad("password", fmt.Sprintf("A password has %d to %d bytes.", minPassword, maxPassword)))
	}
	accountFields(t, &b.Name, b.Addresses, &b.Zone, &b.Locale, b.Quota, b.Metadata)
}

func (b *newAccount) account() parley.Account {
	return parley.Account{Name: b.Name, Addresses: b.Addresses, ExternalID: b.ExternalID, Zone: b.Zone, Locale: b.Locale, Quota: b.Quota, Metadata: b.Metadata}
}

// externalAccount is all that another system keeps of an account.
type externalAccount struct {
	Name      string            `json:"name"`
	Addresses []string          `json:"addresses"`
	Zone      string            `json:"zone"`
	Locale    string            `json:"locale"`
	Quota     int64             `json:"quota"`
	Metadata  map[string]string `json:"metadata"`
}

// Sanitize holds the fields to what an account may have.
func (b *externalAccount) Sanitize(t *edge.Texts) {
	named(t, b.Name)
	accountFields(t, &b.Name, b.Addresses, &b.Zone, &b.Locale, b.Quota, b.Metadata)
}

func (b *externalAccount) account(external string) parley.Account {
	return parley.Account{Name: b.Name, Addresses: b.Addresses, ExternalID: external, Zone: b.Zone, Locale: b.Locale, Quota: b.Quota, Metadata: b.Metadata}
}
