package thread

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Canonical prints the whole state but the cursors, so that two states are
// equal if and only if their texts are.
func (s *State) Canonical() string {
	var b strings.Builder
	r := s.room
	fmt.Fprintf(&b, "room %s last=%d at=%s roster=%d turns=%d created=%s maker=%s\n",
		s.id, r.Last, stampOf(r.LastAt), r.Roster, r.Turns, stampOf(r.CreatedAt), r.Maker)
	fmt.Fprintf(&b, "settings subject=%q open=%t history=%s\n", r.Subject, r.Open, r.History)
	for _, f := range r.Offshoots {
		fmt.Fprintf(&b, "offshoot %s at=%d by=%s subject=%q granted=%d\n", f.Room, f.Seq, f.By, f.Subject, f.Granted)
	}
	for i := range s.runs() {
		fmt.Fprintf(&b, "stamped %d-%d\n", s.run(i).From, s.run(i).To)
	}
	for _, p := range s.parts {
		p.print(&b)
	}
	b.WriteString(s.keys.canonical())
	return b.String()
}

func (p *part) print(b *strings.Builder) {
	fmt.Fprintf(b, "part %s %s channel=%s removed=%t gone=%t stays=%d\n", p.ID, p.Account, p.Channel, p.Removed, p.Gone, p.stays)
	for _, st := range p.Stands {
		fmt.Fprintf(b, "  %d %s %s name=%q address=%q\n", st.Seq, st.State, st.Role, st.Name, st.Address)
	}
}

func (k *keys) canonical() string {
	var lines []string
	for i, c := range k.chunks {
		for _, key := range c.Keys {
			lines = append(lines, fmt.Sprintf("key %x chunk=%d body=%x seq=%d message=%s part=%+v at=%s\n",
				key.Cmd, k.first+i, key.Body, key.Seq, key.Message, key.Part, stampOf(key.At)))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

func stampOf(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
