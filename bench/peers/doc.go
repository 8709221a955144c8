// Package peers measures parts of parley beside libraries of others that do the
// same, in one run on one machine: go test -bench . ./bench/peers. What they are
// asked to do is written beside each, since none of them does quite the same.
package peers
