package mail

import (
	"slices"
	"strings"
)

// Address is one mailbox of a header field as it was written, made safe. It is
// a claim: what can be used in a protocol is what ParseAddrSpec accepts.
type Address struct {
	Name string // decoded display name, "" if none
	Addr string // local@domain without comments and folding; "" if there was only a name
}

// Key compares addresses as ParseAddrSpec's Key does; what that refuses is
// compared in lower case.
func (a Address) Key() string {
	if spec, err := ParseAddrSpec(a.Addr); err == nil {
		return spec.Key()
	}
	return strings.ToLower(a.Addr)
}

// String shows the address to people: "Name <local@domain>".
func (a Address) String() string {
	switch {
	case a.Name == "":
		return a.Addr
	case a.Addr == "":
		return a.Name
	}
	return a.Name + " <" + a.Addr + ">"
}

// ParseAddresses reads an address list (RFC 5322 3.4, RFC 6532) and every wrong
// form that can be guessed. Groups give their members. It never fails; beyond
// MaxAddresses the rest is left out.
func ParseAddresses(value string) []Address {
	list, _ := parseAddresses([]byte(value), &charsets{left: 8})
	return list
}

func parseAddresses(raw []byte, cs *charsets) (list []Address, cutOff bool) {
	s := unfold(cs.utf8(raw)) // first, since bytes of other charsets look like specials
	p := addressScanner{s: s, quote: strings.LastIndexByte(s, '"'),
		paren: strings.LastIndexByte(s, ')'), angle: strings.LastIndexByte(s, '>')}
	var name string // an element that had no address: "Doe, John <j@x>"
	for p.i < len(p.s) {
		if len(list) >= MaxAddresses {
			return list, true
		}
		tokens, end := p.element()
		a := readElement(tokens, cs)
		if name != "" && a.Addr != "" && a.Name != "" {
			a.Name = cut(name+", "+a.Name, MaxNameBytes)
			name = ""
		}
		if name != "" {
			list = append(list, Address{Name: name})
			name = ""
		}
		switch {
		case a.Addr == "" && a.Name == "" || end == ':': // a group's name
		case a.Addr == "" && end == ',' && !hasAngle(tokens):
			name = a.Name
		default:
			list = append(list, a)
		}
	}
	if name != "" {
		list = append(list, Address{Name: name})
	}
	return list, false
}

func hasAngle(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.kind == angled })
}

// readElement makes an address of the tokens between two commas.
func readElement(tokens []token, cs *charsets) Address {
	var angle, comment string
	var words []token
	for _, t := range tokens {
		switch {
		case t.kind == angled && angle == "":
			angle = t.text
		case t.kind == comment_:
			comment = t.text
		case t.kind != angled:
			words = append(words, t)
		}
	}
	addr, rest := "", words
	if hasAngle(tokens) {
		addr = cleanAddr(angle, cs)
		if bare, others := bareAddr(words); !strings.Contains(addr, "@") && bare != "" { // a@b <Name>
			addr, rest = bare, append(others, token{text: angle})
		}
	} else {
		addr, rest = bareAddr(words)
	}
	name := cleanName(rest, cs)
	if name == "" && (addr != "" || hasAngle(tokens)) { // a@b (Name)
		name = cleanName([]token{{text: comment}}, cs)
	}
	return Address{Name: name, Addr: cleanAddr(addr, cs)}
}

// bareAddr finds the address among words that no angle brackets mark, and gives
// the words that are none of it.
func bareAddr(words []token) (addr string, rest []token) {
	at := slices.IndexFunc(words, func(t token) bool { return t.kind != quoted && strings.Contains(t.text, "@") })
	if at < 0 {
		return "", words
	}
	from, to := at, at+1
	for from > 0 && (words[from].glued || strings.HasPrefix(words[from].text, "@") || strings.HasPrefix(words[from].text, ".")) {
		from--
	}
	for to < len(words) && (words[to].glued || strings.HasSuffix(words[to-1].text, "@") ||
		strings.HasSuffix(words[to-1].text, ".") || strings.HasPrefix(words[to].text, ".") || strings.HasPrefix(words[to].text, "@")) {
		to++
	}
	for _, t := range words[from:to] {
		if t.kind == quoted {
			addr += quoteLocal(t.text)
			continue
		}
		addr += t.text
	}
	return addr, append(slices.Clone(words[:from]), words[to:]...)
}

// cleanName joins the words of a display name.
func cleanName(words []token, cs *charsets) string {
	var b strings.Builder
	for i, t := range words {
		if i > 0 && !t.glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	s := oneLine(cs.words(b.String()))
	if n := len(s); n > 1 && (s[0] == '\'' && s[n-1] == '\'' || s[0] == '"' && s[n-1] == '"') { // 'Name', as Outlook writes
		s = strings.TrimSpace(s[1 : n-1])
	}
	return cut(s, MaxNameBytes)
}

// cleanAddr takes from an address what is none of it: routes (RFC 5322 4.4),
// "mailto:", blanks, control characters.
func cleanAddr(s string, cs *charsets) string {
	s = oneLine(cs.words(s))
	if len(s) > 6 && strings.EqualFold(s[:7], "mailto:") {
		s = s[7:]
	}
	if strings.HasPrefix(s, "@") {
		if _, after, ok := strings.Cut(s, ":"); ok {
			s = after
		}
	}
	if n := len(s); n > 2 && s[0] == s[n-1] && (s[0] == '\'' || s[0] == '"') {
		s = s[1 : n-1]
	}
	if s = strings.Trim(s, "<> "); !strings.HasPrefix(s, `"`) {
		s = strings.Join(strings.Fields(s), "")
	}
	return cut(s, MaxIDBytes)
}
