package safehtml

import (
	"strings"
	"testing"
)

func BenchmarkSanitize(b *testing.B) {
	row := `<tr><td class="c" align=left style="padding:4px 8px;font-family:Arial,Helvetica,sans-serif;font-size:14px;line-height:1.5;color:#333333"><a href="https://example.org/x?y=1&amp;z=2" style="color:#0066cc;text-decoration:none">A link</a></td><td><img src="https://example.org/a.png" width=20 height=20 alt=x>Some text of a newsletter &amp; more of it.</td></tr>`
	src := "<table>" + strings.Repeat(row, 100<<10/len(row)) + "</table>"
	p := New()
	b.Run("newsletter=100KB", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		b.ReportAllocs()
		for b.Loop() {
			p.Sanitize(src, Options{})
		}
	})
	for name, unit := range hostile {
		src := strings.Repeat(unit, 1<<20/len(unit))
		b.Run("hostile=1MB/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				p.Sanitize(src, Options{})
			}
		})
	}
}
