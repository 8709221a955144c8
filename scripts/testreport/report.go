package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of go test -json (go doc test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of build output
	Test       string
	Output     string
	Elapsed    float64
}

// maxOutput bounds what is kept of one test's output; the end tells most.
const maxOutput = 64 << 10

// report counts tests: subtests too, since a table is worth its rows.
type report struct {
	out                     io.Writer
	packages                map[string]*pkg
	passed, failed, skipped int
	skips                   []string
	tell                    string // a test whose output is shown when it passed, too
}

// pkg is a package that runs.
type pkg struct {
	passed, failed int
	output         map[string][]byte // by test; "" is the package's own
}

func newReport(out io.Writer) *report {
	return &report{out: out, packages: map[string]*pkg{}}
}

// read follows the stream to its end. Lines that are no events are shown: the go
// command prints some complaints as they are.
func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil && e.Action != "" {
				r.take(e)
			} else {
				fmt.Fprintf(r.out, "%s", line)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
	}
}

func (r *report) take(e event) {
	switch {
	case e.Action == "build-output":
		fmt.Fprint(r.out, e.Output)
	case e.Package == "":
	case e.Action == "output":
		r.pkg(e.Package).keep(e.Test, e.Output)
	case e.Test != "":
		r.test(e)
	case e.Action == "pass", e.Action == "fail", e.Action == "skip":
		r.end(e)
	case e.Action == "start":
		r.pkg(e.Package)
	}
}

func (r *report) pkg(name string) *pkg {
	p := r.packages[name]
	if p == nil {
		p = &pkg{output: map[string][]byte{}}
		r.packages[name] = p
	}
	return p
}

func (p *pkg) keep(test, text string) {
	kept := append(p.output[test], text...)
	p.output[test] = kept[max(0, len(kept)-maxOutput):]
}

// test counts the end of one test.
func (r *report) test(e event) {
	p := r.pkg(e.Package)
	switch e.Action {
	case "pass":
		r.passed++
		p.passed++
		if e.Test == r.tell {
			fmt.Fprintf(r.out, "%s", p.output[e.Test])
		}
	case "fail":
		r.failed++
		p.failed++
		fmt.Fprintf(r.out, "FAIL %s %s\n%s", e.Package, e.Test, p.output[e.Test])
	case "skip":
		r.skipped++
		r.skips = append(r.skips, fmt.Sprintf("%s %s: %s", e.Package, e.Test, reason(p.output[e.Test])))
	default:
		return
	}
	delete(p.output, e.Test)
}

// reason is the last thing that a skipped test said before its own report.
func reason(output []byte) string {
	said := "no reason given"
	for line := range strings.Lines(string(output)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "===") && !strings.HasPrefix(line, "---") {
			said = line
		}
	}
	return said
}

// end closes a package. One that fails with no failed test did not build, died
// outside its tests, or took too long: that counts as a failure of its own.
func (r *report) end(e event) {
	p := r.pkg(e.Package)
	delete(r.packages, e.Package)
	switch {
	case e.Action == "skip":
		fmt.Fprintf(r.out, "none %s\n", e.Package)
		return
	case e.Action == "pass":
		fmt.Fprintf(r.out, "ok   %s %d in %.1fs\n", e.Package, p.passed, e.Elapsed)
		return
	}
	if p.failed == 0 {
		r.failed++
	}
	fmt.Fprintf(r.out, "FAIL %s %d passed, %d failed in %.1fs\n%s", e.Package, p.passed, p.failed, e.Elapsed, p.output[""])
	for _, test := range running(p) {
		fmt.Fprintf(r.out, "unfinished %s\n%s", test, p.output[test])
	}
}

// running are the tests of a dead package that never ended.
func running(p *pkg) (tests []string) {
	for test := range p.output {
		if test != "" {
			tests = append(tests, test)
		}
	}
	slices.Sort(tests)
	return tests
}

// closing is the line that the whole run ends with.
func (r *report) closing() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", r.passed, r.failed, r.skipped)
}

// verdict lists all that is wrong.
func (r *report) verdict(least int) error {
	var all []error
	for _, s := range r.skips {
		all = append(all, fmt.Errorf("skipped: %s", s))
	}
	for name := range r.packages {
		all = append(all, fmt.Errorf("%s never ended", name))
	}
	if r.failed > 0 {
		all = append(all, fmt.Errorf("%d failed", r.failed))
	}
	if r.passed < max(least, 1) {
		all = append(all, fmt.Errorf("%d passed, fewer than the %d of .ci/mincount", r.passed, least))
	}
	return errors.Join(all...)
}
