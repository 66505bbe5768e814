package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// notFound are the reasons for which an arm does not find a text, with the further forms
// in which that is said.
var notFound = map[string][]Form{
	ReasonNoEmbedding:    {Absent, Itself},
	ReasonNoQueryVector:  {Absent, Itself},
	ReasonKeywordNoMatch: {Absent},
}

// Whoever adds a reason says it in words: without them a report would show its code.
func TestEveryReasonHasItsForms(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "reasons.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Reason") {
			return true
		}
		found++
		code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range formsOf(code) {
			if reasons[code][form] == "" {
				t.Errorf("%s (%s) has no words for form %d", spec.Names[0].Name, code, form)
			}
		}
		return true
	})
	if found < 16 {
		t.Errorf("%d reasons were found", found)
	}
}

func formsOf(code string) []Form {
	return append([]Form{Verdict, Sentence, Clause, Label}, notFound[code]...)
}

// What is said of a reason is filled in wholly: a name in braces that nobody knows
// would stand there as a label.
func TestFormsNameKnownParts(t *testing.T) {
	known := []string{
		"value", "threshold", "short", "cosine", "floor", "n", "most", "over", "arm", "stage", "setting", "code", "words", "verdict", "absent", "failed", "label", "Label",
	}
	check := func(code string, said [forms]string) {
		for _, words := range said {
			for _, part := range strings.Split(words, "{")[1:] {
				if name, _, ok := strings.Cut(part, "}"); !ok || !slices.Contains(known, name) {
					t.Errorf("%s: {%s in %q", code, part, words)
				}
			}
		}
	}
	check("any", anyReason)
	for code, said := range reasons {
		check(code, said)
	}
}
