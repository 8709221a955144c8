//go:build race

package embedded

// The detector sees every byte that the file system in memory copies for a sync,
// which makes a seed 20 times slower.
const crashSeeds = 40
