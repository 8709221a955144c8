package mail

import (
	"fmt"
	"strings"
)

// methods are RFC 5546 1.4 as people say them.
var methods = map[string]string{
	"REQUEST": "Invitation", "CANCEL": "Canceled", "REPLY": "Answer to invitation", "COUNTER": "Other time proposed",
	"DECLINECOUNTER": "Proposed time declined", "ADD": "Added to series", "REFRESH": "Asked for again", "PUBLISH": "Event",
}

// tell writes an event down.
func (e *event) tell(b *strings.Builder, method string) {
	what := methods[method]
	switch {
	case e.is("STATUS", "CANCELLED"):
		what = methods["CANCEL"]
	case what == "" && e.kind == "VTODO":
		what = "Task"
	case what == "":
		what = "Event"
	}
	fmt.Fprintf(b, "%s: %s\n", what, oneLine(firstOf(e.first["SUMMARY"].plain(), "(no title)")))
	put := func(name, value string) {
		if value = oneLine(value); value != "" {
			fmt.Fprintf(b, "%s: %s\n", name, value)
		}
	}
	put("When", e.when())
	put("Due", stampOf(e.first["DUE"]).String())
	put("Repeats", e.repeats())
	put("Where", e.first["LOCATION"].plain())
	put("Organizer", calendarUser(e.first["ORGANIZER"]))
	put("Attendees", e.people())
	if text := trimBlank(safeText(e.first["DESCRIPTION"].plain())); text != "" {
		b.WriteString("\n" + text + "\n")
	}
}

func (e *event) is(name, value string) bool {
	return strings.EqualFold(strings.TrimSpace(e.first[name].value), value)
}

// answers are RFC 5545 3.2.12 PARTSTAT as people say them; that nobody answered
// yet is not said.
var answers = map[string]string{
	"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "tentative", "DELEGATED": "delegated",
}

func (e *event) people() string {
	var list []string
	for _, p := range e.attendees[:min(len(e.attendees), maxAttendees)] {
		who := calendarUser(p)
		if who == "" {
			continue
		}
		var notes []string
		if strings.EqualFold(p.params["ROLE"], "OPT-PARTICIPANT") {
			notes = append(notes, "optional")
		}
		if a := answers[strings.ToUpper(p.params["PARTSTAT"])]; a != "" {
			notes = append(notes, a)
		}
		if len(notes) > 0 {
			who += " (" + strings.Join(notes, ", ") + ")"
		}
		list = append(list, who)
	}
	if len(e.attendees) > maxAttendees {
		list = append(list, "and others")
	}
	return strings.Join(list, ", ")
}

// calendarUser is RFC 5545 3.3.3 as an address.
func calendarUser(p property) string {
	addr := oneLine(p.value)
	if len(addr) > 7 && strings.EqualFold(addr[:7], "mailto:") {
		addr = addr[7:]
	}
	if !strings.Contains(addr, "@") {
		addr = ""
	}
	return Address{Name: cut(oneLine(p.params["CN"]), MaxNameBytes), Addr: cut(addr, MaxIDBytes)}.String()
}
