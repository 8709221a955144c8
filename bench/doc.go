// Package bench measures what parley costs, so that anyone can repeat it.
//
// Counts come first: store operations, cells, bytes, block reads and syncs say
// the same on every machine, and budget_test.go holds those of the cost budget in
// every run of the tests. Times are only ever given as ratios to a limit of the
// machine that was measured in the same run: a loop of write and fsync, a round
// trip over the loopback, the same work without syncs.
//
// It measures the grains with their store and blobs through actors.Client, as the
// edges use it, and leaves out what is measured elsewhere: the directory is a map
// in memory, and nothing listens. cmd/parleybench runs all of it and prints a
// table; docs/benchmarks.md says what each figure means.
package bench
