package portable

import (
	"slices"
	"testing"
	"time"

	"github.com/parley-im/parley"
)

func TestEMLName(t *testing.T) {
	at := time.Date(2025, 3, 3, 8, 0, 0, 1000, time.UTC)
	for _, tc := range []struct {
		name emlName
		want string
	}{
		{emlName{at, 12, []parley.FolderID{parley.Archive, parley.Inbox}, "FS"}, "20250303T080000.000001Z-00000012.archive+inbox.FS.eml"},
		{emlName{at.Add(-time.Microsecond), 123456789, []parley.FolderID{parley.Sent}, ""}, "20250303T080000.000000Z-123456789.sent.eml"},
		{emlName{time.Time{}, 1, []parley.FolderID{parley.Trash}, "S"}, "00010101T000000.000000Z-00000001.trash.S.eml"},
	} {
		got := tc.name.String()
		if got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
		back, ok := parseEML(got)
		if !ok || !back.at.Equal(tc.name.at) || !slices.Equal(back.folders, tc.name.folders) || back.flags != tc.name.flags {
			t.Errorf("%s: got %+v, %v", got, back, ok)
		}
	}
	for _, other := range []string{"", "Re: Nets.eml", "20251303T080000.000001Z-00000001.inbox.eml", "20250303T080000.000001Z-00000001.attic.eml", "20250303T080000.000001Z-00000001..eml"} {
		if got, ok := parseEML(other); ok {
			t.Errorf("%q: got %+v", other, got)
		}
	}
}
