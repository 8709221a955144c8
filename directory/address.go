package directory

import (
	"strings"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail"
)

// name is the key of a directory row.
type name string

func addressName(normalised string) name { return name("addr:" + normalised) }

func externalName(external string) name { return name("ext:" + external) }

func (n name) isAddress() bool { return strings.HasPrefix(string(n), "addr:") }

// normalise gives the one spelling under which an address is claimed: lower
// case, the domain as the DNS has it. An account has no address with a quoted
// local part, which many senders cannot write, or with an address literal.
func normalise(address string) (string, error) {
	a, err := mail.ParseAddrSpec(address)
	if err != nil {
		return "", badAddress("not an address")
	}
	key := a.Key()
	if strings.HasPrefix(key, `"`) || strings.HasPrefix(a.Domain, "[") {
		return "", badAddress("an address without quotes and at a domain")
	}
	// Lower case may be longer; what is claimed must be an address itself.
	if again, err := mail.ParseAddrSpec(key); err != nil || again.Key() != key {
		return "", badAddress("not an address in lower case")
	}
	return key, nil
}

func badAddress(public string) error {
	return fault(parley.BadAddress, "directory.address", "addresses", public)
}
