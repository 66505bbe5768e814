package store_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/store"
)

func TestTerms(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ text, want string }{
		"nothing":                {"", ""},
		"stop words only":        {"The and of, what IS this?", ""},
		"stems":                  {"Gradient boosting classifiers", "gradient boost classifi"},
		"contraction":            {"don't panic", "panic"},
		"possessive":             {"what's Everest's height", "everest height"},
		"repetition stays":       {"tree trees tree", "tree tree tree"},
		"identifier":             {"max_depth", "max_depth max depth"},
		"identifier, in code":    {"`n_estimators=100`", "n_estimators n estim 100"},
		"outer underscores":      {"__init__ _x", "init x"},
		"doubled underscore":     {"a__leaf", "a_leaf leaf"},
		"stop word in a name":    {"is_leaf", "is_leaf leaf"},
		"only underscores":       {"___", ""},
		"dotted name":            {"sklearn.tree.fit()", "sklearn tree fit"},
		"camel case is one word": {"RandomForestClassifier", "randomforestclassifi"},
		"hyphen":                 {"state-of-the-art", "state art"},
		"digits":                 {"python 3.11", "python 3 11"},
		"superscript by NFKC":    {"x² ﬁt", "x2 fit"},
		"umlauts":                {"Größe ÜBER", "größe über"},
		"Han pairs":              {"日本語", "日本 本語"},
		"one Han character":      {"山 is mountain", "山 mountain"},
		"mixed scripts split":    {"Go言語です", "go 言語 語で です"},
		"dense identifier":       {"日本_go", "日本_go 日本 go"},
		"mark in a dense run":    {"ア\u3099イ", "ア\u3099 \u3099イ"},
		"mark stays with a run":  {"नमस्ते", "नमस्ते"},
		"emoji separates":        {"tea🙂time", "tea time"},
		"invalid bytes separate": {"abc\xffdef", "abc def"},
		"NUL separates":          {"abc\x00def", "abc def"},
		"FTS syntax is text":     {`"tree" NEAR(leaf*) -root ^x: AND`, "tree near leaf root x"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(store.Terms(c.text), " "); got != c.want {
				t.Errorf("Terms(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestTermsBoundsLongWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 100)
	got := store.Terms(long + " " + long + "_x")
	for _, term := range got {
		if n := utf8.RuneCountInString(term); n > 64 {
			t.Errorf("term of %d characters", n)
		}
	}
	if len(got) != 3 { // the cut word, and the two parts of the too long identifier
		t.Errorf("got %d terms, want 3: %q", len(got), got)
	}
}

func TestAnalyzerAgreesWithTerms(t *testing.T) {
	t.Parallel()
	const text = "Boosting max_depth of 日本語 trees, boosted trees and the splits of a splitter"
	var a store.Analyzer
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := a.Terms(text); !slices.Equal(got, store.Terms(text)) {
					t.Errorf("got %q, want %q", got, store.Terms(text))
				}
			}
		})
	}
	wg.Wait()
}

// The keyword indexes split at spaces and know no other character than those
// that the rule of Terms names; any other in a term would silently become two.
func FuzzTerms(f *testing.F) {
	for _, s := range []string{"", "max_depth", "日本語 text", "a\xffb", "__x__", "İstanbul", "ﬃ ½ ²", "e\u0301 \u0301", "'''", "'s's"} {
		f.Add(s)
	}
	var a store.Analyzer
	f.Fuzz(func(t *testing.T, text string) {
		terms := store.Terms(text)
		for _, term := range terms {
			if term == "" || !utf8.ValidString(term) || utf8.RuneCountInString(term) > 66 {
				t.Errorf("bad term %q", term)
			}
			for _, r := range term {
				if r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
					t.Errorf("term %q holds %q", term, r)
				}
			}
		}
		if !slices.Equal(terms, a.Terms(text)) {
			t.Error("the analyzer disagrees")
		}
		// Words do not reach across a line.
		twice := store.Terms(text + "\n" + text)
		if want := append(slices.Clone(terms), terms...); !slices.Equal(twice, want) {
			t.Errorf("twice the text gives %q, want %q", twice, want)
		}
	})
}

func BenchmarkTerms(b *testing.B) {
	text := strings.Repeat("Gradient boosting builds an additive model in a forward stage-wise fashion; max_depth limits trees. ", 10)
	var a store.Analyzer
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.Terms(text)
	}
}

func TestNameCountsARepeatedTitleOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title          string
		path           []string
		heading, names string
	}{
		{"git-reset(1)", []string{"git-reset(1)", "EXAMPLES"}, "exampl", "git reset 1"},
		{"1.4. Support Vector Machines — scikit-learn 1.2 documentation", []string{"Support Vector Machines", "Classification"}, "classif", "1 4 support vector machin scikit learn 1 2 document"},
		{"Trees", []string{"Decision trees", "Leaves"}, "decis tree leav", "tree"},
		{"", []string{"Trees"}, "tree", ""},
		{"Trees", nil, "", "tree"},
		{"Guide", []string{"…", "Trees"}, "tree", "guid"},
	} {
		var a store.Analyzer
		chunk := store.Chunk{Title: c.title, HeadingPath: c.path}
		a.Name(&chunk)
		if chunk.HeadingTerms != c.heading || chunk.TitleTerms != c.names {
			t.Errorf("%q, %q: %q and %q, want %q and %q", c.title, c.path, chunk.HeadingTerms, chunk.TitleTerms, c.heading, c.names)
		}
	}
}
