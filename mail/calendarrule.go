package mail

import (
	"strconv"
	"strings"
)

// repeats tells RRULE (RFC 5545 3.3.10), RDATE and EXDATE. A rule of another form
// is said to be one.
func (e *event) repeats() string {
	var parts []string
	if p, ok := e.first["RRULE"]; ok {
		parts = append(parts, rule(p.value, e.first["DTSTART"].params["TZID"]))
	}
	if s := dates(e.further); s != "" {
		parts = append(parts, "also on "+s)
	}
	if s := dates(e.except); s != "" {
		parts = append(parts, "except on "+s)
	}
	return strings.Join(parts, ", ")
}

var periods = map[string][2]string{
	"SECONDLY": {"second", "seconds"}, "MINUTELY": {"minute", "minutes"}, "HOURLY": {"hour", "hours"}, "DAILY": {"day", "days"},
	"WEEKLY": {"week", "weeks"}, "MONTHLY": {"month", "months"}, "YEARLY": {"year", "years"},
}

var weekdays = map[string]string{
	"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday",
}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func rule(value, zone string) string {
	parts := map[string]string{}
	for f := range strings.SplitSeq(cut(value, 1000), ";") {
		if name, v, ok := strings.Cut(f, "="); ok {
			parts[strings.ToUpper(strings.TrimSpace(name))] = strings.ToUpper(strings.TrimSpace(v))
		}
	}
	period, ok := periods[parts["FREQ"]]
	if !ok {
		return "by a rule of its own"
	}
	out := "every " + period[0]
	if n, err := strconv.Atoi(parts["INTERVAL"]); err == nil && n > 1 && n < 1000 {
		out = "every " + strconv.Itoa(n) + " " + period[1]
	}
	out += inWords(" on ", parts["BYDAY"], weekday) + inWords(" on day ", parts["BYMONTHDAY"], number) + inWords(" in ", parts["BYMONTH"], monthName)
	if parts["BYSETPOS"] != "" {
		out += inWords(", of these the ", parts["BYSETPOS"], ordinal)
	}
	if n, err := strconv.Atoi(parts["COUNT"]); err == nil && n > 0 {
		out += ", " + strconv.Itoa(n) + " times"
	}
	if until := readStamp(parts["UNTIL"], zone); until.ok {
		out += ", until " + until.date()
	}
	return out
}

// inWords lists values in words; those that are none are left out.
func inWords(before, values string, word func(string) string) string {
	var list []string
	for v := range strings.SplitSeq(values, ",") {
		if w := word(strings.TrimSpace(v)); w != "" && len(list) < 40 {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return before + strings.Join(list, ", ")
}

// weekday is MO, or 2MO, or -1FR.
func weekday(s string) string {
	if len(s) < 2 {
		return ""
	}
	name := weekdays[s[len(s)-2:]]
	if nth := ordinal(s[:len(s)-2]); nth != "" && name != "" {
		return "the " + nth + " " + name
	}
	return name
}

func number(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil || n == 0 || n > 31 || n < -31:
		return ""
	case n < 0:
		return ordinal(s)
	}
	return strconv.Itoa(n)
}

func ordinal(s string) string {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "+"))
	switch {
	case err != nil || n == 0 || n > 366 || n < -366:
		return ""
	case n == -1:
		return "last"
	case n < 0:
		return ordinal(strconv.Itoa(-n)) + " last"
	}
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		suffix = [...]string{"th", "st", "nd", "rd", "th", "th", "th", "th", "th", "th"}[n%10]
	}
	return strconv.Itoa(n) + suffix
}

func monthName(s string) string {
	if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= 12 {
		return monthNames[n-1]
	}
	return ""
}

func dates(list []property) string {
	var out []string
	for _, p := range list {
		for v := range strings.SplitSeq(cut(p.value, 1000), ",") {
			if s := readStamp(v, p.params["TZID"]); s.ok && len(out) < 20 {
				out = append(out, s.date())
			}
		}
	}
	return strings.Join(out, "; ")
}
