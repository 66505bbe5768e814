package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// commonWords are parameters whose names are also words that mean something else:
// in a sentence they name the parameter only where a value or a prefix is with them.
var commonWords = []string{"mode", "search", "fusion", "unit", "relations", "reranker", "reach"}

// namesOtherwise are the files in which a string is the name of a parameter and
// means something else.
var namesOtherwise = map[string][]string{
	"retrieval/gather.go":                     {"search"},         // a time in the log
	"retrieval/retrieve.go":                   {"mode"},           // what was decided, in the log
	"rerank/http.go":                          {"reranker"},       // a scale of scores
	"store/postgres/internal/ann/settings.go": {"iterative_scan"}, // a setting of pgvector
}

// A parameter is named in its row of the table. Who means one says it with the
// row's constant, so that another name is written once; a tag of a struct is a word
// of a file format, and so is the code of a notice.
func TestParametersAreNamedInTheirTable(t *testing.T) {
	unused := map[string][]string{}
	for path, words := range namesOtherwise {
		unused[path] = slices.Clone(words)
	}
	find := parameterNames()
	for _, f := range sourceFiles(t) {
		// What attacks the program types what its users type.
		if f.test || strings.HasPrefix(f.path, "retrieval/param/") || f.folder == "attack" {
			continue
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.FromSlash(f.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		// What stands below retrieval knows no parameters, but may have their words.
		below := slices.Index(house, f.folder) > slices.Index(house, "retrieval")
		for _, found := range find(parsed) {
			if below && slices.Contains(commonWords, found.name) {
				continue
			}
			if slices.Contains(namesOtherwise[f.path], found.name) {
				unused[f.path] = slices.DeleteFunc(unused[f.path], func(name string) bool { return name == found.name })
				continue
			}
			t.Errorf("%s names the parameter %s in a string: take its constant or a column of its row from retrieval/param", set.Position(found.at), found.name)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(unused)) {
		for _, name := range unused[path] {
			t.Errorf("%s does not say %q any more: take it from namesOtherwise", path, name)
		}
	}
}

// namedParameter is where a string names a parameter.
type namedParameter struct {
	at   token.Pos
	name string
}

// parameterNames makes what finds them in the strings of a file. Several in one
// string are found once.
func parameterNames() func(*ast.File) []namedParameter {
	var all, plain []string
	for _, s := range param.Specs() {
		all = append(all, s.Field)
		if !slices.Contains(commonWords, s.Field) {
			plain = append(plain, s.Field)
		}
	}
	exact := regexp.MustCompile(`^(` + strings.Join(all, "|") + `)$`)
	inside := regexp.MustCompile(`\b(` + strings.Join(plain, "|") + `)\b`)
	meant := regexp.MustCompile(`(?:--set |\b` + regexp.QuoteMeta(param.KeyPrefix) + `)(` + strings.Join(all, "|") + `)\b|(?:^|[\s(,;])(` + strings.Join(all, "|") + `)=`)
	return func(f *ast.File) []namedParameter {
		var found []namedParameter
		codes := map[ast.Node]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				return n.Tag == nil // what has a tag has a type, and no other string
			case *ast.CompositeLit:
				if name, ok := n.Type.(*ast.Ident); ok && name.Name == "Notice" && len(n.Elts) > 0 {
					codes[n.Elts[0]] = true
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if codes[n] || n.Kind != token.STRING || err != nil {
					return true
				}
				for _, of := range []*regexp.Regexp{exact, inside, meant} {
					if m := of.FindStringSubmatch(text); m != nil {
						found = append(found, namedParameter{n.Pos(), strings.Join(m[1:], "")})
						break
					}
				}
			}
			return true
		})
		return found
	}
}

func TestNamesOfParametersAreFound(t *testing.T) {
	find := parameterNames()
	for source, want := range map[string]string{
		`"top_k"`:                                 param.FieldTopK,
		`"mode"`:                                  param.FieldMode,
		`"raise context_budget, or"`:              param.FieldContextBudget,
		`"(search=exact)"`:                        param.FieldSearch,
		`"mode=chunk"`:                            param.FieldMode,
		`"try --set unit chunk"`:                  param.FieldUnit,
		`"retrieval.reranker"`:                    param.FieldReranker,
		"`\n[retrieval]\nrrf_k = 60\n`":           param.FieldRRFK,
		`"the search of this mode"`:               "",
		`"preview.mode"`:                          "",
		`"stop_k top_kk"`:                         "",
		`"?search_path=a"`:                        "",
		`Notice{"single_arm", true, "one arm"}`:   "",
		`Notice{"a", true, "top_k is"}`:           param.FieldTopK,
		`struct{ A int ` + "`json:\"mode\"` }{1}": "",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\nimport \"unit\"\n\nvar x = "+source+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, found := range find(f) {
			got += found.name
		}
		if got != want {
			t.Errorf("%s names %q, want %q", source, got, want)
		}
	}
}
