// Package maildir knows how a Maildir says what is known of a message: flags and
// the time of delivery in the names of its files, folders in the names of its
// folders (Maildir++).
//
// It promises that what it writes it reads back as it was, and that any name
// reads as something. Files are opened elsewhere.
package maildir
