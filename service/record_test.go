package service

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley"
)

type observed struct {
	took []time.Duration
	errs []error
}

func (o *observed) Observe(_ context.Context, took time.Duration, err error) {
	o.took, o.errs = append(o.took, took), append(o.errs, err)
}

func TestRecord(t *testing.T) {
	refusal := parley.E(parley.Stale, "x", "")
	for _, tc := range []struct {
		name    string
		service Service[string, string]
		want    error
	}{
		{"answer", echo, nil},
		{"refusal", func(context.Context, string) (string, error) { return "", refusal }, refusal},
		{"panic", breaks, ErrPanicked},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var o observed
				slow := SimpleFilter[string, string](func(ctx context.Context, r string, next Service[string, string]) (string, error) {
					time.Sleep(7 * time.Second)
					return next(ctx, r)
				})
				s := Chain(Recover[string, string](RecoverConfig{}), Record[string, string](&o), slow).AndThen(tc.service)
				_, _ = s(t.Context(), "request")
				if len(o.took) != 1 || o.took[0] != 7*time.Second {
					t.Errorf("took %v, want 7s once", o.took)
				}
				if len(o.errs) != 1 || !errors.Is(o.errs[0], tc.want) {
					t.Errorf("outcome %v, want %v", o.errs, tc.want)
				}
			})
		})
	}
}
