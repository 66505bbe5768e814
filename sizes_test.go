package house

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// size is how large a package or a type is.
type size struct{ lines, files, methods int }

// mostOf is how large they may be, tests left out: what is larger is a hall in which
// nobody finds the part that they look for.
var mostOf = size{lines: 6000, files: 45, methods: 40}

// larger are the packages, and the types as "folder.Type", that are larger all the same:
// why, and up to which size. Only what is not 0 may be over the common bound. Lower the
// numbers when something moves out; do not raise them.
var larger = map[string]struct {
	why string
	size
}{
	"cmd/webrag-tui":                {"every command has its file, and all are one program", size{lines: 9300, files: 49}},
	"cmd/webrag-tui.app":            {"a command is a method of the program that runs it", size{methods: 92}},
	"retrieval":                     {"each stage is a file, and all work on one ranking", size{lines: 6500, files: 51}},
	"retrieval.ranking":             {"what a stage does to the candidates is a method of the ranking that has them", size{methods: 93}},
	"ui.Model":                      {"keys, messages and what the session has changed come to the one model at the root", size{methods: 137}},
	"indexing/convert.converter":    {"each element of HTML has a method that writes it", size{methods: 59}},
	"store/postgres":                {"two layouts of tables, with every statement that they need", size{lines: 8300, files: 62}},
	"store/postgres.View":           {"a view answers all questions of package store, in several statements each", size{methods: 94}},
	"store/postgres.Writer":         {"a writer does all that package store says of one, in several statements each", size{methods: 50}},
	"store/postgres/flat.View":      {"a view answers all questions of package store", size{methods: 41}},
	"store/postgres/internal/db.DB": {"each way to ask a server is a method, so that all of them recover from a lost connection", size{methods: 45}},
	"store/sqlite":                  {"every statement and every version of the file's layout", size{lines: 7100}},
}

// sizes are the sizes of all packages by their folder, and of the types with methods.
func sizes(t *testing.T) map[string]size {
	t.Helper()
	all := map[string]size{}
	for _, f := range sourceFiles(t) {
		if f.test {
			continue
		}
		text, err := os.ReadFile(filepath.FromSlash(f.path))
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		folder := path.Dir(f.path)
		s := all[folder]
		s.lines += bytes.Count(text, []byte("\n"))
		s.files++
		all[folder] = s
		for _, d := range parsed.Decls {
			if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
				of := folder + "." + receiverOf(method.Recv.List[0].Type)
				s := all[of]
				s.methods++
				all[of] = s
			}
		}
	}
	return all
}

// receiverOf is the name of a receiver's type, without a star and parameters.
func receiverOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverOf(e.X)
	case *ast.IndexExpr:
		return receiverOf(e.X)
	case *ast.IndexListExpr:
		return receiverOf(e.X)
	case *ast.Ident:
		return e.Name
	default:
		return ""
	}
}

// over are the measures in which a size is over another.
func (s size) over(most size) (list []string) {
	for _, m := range []struct {
		name      string
		has, most int
	}{{"lines", s.lines, most.lines}, {"files", s.files, most.files}, {"methods", s.methods, most.methods}} {
		if m.has > m.most {
			list = append(list, m.name)
		}
	}
	return list
}

// atLeast raises a bound to another.
func (s size) atLeast(o size) size {
	return size{max(s.lines, o.lines), max(s.files, o.files), max(s.methods, o.methods)}
}

func TestNothingIsAHall(t *testing.T) {
	all := sizes(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		most := mostOf.atLeast(larger[name].size)
		if over := all[name].over(most); over != nil {
			t.Errorf("%s has %+v and may have %+v, too many %s: take a part of it out", name, all[name], most, strings.Join(over, " and "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(larger)) {
		x := larger[name]
		if x.why == "" {
			t.Errorf("larger does not say why %s is", name)
		}
		if needed := all[name].over(mostOf); !slices.Equal(needed, x.over(mostOf)) {
			t.Errorf("%s has %+v, over the common bound in %q, and larger says %+v: take from it what is not needed any more", name, all[name], needed, x.size)
		}
	}
}

func TestReceiversAreNamed(t *testing.T) {
	for source, want := range map[string]string{
		"func (a T) f() {}": "T", "func (a *T) f() {}": "T", "func (T) f() {}": "T", "func (a *T[K]) f() {}": "T", "func (a T[K, V]) f() {}": "T",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := receiverOf(f.Decls[0].(*ast.FuncDecl).Recv.List[0].Type); got != want {
			t.Errorf("%s is of %q, want %q", source, got, want)
		}
	}
}
