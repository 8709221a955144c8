// Package blob keeps immutable bytes under their SHA-256 digest: mail as it
// arrived, attachments, large texts. Store is what the rest of parley needs of
// it; Volumes is the embedded store, a folder of append-only volume files.
//
// It promises that a Put that returned is durable, that the bytes served are
// the bytes that were put (a whole read checks the digest, a part of a large
// blob the checksums of its chunks), and that a blob below 1 MiB is read with
// one disk read, a larger one with one for each MiB asked for at once. A Put of
// bytes that are here already stores nothing again but renews their date, and so
// does Renew. A blob ends only by Sweep, when its caller has found no name for it
// twice, 48 hours apart; Compact gives its bytes back. Who may see a blob is for
// others to decide, and which blobs are named.
//
// # Volumes
//
// A volume begins with a header and goes on with needles, each one blob, a
// renewal of a date, the end of a blob, or a cut that covers bytes without meaning. Whoever
// appends leases a volume for itself: one committer serves all small blobs and
// renewals (what is waiting goes into one write and one sync), each large blob
// streams into a volume of its own meanwhile, so that nobody waits for a slow
// sender. Where each blob lies is held in memory, about 100 bytes for each, and
// saved beside every volume in a checkpoint that only ever names what is
// durable; needles past it are read again at start.
//
// Nothing is trusted after a sync that failed: the volume is sealed at what was
// durable before, its checkpoint says so, and small blobs that were on their way
// go into a new volume; a large one is refused with Unavailable.
//
// # Compaction
//
// A volume of which much is dead is rewritten: what counts is copied under its
// serial and date behind other volumes, synced, and then the index points to the
// copies; at last the volume's files go. A start in between finds needles twice,
// which is the same as once. The end of a blob is copied for as long as a put
// that it ended is in another volume.
//
// # Limits
//
// A blob has at most Config.MaxBytes (100 MiB unless set; at most 1 GiB), else
// TooLarge. A volume takes appends until it holds Config.VolumeBytes and so ends
// up longer by at most one batch or blob. One process per folder.
package blob
