package gateway_test

import (
	"fmt"
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

// TestCompose: a chain that leaves out authentication does not compile.
func TestCompose(t *testing.T) {
	fset := token.NewFileSet()
	exports := exportData(t)
	check := func(name string) error {
		file, err := parser.ParseFile(fset, filepath.Join("testdata", "compose", name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports)}
		_, err = config.Check("compose", fset, []*ast.File{file}, nil)
		return err
	}
	if err := check("authenticated.go"); err != nil {
		t.Errorf("the chain with Auth does not compile: %v", err)
	}
	if err := check("unauthenticated.go"); err == nil || !strings.Contains(err.Error(), "Authenticated") {
		t.Errorf("the chain without Auth: got %v", err)
	}
}

// exportData finds what the compiler wrote of the packages that a chain needs.
func exportData(t *testing.T) func(string) (io.ReadCloser, error) {
	t.Helper()
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./edge").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	}
}

// TestOnlyAuthMakesUsers: what the compiler cannot forbid, writing an
// Authenticated by hand, is done only where one is made or given a typed body.
func TestOnlyAuthMakesUsers(t *testing.T) {
	makers := map[string]bool{"edge/auth.go": true, "edge/doc.go": true}
	fset := token.NewFileSet()
	for _, pattern := range []string{"*.go", "edge/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.CompositeLit); ok && makesUser(lit.Type) && !makers[filepath.ToSlash(name)] {
					t.Errorf("%s makes an Authenticated", fset.Position(lit.Pos()))
				}
				return true
			})
		}
	}
}

// makesUser sees Authenticated[...] and the package's names for it.
func makesUser(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.IndexExpr:
		return makesUser(typ.X)
	case *ast.SelectorExpr:
		return typ.Sel.Name == "Authenticated"
	case *ast.Ident:
		return typ.Name == "Authenticated" || typ.Name == "user" || typ.Name == "with"
	}
	return false
}
