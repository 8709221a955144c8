package parley_test

import (
	"go/ast"
	"slices"
	"strings"
)

func packageRules() []rule {
	return []rule{
		{"names", "a package earns its place with one sentence of purpose, which its name holds", checkNames},
		{"docs", "every package says what it is for: a comment before package that starts with Package NAME (or Command NAME)", checkDocs},
	}
}

func checkNames(tree []*source) []finding {
	vague := []string{
		"util", "utils", "common", "commons", "model", "models", "helper", "helpers",
		"misc", "shared", "lib", "base", "types", "interfaces",
	}
	return each(tree, func(s *source) []finding {
		name := strings.TrimSuffix(s.syntax.Name.Name, "_test")
		if slices.Contains(vague, name) {
			return []finding{s.at(s.syntax.Name.Pos(), "package %s", name)}
		}
		return nil
	})
}

// checkDocs reports a package at its first file. Some folders hold two packages,
// a program beside its generator say, so the name counts too.
func checkDocs(tree []*source) (all []finding) {
	type pkg struct{ dir, name string }
	first := map[pkg]*source{}
	documented := map[pkg]bool{}
	for _, s := range tree {
		if !s.isGo() || s.isTest() {
			continue
		}
		p := pkg{s.dir(), s.syntax.Name.Name}
		if first[p] == nil {
			first[p] = s
		}
		documented[p] = documented[p] || !s.generated && documents(s.syntax)
	}
	for p, s := range first {
		if !documented[p] {
			all = append(all, s.at(s.syntax.Name.Pos(), "package %s has no doc comment", p.name))
		}
	}
	return all
}

func documents(f *ast.File) bool {
	if f.Doc == nil {
		return false
	}
	text := f.Doc.Text()
	if f.Name.Name == "main" {
		return strings.HasPrefix(text, "Command ") || strings.HasPrefix(text, "Program ")
	}
	return strings.HasPrefix(text, "Package "+f.Name.Name+" ")
}
