package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

// A reason that the book does not know, as one of a later version, is said by its
// code. No reason of this version is.
func TestEveryReasonHasItsWords(t *testing.T) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "reasons.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") || len(spec.Values) != 1 {
			return true
		}
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		found++
		for name, form := range map[string]Form{"verdict": Verdict, "sentence": Sentence, "clause": Clause, "label": Label} {
			if reasons[code][form] == "" {
				t.Errorf("%s has no %s", spec.Names[0].Name, name)
			}
		}
		return true
	})
	if found < 16 {
		t.Errorf("only %d reasons found", found)
	}
}
