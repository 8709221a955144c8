package mail

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// isTNEF reports winmail.dat, in which Exchange and Outlook wrap a message for
// their like (MS-OXTNEF).
func isTNEF(p *Part) bool {
	return p.Type == "application/ms-tnef" || p.Type == "application/vnd.ms-tnef" ||
		p.Type == "application/octet-stream" && strings.EqualFold(p.Filename, "winmail.dat")
}

// tnefStream is what is worth having of one: its body, and its files by where
// they stand in the decoded bytes.
type tnefStream struct {
	text, html string
	files      []*Part
}

// openTNEF finds the files in a stream. What cannot be read ends it; what came
// before counts.
func (r *reader) openTNEF(m *Message, p *Part) {
	t := tnef{in: newCounted(r.decode(p)), out: &tnefStream{}, cs: r.cs, codepage: "windows-1252"}
	t.read()
	if t.in.err != io.EOF && t.in.err != errTNEF {
		r.fail(t.in.err)
	}
	f := &file{part: p, size: p.Size}
	t.out.files = slices.DeleteFunc(t.out.files, func(x *Part) bool { return x.Offset >= f.size }) // cut off
	if !t.seen || !r.affords(m, f.size, len(t.out.files)) {
		return
	}
	t.body()
	for i, x := range t.out.files {
		x.Path, x.within = p.Path+".t"+strconv.Itoa(i+1), f
		x.Length = min(x.Length, f.size-x.Offset)
		x.Size = x.Length
		x.Filename = firstOf(x.Filename, "file "+strconv.Itoa(i+1))
	}
	p.stream, p.files = t.out, t.out.files
	m.Parts = append(m.Parts, t.out.files...)
}

// The attributes that are read (MS-OXTNEF 2.1.3.2): their ids with their types.
const (
	tnefCodepage   = 0x00069007
	tnefBody       = 0x0002800c
	tnefProps      = 0x00069003
	tnefNewFile    = 0x00069002
	tnefFileTitle  = 0x00018010
	tnefFileData   = 0x0006800f
	tnefFileProps  = 0x00069005
	tnefSignature  = 0x223e9f78
	maxTNEFValue   = 1 << 20 // of a body
	maxTNEFFiles   = 200
	maxTNEFProps   = 10_000
	maxTNEFStrings = 1 << 10 // of a name
)

// tnef reads one stream.
type tnef struct {
	in       *counted
	out      *tnefStream
	cs       *charsets
	codepage string
	seen     bool  // the signature
	file     *Part // the last begun
	plain    []byte
	unicode  []byte
	html     []byte
	rtf      []byte
}

// read goes over the attributes: level, id, length, data, checksum.
func (t *tnef) read() {
	if t.in.u32() != tnefSignature || t.in.u16() < 0 || t.in.err != nil {
		return
	}
	for t.seen = true; t.in.err == nil; {
		level := t.in.u8()
		id, n := t.in.u32(), t.in.u32()
		if t.in.err != nil || level != 1 && level != 2 {
			return
		}
		end := t.in.at + n
		t.attribute(id, n, end)
		t.in.skip(end - t.in.at)
		t.in.u16()
	}
}

func (t *tnef) attribute(id, n, end int64) {
	switch id {
	case tnefCodepage:
		if cp := t.in.u32(); cp > 0 && n >= 4 {
			t.codepage = codepageName(cp)
		}
	case tnefBody:
		t.plain = t.in.bytes(min(n, maxTNEFValue))
	case tnefProps:
		t.props(end, t.messageProp)
	case tnefNewFile:
		t.begin()
	case tnefFileTitle:
		if t.file != nil && t.file.Filename == "" {
			t.file.Filename = safeFilename(t.text(t.in.bytes(min(n, maxTNEFStrings)), false))
		}
	case tnefFileData:
		if t.file != nil {
			t.place(t.in.at, n)
		}
	case tnefFileProps:
		if t.file != nil {
			t.props(end, t.fileProp)
		}
	}
}

// begin makes a file; it counts once it has content.
func (t *tnef) begin() {
	t.file = nil
	if len(t.out.files) < maxTNEFFiles {
		t.file = &Part{Type: "application/octet-stream", Disposition: "attachment"}
	}
}

// place says where the content of the file is.
func (t *tnef) place(at, n int64) {
	if t.file.Length > 0 || n == 0 {
		return
	}
	if len(t.out.files) == 0 || t.out.files[len(t.out.files)-1] != t.file {
		t.out.files = append(t.out.files, t.file)
	}
	t.file.HeaderOffset, t.file.Offset, t.file.Length, t.file.Size = at, at, n, n
}

// text is a string of the stream, which ends with its first zero.
func (t *tnef) text(b []byte, wide bool) string {
	if wide {
		return strings.TrimRight(find("utf-16le").run(b), "\x00")
	}
	for i, c := range b {
		if c == 0 {
			b = b[:i]
			break
		}
	}
	return t.cs.decode(b, t.codepage)
}

func codepageName(cp int64) string {
	switch cp {
	case 65001:
		return "utf-8"
	case 932:
		return "shift_jis"
	case 936:
		return "gb18030"
	case 949:
		return "euc-kr"
	case 950:
		return "big5"
	case 50220, 50221, 50222:
		return "iso-2022-jp"
	}
	if name := "windows-" + strconv.FormatInt(cp, 10); find(name).kind != none {
		return name
	}
	return "cp" + strconv.FormatInt(cp, 10)
}
