// Package record holds the stored form of every row: accounts and the directory,
// mailboxes and rooms. It is protobuf, and fields and numbers are for ever, since
// what one version wrote every later one reads.
//
// Who keeps a row converts to and from it: package directory its own, package
// codec those of the grains. The form between members is that of package messages
// and shares nothing with this one.
package record
