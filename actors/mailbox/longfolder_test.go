package mailbox_test

import (
	"fmt"
	"testing"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/actors/mailbox"
)

// filledFolder is a mailbox with a long room and some mails in a folder of its own,
// every third mail in another folder, too, and all of it labelled.
func filledFolder(t *testing.T, posts int) *long {
	l := newLong(t, posts)
	for i := range 30 {
		m := l.letter(i)
		m.id, m.replies = fmt.Sprint("mail ", i), nil
		if m.import_, m.folders = true, []parley.FolderID{parley.Inbox}; i%3 == 0 {
			m.folders = append(m.folders, parley.Archive)
		}
		l.grow(m.command())
	}
	l.twins.store()
	l.do(mailbox.CreateFolder{ID: ownFolders[0], Name: "boats"})
	l.do(mailbox.CreateFolder{ID: ownLabels[0], Name: "urgent"})
	add := parley.Change{Add: []parley.FolderID{ownFolders[0], ownLabels[0]}, Remove: []parley.FolderID{parley.Inbox}}
	for id := range l.naive.threads {
		l.do(mailbox.ChangeThread{Job: job(1), Thread: id, Change: parley.ThreadChange{Change: add}})
	}
	l.compare()
	return l
}

// A folder with more messages than one action may touch is emptied in parts.
func TestDeleteLongFolder(t *testing.T) {
	for _, left := range []parley.Leaving{parley.LeaveArchive, parley.LeaveTrash, parley.LeaveRemove} {
		t.Run(string(left), func(t *testing.T) {
			l := filledFolder(t, 560)
			l.do(mailbox.DeleteFolder{Cmd: key(1), ID: ownFolders[0], Messages: left})
			l.compare()
			l.do(mailbox.DeleteFolder{Cmd: key(1), ID: ownFolders[0], Messages: left})
			l.do(mailbox.DeleteFolder{Cmd: key(2), ID: ownLabels[0], Messages: left})
			l.compare()
			l.twins.settle()
		})
	}
}

// A crash between two parts leaves a folder that is as far emptied as it was; the
// repeat goes on, and what came in meanwhile goes, too.
func TestDeleteFolderCutOff(t *testing.T) {
	l := filledFolder(t, 1100)
	c := mailbox.DeleteFolder{Cmd: key(1), ID: ownFolders[0], Messages: parley.LeaveTrash}
	l.cutSeries(c, 2)
	if n := l.count(ownFolders[0]); n == 0 || n > 700 {
		t.Fatalf("%d are left in the folder", n)
	}
	l.tell(mailbox.ChangeThread{Job: job(2), Thread: l.room.id, Change: parley.ThreadChange{Change: parley.Change{Add: []parley.FolderID{ownFolders[0]}}}})
	l.tell(c)
	if fs, err := l.twins.whole.Folders(); err != nil || len(fs) != len(parley.FixedFolders)+1 {
		t.Errorf("got %d folders, %v", len(fs), err)
	}
	if n := l.count(parley.Trash); n < 1100 {
		t.Errorf("%d are in Trash", n)
	}
	if r := l.tell(c); !r.Replayed {
		t.Errorf("got %+v", r)
	}
	l.twins.settle()
}

// What was in a folder that is gone by the time of its restoration is archived.
func TestRestoreToDeletedFolder(t *testing.T) {
	l := newLong(t, 2)
	l.do(mailbox.CreateFolder{ID: ownFolders[0], Name: "boats"})
	l.do(mailbox.CreateFolder{ID: ownLabels[0], Name: "urgent"})
	move := parley.Change{Folders: ownFolders[:1], Labels: ownLabels[:1]}
	l.do(mailbox.ChangeThread{Thread: l.room.id, Change: parley.ThreadChange{Change: move}})
	l.do(mailbox.ChangeThread{Thread: l.room.id, Op: mailbox.OpDelete})
	if n := l.count(ownLabels[0]); n != 0 {
		t.Errorf("%d in Trash have a label", n)
	}
	l.do(mailbox.DeleteFolder{ID: ownFolders[0]})
	l.do(mailbox.ChangeThread{Thread: l.room.id, Op: mailbox.OpRestore})
	if l.compare(); l.count(parley.Archive) != 2 || l.count(ownLabels[0]) != 2 {
		t.Errorf("%d archived, %d labelled", l.count(parley.Archive), l.count(ownLabels[0]))
	}
	l.twins.settle()
}

// The bounds of folders: how many, how deep, how long a name.
func TestFolderBounds(t *testing.T) {
	s := newSolo(t)
	var parent parley.FolderID
	for i := range parley.MaxFolderDepth {
		parent = s.ask(mailbox.CreateFolder{ID: folderID(i), Name: "x", Parent: parent}).Folder
	}
	refused := func(cmd any, code parley.Code) {
		t.Helper()
		if _, err := s.whole.Decide(cmd, s.now); parley.CodeOf(err) != code {
			t.Errorf("%+v: got %v, want %v", cmd, err, code)
		}
	}
	refused(mailbox.CreateFolder{ID: folderID("deep"), Name: "x", Parent: parent}, parley.BadRequest)
	s.ask(mailbox.CreateFolder{ID: folderID("top"), Name: "top"})
	refused(mailbox.ChangeFolder{ID: folderID(0), Change: parley.FolderChange{Parent: new(folderID("top"))}}, parley.BadRequest)
	refused(mailbox.ChangeFolder{ID: folderID(0), Change: parley.FolderChange{Parent: new(folderID(5))}}, parley.BadRequest)
	refused(mailbox.DeleteFolder{ID: folderID(0), Messages: parley.LeaveTrash}, parley.Conflict)
	refused(mailbox.CreateFolder{ID: folderID("z"), Name: "Ｉnbox\x00"}, parley.BadRequest)
	s.ask(mailbox.CreateFolder{ID: folderID("strasse"), Name: "Stra\u00dfe"})
	refused(mailbox.CreateFolder{ID: folderID("z"), Name: "STRASSE"}, parley.Conflict)
	refused(mailbox.CreateFolder{ID: labelID("z"), Name: "strasse"}, parley.Conflict)
	s.ask(mailbox.CreateFolder{ID: folderID("cafe"), Name: "Cafe\u0301"})
	refused(mailbox.CreateFolder{ID: folderID("z"), Name: "caf\u00c9"}, parley.Conflict)
	for i := 0; ; i++ {
		fs, _ := s.whole.Folders()
		if len(fs) == len(parley.FixedFolders)+parley.MaxFolders {
			break
		}
		s.ask(mailbox.CreateFolder{ID: folderID("many", i), Name: fmt.Sprint("many ", i)})
	}
	refused(mailbox.CreateFolder{ID: folderID("z"), Name: "one more"}, parley.Conflict)
}
