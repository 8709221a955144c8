// Package parley holds the nouns of the domain: typed ids, error codes, and the
// shapes of threads, messages, participants and events that the edges and the
// grains exchange.
//
// It promises that a value of one id type is never taken for another and that
// every failure carries a Code. It does no I/O and imports only the standard
// library; what the values mean over time is decided in actors.
package parley
