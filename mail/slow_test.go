//go:build !race

package mail

const slow = 1
