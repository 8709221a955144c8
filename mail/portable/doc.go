// Package portable reads and writes mail as people carry it from place to place:
// mboxes, Maildirs and .eml files, in folders or in archives (zip, tar).
//
// It promises that raw mail comes back byte for byte, and that Maildirs and .eml
// files which were written here bring folders, flags and times back; that letters
// are numbered the same each time, so that reading goes on where it stopped; and
// that an archive from anybody costs no more than bounds.go says: what would
// unpack to more is an error, and names that lead out of it, links and devices
// are passed over. It knows no accounts and opens no files by itself.
package portable
