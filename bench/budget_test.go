package bench

import (
	"testing"
	"testing/synctest"
	"time"
)

// What work may cost, as far as it is counts. Nothing here
// depends on how fast the machine is or what else it does.

func within(t *testing.T, fs []Figure, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, f := range fs {
		t.Log(f)
		if !f.Within() {
			t.Error(f)
		}
		if f.AtMost != 0 || f.AtLeast != 0 {
			held++
		}
	}
	if held == 0 {
		t.Error("no figure has a budget")
	}
}

func TestMessagesKeepTheirBudget(t *testing.T) {
	fs, err := Costs(t.Context(), CostConfig{Rooms: []int{3, 12}})
	within(t, fs, err)
}

// Between the two sizes the lists of all threads become a level deeper.
func TestReadsKeepTheirBudget(t *testing.T) {
	fs, err := Reads(t.Context(), ReadConfig{Messages: []int{200, 2000}, Page: 2})
	within(t, fs, err)
}

// In the bubble a sync lasts until everybody waits: what is counted is how
// commands come together, and not how many a processor does in 10 ms.
func TestSyncsKeepTheirBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs, err := Syncs(t.Context(), SyncConfig{Rounds: 8, Steady: true})
		within(t, fs, err)
		time.Sleep(time.Minute) // the timers of calls that were answered
	})
}
