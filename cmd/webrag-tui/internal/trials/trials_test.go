package trials

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/store"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{.69474, 4, ".6947"}, {1, 4, "1.0000"}, {0, 3, ".000"}, {-.0004, 3, ".000"}, {-.5, 2, "-.50"}, {12.25, 1, "12.2"}} {
		if got := figure(c.v, c.decimals); got != c.want {
			t.Errorf("%v with %d decimals is %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
	for v, want := range map[float64]string{.0312: "+.031", -.0312: "-.031", .0004: ".000", -.0004: ".000", 1.5: "+1.500"} {
		if got := signed(v); got != want {
			t.Errorf("the difference %v is %q, want %q", v, got, want)
		}
	}
	for p, want := range map[float64]string{.0009: "<.001", .001: ".001", 1: "1.000"} {
		if got := chance(p); got != want {
			t.Errorf("p %v is %q, want %q", p, got, want)
		}
	}
}

// A measure may have equals signs of its own, and one that is only limited is measured, too.
func TestLimits(t *testing.T) {
	measures := []evaluation.Measure{evaluation.MustMeasure("nDCG@10")}
	limits, err := parseLimits([]string{"ndcg@10=.7", "P(rel=2)@5= .5"}, &measures)
	if err != nil {
		t.Fatal(err)
	}
	if want := []limit{{0, .7}, {1, .5}}; !slices.Equal(limits, want) {
		t.Errorf("got %v, want %v", limits, want)
	}
	if len(measures) != 2 || measures[1].String() != "P(rel=2)@5" {
		t.Errorf("the measures are %v", measures)
	}
	for _, text := range []string{"", "nDCG@10", "nDCG@10=", "nDCG@10=x", "nDCG@10=NaN", "=1", "nothing=1"} {
		if _, err := parseLimits([]string{text}, &measures); err == nil || !strings.HasPrefix(err.Error(), "--fail-under") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func pagesOf(template string, pages ...string) *addresses {
	a := &addresses{template: template, pages: map[string]string{}, ends: map[string]string{}}
	for _, page := range pages {
		a.add(&store.Document{SourceURL: page})
	}
	return a
}

func TestDocumentsBecomePages(t *testing.T) {
	a := pagesOf("https://b.org/{}.html", "https://a.org/x/one.html", "https://a.org/y/one.html", "https://a.org/two words/", "beir:7", "https://b.org/9.html", "file:d/deep.md")
	for id, want := range map[string]string{
		"https://a.org/x/one.html":           "https://a.org/x/one.html",
		"http://A.org/x/one.html":            "https://a.org/x/one.html", // as servers read it
		"https://a.org/two%20words/":         "https://a.org/two words/",
		"7":                                  "beir:7",
		"9":                                  "https://b.org/9.html", // by the template
		"deep":                               "file:d/deep.md",
		"deep.md":                            "file:d/deep.md",
		"one.html":                           "", // of two pages
		"one":                                "",
		"ten":                                "",
		"":                                   "",
		"https://b.org/9.html::0a1b2c3d4e5f": "", // a passage is no page
	} {
		if got := a.find(id); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
	}
}

// What run and export write, import finds again, whatever an address is.
func TestDocnosLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		page := rapid.StringMatching(`(https://a\.org|file:|beir:)/?[a-zA-Z0-9 #%:?ä/._-]{1,20}`).Draw(t, "page")
		a := pagesOf("", page)
		if got := a.find(exchange.Docno(page)); got != page {
			t.Fatalf("%q became %q", page, got)
		}
	})
}

func FuzzReadQueries(f *testing.F) {
	for _, seed := range []string{
		"q1\ttext\n", "q1\ttext", "{\"_id\": \"1\", \"text\": \"x\u2028y\"}\n", "\ufeffq\tt\r\n\r\n", "q1\n", "{", "q\tt\nq\tu\n", "\t\t", "a\t\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		queries, err := readQueries(bytes.NewReader(raw), "topics")
		if err != nil {
			if !strings.Contains(err.Error(), "topics") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, q := range queries {
			if q.ID == "" || q.Text == "" || seen[q.ID] {
				t.Errorf("%q has the query %q", raw, q)
			}
			seen[q.ID] = true
		}
		if lines := bytes.Count(raw, []byte("\n")) + 1; len(queries) > lines {
			t.Errorf("%d queries of %d lines", len(queries), lines)
		}
	})
}

func FuzzBaseline(f *testing.F) {
	f.Add([]byte(`{"format":"webrag-tui evaluation 1","set":"s","profiles":[{"name":"a","measures":[{"measure":"P@5","mean":1}],"per_query":[{"id":"q","scores":{"P@5":1},"relevant_pages":{"p":1}}]}]}`))
	f.Add([]byte(`{"format":"webrag-tui evaluation 1","set":"s","profiles":[{"name":"a","per_query":[{"id":"q"}]}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var then encoded
		if json.Unmarshal(raw, &then) != nil {
			return
		}
		now := encodedSystem{Name: "a", PerQuery: []encodedQuery{{ID: "q", Scores: map[string]float64{"P@5": .5}, Pages: map[string]int{"p": 3}}}}
		was := then.system("a")
		if was == nil {
			return
		}
		for _, fall := range falls(&now, was, "P@5") {
			if !(fall.Now < fall.Was) {
				t.Errorf("%v did not fall", fall)
			}
		}
	})
}

// Query a fell from 1 to .5 and b from 1 to 0; c rose.
func TestFalls(t *testing.T) {
	query := func(id string, score float64, pages map[string]int) encodedQuery {
		return encodedQuery{ID: id, Text: "text of " + id, Scores: map[string]float64{"RR": score}, Pages: pages}
	}
	was := encodedSystem{PerQuery: []encodedQuery{query("a", 1, map[string]int{"x": 1, "y": 4, "z": 0}), query("b", 1, map[string]int{"x": 1}), query("c", 0, nil)}}
	now := encodedSystem{PerQuery: []encodedQuery{query("a", .5, map[string]int{"x": 2, "y": 3, "z": 7}), query("b", 0, map[string]int{"x": 0}), query("c", 1, nil), query("d", 0, nil)}}
	want := []fall{
		{ID: "b", Text: "text of b", Was: 1, Now: 0, Pages: []pageFall{{Page: "x", Was: 1}}},
		{ID: "a", Text: "text of a", Was: 1, Now: .5, Pages: []pageFall{{Page: "x", Was: 1, Now: 2}}},
	}
	if got := falls(&now, &was, "RR"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestWhoseJudgmentsCount(t *testing.T) {
	set := func(names ...judgment.Judge) *judgment.Set {
		s := &judgment.Set{About: judgment.About{Name: "s"}, Queries: []judgment.Query{{ID: "q", Text: "a query"}}}
		for _, name := range names {
			s.Records = append(s.Records, judgment.Record{Key: judgment.PageKey("q", "page"), Judge: name, Grade: 1})
		}
		return s
	}
	model := judgment.ModelJudge("m")
	for _, c := range []struct {
		set       *judgment.Set
		flag      string
		ana, auto bool
		notice    string
	}{
		{set("ana"), "", true, true, ""},
		{set("ana", model), "", true, false, "judgments_of_models"}, // never mixed unasked
		{set(model), "", true, true, "judgments_of_models"},
		{set("ana", model), "all", true, true, "judgments_of_models"},
		{set("ana", model), "models", false, true, "judgments_of_models"},
		{set("ana", model), string(model), false, true, "judgments_of_models"},
		{set(model), "all", true, true, "judgments_of_models"},
		{set("ana", model), "people", true, false, ""},
		{set("ana", "ben"), "ben", false, false, ""},
	} {
		keep, notices, err := judges(c.set, c.flag)
		if err != nil {
			t.Fatal(err)
		}
		counts := func(j judgment.Judge) bool { return keep == nil || keep(j) }
		if counts("ana") != c.ana || counts(model) != c.auto {
			t.Errorf("--judge %q: ana counts %v, the model %v", c.flag, counts("ana"), counts(model))
		}
		code := ""
		if len(notices) > 0 {
			code = notices[0].Code
		}
		if code != c.notice {
			t.Errorf("--judge %q tells %q, want %q", c.flag, code, c.notice)
		}
	}
	if _, _, err := judges(set("ana"), "eve"); err == nil {
		t.Error("somebody who judged nothing is no error")
	}
}

// The page's own grade counts before that of its passages, and of these the best.
func TestGradesOfPages(t *testing.T) {
	s := &judgment.Set{About: judgment.About{Labels: judgment.Labels()}, Queries: []judgment.Query{{ID: "q", Text: "q"}}}
	add := func(url, quote string, start int, grade judgment.Grade) {
		s.Records = append(s.Records, judgment.Record{Key: judgment.KeyOf("q", url, quote, start), Quote: quote, Grade: grade, Judge: "ana"})
	}
	add("x", "one", 5, 1)
	add("x", "two", 9, 3)
	add("y", "one", 5, 3)
	add("y", "", 0, 1)
	add("y", "two", 9, 2)
	add("z w", "", 0, 0)
	add("u", "", 0, judgment.CannotTell)
	want := map[string]map[string]int{"q": {"x": 3, "y": 1, "z%20w": 0}}
	if got := qrelsOf(s, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Shades and signs say what the numbers say.
func TestCells(t *testing.T) {
	report := func(scores ...float64) *evaluation.Report {
		r := &evaluation.Report{}
		for i, v := range scores {
			if !math.IsNaN(v) {
				r.Queries = append(r.Queries, evaluation.QueryScores{ID: string(rune('a' + i)), Scores: []float64{v}})
			}
		}
		return r
	}
	x := &trial{systems: []system{{report: report(0, .5, 1, .2)}, {report: report(.25, .5, .9, math.NaN())}}}
	var got []string
	for _, id := range x.ordered() {
		got = append(got, id+": "+x.cell(0, id)+", "+x.cell(1, id))
	}
	want := []string{"a: · .00, ░ .25 ▲", "b: ▒ .50, ▒ .50 =", "d: ░ .20, none", "c: █ 1.00, █ .90 ▼"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
