package mail

import (
	"errors"
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Addr is an address fit for protocols, in canonical form.
type Addr struct {
	Local  string // without quotes; case kept
	Domain string // lower case A-labels, or an address literal with its brackets
}

// The ways in which an address is refused.
var (
	ErrAddrSyntax = errors.New("mail: not an address")
	ErrAddrLong   = errors.New("mail: address too long")
	ErrAddrDomain = errors.New("mail: not a domain")
)

// RFC 5321 4.5.3.1.1 to 4.5.3.1.3: octets. A path has 256 with its brackets.
const (
	maxLocal  = 64
	maxDomain = 255
	maxAddr   = 254
)

// ParseAddrSpec reads an address as SMTP takes it: RFC 5321 4.1.2 Mailbox with
// the UTF-8 of RFC 6531 3.3, no comments, no white space. What it returns
// prints (String) and parses back to itself.
func ParseAddrSpec(s string) (Addr, error) {
	if len(s) > 4*maxAddr || !utf8.ValidString(s) {
		return Addr{}, ErrAddrSyntax
	}
	local, domain, err := splitSpec(s)
	if err != nil {
		return Addr{}, err
	}
	if domain, err = canonicalDomain(domain); err != nil {
		return Addr{}, err
	}
	a := Addr{local, domain}
	if len(quoteLocal(local)) > maxLocal || len(domain) > maxDomain || len(a.String()) > maxAddr {
		return Addr{}, ErrAddrLong
	}
	return a, nil
}

// splitSpec takes the local part off, unquoted.
func splitSpec(s string) (local, domain string, err error) {
	if !strings.HasPrefix(s, `"`) {
		local, domain, ok := strings.Cut(s, "@")
		if !ok || !isDotAtom(local) {
			return "", "", ErrAddrSyntax
		}
		return local, domain, nil
	}
	local, n := quotedText(s[1:])
	if n < 0 || !strings.HasPrefix(s[n+2:], "@") || !isQuotable(local) {
		return "", "", ErrAddrSyntax
	}
	return local, s[n+3:], nil
}

// String prints the address as protocols write it.
func (a Addr) String() string { return quoteLocal(a.Local) + "@" + a.Domain }

// Unicode prints the address for people, the domain in U-labels.
func (a Addr) Unicode() string {
	domain, err := idna.Display.ToUnicode(a.Domain)
	if err != nil {
		domain = a.Domain
	}
	return quoteLocal(a.Local) + "@" + domain
}

// Key is equal for addresses that are one mailbox: only the receiving host may
// say that case matters (RFC 5321 2.4), and none that people use does.
func (a Addr) Key() string {
	return quoteLocal(norm.NFC.String(strings.ToLower(norm.NFC.String(a.Local)))) + "@" + a.Domain
}

// canonicalDomain gives the form in which domains are compared and looked up.
func canonicalDomain(s string) (string, error) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		return canonicalLiteral(inner)
	}
	if s == "" || strings.HasSuffix(s, ".") {
		return "", ErrAddrDomain
	}
	ascii, err := idna.Lookup.ToASCII(s)
	if err != nil {
		return "", ErrAddrDomain
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || !isHostLabel(label) {
			return "", ErrAddrDomain
		}
	}
	return ascii, nil
}

// isHostLabel is RFC 5321 4.1.2 sub-domain.
func isHostLabel(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// canonicalLiteral reads the inside of RFC 5321 4.1.3 address literals.
func canonicalLiteral(s string) (string, error) {
	s, closed := strings.CutSuffix(s, "]")
	ip6 := len(s) > 5 && strings.EqualFold(s[:5], "IPv6:")
	if ip6 {
		s = s[5:]
	}
	ip, err := netip.ParseAddr(s)
	switch {
	case !closed || err != nil || ip.Zone() != "" || ip.Is4() == ip6:
		return "", ErrAddrDomain
	case ip6:
		return "[IPv6:" + ip.String() + "]", nil
	}
	return "[" + ip.String() + "]", nil
}

// isDotAtom is RFC 5321 Dot-string with RFC 6531 UTF8-non-ascii.
func isDotAtom(s string) bool {
	if s == "" || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for _, r := range s {
		if r <= ' ' || 0x7f <= r && r < 0xa0 || strings.ContainsRune(`()<>[]:;@\,"`, r) || unsafeRune(r) {
			return false
		}
	}
	return true
}

// isQuotable is what quotes may hold: printable characters and the blank.
func isQuotable(s string) bool {
	for _, r := range s {
		if isControl(r) || unsafeRune(r) {
			return false
		}
	}
	return true
}

// unsafeRune are characters that no address needs and that disguise one.
func unsafeRune(r rune) bool {
	return r == utf8.RuneError || r == '\ufeff' || r == 0xa0 || 0x2000 <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202f ||
		0x205f <= r && r <= 0x206f || r == 0x3000
}

// quoteLocal writes a local part, in quotes only where it needs them.
func quoteLocal(s string) string {
	if isDotAtom(s) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
