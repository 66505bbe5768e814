package retrieval_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pureImports is all that the files of Rank may import: nothing that waits, that
// varies from run to run, or that reaches the world.
var pureImports = []string{
	"cmp", "fmt", "math", "slices", "strconv", "strings",
	"github.com/webrag/webrag-tui/store",
	"github.com/webrag/webrag-tui/retrieval/param", "github.com/webrag/webrag-tui/retrieval/phrase",
	"github.com/webrag/webrag-tui/retrieval/wordset",
}

// wordImports is what the room of near-duplicates may import besides: hashes, and what
// is kept of texts.
var wordImports = []string{"crypto/sha256", "encoding/binary", "unicode", "github.com/webrag/webrag-tui/retrieval/kept"}

// settingImports is what the rooms below it may import besides: what reads and writes
// a profile that it is given.
var settingImports = []string{"errors", "io", "sync", "unicode/utf8", "github.com/pelletier/go-toml/v2", "github.com/webrag/webrag-tui/spelling"}

// alsoImports is what single files may import besides, with the names that they may use
// of it: a profile says when it was made.
var alsoImports = map[string]map[string][]string{
	filepath.Join("param", "profile.go"): {"time": {"Time"}},
}

// plainStore are the names of package store that are data, not access.
var plainStore = []string{"Calibration", "Stats", "Flags", "HTMLPreferred", "BM25F", "FieldCounts"}

// settingStore are those that a parameter may have as a value, and what lists them.
var settingStore = []string{
	"Relation", "Relations", "PolicySystem", "PolicySafe", "IterativeOff", "IterativeStrict", "IterativeRelaxed", "MatchAuto", "MatchAnd", "MatchOr", "MatchWebsearch",
	"Absence", "AbsentOwner", "AbsentDeleted", "AbsentStale", "AbsentScope", "AbsentFilter",
}

func TestRankIsPure(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var pure []string
	for _, e := range entries {
		name := e.Name()
		if strings.HasSuffix(name, "_test.go") || !strings.HasPrefix(name, "rank") && !strings.HasPrefix(name, "stage") {
			continue
		}
		pure = append(pure, name)
		checkPure(t, name, pureImports, plainStore)
	}
	// What looks along a parameter fetches nothing either; Ask may.
	for _, name := range []string{"axis", "breakpoint", "breakpoints", "rank_breakpoints", "ablation"} {
		checkPure(t, filepath.Join("whynot", name+".go"), slices.Concat(pureImports, []string{"errors", "iter", "github.com/webrag/webrag-tui/retrieval"}), nil)
	}
	for _, name := range []string{"wordset", "similar"} {
		checkPure(t, filepath.Join("wordset", name+".go"), slices.Concat(pureImports, wordImports), nil)
	}
	for _, room := range []string{"param", "phrase"} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files in %s, %v", len(files), room, err)
		}
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				checkPure(t, name, slices.Concat(pureImports, settingImports), slices.Concat(plainStore, settingStore))
			}
		}
	}
	for _, name := range []string{"rank.go", "stages.go", "stage_floor.go", "stage_budget.go", "stage_graph.go"} {
		if !slices.Contains(pure, name) {
			t.Errorf("%s is not among the files read: %v", name, pure)
		}
	}
}

func checkPure(t *testing.T, name string, imports, ofStore []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if _, also := alsoImports[name][path]; !also && !slices.Contains(imports, path) {
			t.Errorf("%s imports %s", name, path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			pkg, ok := n.X.(*ast.Ident)
			if ok && pkg.Name == "store" && !slices.Contains(ofStore, n.Sel.Name) {
				t.Errorf("%s uses store.%s", name, n.Sel.Name)
			}
			if !ok {
				return true
			}
			if names, also := alsoImports[name][pkg.Name]; also && !slices.Contains(names, n.Sel.Name) {
				t.Errorf("%s uses %s.%s", name, pkg.Name, n.Sel.Name)
			}
		case *ast.Ident:
			if n.Name == "Deps" || n.Name == "Gather" || n.Name == "Extend" || n.Name == "Retrieve" {
				t.Errorf("%s uses %s", name, n.Name)
			}
		case *ast.GoStmt, *ast.SelectStmt:
			t.Errorf("%s starts or awaits something", name)
		}
		return true
	})
}
