// Package crashfs is a file system for tests and benchmarks that loses power,
// runs full, syncs slowly, lies about syncs, and counts.
//
// It promises that what was synced before the power went is in the image, that
// nothing acknowledged after that moment is, and that every operation that
// changes the medium is counted. It leaves to the seed how much of what was not
// synced survives; which goroutine comes first is the scheduler's, so a seed
// repeats the kind of loss and not each byte of it.
//
// A store and the blob volumes of one test live on one FS, as they would on one disk:
//
//	fs := crashfs.New(seed)
//	fs.CrashAt(400)         // the 400th operation finds no power
//	...                     // work until fs.Crashed() is closed
//	after := fs.Image()     // what a reboot finds
package crashfs
