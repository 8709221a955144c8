package mail

import (
	"strconv"
	"strings"
	"time"
)

// stamp is a time as a calendar writes it: in the zone of its event, which is
// said and not converted, since only its author's calendar knows the zone's rules.
type stamp struct {
	at   time.Time
	day  bool // a date alone
	zone string
	ok   bool
}

// stampOf reads RFC 5545 3.3.4 and 3.3.5.
func stampOf(p property) stamp { return readStamp(p.value, p.params["TZID"]) }

func readStamp(value, zone string) stamp {
	value, _, _ = strings.Cut(strings.ToUpper(strings.TrimSpace(value)), "/") // a period's start
	value, utc := strings.CutSuffix(value, "Z")
	if utc {
		zone = "UTC"
	}
	s := stamp{zone: oneLine(cut(strings.Trim(zone, `"/ `), 100))}
	for _, layout := range [...]string{"20060102T150405", "20060102T1504", "20060102", "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, value); err == nil {
			s.at, s.day, s.ok = t, !strings.Contains(layout, "T"), true
			return s
		}
	}
	return s
}

func (s stamp) date() string { return s.at.Format("Mon, 2 Jan 2006") }

// String is "Tue, 1 Jul 2003, 10:00 (Europe/Berlin)"; "" for none.
func (s stamp) String() string {
	switch {
	case !s.ok:
		return ""
	case s.day:
		return s.date()
	}
	return s.date() + ", " + s.at.Format("15:04") + s.in()
}

func (s stamp) in() string {
	if s.zone == "" {
		return ""
	}
	return " (" + s.zone + ")"
}

// when is an event's start and end.
func (e *event) when() string {
	start, end := stampOf(e.first["DTSTART"]), stampOf(e.first["DTEND"])
	if d, ok := duration(e.first["DURATION"].value); ok && !end.ok {
		end = start
		end.at = start.at.Add(d)
	}
	if end.ok && end.day { // RFC 5545 3.6.1: the day after the last
		end.at = end.at.AddDate(0, 0, -1)
	}
	switch {
	case !start.ok || !end.ok || !end.at.After(start.at):
		return start.String()
	case start.day:
		return start.String() + " – " + end.String()
	case start.date() == end.date() && start.zone == end.zone:
		return start.date() + ", " + start.at.Format("15:04") + " – " + end.at.Format("15:04") + start.in()
	case start.zone == end.zone:
		return start.date() + ", " + start.at.Format("15:04") + " – " + end.String()
	}
	return start.String() + " – " + end.String()
}

// duration reads RFC 5545 3.3.6: P1W, PT1H30M, P1DT2H.
func duration(s string) (d time.Duration, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(s)), "+"), "P")
	if !ok || len(s) > 30 {
		return 0, false
	}
	units := map[byte]time.Duration{'W': 7 * 24 * time.Hour, 'D': 24 * time.Hour, 'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	for s != "" {
		if s[0] == 'T' {
			s = s[1:]
			continue
		}
		i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if i <= 0 || i > 6 || units[s[i]] == 0 {
			return 0, false
		}
		n, _ := strconv.Atoi(s[:i]) // digits, at most six
		d += time.Duration(n) * units[s[i]]
		s = s[i+1:]
	}
	return d, d > 0
}
