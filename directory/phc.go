package directory

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

const (
	saltBytes = 16
	keyBytes  = 32
)

// cost is what argon2id is asked to spend (RFC 9106 3.1).
type cost struct {
	memory  uint32 // KiB
	passes  uint32
	threads uint8
}

// recommended is OWASP's second choice: 19 MiB, two passes, one lane.
var recommended = cost{memory: 19 << 10, passes: 2, threads: 1}

// hashed is a password's hash with all that is needed to compute it again.
type hashed struct {
	cost
	salt, key []byte
}

func (c cost) with(salt []byte, password string) hashed {
	key := argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.threads, keyBytes)
	return hashed{cost: c, salt: salt, key: key}
}

func (h hashed) matches(password string) bool {
	got := argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, uint32(len(h.key)))
	return subtle.ConstantTimeCompare(got, h.key) == 1
}

// String writes the PHC form: $argon2id$v=19$m=...,t=...,p=...$salt$hash.
func (h hashed) String() string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version,
		h.memory, h.passes, h.threads, b64.EncodeToString(h.salt), b64.EncodeToString(h.key))
}

// parsePHC reads what String wrote, with whatever parameters were current then,
// within bounds that a damaged row cannot use to exhaust the server.
func parsePHC(s string) (h hashed, ok bool) {
	f := strings.Split(s, "$")
	if len(f) != 6 || f[0] != "" || f[1] != "argon2id" || f[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, false
	}
	if _, err := fmt.Sscanf(f[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads); err != nil {
		return h, false
	}
	b64 := base64.RawStdEncoding.Strict()
	var errSalt, errKey error
	h.salt, errSalt = b64.DecodeString(f[4])
	h.key, errKey = b64.DecodeString(f[5])
	sane := h.memory >= 8 && h.memory <= 1<<20 && h.passes >= 1 && h.passes <= 64 && h.threads >= 1 && h.threads <= 64 &&
		len(h.salt) >= 8 && len(h.salt) <= 64 && len(h.key) >= 16 && len(h.key) <= 64
	if errSalt != nil || errKey != nil || !sane || h.String() != s {
		return hashed{}, false
	}
	return h, true
}
