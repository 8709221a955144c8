// Package gateway is the HTTP edge: it serves /v1 as openapi.json describes it,
// and hides accounts, mailboxes and rooms behind one plain interface.
//
// It promises what that document says, no more and no less: tests hold every
// route, status, header and body to it. It keeps nothing but limits, running
// requests, open streams, and which requests the latest keys were used for. What a
// command does is left to Accounts, Mailboxes and Rooms; listening, TLS and the timeouts of the connection are left to the
// http.Server around it, which should have a ReadHeaderTimeout, an IdleTimeout
// and MaxHeaderBytes, but no ReadTimeout or WriteTimeout: the gateway sets
// deadlines by route.
package gateway
