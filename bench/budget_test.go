package bench

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestSyncsAreShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs, err := Syncs(t.Context(), SyncConfig{Rounds: 8, Steady: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			t.Log(f)
			if !f.Within() {
				t.Error(f)
			}
		}
		time.Sleep(time.Minute)
	})
}
