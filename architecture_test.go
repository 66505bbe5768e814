package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What docs/architecture.md names in backquotes is there: files and folders, actions,
// names with their package, and names beside the file that declares them, which are
// those of a list's row that begins with a file, and those with a file in brackets
// behind them.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	text := withoutDrawing(t)
	everywhere := map[string]bool{} // what any package declares
	packages := map[string][]string{}
	for _, f := range sourceFiles(t) {
		if f.test || path.Dir(f.path) == "." {
			continue
		}
		folder := path.Dir(f.path)
		names := declaredIn(t, f.path)
		packages[path.Base(folder)] = append(packages[path.Base(folder)], names...)
		for _, name := range names {
			everywhere[name] = true
		}
	}
	actions := actionIDs(t)
	files, names := 0, 0
	for _, q := range quoted.FindAllStringSubmatch(text, -1) {
		name := q[1]
		from, id, _ := strings.Cut(name, ".")
		switch {
		case strings.Contains(name, "NAME"):
		case strings.Contains(name, "/") || slices.Contains([]string{".go", ".md", ".env"}, path.Ext(name)):
			files++
			if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case actionID.MatchString(name):
			names++
			if !actions[name] {
				t.Errorf("there is no action %s", name)
			}
		case qualified.MatchString(name):
			names++
			if !slices.Contains(packages[from], id) {
				t.Errorf("%s is not declared", name)
			}
		case member.MatchString(name):
			names++
			if !everywhere[from] || !everywhere[id] {
				t.Errorf("%s is declared nowhere", name)
			}
		case identifier.MatchString(name):
			names++
			if !everywhere[name] && packages[name] == nil {
				t.Errorf("%s is declared nowhere", name)
			}
		}
	}
	if files < 80 || names < 100 {
		t.Errorf("%d files and %d names were looked for", files, names)
	}
	beside := 0
	for _, pair := range besideFile(text) {
		beside++
		if !slices.Contains(declaredIn(t, pair.file), pair.name) {
			t.Errorf("%s does not declare %s", pair.file, pair.name)
		}
	}
	if beside < 60 {
		t.Errorf("%d names were looked for in the files that declare them", beside)
	}
}

var (
	quoted     = regexp.MustCompile("`([^`\n]+)`")
	actionID   = regexp.MustCompile(`^[a-z]+\.[a-z]+$`)
	qualified  = regexp.MustCompile(`^[a-z]+\.[A-Z]\w*$`)
	member     = regexp.MustCompile(`^[A-Z]\w*\.[A-Z]\w*$`)
	identifier = regexp.MustCompile(`^[A-Za-z]\w*$`)
	// inBrackets is a name with its file behind it, entry a row of a list that begins
	// with a file.
	inBrackets = regexp.MustCompile("`(?:[a-z]+\\.)?(\\w+)`\\s+\\(`([^`]+\\.go)`\\)")
	entry      = regexp.MustCompile("(?m)^- `([^`]+\\.go)`: (.*(?:\n  .*)*)")
)

// declaration is a name and the file that is said to declare it.
type declaration struct{ name, file string }

func besideFile(text string) []declaration {
	var all []declaration
	for _, q := range inBrackets.FindAllStringSubmatch(text, -1) {
		all = append(all, declaration{q[1], q[2]})
	}
	for _, e := range entry.FindAllStringSubmatch(text, -1) {
		for _, q := range quoted.FindAllStringSubmatch(e[2], -1) {
			if identifier.MatchString(q[1]) {
				all = append(all, declaration{q[1], e[1]})
			}
		}
	}
	return all
}

func TestNamesBesideFilesAreFound(t *testing.T) {
	text := "The `a.Run` (`x/a.go`) and\n`b`\n(`x/b.go`).\n\n- `x/c.go`: `C`, or\n  `D`; `p.E` is not\n- `x/d.go`: none\n\nand `F`\n"
	want := []declaration{{"Run", "x/a.go"}, {"b", "x/b.go"}, {"C", "x/c.go"}, {"D", "x/c.go"}}
	if got := besideFile(text); !slices.Equal(got, want) {
		t.Errorf("found %v", got)
	}
}

// actionIDs are the ids of the explorer's actions.
func actionIDs(t *testing.T) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	written := regexp.MustCompile(`(?:\bID: |\bmove\()"([a-z]+\.[a-z]+)"`)
	for _, f := range sourceFiles(t) {
		if f.folder != "ui" || f.test {
			continue
		}
		raw, err := os.ReadFile(filepath.FromSlash(f.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range written.FindAllStringSubmatch(string(raw), -1) {
			ids[id[1]] = true
		}
	}
	return ids
}

func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withoutDrawing is the document without what is made from the imports.
func withoutDrawing(t *testing.T) string {
	t.Helper()
	head, rest, _ := strings.Cut(architecture(t), "<!-- rooms -->")
	_, tail, _ := strings.Cut(rest, "<!-- /rooms -->")
	return head + tail
}

// declaredIn are the functions, methods, types, fields, constants and variables of a
// file.
func declaredIn(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(name), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
			return false // what is declared within is nobody else's
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
		case *ast.Field:
			for _, id := range n.Names {
				names = append(names, id.Name)
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names = append(names, id.Name)
			}
		}
		return true
	})
	return names
}
