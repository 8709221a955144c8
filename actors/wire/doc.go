// Package wire gives the commands, reads and answers of the grains their form
// between members, that of package messages.
//
// It promises that a value comes back as it was, times to the microsecond in UTC
// and empty lists as nil where the two mean the same, and that an error keeps its
// code, its public text, its field and who came in since, and nothing else. What a member does not
// know, since a later version sent it, is an error and never half understood. It
// shares nothing with the stored form, which package codec gives.
package wire
