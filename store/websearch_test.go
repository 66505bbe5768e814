package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/store"
)

func TestWebsearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in       string
		terms    string
		phrases  []string
		excluded []string
	}{
		{in: ""},
		{in: " \t"},
		{in: "gradient boosting", terms: "gradient boost"},
		{in: `trees "learning rate" -forest -"max_depth limit"`, terms: "tree learn rate", phrases: []string{"learn rate"}, excluded: []string{"forest", "max_depth max depth limit"}},
		{in: `"learning rate"`, terms: "learn rate", phrases: []string{"learn rate"}},
		{in: `"trees"`, terms: "tree"},
		{in: `"rate of the learning"`, terms: "rate learn", phrases: []string{"rate learn"}},
		{in: `"max_depth"`, terms: "max_depth max depth", phrases: []string{"max_depth max depth"}},
		{in: `"never closed`, terms: "never close", phrases: []string{"never close"}},
		{in: `a"glued together"b`, terms: "glu togeth b", phrases: []string{"glu togeth"}},
		{in: `""`},
		{in: `"the of"`},
		{in: "-forest", excluded: []string{"forest"}},
		{in: "-forest -forest -forests", excluded: []string{"forest"}},
		{in: "-sklearn.tree", excluded: []string{"sklearn tree"}},
		{in: "-the", terms: ""},
		{in: `-""`},
		{in: `-`, terms: ""},
		{in: "trees - forest", terms: "tree forest"},
		{in: "trees --forest", terms: "tree forest"},
		{in: "max-depth", terms: "max depth"},
		{in: "trees\n-forest", terms: "tree", excluded: []string{"forest"}},
		{in: `"a -b" c`, terms: "b c"},
		{in: `-a"b c"`, terms: "b c", phrases: []string{"b c"}},
		{in: "AND OR NOT", terms: ""},
		{in: "日本語 -東京", terms: "日本 本語", excluded: []string{"東京"}},
	} {
		terms, phrases, excluded := store.Websearch(c.in)
		var joined []string
		for _, p := range phrases {
			joined = append(joined, strings.Join(p, " "))
		}
		if strings.Join(terms, " ") != c.terms || !slices.Equal(joined, c.phrases) || !slices.Equal(excluded, c.excluded) {
			t.Errorf("Websearch(%q) is %q, %q, %q, want %q, %q, %q", c.in, terms, joined, excluded, c.terms, c.phrases, c.excluded)
		}
	}
}

// Whatever the text: terms are terms, a phrase is a run of them, and without
// quotes and minuses the query is its words.
func FuzzWebsearch(f *testing.F) {
	for _, s := range []string{`a "b c" -d`, `"`, `-"`, `"-"-"`, "-\xff", "- -x", `x"y"-z`, "\u2003-a", `-"a`, "e\u0301-x \"日本\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms, phrases, excluded := store.Websearch(text)
		for _, p := range phrases {
			if len(p) < 2 || !containsRun(terms, p) {
				t.Errorf("the phrase %q is not among the terms %q", p, terms)
			}
		}
		for _, x := range excluded {
			if x == "" || strings.Contains(x, "  ") || strings.Trim(x, " ") != x {
				t.Errorf("excluded %q", x)
			}
		}
		if !strings.ContainsAny(text, `"-`) && (len(phrases)+len(excluded) > 0 || !slices.Equal(terms, store.Terms(text))) {
			t.Errorf("plain text gives %q, %q, %q", terms, phrases, excluded)
		}
	})
}

func containsRun(terms, run []string) bool {
	for i := 0; i+len(run) <= len(terms); i++ {
		if slices.Equal(terms[i:i+len(run)], run) {
			return true
		}
	}
	return false
}
