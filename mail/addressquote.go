package mail

import "strings"

// quotedText reads up to the closing quote and gives its place, -1 if there is none.
func quotedText(s string) (text string, end int) {
	s = s[:min(len(s), maxSpan)]
	escaped := false
	for end < len(s) && s[end] != '"' {
		if s[end] == '\\' {
			escaped = true
			end++
		}
		end++
	}
	if end >= len(s) {
		return "", -1
	}
	if text = s[:end]; escaped {
		text = unquotePairs(text)
	}
	return text, end
}

// unquotePairs takes the backslashes off (RFC 5322 3.2.1).
func unquotePairs(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// swallows reports a quoted string that holds another address: the quotes do
// not pair as they seem to.
func swallows(text string) bool {
	i := strings.IndexByte(text, '<')
	return i >= 0 && strings.Contains(text[i:], "@") && strings.Contains(text[i:], ">,")
}

// commentText reads a comment, which may hold others (RFC 5322 3.2.2), and gives
// the place behind it.
func commentText(s string) (text string, end int) {
	var b strings.Builder
	s = s[:min(len(s), maxSpan)]
	for depth, i := 1, 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			continue
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return b.String(), i + 1
			}
		}
		b.WriteByte(s[i])
	}
	text, _, _ = strings.Cut(s, ")") // never balanced: the first one closes it
	return text, min(len(text)+1, len(s))
}

// dropComments takes the comments out of an address.
func dropComments(s string) string {
	if !strings.Contains(s, "(") || strings.HasPrefix(s, `"`) {
		return s
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "(")
		b.WriteString(before)
		if !ok || !strings.Contains(after, ")") {
			return strings.TrimSpace(b.String())
		}
		_, n := commentText(after)
		s = after[n:]
	}
}
