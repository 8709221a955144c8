package htmltext

import (
	"testing"
	"unicode/utf8"
)

// FuzzText: any bytes give text within the limit, the same with more around it.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"<p>a<br>b</p>", `<a href="http://x">y</a>`, "<ol><li>a<li>b</ol>", "<table><tr><td>a<td>b</table>",
		`<div style="display:none">a<div>b</div></div>c`, "<pre> a\n  b</pre>", "<blockquote>q<blockquote>r", "<script>x</script>y",
	} {
		f.Add(s, 100)
	}
	f.Fuzz(func(t *testing.T, src string, limit int) {
		limit = min(max(limit, 0), 1<<20)
		s := Text(src, limit)
		if len(s) > limit {
			t.Errorf("%d bytes, limit %d", len(s), limit)
		}
		if utf8.ValidString(src) && !utf8.ValidString(s) {
			t.Errorf("%q gives %q", src, s)
		}
	})
}
