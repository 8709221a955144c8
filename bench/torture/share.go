package torture

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// Share is how long one part of the torture goes on: for so many rounds at least,
// and for its part of PARLEY_TORTURE.
type Share struct {
	Least int
	Until time.Time
	Seed  uint64 // the first
}

// Parts says what one part of the torture takes.
type Parts struct {
	Quick, Full, Long int // rounds at least: without PARLEY_TORTURE, with it, with longForm or more
	Percent           int // of PARLEY_TORTURE
}

// longForm is what counts as the long form.
const longForm = 10 * time.Minute

// ShareOf reads the environment.
func ShareOf(p Parts) (Share, error) {
	s := Share{Least: p.Quick, Until: time.Now(), Seed: 1}
	if text := os.Getenv("PARLEY_TORTURE"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			return s, fmt.Errorf("PARLEY_TORTURE: %w", err)
		}
		s.Until = s.Until.Add(d / 100 * time.Duration(p.Percent))
		if s.Least = p.Full; d >= longForm {
			s.Least, s.Seed = p.Long, uint64(time.Now().UnixMilli())
		}
	}
	if text := os.Getenv("PARLEY_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return s, fmt.Errorf("PARLEY_SEED: %w", err)
		}
		s.Seed = seed
	}
	return s, nil
}

// More reports whether another round is due after so many.
func (s Share) More(done int) bool { return done < s.Least || time.Now().Before(s.Until) }
