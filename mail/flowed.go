package mail

import "strings"

// unflow joins the lines of format=flowed text (RFC 3676 4): a line that ends
// in a blank goes on in the next of the same quote depth.
func unflow(s string, delSp bool) string {
	var b strings.Builder
	b.Grow(len(s))
	depth, open := -1, false
	for ln := range strings.Lines(s) {
		ln = strings.TrimSuffix(ln, "\n")
		text := strings.TrimLeft(ln, ">")
		d := len(ln) - len(text)
		text = strings.TrimPrefix(text, " ") // 4.4: stuffed
		signature := text == "-- "           // 4.3: never flowed
		if !open || d != depth || signature {
			if depth >= 0 {
				b.WriteByte('\n')
			}
			b.WriteString(ln[:d])
			if d > 0 {
				b.WriteByte(' ')
			}
		}
		depth = d
		open = strings.HasSuffix(text, " ") && !signature
		if open && delSp {
			text = text[:len(text)-1]
		}
		b.WriteString(text)
	}
	return b.String()
}
