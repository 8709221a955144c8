package compose

import (
	"context"

	"github.com/parley-im/parley/service"
)

type Authenticated[Req any] struct {
	Req     Req
	Account string
}

func authenticate(ctx context.Context, r string, next service.Service[Authenticated[string], int]) (int, error) {
	return next(ctx, Authenticated[string]{Req: r, Account: "ana"})
}

func length(_ context.Context, r Authenticated[string]) (int, error) { return len(r.Req), nil }

var (
	authentic service.Filter[string, int, Authenticated[string], int] = authenticate
	recovered                                                         = service.Recover[string, int](service.RecoverConfig{})

	// A service that needs a user, behind a chain that has none.
	serve = recovered.AndThen(length) // want: cannot use length
)
