// Package directory knows who has which address, password and token.
//
// It keeps rows without a grain, changed by compare-and-set on a version cell.
// It promises that a name (an address or an external id) belongs to at most
// one account, that a repeated command gives the first answer, and that a
// token revoked here is refused at once, and within five seconds by every
// other process. It leaves to the edges who may call what.
//
// # Rows
//
// The account table has a row per account, family "a":
//
//	v            counter of the row's commits, 8 bytes big-endian; every commit checks it
//	account      record.Account; its cell version is the account's version
//	password     record.Password
//	t/<token>    record.Token; a revoked one stays until it is erased
//	u/<token>    record.TokenUse; put without a check, versioned by the hour
//	k/<command>  record.CommandKey
//
// All cells of one commit carry the new counter as their version. A row with
// nothing but v is a claimant that never came to be.
//
// The directory table has a row per name, "addr:" + address or "ext:" +
// external id, family "d", with one cell, claim.
//
// # Claims
//
// A name belongs to account X when its claim names X and X's row lists the
// name; the row alone decides in the end, so no order of crashes leaves a name
// with two owners. To take a name: read X's v, write the claim, commit X's row
// if v is still the same. Whoever takes a lapsed claim over first raises v of
// the row that it names, so that the first claimant's late commit fails.
package directory
