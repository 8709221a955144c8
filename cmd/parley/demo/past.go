package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parley-im/parley/client"
	"github.com/parley-im/parley/cmd/parley/verb"
)

// conversations are Ana's mail of the months before, written for this play.
//
//go:embed conversations/*.mbox
var conversations embed.FS

// tides is the file that came with the first message about the boat.
const tides = "day,high,low\nSaturday,09:12,15:31\nSunday,10:04,16:20\n"

// importMail files the old mail, twice: the second time nothing is new.
func (p *play) importMail(ctx context.Context) error {
	p.story.scene("Ana brings her old mail.")
	paths, err := p.unpack()
	if err != nil {
		return err
	}
	for _, want := range []string{"14 messages: 14 added, 0 known", "14 messages: 0 added, 14 known"} {
		got, err := p.house.run(ctx, &verb.Import{Account: p.ana.address, Folder: "inbox", Paths: paths}, "")
		if err == nil {
			err = p.story.check("import says "+want, got, want)
		}
		if err != nil {
			return err
		}
	}
	threads, err := p.ana.threads(ctx, "inbox")
	if err != nil {
		return err
	}
	counts := map[string]int64{}
	for _, t := range threads {
		counts[t.Subject] = t.Messages
		p.story.tell("%d messages: %s", t.Messages, t.Subject)
	}
	want := map[string]int64{"The boat on Saturday": 3, "周五的茶会": 4, "写真展のお知らせ": 3, "موعد نادي القراءة": 4}
	return p.story.check("four threads in four languages, each whole", counts, want)
}

func (p *play) unpack() (paths []string, err error) {
	entries, err := conversations.ReadDir("conversations")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := conversations.ReadFile("conversations/" + e.Name())
		if err != nil {
			return nil, err
		}
		path := filepath.Join(p.desk, e.Name())
		if err := os.WriteFile(path, text, 0o600); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// attachment opens what came with a mail.
func (p *play) attachment(ctx context.Context) error {
	boat, err := p.threadAbout(ctx, p.ana, "The boat on Saturday")
	if err != nil {
		return err
	}
	messages, err := p.ana.messages(ctx, boat.ID)
	if err != nil {
		return err
	}
	if len(messages) == 0 || len(messages[0].Attachments) != 1 {
		return fmt.Errorf("the first message about the boat has no attachment")
	}
	file := messages[0].Attachments[0]
	content, err := read(p.ana.GetBlob(ctx, file.Blob, client.GetBlobParams{}))
	if err != nil {
		return err
	}
	_, err = read(p.bo.GetBlob(ctx, file.Blob, client.GetBlobParams{}))
	p.story.tell("She opens %s: %s.", file.Name, strings.Split(tides, "\n")[1])
	return first(
		p.story.check("an attachment comes back byte for byte", content, tides),
		p.story.check("nobody else can open it", refusal(err), client.ProblemCodeNotFound),
	)
}

// read reads a download whole.
func read(d *client.Download, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer d.Close()
	text, err := io.ReadAll(d)
	return string(text), err
}

// refusal is the code of a problem; "" is none.
func refusal(err error) client.ProblemCode {
	p := (*client.Problem)(nil)
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

func (p *play) threadAbout(ctx context.Context, who *person, subject string) (client.Thread, error) {
	threads, err := who.threads(ctx, "")
	if err != nil {
		return client.Thread{}, err
	}
	for _, t := range threads {
		if t.Subject == subject {
			return t, nil
		}
	}
	return client.Thread{}, fmt.Errorf("%s has no thread %q: %w", who.name, subject, errNotYet)
}
