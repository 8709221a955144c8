package client

import "iter"

// pages walks a list from page to page; "" asks for the first, and follows the
// last.
func pages[T any](page func(next Cursor) ([]T, Cursor, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for next := Cursor(""); ; {
			items, after, err := page(next)
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next = after; next == "" {
				return
			}
		}
	}
}
