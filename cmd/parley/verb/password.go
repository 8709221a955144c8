package verb

import (
	"bytes"
	"fmt"
	"io"
)

// maxPasswordInput is more than any password that is taken.
const maxPasswordInput = 4096

// readPassword reads standard input without the line end that echo and editors add.
func readPassword(stdin io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(stdin, maxPasswordInput+1))
	if err != nil {
		return nil, fmt.Errorf("read the password: %w", err)
	}
	text = bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
	switch {
	case len(text) == 0:
		return nil, usagef("standard input has no password; try: printf %%s \"$PASSWORD\" | parley ... --password-stdin")
	case len(text) > maxPasswordInput, bytes.ContainsAny(text, "\r\n\x00"):
		return nil, usagef("standard input is no password of one line")
	}
	return text, nil
}
