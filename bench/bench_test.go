package bench

import (
	"os"
	"testing"
)

func TestX(t *testing.T) {
	fs, err := Syncs(t.Context(), SyncConfig{})
	if err != nil {
		t.Fatal(err)
	}
	WriteTable(os.Stdout, fs)
}
