package bench

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"text/tabwriter"
)

// WriteTable writes figures for people: a table for each group, a line for each
// name, a column for each measure.
func WriteTable(w io.Writer, fs []Figure) error {
	for len(fs) > 0 {
		n := slices.IndexFunc(fs, func(f Figure) bool { return f.Group != fs[0].Group })
		if n < 0 {
			n = len(fs)
		}
		if err := writeGroup(w, fs[:n]); err != nil {
			return err
		}
		fs = fs[n:]
	}
	return nil
}

func writeGroup(w io.Writer, fs []Figure) error {
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	measures := distinct(fs, func(f Figure) string { return f.Measure })
	fmt.Fprintf(t, "\n%s", fs[0].Group)
	for _, m := range measures {
		fmt.Fprintf(t, "\t%s", m)
	}
	for _, name := range distinct(fs, func(f Figure) string { return f.Name }) {
		fmt.Fprintf(t, "\n  %s", name)
		for _, m := range measures {
			cell := ""
			if f, ok := Find(fs, name, m); ok {
				cell = f.text()
			}
			fmt.Fprintf(t, "\t%s", cell)
		}
	}
	fmt.Fprintln(t)
	if err := t.Flush(); err != nil {
		return err
	}
	for line := range bytes.Lines(out.Bytes()) {
		if _, err := fmt.Fprintf(w, "%s\n", bytes.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

func distinct(fs []Figure, of func(Figure) string) (all []string) {
	for _, f := range fs {
		if s := of(f); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// number keeps three digits that say something.
func number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}
