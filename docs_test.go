package parley_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docLink  = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	docCode  = regexp.MustCompile("`([^`\n]+)`")
	docTest  = regexp.MustCompile(`^(?:([\w/]+)\.)?((?:Test|Fuzz|Benchmark)[A-Z]\w*)$`)
	docPath  = regexp.MustCompile(`^\w[\w./*-]+(?:/|\.(?:go|md|txt|json|proto|golden|eml|mbox|toml))$`)
	docName  = regexp.MustCompile("`(\\w+)`\\s+in\\s+`([\\w./-]+\\.go)`")
	docConst = regexp.MustCompile(`^([\w./-]+\.go):(\w+)(?:[ =,:]+(.+))?$`)
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
)

// TestDocs holds what README.md and docs say of this tree to the tree: links
// lead somewhere, and what stands in backquotes is there: a path, a test
// (`folder.TestName`), a name in a file, with its value (`folder/file.go:name = value`)
// or without (`name` in `folder/file.go`).
func TestDocs(t *testing.T) {
	tree := load(t, os.DirFS("."))
	tests := map[string]bool{}
	for _, s := range tree {
		for _, m := range testFunc.FindAllSubmatch(s.text, -1) {
			tests[string(m[1])], tests[s.dir()+"."+string(m[1])] = true, true
		}
	}
	for _, s := range tree {
		if s.path != "README.md" && !under(s.dir(), "docs") || path.Ext(s.path) != ".md" {
			continue
		}
		for _, m := range docLink.FindAllSubmatch(s.text, -1) {
			if !exists(path.Join(s.dir(), string(m[1]))) {
				t.Errorf("%s: the link %s leads nowhere", s.path, m[1])
			}
		}
		for _, m := range docName.FindAllSubmatch(s.text, -1) {
			if err := claimed(string(m[2])+":"+string(m[1]), tests); err != nil {
				t.Errorf("%s: %s in %s: %v", s.path, m[1], m[2], err)
			}
		}
		for _, m := range docCode.FindAllSubmatch(s.text, -1) {
			if err := claimed(string(m[1]), tests); err != nil {
				t.Errorf("%s: `%s`: %v", s.path, m[1], err)
			}
		}
	}
}

// claimed checks what stands in backquotes, if it is of a kind that can be.
func claimed(code string, tests map[string]bool) error {
	if m := docTest.FindStringSubmatch(code); m != nil && !tests[code] {
		return fmt.Errorf("there is no such test")
	}
	if docPath.MatchString(code) && !exists(code) && !exists("*/testdata/"+code) && !exists("*/*/testdata/"+code) {
		return fmt.Errorf("there is no such file")
	}
	m := docConst.FindStringSubmatch(code)
	if m == nil {
		return nil
	}
	text, err := os.ReadFile(m[1])
	if err != nil {
		return err
	}
	if regexp.MustCompile(`\b` + m[2] + `\b.*` + regexp.QuoteMeta(m[3]) + `(?:\W|$)`).Match(text) {
		return nil
	}
	return fmt.Errorf("no line of the file says so")
}

func exists(pattern string) bool {
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// TestDecisions: numbered from 0001 without a gap, each titled with its number.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("docs/decisions/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	for i, name := range files {
		number := fmt.Sprintf("%04d", i+1)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(filepath.Base(name), number+"-") || !strings.HasPrefix(string(text), "# "+number+" ") {
			t.Errorf("%s: the next decision is %s, in name and title", name, number)
		}
	}
}
