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
)

// threeWords are what makes a sentence of a string, as opposed to a name.
var threeWords = regexp.MustCompile(`\pL[\pL'’-]*,? \pL[\pL'’-]*,? \pL`)

// saidOtherwise are files in which a string has the words of a phrase and says
// something else.
var saidOtherwise = map[string][]string{
	"cmd/webrag-tui/why.go":        {"what would let it in"}, // what the command is for
	"ui/whynot/view.go":            {"what would let it in"}, // what the keys are for
	"retrieval/scoping/scoping.go": {"the nearest is"},       // of words
	"retrieval/stage_parents.go":   {"without a section"},    // a note of the trace
}

// What was found is put into words in the book of phrases: who finds it has no
// sentences but those of its errors, and who shows it none of the book's.
func TestSentencesAreInTheBook(t *testing.T) {
	var book []string
	for _, f := range sourceFiles(t) {
		if !f.test && strings.HasPrefix(f.path, "retrieval/phrase/") {
			for _, s := range literals(t, f.path) {
				book = append(book, piecesOf(s.text)...)
			}
		}
	}
	if len(book) < 80 {
		t.Fatalf("only %d pieces of sentences found in the book", len(book))
	}
	unused := map[string][]string{}
	for path, pieces := range saidOtherwise {
		unused[path] = slices.Clone(pieces)
	}
	for _, f := range sourceFiles(t) {
		if f.test || !slices.Contains([]string{"cmd", "ui", "session", "retrieval", "rerank", "evaluation"}, f.folder) || strings.HasPrefix(f.path, "retrieval/phrase/") {
			continue
		}
		wordless := strings.HasPrefix(f.path, "retrieval/whynot/") || strings.HasPrefix(f.path, "retrieval/wire/")
		for _, s := range literals(t, f.path) {
			if wordless && !s.ofError {
				t.Errorf("%s says %q: sentences are in retrieval/phrase", s.at, s.text)
			}
			switch piece := saidIn(s.text, book); {
			case piece == "":
			case slices.Contains(saidOtherwise[f.path], piece):
				unused[f.path] = slices.DeleteFunc(unused[f.path], func(known string) bool { return known == piece })
			default:
				t.Errorf("%s says %q again, which is in retrieval/phrase: %q", s.at, piece, s.text)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(unused)) {
		for _, piece := range unused[path] {
			t.Errorf("%s does not say %q any more: take it from saidOtherwise", path, piece)
		}
	}
}

// literal is a string of a file with three words or more.
type literal struct {
	text    string
	at      token.Position
	ofError bool
}

func literals(t *testing.T, path string) []literal {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, filepath.FromSlash(path), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return literalsOf(set, f)
}

func literalsOf(set *token.FileSet, f *ast.File) []literal {
	var found []literal
	ofErrors := map[ast.Node]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if of, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && (of.Sel.Name == "Errorf" || of.Sel.Name == "New") {
				ofErrors[n.Args[0]] = true
			}
		case *ast.Field:
			return n.Tag == nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && threeWords.MatchString(text) {
				found = append(found, literal{text, set.Position(n.Pos()), ofErrors[n]})
			}
		}
		return true
	})
	return found
}

// parts divides a phrase at what is put in, and at its choices.
var parts = regexp.MustCompile(`\{\w*\}|[\[\]|]|%[a-z]`)

// piecesOf are the pieces of a phrase that are three words or more.
func piecesOf(words string) []string {
	var pieces []string
	for _, piece := range parts.Split(words, -1) {
		if piece = strings.ToLower(strings.Trim(piece, " ,.:;()\n")); threeWords.MatchString(piece) {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// saidIn is the piece of the book that a text has for a piece of its own, or within
// one: there, three words may be so by chance, and five are not.
func saidIn(text string, book []string) string {
	for _, own := range piecesOf(text) {
		for _, piece := range book {
			if own == piece || strings.Count(piece, " ") >= 4 && strings.Contains(" "+own+" ", " "+piece+" ") {
				return piece
			}
		}
	}
	return ""
}

func TestSentencesAreFound(t *testing.T) {
	book := slices.Concat(piecesOf("It is number {n} of the [{arm} ]arm, which returns {most}."), piecesOf("lacks {}"), piecesOf("what would let it in"))
	if !slices.Equal(book, []string{"it is number", "arm, which returns", "what would let it in"}) {
		t.Errorf("the pieces are %q", book)
	}
	for source, want := range map[string]string{
		`"It is number %d of them"`:         "it is number",
		`"so it is number %d of them"`:      "",
		`"so we try what would let it in"`:  "what would let it in",
		`errors.New("it is number %d")`:     "it is number",
		`"it is numbered"`:                  "",
		`"it is"`:                           "",
		"`unfit is number`":                 "",
		`struct{ A int "it is number" }{1}`: "",
	} {
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, "a.go", "package a\n\nvar x = "+source+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range literalsOf(set, f) {
			got += saidIn(s.text, book)
			if s.ofError != strings.HasPrefix(source, "errors.") {
				t.Errorf("%s is of an error: %t", source, s.ofError)
			}
		}
		if got != want {
			t.Errorf("%s says %q, want %q", source, got, want)
		}
	}
}
