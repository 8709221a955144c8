package parley_test

import (
	"go/ast"
	"slices"
	"strconv"
)

func testRules() []rule {
	return []rule{
		{"skips", "a test that is skipped shows nothing; only internal/testenv decides that a server may be missing", checkSkips},
		{"sleeps", "a test that sleeps guesses; in a synctest bubble time is exact, elsewhere poll with a deadline", checkSleeps},
	}
}

func checkSkips(tree []*source) []finding {
	return each(tree, func(s *source) (found []finding) {
		if under(s.dir(), "internal/testenv") {
			return nil
		}
		testers := testerNames(s.syntax)
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && testers[x.Name] {
				found = append(found, s.at(sel.Pos(), "%s.%s", x.Name, sel.Sel.Name))
			}
			return true
		})
		for _, use := range uses(s, "testing", "Short") {
			found = append(found, s.at(use.Pos(), "testing.Short"))
		}
		return found
	})
}

// testerNames are the parameters of types T, B, F and TB of package testing. (A
// rapid.T has a Skip of its own, which draws again.)
func testerNames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		field, ok := n.(*ast.Field)
		if !ok {
			return true
		}
		typ := field.Type
		if star, ok := typ.(*ast.StarExpr); ok {
			typ = star.X
		}
		sel, ok := typ.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"T", "B", "F", "TB"}, sel.Sel.Name) {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "testing" {
			for _, name := range field.Names {
				names[name.Name] = true
			}
		}
		return true
	})
	return names
}

func checkSleeps(tree []*source) []finding {
	return each(tree, func(s *source) (found []finding) {
		if !s.isTest() || slices.ContainsFunc(s.syntax.Imports, func(spec *ast.ImportSpec) bool {
			return spec.Path.Value == strconv.Quote("testing/synctest")
		}) {
			return nil
		}
		for _, use := range uses(s, "time", "Sleep") {
			found = append(found, s.at(use.Pos(), "time.Sleep"))
		}
		return found
	})
}
