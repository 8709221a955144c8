package verb

import "testing"

func TestSummary(t *testing.T) {
	s := sums{added: 1, known: 2, refused: 3, moved: 4}
	for n := range maxNamed + 2 {
		s.strange = append(s.strange, string(rune('a'+n)))
	}
	want := `6 messages: 1 added, 2 known, 3 refused; to other went also "a", "b", "c", "d", "e", "f", "g", "h", "i", "j" and 2 more folders; 4 were moved meanwhile, run it again for them`
	if got := s.summary("other"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
