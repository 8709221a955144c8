//go:build race

package future

// loopSteps is fewer under the race detector, where a step costs ten times more;
// what grows with them shows as well.
const loopSteps = 100_000
