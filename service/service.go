// Package service builds servers and clients out of two shapes: a Service
// answers a request, a Filter stands in front of one. Both ends of a call use
// the same filters; the order is stated once, where a chain is built.
//
// It promises that a filter which changes types makes the compiler demand it: a
// service that takes Authenticated requests cannot stand behind a chain without
// authentication. It knows no protocol; what a request is belongs to the edges.
//
// For clients out there are Timeout, Retry, Backup and Guard, in this order from
// the caller to the peer (example_stack_test.go says why). Retry and Backup ask
// more than once, so they stand only in front of requests that are safe to
// repeat. Calls that run beside each other are futures (Service.Go, and package
// future below).
package service

import "context"

// Service answers one request. It obeys ctx: when that ends, so does the work,
// unless the work is already decided.
type Service[Req, Rep any] func(ctx context.Context, request Req) (Rep, error)

// Filter takes a request on its way in and an answer on its way out, and may
// change the type of both: ReqIn comes from outside, ReqOut goes to the service
// behind, which answers RepIn, and RepOut goes back. It may answer by itself and
// call the service never, or more than once.
type Filter[ReqIn, RepOut, ReqOut, RepIn any] func(ctx context.Context, request ReqIn, next Service[ReqOut, RepIn]) (RepOut, error)

// SimpleFilter leaves the types alone.
type SimpleFilter[Req, Rep any] = Filter[Req, Rep, Req, Rep]

// AndThen puts the filter in front of a service.
func (f Filter[ReqIn, RepOut, ReqOut, RepIn]) AndThen(s Service[ReqOut, RepIn]) Service[ReqIn, RepOut] {
	return func(ctx context.Context, request ReqIn) (RepOut, error) {
		return f(ctx, request, s)
	}
}

// AndThen puts one filter in front of another; the outer sees a request first and
// an answer last. It is no method, since the inner types are its own parameters.
func AndThen[ReqIn, RepOut, ReqMid, RepMid, ReqOut, RepIn any](
	outer Filter[ReqIn, RepOut, ReqMid, RepMid],
	inner Filter[ReqMid, RepMid, ReqOut, RepIn],
) Filter[ReqIn, RepOut, ReqOut, RepIn] {
	return func(ctx context.Context, request ReqIn, next Service[ReqOut, RepIn]) (RepOut, error) {
		return outer(ctx, request, inner.AndThen(next))
	}
}

// Chain joins filters of one type, the first outermost. Without any it is the
// filter that does nothing.
func Chain[Req, Rep any](filters ...SimpleFilter[Req, Rep]) SimpleFilter[Req, Rep] {
	return func(ctx context.Context, request Req, next Service[Req, Rep]) (Rep, error) {
		for i := len(filters) - 1; i >= 0; i-- {
			next = filters[i].AndThen(next)
		}
		return next(ctx, request)
	}
}
