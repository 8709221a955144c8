package bench

import "testing"

// A mailbox that was filled holds what was sent to it, and the page far back is
// another than the newest: else the block reads would count something smaller.
func TestFilledMailboxIsWhatItSays(t *testing.T) {
	r, err := fill(t.Context(), 300, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, r.house)
	st, err := r.Stats(t.Context(), personID(0), 0)
	if err != nil || st.Messages != 300 || st.Threads >= 300 || st.Threads < 100 {
		t.Errorf("stats: %+v %v, want 300 messages in fewer threads", st, err)
	}
	first, err1 := r.inbox(t.Context(), "")
	second, err2 := r.inbox(t.Context(), r.pageKey)
	if err1 != nil || err2 != nil || len(first.Items) != 50 || len(second.Items) != 50 || first.Items[0].ID == second.Items[0].ID {
		t.Errorf("pages: %d and %d threads, %v %v", len(first.Items), len(second.Items), err1, err2)
	}
}
