package mailbox_test

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// query answers a line that only asks; ok is false for others.
func (s *story) query(d *datadriven.TestData) (out string, ok bool) {
	switch d.Cmd {
	case "threads":
		return s.threads(d), true
	case "messages":
		return s.messages(d), true
	case "counts":
		return s.counts(), true
	case "explain":
		return s.explain(d), true
	case "open":
		return s.open(d), true
	}
	return "", false
}

func (s *story) threads(d *datadriven.TestData) string {
	q := parley.ThreadQuery{Folder: place(arg(d, "in", "")), Unread: flag(d, "unread"), Kind: parley.Kind(arg(d, "kind", ""))}
	var people []mailbox.Hash
	for _, who := range list(d, "with") {
		p := person(who)
		people = append(people, mailbox.PersonHash(string(p.Account)+p.Address))
	}
	p, err := s.twins.whole.Threads(q, people)
	if err != nil {
		s.Fatal(err)
	}
	var b strings.Builder
	for _, it := range p.Items {
		th := it.Public()
		fmt.Fprintf(&b, "%s %q %d/%d %v", s.name(th.ID), th.Subject, th.Unread, th.Messages, s.places(th.Folders))
		if th.Muted {
			b.WriteString(" muted")
		}
		if th.LastMessage != "" {
			fmt.Fprintf(&b, " last %s by %s: %s", s.name(th.LastMessage), th.LastAuthor.Name, th.Excerpt)
		}
		b.WriteString("\n")
	}
	return orNone(b.String())
}

func (s *story) places(fs []parley.FolderID) (names []string) {
	for _, f := range fs {
		names = append(names, s.name(f))
	}
	return names
}

func (s *story) messages(d *datadriven.TestData) string {
	p, err := s.twins.whole.Messages(s.thread(d.CmdArgs[0].Key), "", parley.Page{Limit: 100}, d.HasArg("notices"))
	if err != nil {
		public, _ := parley.PublicOf(err)
		return "refused: " + public + "\n"
	}
	var b strings.Builder
	for _, m := range p.Items {
		fmt.Fprintf(&b, "%s", s.name(m.ID))
		switch {
		case m.Notice != "":
			fmt.Fprintf(&b, " %s", m.Notice)
			for _, p := range m.About {
				fmt.Fprintf(&b, " %s", s.person(p))
			}
		default:
			fmt.Fprintf(&b, " by %s: %s %v %v", m.Author.Name, m.Excerpt, s.places(m.Folders), m.Keywords)
		}
		b.WriteString("\n")
	}
	return orNone(b.String())
}

func (s *story) counts() string {
	st, err := s.twins.whole.Stats(s.now)
	if err != nil {
		s.Fatal(err)
	}
	fs, err := s.twins.whole.Folders()
	if err != nil {
		s.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "messages=%d threads=%d replies=%d contacts=%d badge=%d other=%d bytes=%d\n",
		st.Messages, st.Threads, st.Replies, st.ActiveContacts, st.Badge, st.Other, st.Bytes)
	for _, f := range fs {
		if c := f.Counts; c != (parley.Counts{}) {
			fmt.Fprintf(&b, "%s: %d/%d messages, %d/%d threads\n", f.ID, c.Unread, c.Messages, c.UnreadThreads, c.Threads)
		}
	}
	return b.String()
}

func (s *story) explain(d *datadriven.TestData) string {
	m, err := s.twins.whole.Message(s.message(d.CmdArgs[0].Key))
	if err != nil {
		public, _ := parley.PublicOf(err)
		return "refused: " + public + "\n"
	}
	why := m.Explanation()
	var b strings.Builder
	fmt.Fprintf(&b, "in %s by %s %q, %v by %q, generation %d\n", s.name(why.Thread), why.Signal, why.Evidence, why.Folders, why.Rule, m.Generation)
	for _, a := range why.Arrivals {
		fmt.Fprintf(&b, "  %s %s from %q\n", a.Channel, a.At.Format("15:04:05"), a.From)
	}
	return b.String()
}

func (s *story) open(d *datadriven.TestData) string {
	b, m, err := s.twins.whole.Blob(fileID(d.CmdArgs[0].Key), s.now)
	switch {
	case err != nil:
		public, _ := parley.PublicOf(err)
		return "refused: " + public + "\n"
	case m == nil:
		return fmt.Sprintf("upload %s\n", b.Name)
	}
	return fmt.Sprintf("attachment of %s\n", s.name(m.ID))
}

func orNone(s string) string {
	if s == "" {
		return "none\n"
	}
	return s
}
