package gateway

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/mail/quote"
)

// quoted is lines of a text that may be folded.
type quoted struct {
	Kind  quote.Kind `json:"kind"`
	Line  int        `json:"line"`
	Lines int        `json:"lines"`
}

// inThread shapes messages of one thread, the oldest first: what a mail repeats of
// those before is told.
func inThread() func(parley.Message) message {
	var earlier quote.Earlier
	return func(m parley.Message) message {
		out := messageShape(m)
		if m.Channel != parley.ChannelMail || m.Gone || m.Notice != "" {
			return out
		}
		for _, r := range quote.Find(m.Text, &earlier) {
			out.Quoted = append(out.Quoted, quoted{r.Kind, r.From, r.To - r.From})
		}
		earlier.Add(m.Text)
		return out
	}
}
