// Package mail reads the formats of e-mail: MIME structure, headers, addresses,
// dates, threading ids, charsets, and the digests by which doubles are found.
//
// It promises that any bytes give a Message: nothing is rejected, nothing
// panics, every string is valid UTF-8 without control characters, and work and
// memory are bounded by the constants in bounds.go. What lies beyond a bound is
// kept as an opaque part; what was wrong is listed in Message.Defects. The raw
// bytes are kept once, by the caller: a Part is an (offset, length, encoding)
// into them, or into the decoded bytes of another Part, and is decoded on demand.
//
// Every leaf of the MIME tree is shown in one place: in Text, in HTML, or in
// Attachments (Part.Shown). Files that hold parts are opened: messages that are
// not marked to be files, also encoded ones; opaque signatures and winmail.dat,
// which stay attached beside what they hold.
//
// It does no I/O beyond the readers handed to it. Whom to believe, where a
// message is filed and what is shown are decided by its callers. The one strict
// parser is ParseAddrSpec, for protocol use.
package mail
