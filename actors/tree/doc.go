// Package tree keeps the indexes of a row: order-statistic B+ trees whose blocks
// are cells. Keys are opaque bytes in bytes.Compare order, of 1 to MaxKey bytes:
// typically inverted time, then an id, so that the newest comes first.
//
// It promises that total, rank, the key at a place, and pages by number or from
// a key in both directions read one block per level, plus the further leaves
// that hold the page; that Insert reads one block per level, and Delete at most
// one neighbour per level more. An operation reads before it writes: one that
// lacks a block has put nothing, asked its Pager for every block it could
// already name, and is run again once they are loaded.
//
// # Shape
//
// The root is block 0, so its cell is known without reading anything; when it
// splits, its content moves to new blocks, and when it has one child left, that
// child's content moves back. Except for the root, a block has between a quarter
// of Max and Max entries, and an inner block at least two children. Ids are
// handed out once: Next in the root only rises and freed ids stay unused. An
// emptied tree keeps its root for Next, unless nothing was ever handed out; then
// the root goes too, so that a tree that stayed small leaves nothing.
//
// A delete that takes a block below a quarter joins it with a neighbour if both
// fit into three quarters of a block, else shares the entries out evenly. Either
// result is at least an eighth of a block away from its next change of shape, so
// that deliveries and deletions in turn do not split and join for ever. The
// neighbour is the one on the newer side, where blocks are more often loaded.
//
// # Splits at the ends
//
// An insert before the first key or behind the last one splits the full blocks on
// its way so that the end keeps a quarter. A million keys, newest first,
// and 128 entries to a block gave, for each choice (TestNewestFirst holds the one
// chosen with 200,000):
//
//	the end keeps   leaves full   levels   keys written for one inserted
//	half            51 %          4        97
//	a quarter       76 %          3        81
//	one             100 %         3        66
//
// One would do best if nothing came late or went, but then the first late arrival
// splits each full block, and the end is underfull from the start. Elsewhere
// blocks split in halves.
//
// It does no I/O and knows no clock. Loading, writing and coding blocks is left
// to the state machine behind Pager.
package tree
