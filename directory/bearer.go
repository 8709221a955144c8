package directory

import (
	"crypto/sha256"
	"encoding/base32"
	"io"
	"strings"

	"github.com/parley-im/parley"
)

const (
	bearerPrefix = "parley_"
	secretBytes  = 32
)

var bearerText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// bearer is what a token's text says: whose it is, which, and the secret.
type bearer struct {
	account parley.AccountID
	token   parley.TokenID
	secret  [secretBytes]byte
}

func (b bearer) String() string {
	account, errA := parley.ParseID(parley.AccountPrefix, string(b.account))
	token, errT := parley.ParseID(parley.TokenPrefix, string(b.token))
	if errA != nil || errT != nil {
		panic("directory: a bearer of ids that are none")
	}
	raw := make([]byte, 0, 2*parley.IDBytes+secretBytes)
	raw = append(append(append(raw, account[:]...), token[:]...), b.secret[:]...)
	return bearerPrefix + bearerText.EncodeToString(raw)
}

// digest is what the store knows of the secret.
func (b bearer) digest() []byte {
	sum := sha256.Sum256(b.secret[:])
	return sum[:]
}

// parseBearer reads what String wrote, and no other spelling of it.
func parseBearer(s string) (b bearer, ok bool) {
	text, ok := strings.CutPrefix(s, bearerPrefix)
	if !ok || len(text) != bearerText.EncodedLen(2*parley.IDBytes+secretBytes) {
		return b, false
	}
	raw, err := bearerText.DecodeString(text)
	if err != nil || bearerText.EncodeToString(raw) != text {
		return b, false
	}
	b.account = parley.AccountID(parley.FormatID(parley.AccountPrefix, [parley.IDBytes]byte(raw)))
	b.token = parley.TokenID(parley.FormatID(parley.TokenPrefix, [parley.IDBytes]byte(raw[parley.IDBytes:])))
	copy(b.secret[:], raw[2*parley.IDBytes:])
	return b, true
}

// newBearer derives a token from the command that creates it, so that a repeat
// shows the same secret; a command without a key gets a random one. version
// is that of the commit: a key that comes again after its promise has ended
// does not bring an old secret back.
func (d *Directory) newBearer(cmd parley.CommandID, account parley.AccountID, version uint64) (bearer, error) {
	b := bearer{account: account}
	var raw [parley.IDBytes + secretBytes]byte
	if cmd.IsZero() {
		if _, err := io.ReadFull(d.rand, raw[:]); err != nil {
			return b, parley.Wrap(parley.Internal, "directory.random", err)
		}
	} else {
		for i := range len(raw) / parley.IDBytes {
			part := d.secret.Derive("token", string(account), string(cmd[:]), decimal(version), decimal(uint64(i)))
			copy(raw[i*parley.IDBytes:], part[:])
		}
	}
	b.token = parley.TokenID(parley.FormatID(parley.TokenPrefix, [parley.IDBytes]byte(raw[:])))
	copy(b.secret[:], raw[parley.IDBytes:])
	return b, nil
}
