package mailbox_test

import (
	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// recount holds a whole state's figures to its message pages.
func recount(t tester, s *mailbox.State) {
	t.Helper()
	var h mailbox.Header
	var drafts int64
	threads := map[parley.ThreadID]*mailbox.Thread{}
	folders := map[parley.FolderID]parley.Counts{}
	per := map[parley.ThreadID]*mailbox.Thread{}
	for _, p := range s.Pages() {
		switch p := p.(type) {
		case *mailbox.Header:
			h = *p
		case *mailbox.Thread:
			threads[p.ID] = p
		case *mailbox.Message:
			if p.Draft.Kind != "" {
				drafts++
				tallyFolders(folders, p)
			} else if p.Notice == "" {
				tally(per, folders, p)
			}
		}
	}
	messages := drafts
	for id, want := range per {
		got := threads[id]
		if got == nil || got.Into != "" || got.Messages != want.Messages || got.Unread != want.Unread {
			t.Fatalf("thread %s: got %+v, want %d messages, %d unread", id, got, want.Messages, want.Unread)
		}
		p, err := s.Messages(id, "", parley.Page{Limit: 200}, false)
		if err != nil || p.Total != want.Messages || int64(len(p.Items)) != min(200, want.Messages) {
			t.Fatalf("thread %s lists %d of %d, %v; want %d", id, len(p.Items), p.Total, err, want.Messages)
		}
		messages += want.Messages
	}
	if h.Messages != messages {
		t.Fatalf("got %d messages, want %d", h.Messages, messages)
	}
	for _, f := range h.Folders {
		if want := folders[f.Folder]; f.Messages != want.Messages || f.Unread != want.Unread {
			t.Fatalf("folder %s: got %+v, want %+v", f.Folder, f.Counts, want)
		}
		delete(folders, f.Folder)
	}
	if len(folders) > 0 {
		t.Fatalf("folders %v are not counted", folders)
	}
}

func tally(per map[parley.ThreadID]*mailbox.Thread, folders map[parley.FolderID]parley.Counts, m *mailbox.Message) {
	public := m.Public()
	unread := int64(0)
	if !public.Has(parley.Seen) && !public.Has(parley.Draft) {
		unread = 1
	}
	if per[m.Thread] == nil {
		per[m.Thread] = &mailbox.Thread{}
	}
	per[m.Thread].Messages++
	per[m.Thread].Unread += unread
	tallyFolders(folders, m)
}

func tallyFolders(folders map[parley.FolderID]parley.Counts, m *mailbox.Message) {
	public := m.Public()
	unread := int64(0)
	if !public.Has(parley.Seen) && !public.Has(parley.Draft) {
		unread = 1
	}
	for _, f := range m.Folders {
		c := folders[f]
		c.Messages++
		c.Unread += unread
		folders[f] = c
	}
}
