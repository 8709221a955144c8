package codec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/parley-im/parley/actors/thread"
	"github.com/parley-im/parley/persistence/record"
)

// words are the tables by the type of the words, with the enum of the record.
func words() map[string]struct {
	words any
	enum  protoreflect.EnumDescriptor
} {
	return map[string]struct {
		words any
		enum  protoreflect.EnumDescriptor
	}{
		"Kind":      {kinds, record.Kind(0).Descriptor()},
		"Channel":   {channels, record.Channel(0).Descriptor()},
		"History":   {histories, record.History(0).Descriptor()},
		"Role":      {roles, record.Role(0).Descriptor()},
		"PartState": {states, record.PartState(0).Descriptor()},
		"Notice":    {notices, record.Notice(0).Descriptor()},
		"Signal":    {signals, record.Signal(0).Descriptor()},
		"JobKind":   {jobKinds, record.JobKind(0).Descriptor()},
		"JobState":  {jobStates, record.JobState(0).Descriptor()},
		"Format":    {formats, record.Format(0).Descriptor()},
		"FolderID":  {folders, record.Folder(0).Descriptor()},
		"Keyword":   {keywords, record.Keyword(0).Descriptor()},
	}
}

// Each word is at its number: the enum spells it the same.
func TestWordsAndEnumsAgree(t *testing.T) {
	for name, table := range words() {
		list := reflect.ValueOf(table.words)
		if list.Len() != table.enum.Values().Len() {
			t.Errorf("%s: %d words, %d numbers", name, list.Len(), table.enum.Values().Len())
			continue
		}
		prefix := string(table.enum.Values().Get(0).Name())
		prefix = strings.ToLower(strings.TrimSuffix(prefix, "UNSPECIFIED"))
		for i := 1; i < list.Len(); i++ {
			got := strings.TrimPrefix(strings.ToLower(string(table.enum.Values().ByNumber(protoreflect.EnumNumber(i)).Name())), prefix)
			if want := strings.TrimPrefix(list.Index(i).String(), "$"); got != want {
				t.Errorf("%s %d: got %s, want %s", name, i, got, want)
			}
		}
	}
}

// toldOnly are constants that explain, and that no row holds.
var toldOnly = map[string]bool{"SignalDraft": true}

// Each constant of the domain has a number, so that none is refused when it is first used.
func TestEveryConstantHasANumber(t *testing.T) {
	tables, found := words(), 0
	for name, value := range constants(t) {
		table, ok := tables[name.typ]
		if !ok || toldOnly[name.name] {
			continue
		}
		found++
		list, known := reflect.ValueOf(table.words), false
		for i := range list.Len() {
			known = known || list.Index(i).String() == value
		}
		if !known {
			t.Errorf("%s %q has no number", name.typ, value)
		}
	}
	if found < 30 {
		t.Errorf("only %d constants were found", found)
	}
}

type constant struct{ name, typ string }

// constants are the typed text constants of package parley.
func constants(t *testing.T) map[constant]string {
	t.Helper()
	files, err := filepath.Glob("../../*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[constant]string{}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			typ, typed := spec.Type.(*ast.Ident)
			lit, text := spec.Values[0].(*ast.BasicLit)
			if typed && text && lit.Kind == token.STRING {
				all[constant{spec.Names[0].Name, typ.Name}], err = strconv.Unquote(lit.Value)
			}
			return true
		})
	}
	return all
}

// The types of events have the numbers of their enum.
func TestEventTypes(t *testing.T) {
	for name, typ := range map[string]thread.Type{
		"CREATED": thread.Created, "POSTED": thread.Posted, "JOINED": thread.Joined, "ADDED": thread.Added,
		"LEFT": thread.Left, "REMOVED": thread.Removed, "CHANGED": thread.Changed, "DIVIDED": thread.Divided,
	} {
		if got := record.EventType(typ).String(); got != "EVENT_TYPE_"+name {
			t.Errorf("%s is stored as %s", name, got)
		}
	}
	if n := record.EventType(0).Descriptor().Values().Len() - 1; n != int(thread.Divided) {
		t.Errorf("%d types are stored, %d known", n, thread.Divided)
	}
}
