package htmltext

import (
	"strings"
	"testing"
)

func BenchmarkText(b *testing.B) {
	row := `<tr><td class="c" style="padding:4px"><a href="https://example.org/x?y=1&amp;z=2">A link</a></td><td>Some text of a newsletter &amp; more of it.</td></tr>`
	for _, bc := range []struct{ name, src string }{
		{"newsletter=100KB", "<table>" + strings.Repeat(row, 100<<10/len(row)) + "</table>"},
		{"nested=1MB", strings.Repeat("<div><blockquote><ul><li>", 40<<10)},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(bc.src)))
			b.ReportAllocs()
			for b.Loop() {
				Text(bc.src, 1<<20)
			}
		})
	}
}
