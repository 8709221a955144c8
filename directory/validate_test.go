package directory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

func TestCheckAccount(t *testing.T) {
	many := map[string]string{}
	var addresses []string
	for n := range MaxMetadata + 1 {
		many[fmt.Sprint("k", n)] = ""
		addresses = append(addresses, fmt.Sprintf("a%d@example.org", n))
	}
	for _, tc := range []struct {
		field  string
		change func(*parley.Account)
	}{
		{"", func(a *parley.Account) {}},
		{"", func(a *parley.Account) { a.Addresses, a.ExternalID = nil, "crm-1" }},
		{"", func(a *parley.Account) {
			a.Zone, a.Locale, a.Name = "America/Argentina/Ushuaia", "zh-Hant-TW", strings.Repeat("é", MaxName)
		}},
		{"name", func(a *parley.Account) { a.Name = strings.Repeat("a", MaxName+1) }},
		{"name", func(a *parley.Account) { a.Name = "Ana\nBcc: bo@example.org" }},
		{"name", func(a *parley.Account) { a.Name = "\xff" }},
		{"external_id", func(a *parley.Account) { a.ExternalID = strings.Repeat("é", 128) }},
		{"zone", func(a *parley.Account) { a.Zone = "Local" }},
		{"zone", func(a *parley.Account) { a.Zone = "../etc/passwd" }},
		{"zone", func(a *parley.Account) { a.Zone = "Europe/Atlantis" }},
		{"locale", func(a *parley.Account) { a.Locale = "not a tag" }},
		{"quota", func(a *parley.Account) { a.Quota = -1 }},
		{"metadata", func(a *parley.Account) { a.Metadata = many }},
		{"metadata", func(a *parley.Account) { a.Metadata = map[string]string{"": "v"} }},
		{"metadata", func(a *parley.Account) { a.Metadata = map[string]string{"k": strings.Repeat("v", maxValue+1)} }},
		{"metadata", func(a *parley.Account) { a.Metadata = map[string]string{"k": "\xff"} }},
		{"addresses", func(a *parley.Account) { a.Addresses = nil }},
		{"addresses", func(a *parley.Account) { a.Addresses = addresses }},
		{"addresses", func(a *parley.Account) { a.Addresses = append(a.Addresses, "nowhere") }},
	} {
		a := with(ana)
		tc.change(&a)
		_, err := checkAccount("test", a)
		if _, field := parley.PublicOf(err); field != tc.field || (err == nil) != (tc.field == "") {
			t.Errorf("%+v: got field %q, %v, want field %q", a, field, err, tc.field)
		}
	}
}

func TestCheckToken(t *testing.T) {
	now := newClock().now()
	for _, tc := range []struct {
		field string
		token parley.Token
	}{
		{"", parley.Token{Scopes: []parley.Scope{parley.ScopeAdmin}, ExpiresAt: now.Add(time.Second)}},
		{"scopes", parley.Token{}},
		{"scopes", parley.Token{Scopes: []parley.Scope{parley.ScopeRead, "root"}}},
		{"expires_at", parley.Token{Scopes: []parley.Scope{parley.ScopeRead}, ExpiresAt: now}},
		{"name", parley.Token{Scopes: []parley.Scope{parley.ScopeRead}, Name: "\x00"}},
	} {
		_, err := checkToken("test", tc.token, now)
		if _, field := parley.PublicOf(err); field != tc.field {
			t.Errorf("%+v: got field %q, %v, want field %q", tc.token, field, err, tc.field)
		}
	}
}
