package parley_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"slices"
	"testing"
)

// backgrounds may make a context of their own, outside main and tests; each says
// why. The key is a file or a folder.
var backgrounds = map[string]string{
	"actors/node.go":                  "the lifetime of activations, which no caller's context may end",
	"persistence/embedded/metrics.go": "a scrape has no context",
	"channel/smtp/server.go":          "the lifetime of deliveries, which outlast the client that hangs up",
}

func stateRules() []rule {
	return []rule{
		{"context", "a context comes from the caller; context.Background belongs to main and to an activation's own lifetime (backgrounds in rules_state_test.go)", checkContext},
		{"init", "nothing registers itself: constructors take a Config", checkInit},
		{"globals", "no package-level state, so that two servers fit in one process; a table that is never written is none", checkGlobals},
	}
}

func checkContext(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		if allowedBackground(s) {
			return nil
		}
		return ownContexts(s)
	})
}

// ownContexts finds the contexts that a file makes from nothing.
func ownContexts(s *source) (found []finding) {
	if s.isTest() || under(s.dir(), "cmd", "bench") || s.syntax.Name.Name == "main" {
		return nil
	}
	for _, use := range uses(s, "context", "Background", "TO"+"DO") {
		found = append(found, s.at(use.Pos(), "context.%s", use.Sel.Name))
	}
	return found
}

func allowedBackground(s *source) bool {
	for place := range backgrounds {
		if under(s.path, place) {
			return true
		}
	}
	return false
}

// An exception that nothing uses any more goes.
func TestBackgroundsAreNeeded(t *testing.T) {
	tree := load(t, os.DirFS("."))
	for place, why := range backgrounds {
		used := slices.ContainsFunc(tree, func(s *source) bool {
			return s.isGo() && under(s.path, place) && len(ownContexts(s)) > 0
		})
		if !used {
			t.Errorf("%s (%s) makes no context of its own", place, why)
		}
	}
}

func checkInit(tree []*source) []finding {
	return each(tree, func(s *source) (found []finding) {
		for _, d := range s.syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				found = append(found, s.at(f.Pos(), "func init"))
			}
		}
		return found
	})
}

// checkGlobals finds variables of a package that are made to be written (locks,
// atomics, channels, empty maps) and those that some function does write.
func checkGlobals(tree []*source) []finding {
	globals := packageVars(tree)
	return each(tree, func(s *source) (found []finding) {
		if s.isTest() {
			return nil // flags of a test binary are variables
		}
		for _, spec := range varSpecs(s.syntax) {
			if what := mutable(spec); what != "" {
				found = append(found, s.at(spec.Pos(), "a package variable that is %s", what))
			}
		}
		return append(found, writes(s, globals[packageOf(s)])...)
	})
}

func packageOf(s *source) string { return path.Join(s.dir(), s.syntax.Name.Name) }

func varSpecs(f *ast.File) (all []*ast.ValueSpec) {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				all = append(all, spec.(*ast.ValueSpec))
			}
		}
	}
	return all
}

// packageVars names the variables of each package.
func packageVars(tree []*source) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, s := range tree {
		if !s.isGo() || s.isTest() {
			continue
		}
		p := packageOf(s)
		if all[p] == nil {
			all[p] = map[string]bool{}
		}
		for _, spec := range varSpecs(s.syntax) {
			for _, name := range spec.Names {
				all[p][name.Name] = name.Name != "_"
			}
		}
	}
	return all
}

// mutable says in what way a declaration is made to be written.
func mutable(spec *ast.ValueSpec) string {
	if sel, ok := spec.Type.(*ast.SelectorExpr); ok && fromSync(sel) {
		return "a lock or an atomic"
	}
	if _, ok := spec.Type.(*ast.ChanType); ok {
		return "a channel"
	}
	if index, ok := spec.Type.(*ast.IndexExpr); ok && fromSync(index.X) {
		return "an atomic"
	}
	for _, v := range spec.Values {
		switch v := v.(type) {
		case *ast.CallExpr:
			if f, ok := v.Fun.(*ast.Ident); ok && (f.Name == "make" || f.Name == "new") {
				return "made empty"
			}
		case *ast.CompositeLit:
			if _, ok := v.Type.(*ast.MapType); ok && len(v.Elts) == 0 || fromSync(v.Type) {
				return "made empty"
			}
		}
	}
	return ""
}

// fromSync leaves sync.Pool alone: what it holds is no server's.
func fromSync(n ast.Expr) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name == "Pool" {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && (x.Name == "sync" || x.Name == "atomic")
}

// writes finds assignments to variables of the package, or to parts of them.
func writes(s *source, globals map[string]bool) (found []finding) {
	note := func(e ast.Expr) {
		if id := rootOf(e); id != nil && globals[id.Name] && !local(s, id) {
			found = append(found, s.at(e.Pos(), "writes the package variable %s", id.Name))
		}
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if n.Tok != token.DEFINE {
					note(e)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && (f.Name == "delete" || f.Name == "clear") {
				note(n.Args[0])
			}
		}
		return true
	})
	return found
}

// rootOf is x of x.f[i].g.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch n := e.(type) {
		case *ast.Ident:
			return n
		case *ast.SelectorExpr:
			e = n.X
		case *ast.IndexExpr:
			e = n.X
		case *ast.StarExpr:
			e = n.X
		case *ast.ParenExpr:
			e = n.X
		default:
			return nil
		}
	}
}

// local reports whether the parser resolved the name to something inside a
// function; a package variable of another file stays unresolved.
func local(s *source, id *ast.Ident) bool {
	return id.Obj != nil && s.syntax.Scope.Lookup(id.Name) != id.Obj
}
