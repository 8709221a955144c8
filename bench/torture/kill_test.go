package torture

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// program builds the real program.
func program(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "parley")
	out, err := exec.Command("go", "build", "-o", bin, "github.com/parley-im/parley/cmd/parley").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// TestTortureKills kills the real program by SIGKILL at random moments while two
// dozen clients post, read, come, go and mail through HTTP and LMTP and repeat under
// their keys until they are answered.
func TestTortureKills(t *testing.T) {
	share, err := ShareOf(Parts{Quick: 3, Full: 15, Long: 200, Percent: 40})
	if err != nil {
		t.Fatal(err)
	}
	if text := os.Getenv("PARLEY_TORTURE_KILLS"); text != "" {
		if share.Least, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("PARLEY_SEED=%d", share.Seed)
	k := Killing{Seed: share.Seed, Program: program(t), Folder: t.TempDir(), More: share.More, People: 16, Postmen: 8, Think: 300 * time.Millisecond}
	if share.Least < 10 {
		k.People, k.Postmen, k.Think = 6, 3, 100*time.Millisecond
	}
	res, err := k.Run(t.Context())
	t.Logf("%d kills, %d of them while the server started; %d commands; ready again after %v at most", res.Kills, res.Starting, res.Commands, res.Slowest)
	if err != nil {
		t.Errorf("seed %d: %v", share.Seed, err)
	}
	for _, p := range res.Problems {
		t.Errorf("seed %d: %s", share.Seed, p)
	}
}
