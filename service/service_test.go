package service

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// mark notes its name on the way in and on the way out.
func mark(name string, trace *[]string) SimpleFilter[string, string] {
	return func(ctx context.Context, request string, next Service[string, string]) (string, error) {
		*trace = append(*trace, name+" in")
		reply, err := next(ctx, request)
		*trace = append(*trace, name+" out")
		return reply, err
	}
}

func echo(_ context.Context, request string) (string, error) { return "<" + request + ">", nil }

func TestFirstFilterIsOutermost(t *testing.T) {
	var trace []string
	a, b, c := mark("a", &trace), mark("b", &trace), mark("c", &trace)
	for name, f := range map[string]SimpleFilter[string, string]{
		"chain":    Chain(a, b, c),
		"and then": AndThen(AndThen(a, b), c),
		"nested":   AndThen(a, AndThen(b, c)),
	} {
		t.Run(name, func(t *testing.T) {
			trace = nil
			reply, err := f.AndThen(echo)(t.Context(), "x")
			if reply != "<x>" || err != nil {
				t.Errorf("got %q, %v", reply, err)
			}
			if got, want := strings.Join(trace, ", "), "a in, b in, c in, c out, b out, a out"; got != want {
				t.Errorf("order: got %s, want %s", got, want)
			}
		})
	}
}

func TestEmptyChain(t *testing.T) {
	reply, err := Chain[string, string]().AndThen(echo)(t.Context(), "x")
	if reply != "<x>" || err != nil {
		t.Errorf("got %q, %v", reply, err)
	}
}

var errStranger = errors.New("stranger")

// Authenticated is what authentication makes of a request. The gateway has its
// own; the point here is the change of type.
type Authenticated[Req any] struct {
	Req     Req
	Account string
	Scopes  []string
}

type withToken struct{ token, body string }

func authenticate(ctx context.Context, r withToken, next Service[Authenticated[string], int]) (string, error) {
	if r.token != "right" {
		return "", errStranger
	}
	n, err := next(ctx, Authenticated[string]{Req: r.body, Account: "ana"})
	return strconv.Itoa(n), err
}

func parse(ctx context.Context, line string, next Service[withToken, string]) (string, error) {
	token, body, _ := strings.Cut(line, " ")
	return next(ctx, withToken{token, body})
}

func TestFiltersChangeTypes(t *testing.T) {
	length := Service[Authenticated[string], int](func(_ context.Context, r Authenticated[string]) (int, error) {
		return len(r.Account + r.Req), nil
	})
	// Plain functions take part without a conversion.
	front := AndThen(Filter[string, string, withToken, string](parse), authenticate)
	serve := front.AndThen(length)

	for line, want := range map[string]string{"right hello": "8 <nil>", "wrong hello": " stranger"} {
		reply, err := serve(t.Context(), line)
		if got := fmt.Sprintf("%s %v", reply, err); got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// A filter may answer by itself, or ask twice.
func TestFilterCallsServiceNeverOrTwice(t *testing.T) {
	calls := 0
	s := Service[int, int](func(context.Context, int) (int, error) { calls++; return calls, nil })
	for times, want := range []int{0, 1, 3} {
		f := SimpleFilter[int, int](func(ctx context.Context, n int, next Service[int, int]) (r int, err error) {
			for range n {
				r, err = next(ctx, n)
			}
			return r, err
		})
		if got, err := f.AndThen(s)(t.Context(), times); got != want || err != nil {
			t.Errorf("%d calls: got %d, %v, want %d", times, got, err, want)
		}
	}
}
