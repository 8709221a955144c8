package thread

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
)

// TestScripts plays the stories of testdata.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		p := &play{State: New("thr"), now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		datadriven.RunTest(t, path, p.run)
	})
}

// play is a room, its log and its clock. Accounts and participants are named alike.
type play struct {
	*State
	log []Event
	now time.Time
}

func (p *play) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "wait":
		p.now = p.now.Add(duration(t, d.CmdArgs[0].Key))
		return p.now.Format(time.RFC3339) + "\n"
	case "deliver":
		return p.deliver(acc(d, "to"))
	case "came":
		p.Came(Came{acc(d, "from"), seq(t, d, "last")})
		return fmt.Sprintln(p.Wants(acc(d, "from")))
	case "committed":
		p.Committed(seq(t, d, "upto"))
		return fmt.Sprintf("%v\n", p.Lagging())
	case "lagging":
		return fmt.Sprintf("%v\n", p.Lagging())
	case "visible":
		return p.visible(acc(d, "to"))
	case "ask":
		return answer(p.Ask(Ask{acc(d, "by")}))
	case "unmade":
		return p.unmade()
	case "made":
		for _, f := range p.Unmade() {
			p.Made(Made{f.Room})
		}
		return fmt.Sprintln("owes", p.Owes())
	case "doubt":
		p.Doubt()
		return p.unmade()
	case "pages":
		return p.pages()
	case "reload":
		return p.reload(t)
	case "canonical":
		return p.Canonical()
	}
	return p.decide(p.command(t, d))
}

func (p *play) decide(cmd any) string {
	before := p.Canonical()
	d, err := p.Decide(cmd, p.now)
	if p.Canonical() != before {
		return "deciding changed the state\n"
	}
	var b strings.Builder
	for _, e := range d.Events {
		p.log = append(p.log, e)
		p.Apply(e)
		b.WriteString(show(e))
	}
	return b.String() + answer(d.Answer, err)
}

// deliver brings a copy up to date as the plumbing does, one event a time.
func (p *play) deliver(to parley.AccountID) string {
	var b strings.Builder
	last, lagging := p.Wants(to)
	for lagging {
		next := p.Next(to, last)
		for _, d := range p.Deliveries(to, p.log[last:next]) {
			fmt.Fprintf(&b, "%d->%s", d.Prev, show(d.Event))
			for _, q := range d.Roster {
				fmt.Fprintf(&b, "  roster %s\n", person(q))
			}
			p.Came(Came{to, d.Seq})
		}
		last, lagging = p.Wants(to)
	}
	if b.Len() == 0 {
		return fmt.Sprintf("nothing after %d\n", last)
	}
	return b.String()
}

func (p *play) visible(to parley.AccountID) string {
	var seqs []string
	for s := parley.Seq(0); s <= p.Last()+1; s++ {
		if p.Visible(to, s) {
			seqs = append(seqs, fmt.Sprint(s))
		}
	}
	return strings.Join(seqs, " ") + "\n"
}

func (p *play) reload(t *testing.T) string {
	fresh := New("thr")
	if err := fresh.Load(p.All()); err != nil {
		t.Fatal(err)
	}
	if got, want := fresh.Canonical(), p.Canonical(); got != want {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	p.State = fresh
	return "same\n"
}

func (p *play) unmade() string {
	var b strings.Builder
	for _, f := range p.Unmade() {
		c := p.Found(f)
		fmt.Fprintf(&b, "%s at=%d subject=%q open=%t history=%s [%s]", f.Room, f.Seq, c.Subject, c.Open, c.History, person(c.Maker))
		for _, q := range c.Others {
			fmt.Fprintf(&b, " [%s]", person(q))
		}
		b.WriteString("\n")
	}
	return b.String() + fmt.Sprintln("owes", p.Owes())
}

func show(e Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s by=%s", e.Seq, typeNames[e.Type], e.Actor.Account)
	if e.Type == Posted {
		fmt.Fprintf(&b, " %s text=%.20q all=%t", e.Message, e.Text, e.HistoryAll)
	}
	if len(e.Mentions) > 0 {
		fmt.Fprintf(&b, " mentions=%v", e.Mentions)
	}
	if !e.TextBlob.IsZero() {
		fmt.Fprintf(&b, " blob size=%d excerpt=%q", e.TextSize, e.Excerpt)
	}
	if o := e.Offshoot; o != nil {
		fmt.Fprintf(&b, " into=%s subject=%q posts=%v", o.Room, o.Subject, movings(o.Posts))
	}
	b.WriteString(settings(e))
	for _, q := range e.Parts[:min(len(e.Parts), 5)] {
		fmt.Fprintf(&b, " [%s]", person(q))
	}
	return b.String() + "\n"
}

func settings(e Event) (out string) {
	if e.Gone {
		out += " gone"
	}
	if e.Subject != nil {
		out += fmt.Sprintf(" subject=%q", *e.Subject)
	}
	if e.Open != nil {
		out += fmt.Sprintf(" open=%t", *e.Open)
	}
	if e.History != nil {
		out += fmt.Sprintf(" history=%s", *e.History)
	}
	return out
}

func movings(ms []Moving) (out []string) {
	for _, m := range ms {
		out = append(out, fmt.Sprint(m.Message[4:7], "@", m.Seq))
	}
	return out
}

var typeNames = map[Type]string{
	Created: "created", Posted: "posted", Joined: "joined", Added: "added",
	Left: "left", Removed: "removed", Changed: "changed", Divided: "divided",
}

func person(q parley.Participant) string {
	return fmt.Sprintf("%s %s %s", q.ID, q.Role, q.State)
}

// refused tells why, and who came in meanwhile.
func refused(err error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "refused: %s\n", refusal(err))
	if c := parley.RosterOf(err); c != nil {
		fmt.Fprintf(&b, "  roster=%d\n", c.Version)
		for _, p := range c.Added {
			fmt.Fprintf(&b, "  added %s\n", person(p))
		}
	}
	return b.String()
}

func answer(a Answer, err error) string {
	if err != nil {
		return refused(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "= seq=%d", a.Seq)
	if a.Message != "" {
		fmt.Fprintf(&b, " message=%s", a.Message)
	}
	if a.Part.ID != "" {
		fmt.Fprintf(&b, " part=[%s]", person(a.Part))
	}
	if a.Roster != 0 {
		fmt.Fprintf(&b, " roster=%d subject=%q open=%t history=%s", a.Roster, a.Subject, a.Open, a.History)
	}
	if a.Replayed {
		fmt.Fprintf(&b, " replayed at=%s", a.At.Format(time.RFC3339))
	}
	for _, q := range a.Participants {
		fmt.Fprintf(&b, " [%s]", person(q))
	}
	return b.String() + "\n"
}

func refusal(err error) string {
	if errors.Is(err, ErrNeedBlob) {
		return err.Error()
	}
	public, field := parley.PublicOf(err)
	if field != "" {
		public = field + ": " + public
	}
	return codeNames[parley.CodeOf(err)] + " " + public
}

var codeNames = map[parley.Code]string{
	parley.NotFound: "not_found", parley.NotPermitted: "not_permitted", parley.BadRequest: "bad_request",
	parley.ParticipantsChanged: "participants_changed", parley.KeyMismatch: "key_mismatch", parley.Expired: "expired",
	parley.BadAddress: "bad_address", parley.TooManyRecipients: "too_many_recipients", parley.TooLarge: "too_large",
	parley.Conflict: "conflict",
}
