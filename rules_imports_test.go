package parley_test

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// machines are the state machines: time and ids are their input, so that their
// tests need no cluster, store or clock, and replay gives the same state.
var machines = []string{"actors/mailbox", "actors/thread", "actors/reminder", "actors/correspondent", "actors/tree"}

// inMemory is the file system that stores are given; any test may make one.
const inMemory = "github.com/cockroachdb/pebble/v2/vfs"

// confined names the modules that stay inside few packages.
var confined = []struct {
	module string
	dirs   []string
}{
	{"github.com/asynkron/protoactor-go", []string{"cluster", "actors", "messages"}},
	{"github.com/tsuna/gohbase", []string{"persistence/hbase"}},
	{inMemory, []string{"persistence/embedded", "blob", "internal/crashfs", "cmd", "bench"}},
	{"github.com/cockroachdb/pebble", []string{"persistence/embedded", "blob", "internal/crashfs"}},
	{"github.com/hashicorp/consul", []string{"cluster"}},
	{"github.com/bradfitz/gomemcache", []string{"cache"}},
	{"github.com/minio/minio-go", []string{"blob"}},
	{"github.com/microcosm-cc/bluemonday", []string{"mail/safehtml"}},
}

// layers says which packages of this repo another may import; "." is the root. A
// folder has the row of its longest prefix, and imports below itself are free.
// Folders without a row, such as cmd and bench, join everything.
var layers = map[string][]string{
	".":                    {},
	"service":              {".", "internal/limit"},
	"mail":                 {".", "internal"},
	"messages":             {"."},
	"internal":             {".", "persistence", "blob"},
	"internal/testenv":     nil,
	"internal/torture":     nil,
	"persistence":          {".", "internal"},
	"blob":                 {".", "internal", "persistence"},
	"search":               {".", "internal", "persistence", "mail"},
	"cache":                {".", "internal", "service"},
	"directory":            {".", "internal", "persistence", "service", "mail"},
	"cluster":              {".", "internal", "messages", "service"},
	"actors":               {".", "internal", "messages", "service", "cluster", "persistence", "directory", "blob", "search", "cache", "mail"},
	"actors/mailbox":       {".", "internal", "actors/tree", "actors/thread", "persistence/record", "search", "mail"},
	"actors/thread":        {".", "internal", "actors/tree", "persistence/record", "mail"},
	"actors/correspondent": {".", "internal", "actors/tree", "persistence/record", "mail"},
	"actors/reminder":      {".", "internal", "actors/tree", "persistence/record"},
	"actors/tree":          {".", "internal", "persistence/record"},
	// The edges declare what they need and are handed it.
	"gateway": {".", "internal", "service", "mail", "jmap", "web"},
	"jmap":    {".", "internal", "service", "mail"},
	"channel": {".", "internal", "service", "mail"},
	"web":     {".", "internal"},
	// A program outside takes the client without the server; the generator reads the document.
	"client":          {"service"},
	"client/generate": {"internal/openapi"},
}

func importRules() []rule {
	return []rule{
		{"confined", "a module that is hard to replace stays where it can be replaced", checkConfined},
		{"layers", "imports point one way: the edges declare what they need, cmd joins them with what provides it", checkLayers},
		{"machines", "a state machine takes time and ids as input and does no I/O", checkMachines},
		{"commands", "cmd knows everyone and nobody knows it", checkCommands},
		{"root", "the root holds the domain's nouns and imports only the standard library", checkRoot},
		{"service", "the shapes of service carry no protocol, store or grain", checkService},
		{"mail", "mail holds formats only, without I/O", checkMail},
	}
}

// imports walks the import declarations of a file.
func imports(s *source, check func(spec *ast.ImportSpec, path string) []finding) (all []finding) {
	for _, spec := range s.syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			all = append(all, check(spec, path)...)
		}
	}
	return all
}

// own is the folder of an import of this repo.
func own(path string) (dir string, ok bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func checkConfined(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			for _, c := range confined {
				if path != c.module && !strings.HasPrefix(path, c.module+"/") {
					continue
				}
				if under(s.dir(), c.dirs...) || c.module == inMemory && s.isTest() {
					return nil // the first row that fits decides
				}
				return []finding{s.at(spec.Pos(), "%s outside %s", c.module, strings.Join(c.dirs, ", "))}
			}
			return nil
		})
	})
}

// row finds the allowed imports of a folder.
func row(dir string) (at string, allowed []string) {
	for folder, list := range layers {
		if under(dir, folder) && len(folder) > len(at) {
			at, allowed = folder, list
		}
	}
	return at, allowed
}

func checkLayers(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		at, allowed := row(s.dir())
		if s.isTest() || allowed == nil {
			return nil
		}
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			dir, ours := own(path)
			if !ours || under(dir, at) || slices.Contains(allowed, dir) || under(dir, allowed...) {
				return nil
			}
			return []finding{s.at(spec.Pos(), "%s imports %s", s.dir(), dir)}
		})
	})
}

func checkMachines(tree []*source) []finding {
	banned := []string{
		"net", "os", "io/fs", "math/rand", "crypto/rand", "sync", "log", "log/slog",
		"github.com/asynkron/protoactor-go", "github.com/tsuna/gohbase", "github.com/cockroachdb/pebble",
	}
	return each(tree, func(s *source) []finding {
		if s.isTest() || !under(s.dir(), machines...) {
			return nil
		}
		found := imports(s, func(spec *ast.ImportSpec, path string) []finding {
			if path != "net/url" && path != "net/mail" && under(path, banned...) {
				return []finding{s.at(spec.Pos(), "%s in a state machine", path)}
			}
			return nil
		})
		for _, use := range uses(s, "time", "Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker") {
			found = append(found, s.at(use.Pos(), "time.%s in a state machine", use.Sel.Name))
		}
		return found
	})
}

func checkCommands(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			if dir, ours := own(path); ours && under(dir, "cmd") && !under(s.dir(), "cmd") {
				return []finding{s.at(spec.Pos(), "imports %s", dir)}
			}
			return nil
		})
	})
}

func checkRoot(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		if s.dir() != "." || s.isTest() {
			return nil
		}
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			if !standard(path) {
				return []finding{s.at(spec.Pos(), "imports %s", path)}
			}
			return nil
		})
	})
}

// standard reports whether a path is of the standard library: no dot in its
// first element.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func checkService(tree []*source) []finding {
	others := []string{"github.com/failsafe-go/failsafe-go", "github.com/prometheus/client_golang", "golang.org/x/sync"}
	return each(tree, func(s *source) []finding {
		if !under(s.dir(), "service") || s.isTest() {
			return nil
		}
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			_, ours := own(path)
			if path == "net" || strings.HasPrefix(path, "net/") || !standard(path) && !ours && !under(path, others...) {
				return []finding{s.at(spec.Pos(), "imports %s", path)}
			}
			return nil
		})
	})
}

func checkMail(tree []*source) []finding {
	return each(tree, func(s *source) []finding {
		if !under(s.dir(), "mail") || s.isTest() {
			return nil
		}
		return imports(s, func(spec *ast.ImportSpec, path string) []finding {
			if slices.Contains([]string{"net", "net/http", "net/smtp", "os", "os/exec", "io/fs"}, path) {
				return []finding{s.at(spec.Pos(), "imports %s", path)}
			}
			return nil
		})
	})
}

// uses finds the selections of some names of an imported package, also under
// another name.
func uses(s *source, path string, names ...string) (all []*ast.SelectorExpr) {
	local := ""
	for _, spec := range s.syntax.Imports {
		if spec.Path.Value != strconv.Quote(path) {
			continue
		}
		local = path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			local = spec.Name.Name
		}
	}
	ast.Inspect(s.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && local != "" && x.Name == local && slices.Contains(names, sel.Sel.Name) {
			all = append(all, sel)
		}
		return true
	})
	return all
}
