package retrieval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// admitted reports whether a chunk, or the section of it, is among the results
// that are retrieved afresh.
func admitted(t *rapid.T, l *lab, q retrieval.Query, p retrieval.Params, chunk string) bool {
	r := retrieved(t, l, q, p)
	ids := []string{chunk}
	if c := l.chunk(chunk); c.ParentID != "" {
		ids = append(ids, c.ParentID)
	}
	for i := range l.chunks {
		if l.chunks[i].ParentID == chunk {
			ids = append(ids, l.chunks[i].ID)
		}
	}
	for i := range r.Items {
		for _, id := range append(slices.Clone(r.Items[i].Merged), r.Items[i].ChunkID) {
			if slices.Contains(ids, id) {
				return true
			}
		}
	}
	return false
}

// whyCase is a question about a chunk of a drawn corpus.
type whyCase struct {
	l      *lab
	q      retrieval.Query
	p      retrieval.Params
	chunk  string
	report retrieval.Report
}

// drawWhy asks about a chunk that is missing for no other reason than the
// parameters; nil when it is not.
func drawWhy(t *rapid.T) *whyCase {
	c := &whyCase{l: drawLabOf(t, 2), q: drawQuery(t)}
	c.p = drawPreset(t, rapid.SampledFrom(retrieval.Presets()).Draw(t, "preset"), rapid.IntRange(0, 3).Draw(t, "changes"))
	var candidates []string
	for i := range c.l.chunks {
		if c.l.in(&c.l.chunks[i], c.q.Scope) {
			candidates = append(candidates, c.l.chunks[i].ID)
		}
	}
	if len(candidates) == 0 || strings.TrimSpace(c.q.Text) == "" {
		return nil
	}
	tighten(t, &c.p)
	c.chunk = rapid.SampledFrom(candidates).Draw(t, "target")
	d := c.l.deps()
	d.Now = c.l.now()
	var err error
	if c.report, err = retrieval.WhyNot(t.Context(), d, c.q, c.p, retrieval.Target{ChunkID: c.chunk}); err != nil {
		t.Fatal(err)
	}
	if c.report.Verdict == "" || c.report.Present && (c.report.DroppedBy != nil || len(c.report.Suggestions) > 0) {
		t.Fatalf("%+v", c.report)
	}
	if c.report.Absence == store.AbsentNone {
		if is := admitted(t, c.l, c.q, c.p, c.chunk); is != c.report.Present {
			t.Fatalf("%s is present: %v, the report says %v\n%+v", c.chunk, is, c.report.Present, c.report)
		}
	}
	if c.report.Present || c.report.Absence != store.AbsentNone {
		return nil
	}
	return c
}

// tighten leaves room for few results, so that most chunks of a small corpus are
// missing.
func tighten(t *rapid.T, p *retrieval.Params) {
	switch {
	case p.TopK > 0:
		p.TopK, p.SeedTopK = rapid.IntRange(1, 3).Draw(t, "top k"), rapid.IntRange(1, 4).Draw(t, "seeds")
	case rapid.Bool().Draw(t, "by limit"):
		p.TopKChildrenLimit = rapid.IntRange(1, 4).Draw(t, "limit")
	default:
		p.FullContextThreshold, p.ContextBudget = 1, rapid.IntRange(1, 300).Draw(t, "budget")
	}
	if rapid.Bool().Draw(t, "by floor") {
		p.SimilarityFloor = rapid.SampledFrom([]float64{.3, .5, .55}).Draw(t, "floor")
	}
}

func (c *whyCase) with(t *rapid.T, field, value string) retrieval.Params {
	p := c.p
	if err := p.Set(field, value); err != nil {
		t.Fatalf("suggested %s %s: %v", field, value, err)
	}
	return p
}

func (c *whyCase) fails(t *rapid.T, what string) {
	t.Fatalf("%s\n%s\n%+v\n%+v\n%+v", what, allSuggestions(&c.report), c.report.DroppedBy, c.p, c.q)
}

// Every suggestion lets the target in, and of a number no nearer value does.
func TestSuggestionsAreTheSmallest(t *testing.T) {
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawWhy(t)
		if c == nil {
			return
		}
		for i := range c.report.Suggestions {
			s := &c.report.Suggestions[i]
			p := c.p
			for _, change := range s.Changes {
				if err := p.Set(change.Field, change.To); err != nil {
					t.Fatal(err)
				}
			}
			if !admitted(t, c.l, c.q, p, c.chunk) {
				c.fails(t, says(s)+" does not let it in")
			}
			if len(s.Changes) == 1 {
				tried++
				c.checkSmallest(t, s.Changes[0])
			}
		}
	})
	if tried < atLeast(10) {
		t.Errorf("only %d suggestions were checked", tried)
	}
}

// checkSmallest tries values that are nearer to the present one.
func (c *whyCase) checkSmallest(t *rapid.T, a retrieval.Adjustment) {
	spec, _ := retrieval.SpecOf(a.Field)
	if a.Boundary != "" {
		edge := parse(t, a.Boundary)
		if !admitted(t, c.l, c.q, c.with(t, a.Field, a.Boundary), c.chunk) {
			c.fails(t, a.Field+" "+a.Boundary+" is no boundary")
		}
		from := parse(t, a.From)
		if a.From == "0" && (a.Field == "recency_half_life" || a.Field == "dedup_threshold") {
			from = spec.Max // off is as good as the highest value
		}
		if inside := math.Nextafter(edge, from); inside != from && admitted(t, c.l, c.q, c.with(t, a.Field, strconv.FormatFloat(inside, 'f', -1, 64)), c.chunk) {
			c.fails(t, fmt.Sprintf("%s %v lets it in, nearer than the boundary of %s", a.Field, inside, a.Boundary))
		}
		return
	}
	if spec.Kind != retrieval.KindInt || a.To == "0" || a.From == "0" {
		return
	}
	from, to := int(parse(t, a.From)), int(parse(t, a.To))
	step := 1
	if to < from {
		step = -1
	}
	try := func(n int) {
		if n != from && n != to && n > 0 && admitted(t, c.l, c.q, c.with(t, a.Field, strconv.Itoa(n)), c.chunk) {
			c.fails(t, fmt.Sprintf("%s %d lets it in, nearer than %d", a.Field, n, to))
		}
	}
	try(to - step)
	try(from + step)
	try(rapid.IntRange(min(from, to-step), max(from, to-step)).Draw(t, "nearer"))
}

func parse(t *rapid.T, s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// waysIn are parameters that may let a chunk in.
func waysIn() []string {
	return []string{
		"top_k", "top_k_children_limit", "seed_top_k", "overfetch", "similarity_floor", "floor_scale", "keyword_weight", "fusion",
		"rrf_k", "single_arm", "unit", "missing_parent", "max_hops", "vector_weight", "graph_weight", "bidirectional",
		"min_traversal_score", "graph_scoring", "graph_top_k", "depth_decay_rate", "depth_floor", "dedup_threshold", "min_score",
		"merge_adjacent", "context_budget", "budget_policy", "budget_count", "keyword_match",
	}
}

// What lets the target in is suggested: if a change of a parameter does, there is
// a suggestion for that parameter.
func TestNoWayInIsOverlooked(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawWhy(t)
		if c == nil {
			return
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		between := func(low, high int) int { return low + rng.IntN(high-low+1) }
		for range 30 {
			field := waysIn()[rng.IntN(len(waysIn()))]
			spec, _ := retrieval.SpecOf(field)
			var p retrieval.Params
			switch spec.Kind {
			case retrieval.KindInt:
				p = c.with(t, field, strconv.Itoa(between(max(1, int(spec.Min)), min(int(spec.Max), []int{5, 30, 600}[rng.IntN(3)]))))
			case retrieval.KindFloat:
				steps := math.Round(1 / spec.Step)
				n := between(int(spec.Min*steps), int(spec.Max*steps))
				p = c.with(t, field, strconv.FormatFloat(float64(n)/steps, 'f', -1, 64))
			default:
				word := "true"
				if len(spec.Values) > 0 {
					word = spec.Values[rng.IntN(len(spec.Values))]
				}
				p = c.with(t, field, word)
			}
			if p == c.p || field == "dedup_threshold" && p.DedupThreshold == 0 {
				continue
			}
			if !admitted(t, c.l, c.q, p, c.chunk) {
				continue
			}
			found++
			known := slices.ContainsFunc(c.report.Suggestions, func(s retrieval.Suggestion) bool {
				return len(s.Changes) == 1 && s.Changes[0].Field == field
			})
			if !known {
				c.fails(t, fmt.Sprintf("%s %s lets %s in and is not suggested", field, p.Get(field), c.chunk))
			}
		}
	})
	if found < atLeast(10) {
		t.Errorf("only %d ways in were found", found)
	}
}

// The same question has the same answer, to the byte.
func TestWhyNotIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawWhy(t)
		if c == nil {
			return
		}
		want, err := retrieval.EncodeReport(c.report, retrieval.EncodeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		d := c.l.deps()
		d.Now = c.l.now()
		again, err := retrieval.WhyNot(t.Context(), d, c.q, c.p, retrieval.Target{ChunkID: c.chunk})
		if err != nil {
			t.Fatal(err)
		}
		got, err := retrieval.EncodeReport(again, retrieval.EncodeOptions{})
		if err != nil || string(got) != string(want) {
			t.Fatalf("%v\n%s\n%s", err, got, want)
		}
	})
}
