// Package safehtml makes the HTML of mail safe to show. The policy is stated for
// people in docs/html.md.
//
// What comes out holds only the elements, attributes and declarations that are
// listed here, is well nested, loads nothing that was not asked for, and comes out
// the same when it goes in again. Whatever else a message holds is dropped; its
// text stays. Work and memory are linear in the input, which is cut at a bound, as
// are depth, elements and attributes.
//
// Two gates stand behind each other. The first reads tokens, builds a tree of what
// may stay, with the values that may stay, and writes it anew; so a parser that
// reads mail in another way than this one still finds nothing else. The second is
// a policy of bluemonday over what was written; on whole output of the first it
// changes nothing, which the fuzzing asserts, and it holds where the first errs.
//
// It fetches nothing, and leaves headers such as Content-Security-Policy to who
// serves the result.
package safehtml
