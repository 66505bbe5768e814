package house

import (
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// program is the room that all others are there for.
const program = "cmd/webrag-tui"

// rooms are the packages of the program, each with the packages that only it may
// import (its folder internal), and the rooms that it imports. What no import leads
// to from the program is beside: tools, and what tests share.
func rooms(t *testing.T) (imports map[string][]string, beside []string) {
	t.Helper()
	packages := map[string][]string{} // and the packages that they import
	for _, f := range sourceFiles(t) {
		if from := path.Dir(f.path); !f.test && from != "." {
			packages[from] = append(packages[from], ours(f.imports)...)
		}
	}
	reached := map[string]bool{}
	var reach func(string)
	reach = func(name string) {
		if !reached[name] {
			reached[name] = true
			for _, next := range packages[name] {
				reach(next)
			}
		}
	}
	reach(program)
	imports = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		if !reached[name] {
			beside = append(beside, name)
			continue
		}
		from := roomOf(name)
		for _, next := range packages[name] {
			if to := roomOf(next); to != from && !slices.Contains(imports[from], to) {
				imports[from] = append(imports[from], to)
			}
		}
		imports[from] = slices.Sorted(slices.Values(imports[from]))
	}
	return imports, beside
}

// roomOf is the room of a package: what is internal belongs to who may import it.
func roomOf(name string) string {
	room, _, _ := strings.Cut(name, "/internal/")
	return room
}

// ours are the packages of this repository among imports.
func ours(imports []string) []string {
	var names []string
	for _, name := range imports {
		if name, ok := strings.CutPrefix(name, module); ok {
			names = append(names, name)
		}
	}
	return names
}

// floors are the rooms from the roof down: each stands right below the lowest of
// those that import it. Rooms that import each other are an error.
func floors(t *testing.T, imports map[string][]string) [][]string {
	t.Helper()
	floor, above := map[string]int{}, []string{}
	var lower func(name string, to int)
	lower = func(name string, to int) {
		if slices.Contains(above, name) {
			t.Fatalf("rooms import each other: %s", strings.Join(append(above, name), ", "))
		}
		if was, ok := floor[name]; ok && was >= to {
			return
		}
		floor[name] = to
		above = append(above, name)
		for _, next := range imports[name] {
			lower(next, to+1)
		}
		above = above[:len(above)-1]
	}
	lower(program, 0)
	var all [][]string
	for _, name := range slices.Sorted(maps.Keys(floor)) {
		for len(all) <= floor[name] {
			all = append(all, nil)
		}
		all[floor[name]] = append(all[floor[name]], name)
	}
	return all
}

// nearest are the imports of a room that it does not reach through another of them.
func nearest(imports map[string][]string, room string) []string {
	through := map[string]bool{}
	var reach func(string)
	reach = func(name string) {
		for _, next := range imports[name] {
			if !through[next] {
				through[next] = true
				reach(next)
			}
		}
	}
	for _, next := range imports[room] {
		reach(next)
	}
	return slices.DeleteFunc(slices.Clone(imports[room]), func(name string) bool { return through[name] })
}

// Rooms are drawn as text, so that a terminal shows them as a browser does.
const (
	drawnWidth = 100
	nameWidth  = 21
)

// drawRooms is the drawing of docs/architecture.md.
func drawRooms(t *testing.T) string {
	t.Helper()
	imports, beside := rooms(t)
	all := floors(t, imports)
	var b strings.Builder
	b.WriteString("```\n")
	for _, names := range all {
		b.WriteString(wrap(strings.Join(names, "   "), "    ", drawnWidth) + "\n")
	}
	b.WriteString("```\n\n```\n")
	indent := strings.Repeat(" ", nameWidth)
	for i, names := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, name := range names {
			says := wrap(pad(name)+sentence(t, name), indent, drawnWidth)
			b.WriteString(says + "\n")
			if near := nearest(imports, name); len(near) > 0 {
				b.WriteString(wrap(indent+"imports "+strings.Join(near, ", "), indent+"        ", drawnWidth) + "\n")
			}
		}
	}
	b.WriteString("```\n\nTools, and what tests share. Nothing leads from the program to them:\n\n")
	for _, name := range beside {
		b.WriteString("- `" + name + "` " + sentence(t, name) + "\n")
	}
	return b.String()
}

func pad(name string) string { return name + strings.Repeat(" ", max(1, nameWidth-len(name))) }

// wrap breaks text between words into lines of at most so many bytes; indent begins
// all but the first.
func wrap(text, indent string, width int) string {
	var lines []string
	for len(text) > width {
		at := strings.LastIndexByte(text[:width+1], ' ')
		if at <= len(indent) {
			break
		}
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = indent + strings.TrimLeft(text[at:], " ")
	}
	return strings.Join(append(lines, text), "\n")
}

// named is how the documentation of a package begins.
var named = regexp.MustCompile(`^(?:Package|Command) [\w-]+ `)

// sentence is the first one of a package's documentation, without its name.
func sentence(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		says := new(doc.Package).Synopsis(file.Doc.Text())
		if rest := named.ReplaceAllString(says, ""); rest != says {
			return strings.NewReplacer("[", "", "]", "").Replace(strings.TrimRight(rest, ".:"))
		}
	}
	t.Errorf("%s has no sentence that says what it is: \"Package %s …\"", folder, path.Base(folder))
	return ""
}

// The drawing of docs/architecture.md is made from the imports: make golden rewrites
// it.
func TestGeneratedDrawingOfRooms(t *testing.T) {
	const begin, end = "<!-- rooms -->\n", "<!-- /rooms -->"
	text := architecture(t)
	head, rest, ok := strings.Cut(text, begin)
	drawn, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("docs/architecture.md has lost the marks around its drawing")
	}
	want := drawRooms(t)
	switch {
	case drawn == want:
	case os.Getenv("WEBRAG_TEST_UPDATE") != "":
		if err := os.WriteFile(filepath.FromSlash("docs/architecture.md"), []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the drawing of docs/architecture.md is not what the imports say: run make golden, if the new arrow is wanted\n%s",
			diff.Diff("drawn", []byte(drawn), "imported", []byte(want)))
	}
}

// ofRetrieval are the rooms of retrieval from the roof down, as house lists the
// folders.
var ofRetrieval = []string{"retrieval/wire", "retrieval/whynot", "retrieval", "retrieval/agreement", "retrieval/wordset", "retrieval/kept", "retrieval/scoping", "retrieval/param", "retrieval/phrase"}

func TestRoomsOfRetrievalPointDown(t *testing.T) {
	imports, beside := rooms(t)
	for from, names := range imports {
		at := slices.Index(ofRetrieval, from)
		if at < 0 {
			if strings.HasPrefix(from, "retrieval/") {
				t.Errorf("%s has no place among the rooms of retrieval", from)
			}
			continue
		}
		for _, name := range names {
			if to := slices.Index(ofRetrieval, name); to >= 0 && to <= at {
				t.Errorf("%s imports %s, which stands above or beside it", from, name)
			}
		}
	}
	if len(imports) < 20 || len(beside) < 5 {
		t.Errorf("%d rooms and %d packages beside them: the test does not see the repository", len(imports), len(beside))
	}
}

func TestDrawing(t *testing.T) {
	imports := map[string][]string{program: {"a", "b", "c"}, "a": {"b", "c"}, "b": {"c"}, "c": nil}
	if got := nearest(imports, program); !slices.Equal(got, []string{"a"}) {
		t.Errorf("nearest are %v", got)
	}
	got := floors(t, imports)
	if len(got) != 4 || got[1][0] != "a" || got[3][0] != "c" {
		t.Errorf("floors are %v", got)
	}
	if got := wrap("a    one two three", "     ", 12); got != "a    one two\n     three" {
		t.Errorf("wrapped to %q", got)
	}
}
