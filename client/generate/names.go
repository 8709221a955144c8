package main

import (
	"strings"
	"unicode"
)

// initialisms keep their case in Go.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "html": "HTML", "http": "HTTP", "url": "URL", "uri": "URI", "cid": "CID", "sms": "SMS", "smtp": "SMTP",
	"jmap": "JMAP", "json": "JSON", "api": "API", "iana": "IANA", "utc": "UTC",
}

// exported makes a Go name of one in snake_case, kebab-case, dotted.case or
// camelCase.
func exported(name string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if known := initialisms[strings.ToLower(word)]; known != "" {
			out.WriteString(known)
			continue
		}
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// private is the same for an argument.
func private(name string) string {
	s := exported(name)
	s = strings.ToLower(s[:1]) + s[1:]
	switch s {
	case "type", "func", "map", "range", "import", "package", "ctx", "body", "content", "params", "opts", "c":
		return s + "Name"
	}
	return s
}

// comment wraps a text at 100 columns, each line after the indent and "// ".
func comment(indent, text string) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > 100 {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	for i := range lines {
		lines[i] = indent + "// " + lines[i] + "\n"
	}
	return strings.Join(lines, "")
}

// lower begins a phrase inside a sentence, unless its first word has a capital
// further in.
func lower(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if first == "" || strings.ContainsFunc(first[1:], unicode.IsUpper) {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
