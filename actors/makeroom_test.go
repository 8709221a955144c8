package actors

import (
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

// A room that is made of a mail thread begins with its messages, as others wrote
// them; a repeat makes nothing more, also once the mail is gone; only the maker's
// copy knows where they came from.
func TestMakeRoom(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ana, bo, ctx := accountID("ana"), accountID("bo"), ctxFor(t)
	raws := []string{
		mailText(1, 0),
		"From: Bo <bo@example.org>\r\nSubject: Re: Number 1\r\nMessage-ID: <2@x>\r\nIn-Reply-To: <1@x>\r\n\r\nMine\r\n\r\nOn Monday P1 wrote:\r\n> Text 1\r\n",
		"From: Cy <cy@else.where>\r\nSubject: Re: Number 1\r\nMessage-ID: <3@x>\r\nIn-Reply-To: <2@x>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee this\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nattached\r\n--b--\r\n",
	}
	for _, raw := range raws {
		if err := w.mail(t, "ana", raw); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{}, 0)
	if err != nil || len(l.Items) != 1 {
		t.Fatalf("%+v %v", l, err)
	}
	of := l.Items[0].ID
	ask := parley.RoomOfMail{NewRoom: parley.NewRoom{To: []parley.Recipient{{Account: bo}}}}
	p, err := w.c.PreviewRoom(ctx, ana, of, ask)
	if err != nil || len(p.Messages) != 3 || len(p.Participants) != 2 || len(p.Outside) != 2 || p.Messages[1].Text != "Mine" {
		t.Fatalf("the preview is %+v, %v", p, err)
	}
	room, rev, _, err := w.c.MakeRoom(ctx, ana, cmd(ana, "make"), of, ask)
	if err != nil || room.Subject != "Number 1" || room.Messages != 3 || room.Unread != 0 || len(room.Linked) != 1 || room.Linked[0] != of {
		t.Fatalf("the room is %+v, %v", room, err)
	}
	if th, _, err := w.c.Thread(ctx, ana, of, rev); err != nil || len(th.Linked) != 1 || th.Linked[0] != room.ID {
		t.Errorf("the mail thread links to %v, %v", th.Linked, err)
	}
	if _, err := w.c.DeleteThread(ctx, ana, cmd(ana, "d1"), 0, of); err != nil {
		t.Fatal(err)
	}
	if _, err := w.c.DeleteThread(ctx, ana, cmd(ana, "d2"), 0, of); err != nil {
		t.Fatal(err)
	}
	again, _, replayed, err := w.c.MakeRoom(ctx, ana, cmd(ana, "make"), of, ask)
	if err != nil || !replayed || again.ID != room.ID || again.Messages != 3 {
		t.Errorf("the repeat says %+v, %t, %v", again, replayed, err)
	}
	w.texts(t, "bo", room.ID, 3)
	got, err := w.c.Messages(ctx, bo, room.ID, "", parley.Page{Limit: 10}, 0)
	if err != nil || len(got.Items) != 3 {
		t.Fatalf("Bo has %+v, %v", got, err)
	}
	m := got.Items[2]
	if m.Author != (parley.Author{Name: "Cy", Address: "cy@else.where"}) || m.Channel != parley.ChannelMail || m.Text != "See this" || len(m.Attachments) != 1 {
		t.Errorf("the last message reads %+v", m)
	}
	if who := got.Items[1].Author; who.Account != "" || who.Address != "bo@example.org" {
		t.Errorf("the mail of Bo's address is by %+v: an address is no proof", who)
	}
	if th, _, err := w.c.Thread(ctx, bo, room.ID, 0); err != nil || len(th.Linked) != 0 {
		t.Errorf("Bo's copy links to %v, %v", th.Linked, err)
	}
	exported := ""
	err = w.c.EachMessage(ctx, bo, func(m parley.Message, raw io.Reader) error {
		b, err := io.ReadAll(raw)
		exported += string(b)
		return err
	}, nil)
	if n := strings.Count(exported, "From: "); err != nil || n != 3 || !strings.Contains(exported, "Date: ") || !strings.Contains(exported, "\n\nSee this\n") {
		t.Errorf("Bo exports %d messages, %v: %s", n, err, exported)
	}
	w.clean(t)
}
