package maildir

import (
	"slices"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

func TestParseName(t *testing.T) {
	for _, tc := range []struct {
		file, unique, flags string
		keywords            []parley.Keyword
		trashed             bool
	}{
		{file: "1.a.host", unique: "1.a.host"},
		{file: "1.a.host:2,", unique: "1.a.host"},
		{"1.a.host:2,FRS", "1.a.host", "FRS", []parley.Keyword{parley.Flagged, parley.Answered, parley.Seen}, false},
		{"1.a,S=12,W=13:2,ST", "1.a,S=12,W=13", "ST", []parley.Keyword{parley.Seen}, true},
		{"1.a;2,SSD", "1.a", "DS", []parley.Keyword{parley.Draft, parley.Seen}, false},
		{"1.a!2,P", "1.a", "P", []parley.Keyword{"$forwarded"}, false},
		{"1.a:2,Sab", "1.a", "Sab", []parley.Keyword{parley.Seen}, false},
		{"1.a:2,S,F", "1.a", "S", []parley.Keyword{parley.Seen}, false},
		{"1.a:1,S", "1.a:1,S", "", nil, false}, // the experimental form says nothing
	} {
		n, ok := ParseName(tc.file)
		if !ok || n.Unique != tc.unique || n.Flags != tc.flags || !slices.Equal(Keywords(n.Flags), tc.keywords) || n.Trashed() != tc.trashed {
			t.Errorf("%s: got %+v, %v, %v, %v", tc.file, n, ok, Keywords(n.Flags), n.Trashed())
		}
	}
	for _, file := range []string{"", ".", ".nfs0001"} {
		if n, ok := ParseName(file); ok {
			t.Errorf("%q: got %+v", file, n)
		}
	}
}

func TestReceived(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(2025, 3, 3, 8, 0, 0, 123456000, time.UTC),
		time.Date(1969, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
	} {
		n, _ := ParseName(Name{Unique: Unique(at, 7), Flags: "S"}.String())
		if got, ok := n.Received(); !ok || !got.Equal(at) {
			t.Errorf("%s: got %v, %v, want %v", n, got, ok, at)
		}
	}
	for _, other := range []string{"1741000000.M123456P12.mail", "1741000000.M12Q1.parley", "x.M123456Q1.parley"} {
		if at, ok := (Name{Unique: other}).Received(); ok {
			t.Errorf("%s: got %v", other, at)
		}
	}
}

func TestFolder(t *testing.T) {
	for name, want := range map[string]parley.FolderID{
		".Sent": parley.Sent, ".INBOX.Sent Items": parley.Sent, ".[Gmail].Sent Mail": parley.Sent, "Sent": parley.Sent,
		".Archive.2019.03": parley.Archive, ".INBOX": parley.Inbox, "": parley.Inbox, ".JUNK": parley.Spam, ".Deleted Messages": parley.Trash,
		".Projects": "", ".Projects.Sent": "", ".INBOX.Projects": "", "..": "", ".Sentinel": "",
	} {
		if got, ok := Folder(name); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, got, ok, want)
		}
	}
	for _, id := range parley.FixedFolders {
		if got, ok := Folder(Subfolder(id)); got != id || !ok {
			t.Errorf("%s comes back as %q, %v", id, got, ok)
		}
	}
}

func TestFlags(t *testing.T) {
	all := []parley.Keyword{parley.Seen, "$unknown", parley.Draft, parley.Flagged, parley.Answered, "$forwarded", parley.Seen}
	if got := Flags(all); got != "DFPRS" {
		t.Errorf("got %q", got)
	}
	if got := Flags(nil); got != "" {
		t.Errorf("got %q", got)
	}
}

// What is read is written in a form that reads the same.
func FuzzName(f *testing.F) {
	f.Add("1741000000.M000001Q1.parley:2,FS")
	f.Add("a:2,:2,S;2,T")
	f.Add("\xff!2,zZ\x00")
	f.Fuzz(func(t *testing.T, file string) {
		n, ok := ParseName(file)
		if !ok {
			return
		}
		again, ok := ParseName(n.String())
		if !ok || again.Flags != n.Flags || again.Unique != n.Unique {
			t.Errorf("%q: %+v, then %+v, %v", file, n, again, ok)
		}
		if flags := Flags(Keywords(n.Flags)); !slices.Equal(Keywords(flags), Keywords(n.Flags)) {
			t.Errorf("%q: %q", file, flags)
		}
		n.Received()
		Folder(file)
	})
}
