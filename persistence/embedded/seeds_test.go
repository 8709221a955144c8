//go:build !race

package embedded

const crashSeeds = 200
