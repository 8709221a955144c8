package mail

import (
	"path"
	"strings"
	"unicode/utf8"
)

// parseMedia reads "value; name=value; ..." (RFC 2045 5.1, RFC 2183 2) and the
// wrong forms of it: no semicolons, spaces in values, quotes never closed,
// encoded words, raw 8 bit. The first of two equal names counts.
func parseMedia(raw []byte, cs *charsets) (value string, params map[string]string) {
	if raw == nil {
		return "", nil
	}
	s := unfold(cs.utf8(raw))
	i := strings.IndexAny(s, ";")
	if i < 0 {
		i = len(s)
	}
	value, rest := s[:i], s[i:]
	if j := strings.IndexAny(value, " \t("); j >= 0 && strings.TrimSpace(value[:j]) != "" {
		value, rest = value[:j], s[j:]
	}
	if strings.Contains(value, "=") { // the value itself was left out
		value, rest = "", s
	}
	value = strings.ToLower(strings.Trim(value, " \t\"'"))
	set := paramSet{cs: cs}
	for n := 0; rest != "" && n < 100; n++ {
		var name, v string
		var quoted bool
		name, v, quoted, rest = nextParam(rest)
		set.add(strings.ToLower(name), v, quoted)
	}
	return value, set.finish()
}

// nextParam cuts the next name=value off s.
func nextParam(s string) (name, value string, quoted bool, rest string) {
	s = strings.TrimLeft(s, "; \t")
	if strings.HasPrefix(s, "(") { // a comment
		_, rest, _ = strings.Cut(s, ")")
		return "", "", false, rest
	}
	i := strings.IndexAny(s, "=;")
	if i < 0 {
		return "", "", false, ""
	}
	if s[i] == ';' {
		return "", "", false, s[i:]
	}
	name = strings.TrimSpace(s[:i])
	if j := strings.LastIndexAny(name, " \t"); j >= 0 { // junk before the name
		name = name[j+1:]
	}
	s = strings.TrimLeft(s[i+1:], " \t")
	if strings.HasPrefix(s, `"`) {
		value, rest = quotedValue(s[1:])
		return name, value, true, rest
	}
	value, rest = bareValue(s)
	return name, value, false, rest
}

// quotedValue reads up to the closing quote. A backslash escapes only what needs
// it: in "C:\temp\a.txt" it is itself. Without a closing quote the value ends
// with the parameter.
func quotedValue(s string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return b.String(), s[i+1:]
		case c == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
	}
	value, rest, _ = strings.Cut(s, ";")
	return strings.TrimSpace(value), rest
}

// bareValue reads a value without quotes. Blanks belong to it unless another
// name=value follows them.
func bareValue(s string) (value, rest string) {
	end := strings.IndexByte(s, ';')
	if end < 0 {
		end = len(s)
	}
	for i := 0; i < end; i++ {
		if s[i] != '=' {
			continue
		}
		before := strings.TrimRight(s[:i], " \t")
		if j := strings.LastIndexAny(before, " \t"); j > 0 && isToken(before[j+1:]) {
			return strings.TrimSpace(s[:j]), s[j:]
		}
	}
	return strings.TrimSpace(s[:end]), s[end:]
}

// isToken is RFC 2045 5.1 token.
func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`()<>@,;:\"/[]?=`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// safeFilename makes a name that can stand as the last element of any path:
// no folders, no control characters, no leading dots or blanks, bounded.
func safeFilename(s string) string {
	s = oneLine(s)
	drive := len(s) > 2 && s[1] == ':' && s[2] == '\\'
	if drive || strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`) || strings.HasPrefix(s, "..") {
		s = s[strings.LastIndexAny(s, `/\`)+1:] // a path of the sender's machine
	}
	s = strings.NewReplacer("/", "_", `\`, "_").Replace(s)
	s = strings.TrimLeft(strings.TrimSpace(s), ". ")
	if len(s) <= MaxFilename {
		return s
	}
	ext := path.Ext(s)
	if len(ext) > 20 {
		ext = ""
	}
	return cut(s[:len(s)-len(ext)], MaxFilename-len(ext)) + ext
}

// cut shortens s to at most n bytes at the end of a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func firstOf(list ...string) string {
	for _, s := range list {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}
