package mailbox_test

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// transfer starts an import or export, or goes on with one, beside all else.
func (p *play) transfer() {
	p.tick()
	if len(p.naive.errands) == 0 || p.pick(4, "start") == 0 {
		p.startTransfer()
		return
	}
	e := p.naive.errands[p.pick(len(p.naive.errands), "errand")]
	switch rapid.IntRange(0, 9).Draw(p.T, "what") {
	case 0:
		p.errand(mailbox.CancelJob{Cmd: p.key(), Job: e.ID})
	case 1:
		p.errand(mailbox.EndTransfer{Job: e.ID, Error: "broken"})
	default:
		if e.Kind == parley.JobImport {
			p.importPart(e)
		} else {
			p.exportPart(e)
		}
	}
}

func (p *play) startTransfer() {
	c := mailbox.StartTransfer{Cmd: p.key(), Job: p.job(), Kind: draw(p, "kind", parley.JobImport, parley.JobExport)}
	c.Transfer.Folder = draw(p, "folder", "", parley.Inbox, ownFolders[0], ownLabels[0], "fld_x")
	if c.Kind == parley.JobImport && p.pick(8, "no archive") > 0 {
		c.Transfer.Digest = digest("archive")
	}
	p.errand(c)
	if !c.Cmd.ID.IsZero() && p.some("repeat") {
		p.errand(c)
	}
}

// importPart brings a few letters, new and known, at times in a part that is out
// of place.
func (p *play) importPart(e *errand) {
	c := mailbox.TransferPart{Job: e.ID, From: e.Done, Refused: int64(p.pick(2, "refused"))}
	if p.pick(6, "elsewhere") == 0 {
		c.From += draw(p, "off", int64(-1), 1, 2)
	}
	c.To = c.From
	for range p.pick(4, "letters") {
		l := letter{id: fmt.Sprint("moved ", p.pick(12, "which")), from: "ana@out", at: p.now, references: set(chosen(p, "references", 2, "a", "b", "c"))}
		p.imported(&l)
		l.text = fmt.Sprint(l.id, " of ", l.from, l.references) // read alike means the same
		l.quota = draw(p, "quota", 0, 0, 0, int64(500))
		c.To++
		c.Letters = append(c.Letters, mailbox.Letter{N: c.To, Mail: l.command()})
	}
	c.To += c.Refused
	c.Total = c.To + int64(p.pick(3, "more"))
	if p.pick(4, "end") == 0 {
		c.State = parley.JobDone
	}
	p.errand(c)
}

func (p *play) exportPart(e *errand) {
	p.n++
	c := mailbox.TransferPart{Job: e.ID, To: int64(p.pick(9, "to")), Total: 5}
	if p.some("end") {
		c.State = parley.JobDone
		c.Made = mailbox.Made{Blob: blobID("export", p.n), Digest: digest("export", p.n), Name: "mail.zip", Bytes: 3}
	}
	p.errand(c)
}

// errand gives the command to the product and to the naive mailbox, and compares
// all imports and exports.
func (p *play) errand(cmd any) {
	since := len(p.twins.log)
	got, err := p.twins.do(cmd, p.now)
	filed := map[parley.MessageID]parley.ThreadID{}
	for _, raw := range p.twins.log[since:] {
		if a := p.twins.decoded(raw); a.Filed != nil {
			filed[a.Filed.Message.ID] = a.Filed.Message.Thread
		}
	}
	want, wantErr := p.naive.transfer(cmd, p.now, filed)
	if parley.CodeOf(err) != parley.CodeOf(wantErr) || (err == nil) != (wantErr == nil) {
		p.Fatalf("%+v\ngot  %+v, %v\nwant %+v, %v", cmd, got, err, want, wantErr)
	}
	l := &lookout{t: p.T, s: p.twins.whole, n: p.naive, now: p.now}
	l.is("reply", got, nil, want)
	l.figures()
	l.errands()
}

// errands compares the imports and exports, their line, and what opens.
func (l *lookout) errands() {
	l.t.Helper()
	var line []parley.JobID
	for _, e := range l.n.errands {
		if !e.State.Over() {
			line = append(line, e.ID)
		}
		j, err := l.s.Job(e.ID, l.now)
		if l.n.errandOf(e.ID) == nil {
			if parley.CodeOf(err) != parley.NotFound {
				l.t.Fatalf("job %s, which is over for long: %+v, %v", e.ID, j, err)
			}
			continue
		}
		if err != nil {
			l.t.Fatalf("job %s: %v", e.ID, err)
		}
		got := []any{j.State, j.Done, j.Total, j.Transfer.Added, j.Transfer.Known, j.Transfer.Refused, j.Transfer.Blob}
		l.is("job "+string(e.ID), got, nil, []any{e.State, e.Done, e.Total, e.Transfer.Added, e.Transfer.Known, e.Transfer.Refused, e.made})
		if e.made != "" {
			if _, _, err := l.s.Blob(e.made, l.now); err != nil {
				l.t.Fatalf("the archive of %s: %v", e.ID, err)
			}
		}
	}
	l.is("line", l.s.Transfers(), nil, line)
}
