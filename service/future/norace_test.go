//go:build !race

package future

const loopSteps = 1_000_000
