package torture

import "testing"

// TestTortureTwins lets two servers believe that they own every row of one store.
func TestTortureTwins(t *testing.T) {
	share, err := ShareOf(Parts{Quick: 6, Full: 20, Long: 200, Percent: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("PARLEY_SEED=%d", share.Seed)
	plays := 0
	for ; share.More(plays) && !t.Failed(); plays++ {
		seed := share.Seed + uint64(plays)
		problems, err := Twins{Seed: seed, People: 4, Steps: 15}.Run(t.Context())
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, p := range problems[:min(5, len(problems))] {
			t.Errorf("seed %d: %s", seed, p)
		}
	}
	t.Logf("%d plays on two servers", plays)
}
