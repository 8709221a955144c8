package actors

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/blob"
	"github.com/parley-im/parley/mail"
)

// lossy is blobs of which some are gone.
type lossy struct {
	Blobs
	gone map[parley.Digest]bool
}

func (l *lossy) Open(ctx context.Context, d parley.Digest) (blob.Blob, error) {
	if l.gone[d] {
		return nil, parley.E(parley.NotFound, "test.open", "gone")
	}
	return l.Blobs.Open(ctx, d)
}

// A post is exported with its attachments; where one of them is gone it is told,
// and no part of it written.
func TestExportOfAttachments(t *testing.T) {
	blobs := &lossy{gone: map[parley.Digest]bool{}}
	w := newWorld(t, vfs.NewMem(), newPeople("ana", "bo"), func(c *Config) { blobs.Blobs, c.Blobs = c.Blobs, blobs })
	ana := accountID("ana")
	files := map[string]string{"a \"picture\"\r\nX: y.png": strings.Repeat("png\x00", 500), "Grüße.eml": "From: x\n\nhello\n", "": ""}
	types := map[string]string{"Grüße.eml": "message/rfc822"}
	for i, text := range []string{"three of them", "one that is lost"} {
		post := &parley.Post{Text: text}
		for name, content := range files {
			at, _, err := w.c.Upload(ctxFor(t), ana, cmd(ana, fmt.Sprint("upload", i, name)), name, types[name], strings.NewReader(content+text[:i]))
			if err != nil {
				t.Fatal(err)
			}
			post.Attachments = append(post.Attachments, at.Blob)
		}
		if _, _, _, err := w.c.CreateRoom(ctxFor(t), ana, cmd(ana, text), parley.NewRoom{To: []parley.Recipient{{Account: accountID("bo")}}, First: post}); err != nil {
			t.Fatal(err)
		}
	}
	blobs.gone[parley.Digest(mail.Digest([]byte("From: x\n\nhello\no")))] = true
	exported, lost := 0, 0
	err := w.c.EachMessage(ctxFor(t), ana, func(m parley.Message, raw io.Reader) error {
		exported++
		b, err := io.ReadAll(raw)
		got := mail.Parse(b)
		if err != nil || m.Text != "three of them" || got.Readable() != m.Text || len(got.Attachments) != len(files) {
			t.Fatalf("%d attachments, %v: %s", len(got.Attachments), err, b)
		}
		for i, at := range got.Attachments {
			content, err := io.ReadAll(at.Decode(bytes.NewReader(b)))
			want, there := files[m.Attachments[i].Name]
			if err != nil || !there || string(content) != want {
				t.Errorf("attachment %q as %q: %q, %v", m.Attachments[i].Name, at.Filename, content, err)
			}
		}
		if !strings.Contains(string(b), "Gr%C3%BC%C3%9Fe.eml") || strings.Contains(string(b), "\nX: y") || strings.Contains(string(b), "Content-Type: message/") {
			t.Errorf("headers of parts: %s", b)
		}
		return nil
	}, func(parley.MessageID, error) { lost++ })
	if err != nil || exported != 1 || lost != 1 {
		t.Errorf("%d exported, %d lost, %v", exported, lost, err)
	}
}
