package sweep_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestAxes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"top_k=3..8":                           "3 4 5 6 7 8",
		" top_k = 17..19 ":                     "17 18 19",
		"top_k=18..18":                         "18",
		"top_k=1..10/3":                        "1 4 7 10",
		"top_k=1..3/9":                         "1 2 3",
		"top_k=9, 3 ,9,no limit":               "9 3 0",
		"top_k=3..4,0":                         "3 4 0",
		"similarity_floor=.1..+.3/4":           "0.1 0.15 0.2 0.25 0.3",
		"similarity_floor=0.105..0.12":         "0.105 0.11 0.12",
		"similarity_floor=-0.1..0.1/2":         "-0.1 0 0.1",
		"fusion=ranks,convex":                  "",
		"fusion=rrf,convex":                    "rrf convex",
		"group_by_source":                      "false true",
		"hop_decay=1,0.5;1":                    "1,0.5 1",
		"reranker":                             "none score",
		"context_budget=1000..8000/7,no limit": "1000 2000 3000 4000 5000 6000 7000 8000 " + strconv.Itoa(param.Unlimited),
	} {
		a, err := sweep.ParseAxis(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is taken", text)
			}
			continue
		}
		if got := strings.Join(a.Values, " "); err != nil || got != want {
			t.Errorf("%q gives %q, %v, want %q", text, got, err, want)
		}
	}
	for _, s := range param.Specs() {
		a, err := sweep.ParseAxis(s.Field)
		if s.Field == param.FieldReach {
			continue
		}
		if err != nil || len(a.Values) < 2 {
			t.Errorf("the own track of %s: %q, %v", s.Field, a.Values, err)
		}
	}
}

func TestAxesThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"top_kk=3..8":           "top_k",
		"":                      "",
		"top_k=":                "a value of top_k is missing",
		"top_k=3..":             "a value of top_k is missing",
		"top_k=8..3":            "write 3..8",
		"top_k=1..3/0":          "no number of steps",
		"top_k=1..3/x":          "no number of steps",
		"top_k=1..3/1000000000": "no number of steps",
		"top_k=0..5":            "stands for no number",
		"top_k=many":            "many",
		"similarity_floor=0..3": "between",
		"fusion=a..b":           "has no order",
		"reranker=none,llm":     "waits on a server",
		"reach":                 "changes no ranking",
		"context_budget=1..500/499,501..2000/900": "more than 1000 values",
	} {
		if a, err := sweep.ParseAxis(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %q, %v", text, a.Values, err)
		}
	}
}

// TestEndsOfAGridAreExact holds that both ends are among the values, as they were written.
func TestEndsOfAGridAreExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		low := rapid.IntRange(0, 99).Draw(rt, "low")
		high := rapid.IntRange(low+1, 100).Draw(rt, "high")
		steps := rapid.IntRange(1, 300).Draw(rt, "steps")
		text := func(n int) string { return strconv.FormatFloat(float64(n)/100, 'f', -1, 64) }
		a, err := sweep.ParseAxis(fmt.Sprintf("similarity_floor=%s..%s/%d", text(low), text(high), steps))
		if err != nil {
			rt.Fatal(err)
		}
		if a.Values[0] != text(low) || a.Values[len(a.Values)-1] != text(high) || len(a.Values) != steps+1 {
			rt.Fatalf("%d values from %s to %s", len(a.Values), a.Values[0], a.Values[len(a.Values)-1])
		}
		plain, err := sweep.ParseAxis(fmt.Sprintf("similarity_floor=%s..%s", text(low), text(high)))
		if err != nil || plain.Values[0] != text(low) || plain.Values[len(plain.Values)-1] != text(high) || len(slices.Compact(plain.Values)) != high-low+1 {
			rt.Fatalf("%d values of the track, %v", len(plain.Values), err)
		}
	})
}

func FuzzParseAxis(f *testing.F) {
	for _, seed := range []string{"top_k", "top_k=3..8", "top_k=1..10/3,no limit", "similarity_floor=.1..+.3/4", "fusion=rrf", "hop_decay=1,.5;1", "relations=all;link,parent", "=", "..", "top_k=../", "similarity_floor=-0..1e-300/900"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := sweep.ParseAxis(text)
		if err != nil {
			return
		}
		if len(a.Values) == 0 || len(a.Values) > 1000 {
			t.Fatalf("%q gives %d values", text, len(a.Values))
		}
		seen := map[string]bool{}
		for _, v := range a.Values {
			var p param.Params
			if err := p.Set(a.Field, v); err != nil || p.Get(a.Field) != v || seen[v] {
				t.Fatalf("%q gives %q: %v", text, v, err)
			}
			seen[v] = true
		}
	})
}

func TestConstraints(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"tokens<=3000": "tokens<=3000", " Tokens <= 3e3": "tokens<=3000", "results>=3": "results>=3", "latency<=.05s": "latency<=50ms", "latency<=50": "latency<=50ms", "Success@5>=.9": "Success@5>=0.9", "map>=.25": "AP>=0.25",
		"expr:some=count(results, .grade >= 1)>=2": "expr:some=count(results, .grade >= 1)>=2",
	} {
		c, err := sweep.ParseConstraint(text)
		if err != nil || c.String() != want {
			t.Errorf("%q gives %q, %v", text, c, err)
		}
		if again, err := sweep.ParseConstraint(c.String()); err != nil || again.String() != want {
			t.Errorf("%q is read as %q, %v", c, again, err)
		}
	}
	most, _ := sweep.ParseConstraint("tokens<=3000")
	least, _ := sweep.ParseConstraint("Success@5>=.9")
	if !most.IsMet(3000) || most.IsMet(3000.01) || !least.IsMet(.9) || least.IsMet(.89) {
		t.Error("a limit itself is met, and what is beyond it is not")
	}
	for text, want := range map[string]string{
		"tokens<3000": "write it as", "tokens<=many": "no number", "tokens<=NaN": "no number", "latency<=soon": "no number", "nDGC@10>=.5": "nDCG",
	} {
		if _, err := sweep.ParseConstraint(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

func FuzzParseConstraint(f *testing.F) {
	for _, seed := range []string{"tokens<=3000", "results>=3", "Success@5>=.9", "expr:a=k>=1", "latency<=50ms", "latency<=1m.5s", "<=", "tokens<=1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := sweep.ParseConstraint(text)
		if err != nil {
			return
		}
		if again, err := sweep.ParseConstraint(c.String()); err != nil || again.String() != c.String() {
			t.Fatalf("%q is written %q, which is read as %q: %v", text, c, again, err)
		}
	})
}
