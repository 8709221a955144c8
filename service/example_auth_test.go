package service_test

import (
	"context"
	"fmt"

	"github.com/parley-im/parley"
	"github.com/parley-im/parley/service"
	"github.com/parley-im/parley/service/future"
)

type request struct{ token, path string }

// authenticated is a request that a filter has looked at: nothing else makes one,
// so a service that takes it cannot be asked without authentication.
type authenticated struct {
	request
	account string
}

// authService knows the tokens; it is a client to some other server.
func authService(_ context.Context, token string) (account string, err error) {
	if token != "secret" {
		return "", parley.E(parley.Unauthenticated, "auth", "who are you?")
	}
	return "ana", nil
}

// authenticate changes the type on the way in.
func authenticate(ctx context.Context, r request, next service.Service[authenticated, string]) (string, error) {
	known := service.Service[string, string](authService).Go(ctx, r.token)
	return future.FlatMap(known, func(account string) *future.Future[string] {
		return next.Go(ctx, authenticated{r, account})
	}).Await(ctx)
}

// Section 3 of the paper: authentication as a type.
func Example_authentication() {
	inbox := service.Service[authenticated, string](func(_ context.Context, r authenticated) (string, error) {
		return r.path + " of " + r.account, nil
	})
	serve := service.Filter[request, string, authenticated, string](authenticate).AndThen(inbox)

	fmt.Println(serve(context.Background(), request{"secret", "/inbox"}))
	_, err := serve(context.Background(), request{"guess", "/inbox"})
	fmt.Println(err)
	// Output:
	// /inbox of ana <nil>
	// auth: who are you?
}
