package portable

import "time"

// Target is where an export is written: a new folder, or an archive.
type Target interface {
	// Dir makes a folder; the one above is there.
	Dir(name string) error
	// Message writes a new file that is as old as a message.
	Message(name string, text []byte, at time.Time) error
	// Tell writes a new file about the others.
	Tell(name string, text []byte) error
}
