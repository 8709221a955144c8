package thread

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/parley-im/parley"
)

// command reads one directive of a script.
func (p *play) command(t *testing.T, d *datadriven.TestData) any {
	cmd := p.key(t, d)
	switch d.Cmd {
	case "create":
		c := Create{Cmd: cmd, Maker: who(word(d, "maker")), Others: p.others(t, d), Subject: word(d, "subject"),
			History: parley.History(word(d, "history")), Open: d.HasArg("open")}
		if d.HasArg("message") {
			post := p.post(d, parley.Command{})
			c.First = &post
		}
		return c
	case "post":
		post := p.post(d, cmd)
		if d.HasArg("roster") {
			post.Roster = seq(t, d, "roster")
		}
		return post
	case "join":
		return Join{Cmd: cmd, Who: who(word(d, "who"))}
	case "leave":
		return Leave{Cmd: cmd, Who: acc(d, "who"), Gone: d.HasArg("gone")}
	case "add":
		return Add{Cmd: cmd, By: acc(d, "by"), Who: who(word(d, "who"))}
	case "remove":
		return Remove{Cmd: cmd, By: acc(d, "by"), Part: parley.PartID(word(d, "who"))}
	case "alter":
		return p.alter(d, cmd)
	case "split":
		return split(t, d, cmd)
	}
	t.Fatalf("%s: no directive %q", d.Pos, d.Cmd)
	return nil
}

// split names n posts by made up ids, with numbers from the one given on.
func split(t *testing.T, d *datadriven.TestData, cmd parley.Command) Split {
	c := Split{Cmd: cmd, By: acc(d, "by"), Subject: word(d, "subject")}
	c.Room = parley.ThreadID(parley.FormatID(parley.ThreadPrefix, [16]byte{byte(seq(t, d, "room"))}))
	for i := range seq(t, d, "posts") {
		m := Moving{Message: parley.MessageID(parley.FormatID(parley.MessagePrefix, [16]byte{byte(i)}))}
		if d.HasArg("from") {
			m.Seq = seq(t, d, "from") + i
		}
		c.Posts = append(c.Posts, m)
	}
	return c
}

func (p *play) alter(d *datadriven.TestData, cmd parley.Command) Alter {
	c := Alter{Cmd: cmd, By: acc(d, "by"), Part: parley.PartID(word(d, "who")), Role: parley.Role(word(d, "role"))}
	if d.HasArg("subject") {
		subject := word(d, "subject")
		c.Subject = &subject
	}
	if d.HasArg("open") {
		open := word(d, "open") == "true"
		c.Open = &open
	}
	if d.HasArg("history") {
		history := parley.History(word(d, "history"))
		c.History = &history
	}
	return c
}

func (p *play) post(d *datadriven.TestData, cmd parley.Command) Post {
	post := Post{Cmd: cmd, Author: acc(d, "by"), Message: parley.MessageID(word(d, "message")), Text: d.Input}
	if d.HasArg("long") {
		post.Text = strings.Repeat("x", SmallText+1)
	}
	if d.HasArg("toolong") {
		post.Text = strings.Repeat("x", MaxInlineText+1)
	}
	if d.HasArg("blob") {
		post.TextBlob, post.TextSize, post.Excerpt = sha256.Sum256(nil), 5000, "first words"
	}
	if d.HasArg("file") {
		post.Attachments = []Attachment{{Blob: sha256.Sum256(nil), Size: 1, Name: word(d, "file")}}
	}
	for _, m := range words(d, "mentions") {
		post.Mentions = append(post.Mentions, parley.PartID(m))
	}
	return post
}

// key reads key=, body= and age=, how long ago the first attempt was.
func (p *play) key(t *testing.T, d *datadriven.TestData) (cmd parley.Command) {
	if !d.HasArg("key") {
		return cmd
	}
	cmd.First = p.now
	copy(cmd.ID[:], word(d, "key"))
	copy(cmd.Body[:], word(d, "body"))
	if d.HasArg("age") {
		cmd.First = p.now.Add(-duration(t, word(d, "age")))
	}
	return cmd
}

// others reads to=(...) and many=n, a crowd.
func (p *play) others(t *testing.T, d *datadriven.TestData) (out []parley.Participant) {
	for _, w := range words(d, "to") {
		out = append(out, who(w))
	}
	if d.HasArg("many") {
		var n int
		d.ScanArgs(t, "many", &n)
		for i := range n {
			out = append(out, who(fmt.Sprintf("p%03d", i)))
		}
	}
	return out
}

// who reads name, name:moderator, name:invited or :outside, somebody without an account.
func who(word string) parley.Participant {
	name, is, _ := strings.Cut(word, ":")
	p := parley.Participant{ID: parley.PartID(name), Account: parley.AccountID(name), Name: strings.ToUpper(name)}
	switch is {
	case "invited":
		p.State = parley.StateInvited
	case "outside":
		p.ID, p.Account, p.Address = "out", "", "x@example.org"
	default:
		p.Role = parley.Role(is)
	}
	return p
}

// pages prints what a flush would write, and flushes.
func (p *play) pages() string {
	var b strings.Builder
	dirty := p.Dirty()
	for _, key := range slices.Sorted(maps.Keys(dirty)) {
		switch page := dirty[key].(type) {
		case *CursorsPage:
			fmt.Fprintf(&b, "%s low=%d %v\n", key, page.Low, page.Laggers)
		case *StampsPage:
			fmt.Fprintf(&b, "%s %v\n", key, page.Runs)
		case *KeysPage:
			fmt.Fprintf(&b, "%s of %d\n", key, len(page.Keys))
		case nil:
			fmt.Fprintf(&b, "%s dropped\n", key)
		default:
			fmt.Fprintf(&b, "%s\n", key)
		}
	}
	p.Clean()
	return b.String()
}

func words(d *datadriven.TestData, name string) []string {
	for _, arg := range d.CmdArgs {
		if arg.Key == name {
			return arg.Vals
		}
	}
	return nil
}

func word(d *datadriven.TestData, name string) string {
	return strings.Join(words(d, name), " ")
}

func acc(d *datadriven.TestData, name string) parley.AccountID {
	return parley.AccountID(word(d, name))
}

func seq(t *testing.T, d *datadriven.TestData, name string) parley.Seq {
	var n uint64
	d.ScanArgs(t, name, &n)
	return parley.Seq(n)
}

func duration(t *testing.T, s string) time.Duration {
	n, err := time.ParseDuration(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
