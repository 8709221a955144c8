package parley_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// module is the path of this repo's main module.
const module = "github.com/parley-im/parley"

// source is one file of the tree; what is not Go has no syntax.
type source struct {
	path      string // from the root, with slashes
	text      []byte
	fset      *token.FileSet
	syntax    *ast.File
	generated bool
}

func (s *source) dir() string  { return path.Dir(s.path) }
func (s *source) isGo() bool   { return s.syntax != nil }
func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// finding is a place that breaks a rule.
type finding struct {
	path string
	line int
	what string
}

func (s *source) at(pos token.Pos, format string, args ...any) finding {
	return finding{s.path, s.fset.Position(pos).Line, fmt.Sprintf(format, args...)}
}

// rule holds over the whole tree. Its name is that of its examples in
// testdata/rules; why is told to whoever breaks it.
type rule struct {
	name, why string
	check     func(tree []*source) []finding
}

// rules lists all of them; each file beside this one holds one kind.
func rules() []rule {
	all := importRules()
	all = append(all, packageRules()...)
	all = append(all, stateRules()...)
	all = append(all, testRules()...)
	return append(all, wordRules()...)
}

// TestRules reads the repo's own files. What does not exist breaks no rule.
func TestRules(t *testing.T) {
	tree := load(t, os.DirFS("."))
	if len(tree) < 10 {
		t.Fatalf("%d files; the test does not see the tree", len(tree))
	}
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			for _, f := range r.check(tree) {
				t.Errorf("%s:%d: %s\n\t%s", f.path, f.line, f.what, r.why)
			}
		})
	}
}

// load reads every file below the root but what git or the other module keeps,
// and testdata, which is data.
func load(t *testing.T, root fs.FS) []*source {
	t.Helper()
	fset := token.NewFileSet()
	var tree []*source
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "node_modules" || name == "tools"):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		tree = append(tree, parse(t, fset, name, text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func parse(t *testing.T, fset *token.FileSet, name string, text []byte) *source {
	t.Helper()
	s := &source{path: name, text: text, fset: fset}
	if path.Ext(name) != ".go" {
		return s
	}
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	s.syntax, s.generated = f, ast.IsGenerated(f)
	return s
}

// TestRulesFire holds each rule to its examples: testdata/rules/NAME.txt is a
// small tree, "-- path --" before each file, in which every line that breaks the
// rule ends in "BAD" and no other does.
func TestRulesFire(t *testing.T) {
	for _, r := range rules() {
		t.Run(r.name, func(t *testing.T) {
			tree, want := example(t, filepath.Join("testdata", "rules", r.name+".txt"))
			got := map[string]bool{}
			for _, f := range r.check(tree) {
				got[f.path+":"+strconv.Itoa(f.line)] = true
			}
			for place := range want {
				if !got[place] {
					t.Errorf("%s breaks the rule, which does not say so", place)
				}
			}
			for place := range got {
				if !want[place] {
					t.Errorf("%s keeps the rule, which says that it does not", place)
				}
			}
			if len(want) == 0 {
				t.Error("no example breaks the rule")
			}
		})
	}
}

// example reads a tree of examples and the places marked BAD.
func example(t *testing.T, name string) (tree []*source, bad map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	bad = map[string]bool{}
	for _, part := range strings.Split("\n"+string(text), "\n-- ")[1:] {
		name, body, _ := strings.Cut(part, " --\n")
		for i, line := range strings.Split(body, "\n") {
			if strings.HasSuffix(line, "BAD") {
				bad[name+":"+strconv.Itoa(i+1)] = true
			}
		}
		tree = append(tree, parse(t, fset, name, []byte(body+"\n")))
	}
	return tree, bad
}

// under reports whether dir is one of the folders or lies in one.
func under(dir string, folders ...string) bool {
	for _, f := range folders {
		if dir == f || strings.HasPrefix(dir, f+"/") {
			return true
		}
	}
	return false
}

// each runs check over the Go files that people wrote.
func each(tree []*source, check func(*source) []finding) (all []finding) {
	for _, s := range tree {
		if s.isGo() && !s.generated {
			all = append(all, check(s)...)
		}
	}
	return all
}
