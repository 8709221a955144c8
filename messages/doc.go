// Package messages holds the contracts between the grains and those who call
// them: one message for each command, query and answer. Import it as pb.
//
// Only packages actors and actors/wire know it: everywhere else values are of
// the domain. Members of two versions talk to each other, so numbers and types of
// fields are for ever, and nothing in here is ever stored.
package messages
