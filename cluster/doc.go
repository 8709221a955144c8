// Package cluster is where grains live: membership, the lookup that gives each
// identity its place, and Call, the only way to reach a grain.
//
// It promises that the same identity reaches the same live activation as long as
// membership stands still, that a call ends by its context, and that no queue
// grows without a bound. It does not promise that only one activation is alive
// at a time: the fence of the store does, in package actors.
package cluster
