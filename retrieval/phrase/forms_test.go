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

// notDropped are the reasons for which no stage drops anything, with the forms in which
// they are said: what an arm does not find, and what edges do not lead to.
var notDropped = map[string][]Form{
	ReasonNoEmbedding:    {Verdict, Absent, Itself},
	ReasonNoQueryVector:  {Verdict, Absent, Itself},
	ReasonKeywordNoMatch: {Verdict, Absent},
	ReasonUnreached:      {Clause, Label},
	ReasonEdgeFiltered:   {Clause},
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
	if forms, ok := notDropped[code]; ok {
		return forms
	}
	return []Form{Verdict, Sentence, Clause, Label}
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
