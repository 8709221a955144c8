// Command testreport reads what go test -json prints and shows progress: a line
// per package, the output of what failed, every skip. It fails when a test
// failed or was skipped, when a package did not build or end, or when fewer
// tests passed than were committed to, so that tests cannot go missing unseen.
//
//	go test -json ./... | testreport -min 100 -counts FILE
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	least := flag.Int("min", 0, "fail when fewer tests than this pass")
	counts := flag.String("counts", "", "write the closing line to this file")
	tell := flag.String("tell", "", "show what this test said, also when it passed")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *least, *counts, *tell); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, least int, counts, tell string) error {
	r := newReport(out)
	r.tell = tell
	if err := r.read(in); err != nil {
		return err
	}
	if counts != "" {
		if err := os.WriteFile(counts, []byte(r.closing()+"\n"), 0o644); err != nil {
			return err
		}
	}
	return r.verdict(least)
}
