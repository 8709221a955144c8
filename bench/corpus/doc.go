// Package corpus runs the real program over mail that others wrote: the folder
// named by PARLEY_CORPUS, which holds list.mbox.xz and mail/. The mail has
// licences of its own and stays there; only digests of what was read are here.
// `make corpus` runs it; notmuch, as an independent judge of threads, has to be
// installed.
package corpus
