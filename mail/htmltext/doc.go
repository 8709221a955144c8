// Package htmltext turns the HTML of mail into text for reading, searching and
// comparing.
//
// It promises that any bytes give text, in time linear in their length and
// without recursion, since it works on tokens and builds no tree. Links keep
// their addresses, lists their marks, quotes their ">"; scripts, styles and
// what is hidden from readers are dropped. It does not make HTML safe to show:
// that is a sanitizer's work.
package htmltext
