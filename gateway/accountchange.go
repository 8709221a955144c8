package gateway

import (
	"cmp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/gateway/edge"
)

// accountChange leaves what is absent.
type accountChange struct {
	Name       *string            `json:"name"`
	Addresses  *[]string          `json:"addresses"`
	ExternalID *string            `json:"external_id"`
	Zone       *string            `json:"zone"`
	Locale     *string            `json:"locale"`
	Quota      *int64             `json:"quota"`
	Metadata   *map[string]string `json:"metadata"`
}

// Sanitize holds the fields to what an account may have.
func (b *accountChange) Sanitize(t *edge.Texts) {
	if *b == (accountChange{}) {
		t.Fail(edge.Bad("", "There is nothing to change."))
	}
	var none string
	if b.ExternalID != nil {
		t.Line("external_id", b.ExternalID, maxExternal)
	}
	accountFields(t, cmp.Or(b.Name, &none), value(b.Addresses), cmp.Or(b.Zone, &none), cmp.Or(b.Locale, &none), value(b.Quota), value(b.Metadata))
	if b.Name != nil {
		named(t, *b.Name)
	}
}

// adminField is a field that the owner alone may not change.
func (b *accountChange) adminField() string {
	switch {
	case b.Addresses != nil:
		return "addresses"
	case b.ExternalID != nil:
		return "external_id"
	case b.Quota != nil:
		return "quota"
	}
	return ""
}

func (b *accountChange) apply(a *parley.Account) error {
	set(&a.Name, b.Name)
	set(&a.Addresses, b.Addresses)
	set(&a.ExternalID, b.ExternalID)
	set(&a.Zone, b.Zone)
	set(&a.Locale, b.Locale)
	set(&a.Quota, b.Quota)
	set(&a.Metadata, b.Metadata)
	return nil
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
