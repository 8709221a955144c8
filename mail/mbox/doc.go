// Package mbox reads and writes mailboxes in one file (RFC 4155).
//
// It promises that raw messages of any bytes and any size, written by Writer,
// come back byte for byte from Reader, in bounded memory; and that whatever is
// read gives messages: a file that is no mbox is one message. Written files are
// mboxrd: every line that begins with any number of ">" and "From " gets one
// more ">". Reading takes one off, which undoes mboxrd and mboxo alike.
//
// It knows nothing of what the messages say.
package mbox
