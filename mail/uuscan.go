package mail

import (
	"bytes"
	"strconv"
)

// uuScan finds the files that old mailers put into the text between "begin
// 644 name" and "end".
type uuScan struct {
	text *Part
	file *Part // begun
}

func (u *uuScan) look(s *scan, ln line) {
	if ln.rest {
		return
	}
	if u.file == nil {
		u.begin(s, ln)
	} else if string(bytes.TrimSpace(ln.text)) == "end" {
		f := u.file
		f.Length = ln.off + int64(len(ln.text)) - f.Offset
		f.Path = u.text.Path + ".u" + strconv.Itoa(len(u.text.uu)+1)
		u.text.uu = append(u.text.uu, f)
		s.parts = append(s.parts, f)
		u.file = nil
	}
}

// begin takes the first line of a file if the next is uuencoded indeed.
func (u *uuScan) begin(s *scan, ln line) {
	if !bytes.HasPrefix(ln.text, []byte("begin ")) || len(s.parts) >= MaxParts {
		return
	}
	mode, name, ok := bytes.Cut(bytes.TrimSpace(ln.text[len("begin "):]), []byte{' '})
	if !ok || len(mode) < 3 || len(mode) > 4 || len(bytes.Trim(mode, "01234567")) > 0 {
		return
	}
	f := &Part{Type: "application/octet-stream", Disposition: "attachment", Encoding: UUEncode,
		Filename:     safeFilename((&charsets{left: 1}).utf8(name)),
		HeaderOffset: ln.off, Offset: ln.off}
	next, _, _ := bytes.Cut(s.in.ahead(100), []byte{s.in.eol}) // moves the window: ln is not read again
	if uuLine(trimEOL(next)) {
		u.file = f
	}
}
