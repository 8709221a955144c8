package errmap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/internal/limit"
	"github.com/parley-im/parley/persistence"
)

// ourFaults are the codes that say something about this server and nothing
// about the message: mail stays with its sender.
var ourFaults = []parley.Code{
	parley.Internal, parley.Unavailable, parley.Behind, parley.RateLimited, parley.OverQuota,
	parley.DiskFull, parley.KeyInProgress, parley.Poisoned, parley.Conflict, parley.NumbersExhausted,
}

// jmapTypes are the error types of RFC 8620 3.6.2, 5.2 to 5.6 and RFC 8621 7.5.
const jmapTypes = ` serverFail serverUnavailable invalidArguments anchorNotFound forbidden notFound stateMismatch
cannotUnsend alreadyExists cannotCalculateChanges tooLarge invalidRecipients forbiddenToSend tooManyRecipients
rateLimit overQuota invalidEmail unknownMethod accountReadOnly `

// Every code has a row, and every edge gives it a whole and legal answer.
func TestEveryCodeThroughEveryEdge(t *testing.T) {
	seen := map[string]parley.Code{}
	for code := range parley.NumCodes {
		t.Run(fmt.Sprintf("%d %s", code, edges[code].problem), func(t *testing.T) {
			err := fmt.Errorf("above: %w", &parley.Error{Code: code, Op: "x.y", Err: errors.New("secret cause")})
			checkHTTP(t, err)
			checkSMTP(t, err)
			if kind, text := JMAP(err); !strings.Contains(strings.ReplaceAll(jmapTypes, "\n", " "), " "+kind+" ") || text == "" {
				t.Errorf("JMAP gives %q, %q; want a registered type and a text", kind, text)
			}
			number, public, field := Grain(err)
			if got := FromGrain("x.y", number, public, field); Of(got) != code {
				t.Errorf("through a grain: got code %d, want %d", Of(got), code)
			}
			if first, twice := seen[Label(err)]; twice {
				t.Errorf("problem code %q is also that of %d", Label(err), first)
			}
			seen[Label(err)] = code
		})
	}
}

func checkHTTP(t *testing.T, err error) {
	t.Helper()
	status, problem, public, _, after := HTTP(err)
	if status < 400 || status > 599 || problem == "" || public == "" {
		t.Errorf("HTTP gives %d %q %q; want a whole row", status, problem, public)
	}
	if strings.Contains(public, "secret") {
		t.Errorf("HTTP shows the cause: %q", public)
	}
	if (status == 429 || status == 503) && after < time.Second {
		t.Errorf("%d without a Retry-After of a second or more: %v", status, after)
	}
}

func checkSMTP(t *testing.T, err error) {
	t.Helper()
	reply, ok := SMTP(err).(*smtp.SMTPError)
	if !ok {
		t.Fatalf("SMTP gives %T; go-smtp knows only *smtp.SMTPError", SMTP(err))
	}
	class := reply.Code / 100
	if class != 4 && class != 5 || reply.EnhancedCode[0] != class {
		t.Errorf("reply %d with enhanced code %v: the classes differ", reply.Code, reply.EnhancedCode)
	}
	if strings.Contains(reply.Message, "secret") || reply.Message == "" {
		t.Errorf("reply text %q; want the fixed sentence", reply.Message)
	}
}

func TestFaultsOfOursNeverBounce(t *testing.T) {
	for _, code := range ourFaults {
		if reply := SMTP(parley.E(code, "", "")).(*smtp.SMTPError); !reply.Temporary() {
			t.Errorf("%s: got %d, want 4xx", edges[code].problem, reply.Code)
		}
	}
	if reply := SMTP(errors.New("plain")).(*smtp.SMTPError); reply.Code != 451 {
		t.Errorf("unclassified: got %d, want 451", reply.Code)
	}
}

// The statuses and codes of the API, as they are documented to users.
func TestProblems(t *testing.T) {
	for problem, want := range map[string]int{
		"bad_json": 400, "unknown_field": 400, "bad_cursor": 400,
		"not_permitted": 403, "blocked": 403,
		"participants_changed": 409, "already_sent": 409, "key_in_progress": 409,
		"gone": 410, "resync": 410, "stale": 412, "too_large": 413,
		"bad_address": 422, "bcc_in_room": 422, "key_mismatch": 422, "no_consent": 422,
		"numbers_exhausted": 422, "too_many_recipients": 422, "suppressed": 422,
		"unavailable": 503, "behind": 503, "over_quota": 507, "disk_full": 507,
	} {
		var got int
		for _, row := range edges {
			if row.problem == problem {
				got = row.status
			}
		}
		if got != want {
			t.Errorf("%s: got status %d, want %d", problem, got, want)
		}
	}
}

// The replies that other mail servers act upon.
func TestReplies(t *testing.T) {
	for code, want := range map[parley.Code]string{
		parley.Internal:     "451 4.3.0",
		parley.Unavailable:  "451 4.3.2",
		parley.TooLarge:     "552 5.3.4",
		parley.NotPermitted: "550 5.7.1",
		parley.NoRecipient:  "550 5.1.1",
		parley.BadContent:   "554 5.6.0",
		parley.OverQuota:    "452 4.2.2",
		parley.DiskFull:     "452 4.3.1",
	} {
		e := SMTP(parley.E(code, "", "")).(*smtp.SMTPError)
		got := fmt.Sprintf("%d %d.%d.%d", e.Code, e.EnhancedCode[0], e.EnhancedCode[1], e.EnhancedCode[2])
		if got != want {
			t.Errorf("%s: got %s, want %s", edges[code].problem, got, want)
		}
	}
}

func TestCauses(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "v1", Err: syscall.ENOSPC}
	for _, tc := range []struct {
		name string
		err  error
		want parley.Code
	}{
		{"plain", errors.New("x"), parley.Internal},
		{"deadline", fmt.Errorf("call: %w", context.DeadlineExceeded), parley.Unavailable},
		{"cancelled", context.Canceled, parley.Unavailable},
		{"socket deadline", fmt.Errorf("read: %w", os.ErrDeadlineExceeded), parley.Unavailable},
		{"store is full", fmt.Errorf("commit: %w", persistence.ErrNoSpace), parley.DiskFull},
		{"file system is full", full, parley.DiskFull},
		{"may have landed", &persistence.AmbiguousError{Err: io.ErrUnexpectedEOF}, parley.Unavailable},
		{"may have landed on a full disk", &persistence.AmbiguousError{Err: persistence.ErrNoSpace}, parley.Unavailable},
		{"fenced", persistence.ErrCheckFailed, parley.Unavailable},
		{"DATA over the limit", fmt.Errorf("spool: %w", smtp.ErrDataTooLarge), parley.TooLarge},
		{"Internal for want of better", parley.Wrap(parley.Internal, "x", full), parley.DiskFull},
		{"a chosen code stands", parley.Wrap(parley.Stale, "x", context.Canceled), parley.Stale},
		{"no such code", parley.E(parley.NumCodes, "x", ""), parley.Internal},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Of(tc.err); got != tc.want {
				t.Errorf("got %s, want %s", edges[got].problem, edges[tc.want].problem)
			}
		})
	}
}

func TestOwnWordsFieldAndWait(t *testing.T) {
	err := fmt.Errorf("above: %w", &limit.Error{
		Err:   &parley.Error{Code: parley.RateLimited, Public: "Slowly.", Field: "to[3]"},
		After: 42 * time.Second,
	})
	status, code, public, field, after := HTTP(err)
	if got, want := fmt.Sprintf("%d %s %s %s %v", status, code, public, field, after), "429 rate_limited Slowly. to[3] 42s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	number, public, field := Grain(err)
	public, field = parley.PublicOf(FromGrain("op", number, public, field))
	if public != "Slowly." || field != "to[3]" {
		t.Errorf("through a grain: got %q, %q", public, field)
	}
	if got := FromGrain("op", 9999, "", ""); Of(got) != parley.Internal {
		t.Errorf("an unknown code: got %d, want Internal", Of(got))
	}
	if got := Label(nil); got != "ok" {
		t.Errorf("Label(nil) = %q", got)
	}
}

func TestSMTPUnwrapped(t *testing.T) {
	if err := SMTP(nil); err != nil {
		t.Errorf("SMTP(nil) = %v", err)
	}
	chosen := &smtp.SMTPError{Code: 552, EnhancedCode: smtp.EnhancedCode{5, 2, 2}, Message: "full for days"}
	if got := SMTP(chosen); got != error(chosen) {
		t.Errorf("a reply that the session chose: got %v", got)
	}
	if got := SMTP(fmt.Errorf("relay said: %w", chosen)).(*smtp.SMTPError); got.Code != 451 {
		t.Errorf("another server's reply: got %d, want 451", got.Code)
	}
}

// RFC 5321 4.2: a reply line is printable and short, whatever a name held.
func FuzzReplyLine(f *testing.F) {
	f.Add("Room \"a\"\r\n250 OK")
	f.Add("süß\x00\x7f")
	f.Add(strings.Repeat("long ", 1000))
	f.Fuzz(func(t *testing.T, text string) {
		got := line(text)
		if len(got) > maxReply {
			t.Errorf("%d octets, want at most %d", len(got), maxReply)
		}
		for i := range len(got) {
			if got[i] < ' ' || got[i] > '~' {
				t.Errorf("octet %#x in %q", got[i], got)
			}
		}
	})
}
