package strict

import (
	"bytes"
	"encoding/json"
)

// Canonical rewrites what Decode took so that order and white space no longer
// matter: two bodies with the same canonical form ask for the same.
func Canonical(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // numbers stay as they were written
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v) // sorts members
}
