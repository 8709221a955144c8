package directory

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones are checked alike wherever the binary runs
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/parley-im/parley"
)

// Bounds of what an account and a token may say.
const (
	MaxName      = 128 // characters
	MaxExternal  = 255 // bytes
	MaxAddresses = 50
	MaxMetadata  = 50  // pairs
	maxValue     = 500 // bytes of a value of the metadata
	minPassword  = 8   // characters
	maxPassword  = 1024
)

var metadataKey = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,40}$`)

// checkAccount returns the account with its addresses normalised and without
// repetitions, or what is wrong with the first field that is.
func checkAccount(op string, a parley.Account) (parley.Account, error) {
	bad := func(field, format string, args ...any) (parley.Account, error) {
		return a, fault(parley.BadRequest, op, field, fmt.Sprintf(format, args...))
	}
	switch {
	case !isText(a.Name, MaxName):
		return bad("name", "a name has up to %d characters and no control characters", MaxName)
	case len(a.ExternalID) > MaxExternal || !isText(a.ExternalID, MaxExternal):
		return bad("external_id", "an external id has up to %d bytes and no control characters", MaxExternal)
	case !isZone(a.Zone):
		return bad("zone", "not an IANA time zone")
	case a.Locale != "" && !isLocale(a.Locale):
		return bad("locale", "not a BCP 47 language tag")
	case a.Quota < 0:
		return bad("quota", "a quota is not negative")
	case !isMetadata(a.Metadata):
		return bad("metadata", "up to %d keys of A-Z a-z 0-9 _ . - (40 at most), values of up to %d bytes", MaxMetadata, maxValue)
	case len(a.Addresses) == 0 && a.ExternalID == "":
		return bad("addresses", "an account has an address or an external id")
	case len(a.Addresses) > MaxAddresses+1: // one more may be a repetition
		return bad("addresses", "an account has up to %d addresses", MaxAddresses)
	}
	addresses, err := normaliseAll(a.Addresses)
	if err != nil {
		return a, err
	}
	if a.Addresses = addresses; len(addresses) > MaxAddresses {
		return bad("addresses", "an account has up to %d addresses", MaxAddresses)
	}
	return a, nil
}

func normaliseAll(addresses []string) ([]string, error) {
	var as []string
	for _, address := range addresses {
		n, err := normalise(address)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(as, n) {
			as = append(as, n)
		}
	}
	return as, nil
}

// isText accepts what can stand on one line.
func isText(s string, characters int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= characters && !strings.ContainsFunc(s, unicode.IsControl)
}

func isZone(zone string) bool {
	if zone == "Local" {
		return false // the server's, which is nobody's business
	}
	_, err := time.LoadLocation(zone)
	return err == nil
}

func isLocale(locale string) bool {
	_, err := language.Parse(locale)
	return err == nil && len(locale) <= 64
}

func isMetadata(m map[string]string) bool {
	for k, v := range m {
		if !metadataKey.MatchString(k) || len(v) > maxValue || !utf8.ValidString(v) {
			return false
		}
	}
	return len(m) <= MaxMetadata
}

func checkPassword(op, password string) error {
	if utf8.RuneCountInString(password) < minPassword || len(password) > maxPassword {
		return fault(parley.BadRequest, op, "password", fmt.Sprintf("a password has %d to %d characters", minPassword, maxPassword))
	}
	return nil
}

func checkToken(op string, t parley.Token, now time.Time) (parley.Token, error) {
	asked := t.Scopes
	t.Scopes = nil
	for _, s := range parley.Scopes {
		if slices.Contains(asked, s) {
			t.Scopes = append(t.Scopes, s)
		}
	}
	unknown := slices.ContainsFunc(asked, func(s parley.Scope) bool { return !s.Valid() })
	switch {
	case !isText(t.Name, MaxName):
		return t, fault(parley.BadRequest, op, "name", fmt.Sprintf("a name has up to %d characters and no control characters", MaxName))
	case unknown || len(asked) == 0:
		return t, fault(parley.BadRequest, op, "scopes", "one or more of read, write, send, manage, admin")
	case !t.ExpiresAt.IsZero() && !t.ExpiresAt.After(now):
		return t, fault(parley.BadRequest, op, "expires_at", "a token expires in the future")
	}
	return t, nil
}
