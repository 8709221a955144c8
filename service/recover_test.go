package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-im/parley"
)

type count int

func (c *count) Inc() { *c++ }

var errBroken = errors.New("broken invariant")

func breaks(_ context.Context, secret string) (string, error) {
	if secret == "error" {
		panic(errBroken)
	}
	panic("no row for " + secret[:2])
}

func TestRecover(t *testing.T) {
	var log bytes.Buffer
	var panics count
	cfg := RecoverConfig{Op: "test", Log: slog.New(slog.NewTextHandler(&log, nil)), Panics: &panics}
	// Two of them: the inner one has it, the outer one sees an error.
	s := Chain(Recover[string, string](cfg), Recover[string, string](cfg)).AndThen(breaks)

	reply, err := s(t.Context(), "se-the-request")
	if reply != "" || err == nil || parley.CodeOf(err) != parley.Internal {
		t.Errorf("got %q, %v, want an Internal error", reply, err)
	}
	if p := (*PanicError)(nil); !errors.As(err, &p) || p.Value != "no row for se" {
		t.Errorf("got %v, want the panic's value", err)
	}
	if panics != 1 || strings.Count(log.String(), "level=ERROR") != 1 {
		t.Errorf("counted %d, logged %q; want each once", panics, log.String())
	}
	if !strings.Contains(log.String(), "service.breaks") {
		t.Errorf("no stack of the panic in %q", log.String())
	}
	if strings.Contains(log.String(), "the-request") {
		t.Errorf("the request is in the log: %q", log.String())
	}
}

func TestRecoverKeepsThrownError(t *testing.T) {
	s := Recover[string, string](RecoverConfig{}).AndThen(breaks)
	if _, err := s(t.Context(), "error"); !errors.Is(err, errBroken) {
		t.Errorf("got %v, want the error thrown", err)
	}
	thrown := func(context.Context, string) (string, error) { panic(parley.E(parley.NotFound, "x", "")) }
	if _, err := Recover[string, string](RecoverConfig{}).AndThen(thrown)(t.Context(), ""); parley.CodeOf(err) != parley.Internal {
		t.Errorf("a thrown code: got %d, want Internal", parley.CodeOf(err))
	}
}

func TestRecoverLeavesAnswersAlone(t *testing.T) {
	if reply, err := Recover[string, string](RecoverConfig{}).AndThen(echo)(t.Context(), "x"); reply != "<x>" || err != nil {
		t.Errorf("got %q, %v", reply, err)
	}
}
