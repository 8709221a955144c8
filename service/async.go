package service

import (
	"context"

	"github.com/parley-im/parley/service/future"
)

// Go asks the service without waiting for the answer. An interrupt of the future
// ends the context of the request. A panic is caught; Recover reports it when its
// error comes by.
func (s Service[Req, Rep]) Go(ctx context.Context, request Req) *future.Future[Rep] {
	return future.Go(ctx, func(ctx context.Context) (Rep, error) { return s(ctx, request) })
}
