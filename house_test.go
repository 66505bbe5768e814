// Package house holds the rules that the folders of this repository keep.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/webrag/webrag-tui/"

// house lists the folders from the roof down: a package may import what stands
// below it, and nothing above or beside it. A folder inside another one is part
// of it.
var house = []string{
	"attack", "cmd", "ui", "theme", "session", "evaluation", "rerank", "retrieval", "citations", "indexing",
	"embedder", "llm", "store", "offset", "remote", "config", "docs", "file", "spelling", "testdata", "scripts",
}

// ground are the packages that import nothing of ours, so that each could be
// used alone, but for file, since every file is opened in one place, and spelling,
// which imports nothing at all.
var ground = []string{"store", "offset", "remote", "config", "docs", "file", "spelling"}

// charm are the roots of the modules that draw on terminals.
var charm = []string{"charm.land/", "github.com/charmbracelet/"}

// mayDraw are the folders that may import them.
var mayDraw = []string{"cmd", "ui", "theme", "scripts"}

// sourceFile is one Go file with what it imports.
type sourceFile struct {
	path, folder string
	test         bool
	imports      []string
}

func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	err := filepath.WalkDir(".", func(at string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && at != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bin"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(at, ".go"):
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), at, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		f := sourceFile{path: filepath.ToSlash(at), test: strings.HasSuffix(at, "_test.go")}
		f.folder, _, _ = strings.Cut(f.path, "/")
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f.imports = append(f.imports, name)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d Go files found: the walk does not see the repository", len(files))
	}
	return files
}

func TestImportsPointDown(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if f.test || f.folder == f.path {
			continue // tests may look up: they show packages working together
		}
		from := slices.Index(house, f.folder)
		if from < 0 {
			t.Errorf("%s: the folder %s has no place in the house", f.path, f.folder)
			continue
		}
		for _, name := range f.imports {
			ours, ok := strings.CutPrefix(name, module)
			if !ok {
				continue
			}
			to, _, _ := strings.Cut(ours, "/")
			if to != f.folder && slices.Index(house, to) < from {
				t.Errorf("%s imports %s, which stands above it", f.path, ours)
			}
			if to != f.folder && to != "file" && to != "spelling" && slices.Contains(ground, f.folder) {
				t.Errorf("%s imports %s, but %s imports nothing of ours", f.path, ours, f.folder)
			}
		}
	}
}

func TestOnlyTheScreenKnowsCharm(t *testing.T) {
	for _, f := range sourceFiles(t) {
		if slices.Contains(mayDraw, f.folder) {
			continue
		}
		for _, name := range f.imports {
			for _, root := range charm {
				if strings.HasPrefix(name, root) {
					t.Errorf("%s imports %s: only %s may", f.path, name, strings.Join(mayDraw, ", "))
				}
			}
		}
	}
}

// What views are made of stands under all of them: it knows cells and the theme, and
// nothing of what is shown in them.
func TestWidgetsKnowNoRetrieval(t *testing.T) {
	seen := false
	for _, f := range sourceFiles(t) {
		if f.test || !strings.HasPrefix(f.path, "ui/widget/") {
			continue
		}
		seen = true
		for _, name := range f.imports {
			draws := slices.ContainsFunc(charm, func(root string) bool { return strings.HasPrefix(name, root) })
			matches := name == "github.com/sahilm/fuzzy"
			if strings.Contains(name, ".") && !draws && !matches && name != module+"theme" {
				t.Errorf("%s imports %s: a widget knows only how to draw", f.path, name)
			}
		}
	}
	if !seen {
		t.Error("there are no widgets: the test does not see them")
	}
}

// A view is a package that imports package view: it sees the session and the shell, and
// neither the explorer nor another view.
func TestViewsKnowNoOtherView(t *testing.T) {
	views := map[string]bool{}
	for _, f := range sourceFiles(t) {
		if dir := path.Dir(f.path); dir != "ui" && !strings.HasPrefix(dir, "ui/view") && slices.Contains(f.imports, module+"ui/view") {
			views[dir] = true
		}
	}
	if len(views) == 0 {
		t.Error("there are no views: the test does not see them")
	}
	for _, f := range sourceFiles(t) {
		dir := path.Dir(f.path)
		for _, name := range f.imports {
			other := strings.TrimPrefix(name, module)
			if views[dir] && other != dir && (views[other] || other == "ui") {
				t.Errorf("%s imports %s: a view asks the shell for what it needs of others", f.path, name)
			}
		}
	}
}

// Tests that drive the explorer ask what is drawn, or what probe_test.go lets them ask: so
// it can be taken apart without them.
func TestDriversDoNotReachInside(t *testing.T) {
	inside, seen := regexp.MustCompile(`\b(d|first|left|want|again)\.m\b`), 0
	for _, f := range sourceFiles(t) {
		switch name := path.Base(f.path); {
		case path.Dir(f.path) != "ui" || !f.test:
			continue
		case name == "drive_test.go", name == "probe_test.go":
			continue
		}
		text, err := os.ReadFile(filepath.FromSlash(f.path))
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if at := inside.Find(text); at != nil {
			t.Errorf("%s reaches into the explorer by %s: ask what is drawn or selected, see ui/probe_test.go", f.path, at)
		}
	}
	if seen == 0 {
		t.Error("there are no such tests: this one does not see them")
	}
}

func TestTestSupportStaysOutOfTheBinary(t *testing.T) {
	support := []string{"github.com/charmbracelet/x/exp", "pgregory.net/rapid", "github.com/rogpeppe/go-internal", "testing"}
	for _, f := range sourceFiles(t) {
		if f.test || strings.HasPrefix(f.path, "store/storetest/") || strings.HasPrefix(f.path, "store/postgres/pgtest/") || strings.HasPrefix(f.path, "store/postgres/internal/webragtest/") || strings.HasPrefix(f.path, "remote/remotetest/") || strings.HasPrefix(f.path, "testdata/oracle/") || strings.HasPrefix(f.path, "retrieval/param/paramtest/") || strings.HasPrefix(f.path, "ui/view/viewtest/") {
			continue
		}
		for _, name := range f.imports {
			for _, s := range support {
				if name == s || strings.HasPrefix(name, s+"/") && s != "testing" {
					t.Errorf("%s imports %s outside of tests", f.path, name)
				}
			}
		}
	}
}

// opensItself are the files that open files otherwise than with the package file,
// and why they may.
var opensItself = map[string]string{
	"cmd/webrag-tui/trustgate.go":                 "asks where a path leads, and opens nothing",
	"cmd/webrag-tui/replay.go":                    "writes a recording, into a file that must be new",
	"store/sqlite/open.go":                        "asks whether the corpus may be written, and reads nothing of it",
	"store/sqlite/internal/pagesum/pagesum.go":    "reads a corpus below SQLite, when the store has looked what it is",
	"store/sqlite/internal/pagesum/scan.go":       "reads a corpus below SQLite, when the store has looked what it is",
	"ui/view/paths.go":                            "lists a folder, whose path ends with a stroke, to complete what is typed",
	"testdata/oracle/oracle.go":                   "golden files of tests",
	"embedder/internal/buildidf/main.go":          "a tool that is no part of the program",
	"embedder/internal/buildidf/passages.go":      "a tool that is no part of the program",
	"evaluation/internal/benchquality/main.go":    "a tool that is no part of the program",
	"evaluation/internal/benchquality/chunked.go": "a tool that is no part of the program",
	"evaluation/internal/judged/library.go":       "writes into a folder that it has just made",
	"scripts/shot/main.go":                        "a tool that is no part of the program",
	"store/postgres/pgtest/certificate.go":        "a server for tests",
	"store/postgres/pgtest/identity.go":           "a server for tests",
	"store/postgres/pgtest/options.go":            "a server for tests",
	"store/postgres/pgtest/server.go":             "a server for tests",
}

// A name may stand for a pipe, a device or a terabyte: package file knows, and
// the system does not. What attacks the program opens what it made itself.
func TestFilesAreOpenedInOnePlace(t *testing.T) {
	opens := []string{"Open", "OpenFile", "ReadFile", "DirFS", "OpenRoot", "OpenInRoot", "WriteFile", "Create"}
	unused := maps.Clone(opensItself)
	for _, f := range sourceFiles(t) {
		if f.test || f.folder == "file" || f.folder == "attack" || !slices.Contains(f.imports, "os") && !slices.Contains(f.imports, "io/ioutil") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(f.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			called, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := called.X.(*ast.Ident)
			if !ok || from.Name != "os" && from.Name != "ioutil" || !slices.Contains(opens, called.Sel.Name) {
				return true
			}
			if opensItself[f.path] == "" {
				t.Errorf("%s calls %s.%s: open files with the package file, or say in opensItself why not", f.path, from.Name, called.Sel.Name)
			}
			delete(unused, f.path)
			return true
		})
	}
	for path := range unused {
		t.Errorf("%s opens no files itself any more: take it from opensItself", path)
	}
}

// A variable of the tests that was left set is no mistyped setting of the program,
// which leaves those under this prefix alone.
func TestVariablesOfTestsAreNoSettings(t *testing.T) {
	named := regexp.MustCompile(`"(WEBRAG_[A-Z_]+)"`)
	settings, err := os.ReadFile(filepath.FromSlash("cmd/webrag-tui/settings.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sourceFiles(t) {
		raw, err := os.ReadFile(filepath.FromSlash(f.path))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range named.FindAllStringSubmatch(string(raw), -1) {
			if f.test && !strings.HasPrefix(name[1], "WEBRAG_TEST_") && !strings.Contains(string(settings), name[0]) {
				t.Errorf("%s names %s: no setting, and not under WEBRAG_TEST_", f.path, name[1])
			}
		}
	}
}

func TestNoPackageIsCalledUtil(t *testing.T) {
	for _, f := range sourceFiles(t) {
		for part := range strings.SplitSeq(filepath.ToSlash(filepath.Dir(f.path)), "/") {
			if slices.Contains([]string{"util", "utils", "helper", "helpers", "common", "base", "manager", "types"}, part) {
				t.Errorf("%s: a package is named after what it does", f.path)
			}
		}
	}
}

func TestTheDocumentsLinksExist(t *testing.T) {
	documents, err := filepath.Glob("docs/*.md")
	if err != nil || len(documents) < 5 {
		t.Fatalf("the documents are %q: %v", documents, err)
	}
	for _, document := range append(documents, "README.md") {
		raw, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		links := regexp.MustCompile(`(?:\]\(|(?:src|srcset)=")([^)"\s]+)[)"]`).FindAllStringSubmatch(string(raw), -1)
		for _, link := range links {
			target, _, _ := strings.Cut(link[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", document, target)
			}
		}
		if document == "README.md" && len(links) < 10 {
			t.Errorf("README.md has %d links: the test does not see them", len(links))
		}
	}
}
