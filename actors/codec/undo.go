package codec

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func undoing(u *mailbox.Undoing) *record.Undoing {
	return &record.Undoing{
		Of: uint64(u.Of), By: digest(u.By), Next: uint64(u.Next), Undone: u.Undone.Undone, Skipped: u.Undone.Skipped,
		Expires: micros(u.Expires),
	}
}

func (r *reader) undoing(u *record.Undoing) *mailbox.Undoing {
	return &mailbox.Undoing{
		Of: parley.Revision(u.Of), By: r.digest(u.By), Next: parley.Revision(u.Next),
		Undone: mailbox.Undone{Undone: u.Undone, Skipped: u.Skipped}, Expires: moment(u.Expires),
	}
}

// places are absent where there are none.
func places(ps mailbox.Places) *record.Places {
	if len(ps.Kinds) == 0 && len(ps.Which) == 0 {
		return nil
	}
	return &record.Places{Kinds: each(ps.Kinds, place), Which: ps.Which}
}

func (r *reader) places(ps *record.Places) mailbox.Places {
	return mailbox.Places{Kinds: each(ps.GetKinds(), r.place), Which: ps.GetWhich()}
}

func place(p mailbox.Place) *record.Place {
	return &record.Place{
		Folders: names(folders, p.Folders), Before: names(folders, p.Before), Keywords: names(keywords, p.Keywords),
	}
}

func (r *reader) place(p *record.Place) mailbox.Place {
	return mailbox.Place{
		Folders: unnames(r, folders, p.GetFolders()), Before: unnames(r, folders, p.GetBefore()),
		Keywords: unnames(r, keywords, p.GetKeywords()),
	}
}
