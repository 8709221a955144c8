package gateway

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/text/language"

	"github.com/parley-im/parley/gateway/edge"
)

// What an account may hold.
const (
	maxName     = 255
	maxAddress  = 320 // RFC 3696 errata 1690: 64 + @ + 255
	maxAddrs    = 100
	maxExternal = 255
	maxMetadata = 50
	minPassword = 8
	maxPassword = 1024
)

func named(t *edge.Texts, name string) {
	if name == "" {
		t.Fail(edge.Bad("name", "An account has a name."))
	}
}

func accountFields(t *edge.Texts, name *string, addresses []string, zone, locale *string, quota int64, metadata map[string]string) {
	t.Line("name", name, maxName)
	if len(addresses) > maxAddrs {
		t.Fail(edge.Bad("addresses", fmt.Sprintf("At most %d addresses.", maxAddrs)))
		return
	}
	for i := range addresses {
		t.Line(place("addresses", i), &addresses[i], maxAddress)
	}
	if _, err := time.LoadLocation(*zone); err != nil || *zone == "Local" {
		t.Fail(edge.Bad("zone", "There is no such time zone."))
	}
	if *locale != "" {
		if _, err := language.Parse(*locale); err != nil {
			t.Fail(edge.Bad("locale", "That is no language tag."))
		}
	}
	if quota < 0 {
		t.Fail(edge.Bad("quota", "A quota is not negative."))
	}
	metadataFields(t, metadata)
}

func metadataFields(t *edge.Texts, metadata map[string]string) {
	if len(metadata) > maxMetadata {
		t.Fail(edge.Bad("metadata", fmt.Sprintf("At most %d entries.", maxMetadata)))
		return
	}
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		name, text := key, metadata[key]
		if t.Line("metadata", &name, 64); name != key || key == "" {
			t.Fail(edge.Bad("metadata", "A key has no space around it and is not empty."))
		}
		if len(text) > 1024 {
			t.Fail(edge.Bad("metadata."+key, "At most 1024 bytes."))
		}
		t.Text("metadata."+key, &text, 1024)
		metadata[key] = text
	}
}
