package service

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What is composed wrongly does not compile. Each file of testdata/compose is a
// package of its own; "// want: TEXT" marks the one line that the compiler
// refuses, and how.
func TestWrongCompositionDoesNotCompile(t *testing.T) {
	files, err := filepath.Glob("testdata/compose/*.go")
	if err != nil || len(files) < 2 {
		t.Fatalf("snippets: %v, %v", files, err)
	}
	exports := exportData(t)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			line, want := wanted(fset, f)
			var faults []types.Error
			conf := types.Config{
				Importer: importer.ForCompiler(fset, "gc", exports),
				Error:    func(err error) { faults = append(faults, err.(types.Error)) },
			}
			_, _ = conf.Check("compose", fset, []*ast.File{f}, nil)
			if want == "" && len(faults) == 0 {
				return
			}
			if len(faults) != 1 || fset.Position(faults[0].Pos).Line != line || !strings.Contains(faults[0].Msg, want) {
				t.Errorf("the compiler says %v, want %q on line %d alone", faults, want, line)
			}
		})
	}
}

// wanted finds the marked line of a snippet.
func wanted(fset *token.FileSet, f *ast.File) (line int, want string) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if text, ok := strings.CutPrefix(c.Text, "// want: "); ok {
				return fset.Position(c.Pos()).Line, text
			}
		}
	}
	return 0, ""
}

// exportData reads what the compiler exported of this package and all it imports.
func exportData(t *testing.T) importer.Lookup {
	t.Helper()
	var complaint bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", ".")
	cmd.Stderr = &complaint
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaint.String())
	}
	paths := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		path, file, _ := strings.Cut(l, "\t")
		paths[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(paths[path]) }
}
