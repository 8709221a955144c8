package codec

import (
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func (w *writer) reparsed(p *mailbox.Reparsed) *record.Reparsed {
	return &record.Reparsed{Message: w.file(&p.Message), Contact: hash(p.Contact), Blanked: p.Blanked}
}

func (r *reader) reparsed(p *record.Reparsed) *mailbox.Reparsed {
	return &mailbox.Reparsed{Message: r.file(p.GetMessage()), Contact: unhash[mailbox.Hash](r, p.GetContact()), Blanked: p.GetBlanked()}
}
