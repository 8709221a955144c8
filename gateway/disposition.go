package gateway

import (
	"fmt"
	"strings"
)

// disposition is RFC 6266's attachment with a file name: in ASCII for old
// readers, and in full by RFC 8187 when that is not enough.
func disposition(name string) string {
	plain := strings.Map(asciiName, name)
	full := strings.Map(fileName, name)
	value := `attachment; filename="` + plain + `"`
	if full != plain {
		value += "; filename*=UTF-8''" + encode(full)
	}
	return value
}

// fileName takes out what would leave the folder or upset a shell or a terminal.
func fileName(r rune) rune {
	if r < ' ' || r >= 0x7f && r < 0xa0 || strings.ContainsRune(`/\:*?"<>|`, r) {
		return '_'
	}
	return r
}

func asciiName(r rune) rune {
	if r > '~' || r == '%' { // some readers would decode what % begins
		return '_'
	}
	return fileName(r)
}

// encode percent-encodes all but attr-char.
func encode(s string) string {
	var out strings.Builder
	for _, b := range []byte(s) {
		if b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || strings.IndexByte("!#$&+-.^_`|~", b) >= 0 {
			out.WriteByte(b)
			continue
		}
		fmt.Fprintf(&out, "%%%02X", b)
	}
	return out.String()
}
