// Package smtp is the door for mail: LMTP (RFC 2033), spoken by the mail server in
// front, which keeps a queue and tries again.
//
// It promises one answer per recipient, in the order of RCPT; that a fault of
// ours is never permanent, since a bounce cannot be taken back; and that a
// message reaches Mailboxes as a stream of exactly the bytes that the client
// sent, dot-stuffing undone (RFC 5321 4.5.2) and nothing else touched: no
// Return-Path and no Received is added, so that a retry has the same digest, and
// the envelope goes beside the bytes. Only CRLF.CRLF ends a message. A message
// that was cut off is never delivered in part, because the stream ends in an
// error and not in io.EOF.
//
// Commands and their parameters are read by go-smtp. Between it and the network
// lies wire, which reads message content itself and brings replies to the letter
// of the RFCs. Who a recipient is, what makes a double and what is durable are
// left to Mailboxes.
package smtp
