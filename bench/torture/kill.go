package torture

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// Killing is a play of many clients against the real program over HTTP and LMTP,
// which is killed at random moments and started again.
type Killing struct {
	Seed    uint64
	Program string         // the binary
	Folder  string         // empty, for data and copies
	More    func(int) bool // whether to go on after so many kills
	People  int            // accounts, each with a client of its own
	Postmen int            // who bring mail
	Think   time.Duration  // between what a client does, on average
}

// Killed is what it came to.
type Killed struct {
	Kills, Starting int // in all; of them before the server was ready
	Commands        int
	Slowest         time.Duration // from a kill to the server being ready again
	Problems        []string
}

// Run plays, kills, and then looks twice: at the stored rows by the grains, and at a
// server through its doors.
func (k Killing) Run(ctx context.Context) (res Killed, err error) {
	s := &Server{Program: k.Program, Dir: filepath.Join(k.Folder, "data"), Log: filepath.Join(k.Folder, "log")}
	defer s.Kill()
	if err := s.Start(ctx); err != nil {
		return res, err
	}
	play, door, err := k.cast(ctx, s)
	if err != nil {
		return res, err
	}
	if err := k.kills(ctx, s, play, door, &res); err != nil {
		return res, err
	}
	play.Again(ctx, door, rand.New(rand.NewPCG(k.Seed, 8)))
	if err := s.Stop(); err != nil {
		return res, err
	}
	res.Commands = len(play.H.Ops())
	res.Problems, err = k.look(ctx, s, play, door)
	return res, err
}

// cast makes the accounts by the program's verbs.
func (k Killing) cast(ctx context.Context, s *Server) (*Play, *HTTPDoor, error) {
	secret, err := os.ReadFile(filepath.Join(s.Dir, "secret"))
	if err != nil {
		return nil, nil, err
	}
	play := NewPlay(k.Seed, parley.Secret(secret), k.People, time.Now)
	play.Tries, play.Pause, play.Think, play.Outside = 1<<20, 20*time.Millisecond, k.Think, true
	play.Postmen(k.Postmen)
	door := &HTTPDoor{Where: s.Where, Keys: play.H.Key, Client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * k.People}}}
	for i := range play.People {
		who := &play.People[i]
		id, err := s.Verb(ctx, "a long password\n", "account", "add", who.Address, "--password-stdin", "--name", who.Name)
		if err != nil {
			return nil, nil, err
		}
		token, err := s.Verb(ctx, "", "token", who.Address, "--scopes", "read,write,send")
		if err != nil {
			return nil, nil, err
		}
		who.Account = parley.AccountID(id)
		door.Admit(who.Account, token)
	}
	return play, door, nil
}

// kills lets the play run and kills the server, most often while something is
// asked of it, now and then while it starts.
func (k Killing) kills(ctx context.Context, s *Server, play *Play, door Door, res *Killed) error {
	playing, stop := context.WithCancel(ctx)
	defer stop()
	asking := make(chan struct{}, 1)
	play.Asking = func() {
		select {
		case asking <- struct{}{}:
		default:
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		play.Run(playing, 1<<30, door)
	}()
	rng := rand.New(rand.NewPCG(k.Seed, 7))
	var err error
	for err == nil && k.More(res.Kills) {
		pause(ctx, time.Duration(20+rng.IntN(250))*time.Millisecond)
		select {
		case <-asking:
		default:
		}
		select {
		case <-asking:
			pause(ctx, time.Duration(rng.IntN(6000))*time.Microsecond)
		case <-time.After(time.Second):
		}
		err = k.kill(ctx, s, rng, res)
	}
	stop()
	<-done
	play.Asking = nil
	return err
}

func (k Killing) kill(ctx context.Context, s *Server, rng *rand.Rand, res *Killed) error {
	s.Kill()
	began := time.Now()
	res.Kills++
	for rng.IntN(6) == 0 {
		if err := s.StartAndKill(ctx, time.Duration(rng.IntN(80))*time.Millisecond); err != nil {
			return err
		}
		res.Kills++
		res.Starting++
		began = time.Now()
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	res.Slowest = max(res.Slowest, time.Since(began))
	return nil
}

// look checks a copy of the folder by the grains, and the server itself, started
// once more, through its doors; rows are always read in the copy.
func (k Killing) look(ctx context.Context, s *Server, play *Play, door Reader) (problems []string, err error) {
	dir := filepath.Join(k.Folder, "copy")
	for _, part := range []string{"store", "blobs"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(s.Dir, part))); err != nil {
			return nil, err
		}
	}
	l, err := Open(LifeConfig{FS: vfs.Default, Store: filepath.Join(dir, "store"), Blobs: filepath.Join(dir, "blobs"), Secret: play.Secret})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := l.Settle(ctx); err != nil {
		return nil, err
	}
	problems = play.Check(ctx, l)
	if err := s.Start(ctx); err != nil {
		return problems, err
	}
	var outside []string
	for range 5 { // what the last life left under way may still be coming
		if outside = play.CheckThrough(ctx, l, door); len(outside) == 0 || len(problems) > 0 {
			break
		}
		pause(ctx, 2*time.Second)
	}
	for _, p := range outside {
		problems = append(problems, "through the doors: "+p)
	}
	return problems, s.Stop()
}
