package mail

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// RFC 5322 3.6.4 and 4.5.4.
func TestNormalizeID(t *testing.T) {
	for in, want := range map[string]string{
		"<a@b>": "a@b", " a@b ": "a@b", "junk <A@b> <c@d>": "A@b", "<a\r\n b@c>": "ab@c", "<a@b": "a@b", "": "", "<>": "",
		"<1234   @   local(blah)  .machine .example>": "1234@local.machine.example",
		"<(all of it)@b>": "(allofit)@b", "<no-at>": "no-at", "<a\x00\u202e@b>": "a@b",
		"<" + strings.Repeat("a", MaxIDBytes) + "@b>": "",
	} {
		if got := NormalizeID(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// In-Reply-To before References, in each the last id first.
func TestRefChain(t *testing.T) {
	m := Parse([]byte("Message-ID: <me@x>\nIn-Reply-To: Ana's <a@x> of today <b@x>\nIn-Reply-To: <c@x>\nReferences: <1@x> <a@x>\n <2@x> <me@x>\n\n"))
	if got, want := m.RefChain(), []string{"c@x", "b@x", "a@x", "2@x", "1@x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	m = Parse([]byte("In-Reply-To: Your message of Tuesday\nReferences: a@x,b@x no id\n\n"))
	if got, want := m.RefChain(), []string{"b@x", "a@x"}; !slices.Equal(got, want) {
		t.Errorf("without brackets: got %q, want %q", got, want)
	}
}

// The root and the newest ids find the thread; the middle can go.
func TestReferencesBound(t *testing.T) {
	for _, n := range []int{MaxReferences - 1, MaxReferences, MaxReferences + 1, 2 * MaxReferences, 5000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " <%d@x>", i)
		}
		refs := Parse([]byte("References:" + b.String() + "\n\n")).References
		if len(refs) != min(n, MaxReferences) || refs[0] != "0@x" || refs[len(refs)-1] != fmt.Sprintf("%d@x", n-1) ||
			refs[1] != fmt.Sprintf("%d@x", max(1, n-100)) {
			t.Errorf("%d references: kept %d, %q ... %q", n, len(refs), refs[:2], refs[len(refs)-1])
		}
	}
}

func TestThreadIndex(t *testing.T) {
	const root = "01d11b65d8ee290cd351e3764efca8646c4f98980bf2"
	for in, want := range map[string]string{
		"AdEbZdjuKQzTUeN2TvyoZGxPmJgL8g==": root, "AdEbZdjuKQzTUeN2TvyoZGxPmJgL8gABAgME": root,
		" AdEbZdjuKQzTUeN2\r\n TvyoZGxPmJgL8g==": root, "AdEbZdju": "", "not base64 at all": "", "": "",
	} {
		if got := threadIndex([]byte(in)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// RFC 5256 2.1, with its test cases of nested marks.
func TestSubjectBase(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a": "a", "Re: a": "a", "RE : fw: FWD:  a": "a", "Re[2]: a": "a", "[list] Re: [other] a (fwd)": "a",
		"[foo] Fwd: [bar] Re: fw: b (fWd)  (fwd)": "b", "Re: [FWD: c]": "c", "[xyz]": "[xyz]", "b (a)": "b (a)",
		"re: [fwd: [fwd: re: [fwd: babylon]]]": "babylon", "AW: WG: Antw: x": "x", "回复：你好": "你好", "Return: x": "Return: x",
		"a  b\tc": "a b c", "Re:": "", "[a": "[a", "[a[b]] c": "[a[b]] c",
	} {
		if got := SubjectBase(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
