package mail

import (
	"strconv"
	"strings"
	"time"
)

// The years that a Date can be believed to name. Electronic mail is older than
// the first of them by none; past the last a message would lead every list for ever.
const (
	firstYear = 1960
	lastYear  = 2099
)

var months = map[string]time.Month{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6,
	"jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12,
}

// zones are the names of RFC 5322 4.3 and a few more that mailers write, in minutes.
var zones = map[string]int{
	"ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
	"mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "bst": 60, "cet": 60, "met": 60,
	"cest": 120, "mest": 120, "eet": 120, "eest": 180, "msk": 180, "jst": 540, "kst": 540,
}

// parseDate reads RFC 5322 3.3, its obsolete forms, ISO 8601, ctime, and what
// lies between: the pieces are told by their shape, not their place. It reports
// false if no date can be made of them, or an absurd one.
func parseDate(s string) (time.Time, bool) {
	var d datePieces
	for _, w := range strings.FieldsFunc(dateText(s), func(r rune) bool { return r == ' ' || r == ',' || r == '\t' }) {
		d.take(w)
	}
	return d.time()
}

// dateText bounds the value and takes comments and blanks around colons out.
func dateText(s string) string {
	s = dropComments(cut(s, 200))
	for strings.Contains(s, " :") || strings.Contains(s, ": ") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, " :", ":"), ": ", ":")
	}
	return s
}

type datePieces struct {
	year, day          int
	month              time.Month
	hour, minute, secs int
	zone               int // minutes
	clock, zoned       bool
	pm, am             bool
}

// take finds out what one word is.
func (d *datePieces) take(w string) {
	low := strings.ToLower(w)
	switch {
	case d.clock && !d.zoned && (w[0] == '+' || w[0] == '-') && len(w) >= 3:
		d.takeOffset(w)
	case strings.Contains(w, ":"):
		d.takeClock(low)
	case !d.clock && d.day > 0 && d.month > 0 && strings.Trim(w, "0123456789.") == "" && strings.Contains(w, "."):
		d.takeClock(strings.ReplaceAll(w, ".", ":"))
	case low == "am", low == "pm":
		d.am, d.pm = low == "am", low == "pm"
	case strings.ContainsAny(w[1:], "-/."):
		for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return strings.ContainsRune("-/.", r) }) {
			d.take(part)
		}
	default:
		d.takeWord(low)
	}
}

// takeWord takes a number, a month or a zone.
func (d *datePieces) takeWord(w string) {
	if n, err := strconv.Atoi(w); err == nil {
		switch {
		case n < 0:
		case len(w) >= 3 && d.year == 0: // RFC 5322 4.3: three digits count from 1900
			d.year = n
			if n < 1000 {
				d.year += 1900
			}
		case d.day == 0 && d.year > 0 && d.month == 0: // 2003-07-01
			d.month = time.Month(n)
		case d.day == 0:
			d.day = n
		case d.month == 0:
			d.month = time.Month(n)
		case d.year == 0: // two digits: up to 49 they are of this century
			if d.year = 1900 + n; n < 50 {
				d.year = 2000 + n
			}
		}
		return
	}
	if len(w) >= 3 && d.month == 0 {
		if m, ok := months[w[:3]]; ok {
			d.month = m
			return
		}
	}
	if z, ok := zones[w]; ok && !d.zoned {
		d.zone, d.zoned = z, true
	}
}

// takeClock takes 10:52:37, also as the rest of 2003-07-01T10:52:37Z or with its zone glued on.
func (d *datePieces) takeClock(w string) {
	if date, clock, ok := strings.Cut(w, "t"); ok && strings.Count(date, "-") == 2 {
		d.take(date)
		w = clock
	}
	w, zulu := strings.CutSuffix(w, "z")
	offset := ""
	if i := strings.IndexAny(w, "+-"); i > 0 {
		w, offset = w[:i], w[i:]
	}
	parts := strings.Split(w, ":")
	if len(parts) > 3 || d.clock {
		return
	}
	n := [3]int{}
	for i, p := range parts {
		p, _, _ = strings.Cut(p, ".")
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 {
			return
		}
		n[i] = v
	}
	d.hour, d.minute, d.secs, d.clock = n[0], n[1], min(n[2], 59), true
	d.zoned = zulu
	if len(offset) >= 3 {
		d.takeOffset(offset)
	}
}

// takeOffset takes +0200, +02:00, -330.
func (d *datePieces) takeOffset(w string) {
	n, err := strconv.Atoi(strings.ReplaceAll(w[1:], ":", ""))
	if err != nil {
		return
	}
	if len(w) == 3 {
		n *= 100
	}
	if d.zone, d.zoned = n/100*60+n%100, true; d.zone > 24*60 {
		d.zone = 0
	}
	if w[0] == '-' {
		d.zone = -d.zone
	}
}

func (d *datePieces) time() (time.Time, bool) {
	if d.pm && d.hour < 12 {
		d.hour += 12
	} else if d.am && d.hour == 12 {
		d.hour = 0
	}
	if d.year < firstYear || d.year > lastYear || d.month < 1 || d.month > 12 || d.day < 1 || d.day > 31 || d.hour > 24 || d.minute > 59 {
		return time.Time{}, false
	}
	zone := time.UTC
	if d.zone != 0 {
		zone = time.FixedZone("", d.zone*60)
	}
	return time.Date(d.year, d.month, d.day, d.hour, d.minute, d.secs, 0, zone), true
}
