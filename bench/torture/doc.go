// Package torture plays seeded loads against parley, takes its power, kills it,
// makes its disk and its store fail, and then holds what is left to what was
// answered.
//
// A play writes down every command with its outcome: done, refused, or unknown.
// The check knows nothing of how parley works. It reads the copies through the
// same door as the players, the rooms' sequences as stored, and folds both anew
// in the plainest way: nothing acknowledged is missing, doubled or out of order;
// what was refused is not there; what is unknown is there whole, once, or not at
// all; no copy holds a word from outside its owner's intervals; every figure is
// the count of what it counts. node.Audit is asked as well, and a rebuild has to
// find nothing to change.
//
// Turns is the form that compares stores: one thing at a time, over several lives
// and failing writes, so that the seed alone decides what every copy holds, on
// Pebble and on HBase.
//
// Every run prints its seed and takes it back through PARLEY_SEED. A seed repeats
// the play, the faults and the moment of the loss as far as the scheduler lets it.
//
//	PARLEY_TORTURE        how long the long forms go on; absent: the short forms
//	PARLEY_TORTURE_KILLS  kills of the server at least
//	PARLEY_SEED           the first seed; absent: 1, or the clock from 10 minutes on
package torture
