package mail

import "strings"

// isCalendar reports an invitation or another calendar object (RFC 5545).
func isCalendar(p *Part) bool {
	return p.Type == "text/calendar" || p.Type == "application/ics" ||
		p.Type == "application/octet-stream" && strings.HasSuffix(strings.ToLower(p.Filename), ".ics")
}

// The bounds of what is told of one calendar object.
const (
	maxEvents    = 10
	maxAttendees = 50
)

// invitation tells what a calendar object says, as text for people; method is what
// its label says. "" if it says nothing.
func invitation(s, method string) string {
	var b strings.Builder
	cal := readCalendar(s)
	cal.method = firstOf(cal.method, strings.ToUpper(method))
	for i, e := range cal.events {
		if i > 0 {
			b.WriteString("\n")
		}
		e.tell(&b, cal.method)
	}
	return strings.TrimSpace(b.String())
}

// calendar is the part of RFC 5545 and 5546 that people read.
type calendar struct {
	method string
	events []*event
}

// property is one content line (RFC 5545 3.1).
type property struct {
	name, value string
	params      map[string]string
}

// event is a VEVENT, VTODO or VJOURNAL.
type event struct {
	kind                       string
	first                      map[string]property // of each name
	attendees, except, further []property
}

// readCalendar reads content lines. What stands in a component that says nothing
// to people (zones, alarms) is passed over.
func readCalendar(s string) (c calendar) {
	var open []string
	var e *event
	for _, ln := range contentLines(s) {
		p, ok := readProperty(ln)
		switch {
		case !ok:
		case p.name == "BEGIN" && len(open) < 20:
			open = append(open, strings.ToUpper(p.value))
			if kind := open[len(open)-1]; (kind == "VEVENT" || kind == "VTODO" || kind == "VJOURNAL") && len(c.events) < maxEvents && e == nil {
				e = &event{kind: kind, first: map[string]property{}}
				c.events = append(c.events, e)
			}
		case p.name == "END" && len(open) > 0:
			if e != nil && open[len(open)-1] == e.kind {
				e = nil
			}
			open = open[:len(open)-1]
		case p.name == "METHOD" && c.method == "":
			c.method = strings.ToUpper(strings.TrimSpace(p.value))
		case e != nil && len(open) > 0 && open[len(open)-1] == e.kind:
			e.take(p)
		}
	}
	return c
}

func (e *event) take(p property) {
	switch p.name {
	case "ATTENDEE":
		if len(e.attendees) <= maxAttendees {
			e.attendees = append(e.attendees, p)
		}
	case "EXDATE":
		if len(e.except) < maxEvents {
			e.except = append(e.except, p)
		}
	case "RDATE":
		if len(e.further) < maxEvents {
			e.further = append(e.further, p)
		}
	default:
		if _, twice := e.first[p.name]; !twice {
			e.first[p.name] = p
		}
	}
}

// contentLines joins the folded lines. A fold may have lost its blank; a line
// without a colon then continues the one before.
func contentLines(s string) (list []string) {
	var ln []byte
	for next := range strings.Lines(s) {
		next = strings.TrimRight(next, "\r\n")
		switch {
		case next == "":
		case len(ln) > 0 && (next[0] == ' ' || next[0] == '\t'):
			ln = append(ln, next[1:]...)
		case len(ln) > 0 && !strings.ContainsAny(next, ":;"):
			ln = append(ln, next...)
		default:
			list, ln = append(list, string(ln)), append(ln[:0], next...)
		}
	}
	return append(list, string(ln))
}

// readProperty cuts a content line: NAME;PARAM=value;PARAM="quoted":value.
func readProperty(ln string) (p property, ok bool) {
	end := strings.IndexAny(ln, ":;")
	if end <= 0 || end > 64 {
		return p, false
	}
	p.name = strings.ToUpper(strings.TrimSpace(ln[:end]))
	rest := ln[end:]
	for n := 0; strings.HasPrefix(rest, ";") && n < 20; n++ {
		name, after, ok := strings.Cut(rest[1:], "=")
		if !ok {
			return p, false
		}
		var value string
		if strings.HasPrefix(after, `"`) {
			value, after, _ = strings.Cut(after[1:], `"`)
			if i := strings.IndexAny(after, ":;"); i >= 0 {
				after = after[i:]
			}
		} else if i := strings.IndexAny(after, ":;"); i >= 0 {
			value, after = after[:i], after[i:]
		} else {
			return p, false
		}
		if p.params == nil {
			p.params = map[string]string{}
		}
		p.params[strings.ToUpper(strings.TrimSpace(name))] = value
		rest = after
	}
	p.value, ok = strings.CutPrefix(rest, ":")
	return p, ok
}

// plain undoes the escapes of TEXT (RFC 5545 3.3.11).
func (p property) plain() string {
	s := p.value
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";").Replace(s)
	}
	return strings.TrimSpace(s)
}
