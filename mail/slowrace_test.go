//go:build race

package mail

// slow is what the race detector costs, on a machine that does other things too.
const slow = 15
