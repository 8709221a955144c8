package codec

import (
	"github.com/parley-im/parley/actors/mailbox"
	"github.com/parley-im/parley/persistence/record"
)

func (w *writer) filed(f *mailbox.Filed) *record.Filed {
	return &record.Filed{
		Message: w.file(&f.Message), Text: f.Text, Room: optional(f.Room, w.roomSet), Contact: hash(f.Contact),
		Blanked: f.Blanked, Sent: each(f.Sent, revision),
	}
}

func (r *reader) filed(f *record.Filed) *mailbox.Filed {
	return &mailbox.Filed{
		Message: r.file(f.GetMessage()), Text: f.GetText(), Room: optional(f.GetRoom(), r.roomSet),
		Contact: unhash[mailbox.Hash](r, f.GetContact()), Blanked: f.GetBlanked(),
		Sent: each(f.GetSent(), unrevision),
	}
}

func (w *writer) roomSet(s *mailbox.RoomSet) *record.RoomSet {
	return &record.RoomSet{
		Subject: s.Subject, Open: s.Open, History: w.newHistory(s.History), Parts: each(s.Parts, w.listed),
		Whole: s.Whole, State: number[record.PartState](w, states, s.State), Linked: threadID(s.Linked),
		Offshoot: optional(s.Offshoot, offshoot),
	}
}

func (r *reader) roomSet(s *record.RoomSet) *mailbox.RoomSet {
	return &mailbox.RoomSet{
		Subject: s.Subject, Open: s.Open, History: r.newHistory(s.History), Parts: each(s.Parts, r.participant),
		Whole: s.Whole, State: word(r, states, s.State), Linked: r.threadID(s.Linked),
		Offshoot: optional(s.Offshoot, r.offshoot),
	}
}

func (w *writer) arrived(a *mailbox.Arrived) *record.Arrived {
	return &record.Arrived{
		Message: message(a.Message), Thread: threadID(a.Thread), Arrival: w.arrival(a.Arrival), Folders: names(folders, a.Folders),
		Keywords: names(keywords, a.Keywords), Blanked: a.Blanked,
	}
}

func (r *reader) arrived(a *record.Arrived) *mailbox.Arrived {
	return &mailbox.Arrived{
		Message: r.message(a.GetMessage()), Thread: r.threadID(a.GetThread()), Arrival: r.arrival(a.GetArrival()), Folders: unnames(r, folders, a.GetFolders()),
		Keywords: unnames(r, keywords, a.GetKeywords()), Blanked: a.GetBlanked(),
	}
}
