package actors

import (
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
)

const htmlMail = "From: P <p@else.where>\r\nTo: ana@example.org\r\nSubject: S\r\nMessage-ID: <h1@x>\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>Caf\xe9<img src=cid:logo@x>\r\n" +
	"--b\r\nContent-Type: image/png\r\nContent-ID: <logo@x>\r\n\r\nPNG\r\n--b--\r\n"

// TestHTML: the HTML of a mail comes with its parts, from the row and from a blob;
// what has none, or is gone, says so.
func TestHTML(t *testing.T) {
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"))
	ctx, ana := ctxFor(t), accountID("ana")
	w.arrive(t, "ana", htmlMail)
	w.arrive(t, "ana", strings.Replace(strings.Replace(htmlMail, "h1@x", "h2@x", 1), "PNG", strings.Repeat("PNG ", maxRawInRow), 1))
	w.arrive(t, "ana", mailText(1, 0))
	l, err := w.c.Threads(ctx, ana, parley.ThreadQuery{Folder: parley.Inbox}, 0)
	if err != nil || len(l.Items) != 3 {
		t.Fatalf("%d threads, %v", len(l.Items), err)
	}
	for _, th := range l.Items[1:] {
		b, err := w.c.HTML(ctx, ana, th.LastMessage)
		if err != nil || b.HTML != "<p>Café<img src=cid:logo@x>" || b.Subject != "S" || len(b.Parts) != 1 || b.Parts[0].CID != "logo@x" {
			t.Errorf("got %+v %v", b, err)
			continue
		}
		if _, err := w.c.OpenBlob(ctx, ana, b.Parts[0].Blob); err != nil {
			t.Errorf("its part: %v", err)
		}
	}
	if _, err := w.c.HTML(ctx, ana, l.Items[0].LastMessage); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("of a text: %v, want not found", err)
	}
	if _, err := w.c.HTML(ctx, accountID("bo"), l.Items[1].LastMessage); parley.CodeOf(err) != parley.NotFound {
		t.Errorf("of another's: %v, want not found", err)
	}
	w.purge(t, "ana")
	if _, err := w.c.HTML(ctx, ana, l.Items[1].LastMessage); parley.CodeOf(err) != parley.NotFound && parley.CodeOf(err) != parley.Gone {
		t.Errorf("of what was purged: %v", err)
	}
	w.clean(t)
}
