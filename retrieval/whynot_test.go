package retrieval_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

// whyNot asks about a chunk of a lab.
func whyNot(t testing.TB, l *lab, query string, p param.Params, target whynot.Target) whynot.Report {
	t.Helper()
	report, err := whynot.Ask(t.Context(), l.deps(), retrieval.Query{Text: query}, p, target)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func says(s *whynot.Suggestion) string {
	var changes []string
	for _, c := range s.Changes {
		changes = append(changes, c.Field+" "+c.To)
	}
	return strings.Join(changes, " + ")
}

func suggestionOf(r *whynot.Report, wanted string) *whynot.Suggestion {
	for i := range r.Suggestions {
		if says(&r.Suggestions[i]) == wanted {
			return &r.Suggestions[i]
		}
	}
	return nil
}

func allSuggestions(r *whynot.Report) string {
	var all []string
	for i := range r.Suggestions {
		s := &r.Suggestions[i]
		all = append(all, fmt.Sprintf("%s (#%d +%d -%d)", says(s), s.Rank, len(s.Enters), len(s.Leaves)))
	}
	return strings.Join(all, "\n")
}

// The worked example: six sections, a floor of .3 and a budget of 40,000 tokens.
func TestWhyNotWorkedExample(t *testing.T) {
	for _, c := range []struct {
		name, target  string
		set           []string
		stage, reason string
		value         float64
		// wanted are changes that let it in; refused are fields that do not alone.
		wanted, refused []string
		pairs           bool
	}{
		{
			name: "P2 under stop", target: "P2",
			stage: "budget", reason: phrase.ReasonOverBudget, value: 47000,
			wanted: []string{"context_budget 47000", "depth_decay_rate 0.11"}, refused: []string{"budget_policy"},
		},
		{
			name: "P4 under stop", target: "P4",
			stage: "budget", reason: phrase.ReasonAfterBudgetStop, value: 36000,
			wanted: []string{"budget_policy skip", "context_budget 51000"},
		},
		{
			name: "P6 under stop", target: "P6",
			stage: "floor", reason: phrase.ReasonBelowFloor, value: .30,
			wanted: []string{"similarity_floor 0.29 + budget_policy skip", "similarity_floor 0.29 + context_budget 52500"}, pairs: true,
		},
		{
			name: "P6 under skip", target: "P6", set: []string{"budget_policy", "skip"},
			stage: "floor", reason: phrase.ReasonBelowFloor, value: .30,
			wanted: []string{"similarity_floor 0.29"}, refused: []string{"context_budget"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := worked(t).set(t, c.set...)
			r := whyNot(t, labOf(w.memory), "question", w.params, whynot.Target{ChunkID: c.target})
			if r.Present || r.DroppedBy == nil {
				t.Fatalf("%+v", r)
			}
			if d := r.DroppedBy; d.Stage != c.stage || d.Reason != c.reason || d.Value != c.value {
				t.Errorf("dropped by %+v", d)
			}
			for _, want := range c.wanted {
				if suggestionOf(&r, want) == nil {
					t.Errorf("%s is not suggested, but\n%s", want, allSuggestions(&r))
				}
			}
			for i := range r.Suggestions {
				s := &r.Suggestions[i]
				if (len(s.Changes) == 2) != c.pairs {
					t.Errorf("suggested %s", says(s))
				}
				if len(s.Changes) == 1 && slices.Contains(c.refused, s.Changes[0].Field) {
					t.Errorf("suggested %s", says(s))
				}
			}
		})
	}
}

// At a rate of .10 P1 and P3 compute to .7200000000000001, which is above .72: the
// first rate that lets P2 in lies just beyond, the first on a step is .11.
func TestTheSmallestRateIsExact(t *testing.T) {
	w := worked(t)
	r := whyNot(t, labOf(w.memory), "question", w.params, whynot.Target{ChunkID: "P2"})
	s := suggestionOf(&r, "depth_decay_rate 0.11")
	if s == nil {
		t.Fatalf("got\n%s", allSuggestions(&r))
	}
	boundary, err := strconv.ParseFloat(s.Changes[0].Boundary, 64)
	if err != nil || boundary <= .10 || boundary > .1001 {
		t.Errorf("the boundary is %s", s.Changes[0].Boundary)
	}
	if s.Rank != 2 || len(s.Leaves) != 1 || s.Leaves[0].ChunkID != "P3" || len(s.Enters) != 0 {
		t.Errorf("rank %d, enters %v, leaves %v", s.Rank, s.Enters, s.Leaves)
	}
}

func TestWhyNotOfWhatIsThere(t *testing.T) {
	w := worked(t)
	l := labOf(w.memory)
	for _, target := range []whynot.Target{{ChunkID: "P3"}, {ChunkID: "P3.0"}, {SourceURL: "a"}} {
		r := whyNot(t, l, "question", w.params, target)
		if !r.Present || r.Item != "P3" || r.Rank != 2 || len(r.Suggestions) > 0 || r.DroppedBy != nil {
			t.Errorf("%v: %+v", target, r)
		}
	}
}

func TestWhyNotOfWhatCannotBeFound(t *testing.T) {
	l := newLab()
	l.owner = "ann"
	l.page("here", 0)
	l.section("S1", 0, 10)
	l.child("C1", .9, "alpha")
	l.page("gone", 0).DeletedAt = labDay
	l.section("S2", 0, 10)
	l.child("C2", .9, "beta")
	l.page("old", 0)
	l.section("S3", 0, 10)
	l.child("C3", .9, "gamma").IngestionID = "0"
	l.page("bob's", 0).Owner = "bob"
	l.section("S4", 0, 10)
	l.child("C4", .9, "delta")
	l.child("C5", .9, "epsilon").Owner = "ann"
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	for _, c := range []struct {
		target whynot.Target
		scope  store.Scope
		want   store.Absence
	}{
		{target: whynot.Target{ChunkID: "none"}, want: store.AbsentUnknown},
		{target: whynot.Target{Quote: "no such text"}, want: store.AbsentUnknown},
		{target: whynot.Target{SourceURL: "nowhere"}, want: store.AbsentUnknown},
		{target: whynot.Target{SourceURL: "gone"}, want: store.AbsentDeleted},
		{target: whynot.Target{ChunkID: "C2"}, want: store.AbsentDeleted},
		{target: whynot.Target{ChunkID: "C3"}, want: store.AbsentStale},
		{target: whynot.Target{ChunkID: "C4"}, want: store.AbsentUnknown},
		{target: whynot.Target{ChunkID: "C5"}, want: store.AbsentOwner},
		{target: whynot.Target{ChunkID: "C1"}, scope: store.Scope{SourceURLs: []string{"old"}}, want: store.AbsentScope},
		{target: whynot.Target{SourceURL: "here"}, scope: store.Scope{DocumentIDs: []string{"doc-old"}}, want: store.AbsentScope},
		{target: whynot.Target{Quote: "ALPHA"}, scope: store.Scope{Tags: []string{"t"}}, want: store.AbsentFilter},
	} {
		r, err := whynot.Ask(t.Context(), l.deps(), retrieval.Query{Text: "alpha", Scope: c.scope}, p, c.target)
		if err != nil {
			t.Fatal(err)
		}
		if r.Absence != c.want || r.Present || r.Verdict == "" || len(r.Suggestions) > 0 {
			t.Errorf("%v: %+v", c.target, r)
		}
	}
}

func TestWhyNotNeedsOneTarget(t *testing.T) {
	for _, target := range []whynot.Target{{}, {ChunkID: "a", Quote: "b"}} {
		if _, err := whynot.Ask(t.Context(), newLab().deps(), retrieval.Query{Text: "q"}, param.Params{}, target); err == nil {
			t.Errorf("%+v was accepted", target)
		}
	}
}

// A quote that occurs twice means the place that ranks better; the other is
// listed.
func TestWhyNotOfAQuoteInTwoPlaces(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	l.section("S1", 0, 10)
	l.child("C1", .1, "so it  goes")
	l.section("S2", 1, 10)
	l.child("C2", .2, "so it goes")
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	r := whyNot(t, l, "question", p, whynot.Target{Quote: "So it goes"})
	if r.Meant != 2 || r.Chunk.ChunkID != "C2" || len(r.Others) != 1 || r.Others[0].ChunkID != "C1" {
		t.Fatalf("%+v", r)
	}
	if s := suggestionOf(&r, "similarity_floor 0.19"); s == nil || s.Changes[0].Boundary == "" {
		t.Errorf("got\n%s", allSuggestions(&r))
	}
	if r.Vector == nil || r.Vector.Rank != 1 || r.Vector.Score != .2 || len(r.Vector.Cuts) != 2 || r.Vector.Cuts[0].Passes {
		t.Errorf("stands at %+v", r.Vector)
	}
}

// A rank beyond everything that is gathered for a result is within reach.
func TestWhyNotFarBelowTheLimit(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i := range 400 {
		l.section(fmt.Sprintf("S%03d", i), i, 10)
		l.child(fmt.Sprintf("C%03d", i), .9-float64(i)/1000, "text")
	}
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	r := whyNot(t, l, "question", p, whynot.Target{ChunkID: "C349"})
	if r.Vector.Rank != 350 || r.DroppedBy == nil || r.DroppedBy.Reason != phrase.ReasonBeyondLimit || r.DroppedBy.Value != 350 {
		t.Fatalf("%+v %+v", r.Vector, r.DroppedBy)
	}
	s := suggestionOf(&r, "top_k_children_limit 350")
	if s == nil || len(s.Enters) != 289 || s.Rank != 350 {
		t.Errorf("got\n%s", allSuggestions(&r))
	}
}

// An index that does not find the second nearest row is named as the reason.
func TestWhyNotMissedByAnIndex(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i := range 5 {
		l.section(fmt.Sprintf("S%d", i), i, 10)
		l.child(fmt.Sprintf("C%d", i), .9-float64(i)/100, "text")
	}
	l.unindexed = map[string]bool{"C1": true}
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode = param.ModeChunk
	r := whyNot(t, l, "question", p, whynot.Target{ChunkID: "C1"})
	if r.DroppedBy == nil || r.DroppedBy.Reason != phrase.ReasonANNMissed || r.Vector.Rank != 2 || !r.Vector.Missed {
		t.Fatalf("%+v %+v", r.Vector, r.DroppedBy)
	}
	if suggestionOf(&r, "search exact") == nil {
		t.Errorf("got\n%s", allSuggestions(&r))
	}
}

func TestEncodeReport(t *testing.T) {
	w := worked(t)
	for _, target := range []string{"P6", "P1", "none"} {
		r := whyNot(t, labOf(w.memory), "question", w.params, whynot.Target{ChunkID: target})
		r.Runs = min(r.Runs, 1) // how many it takes is nobody's contract
		raw, err := wire.EncodeReport(r, wire.Options{Indent: true})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "why_"+strings.ToLower(target)+".json", append(raw, '\n'))
	}
}

// chained is the worked example of the graph: three seeds, and sections one, two
// and three hops away.
func chained() *lab {
	l := newLab()
	l.page("a", 0)
	for i, n := range []struct {
		id         string
		similarity float64
	}{{"s1", .9}, {"s2", .5}, {"s3", .28}, {"n1", .1}, {"n2", .09}, {"n3", .08}, {"n4", .07}} {
		l.section(n.id, i, 10)
		l.child(n.id+".0", n.similarity, "text")
	}
	l.edge("s1", "n1", store.References, .8)
	l.edge("s2", "n1", store.PartOf, 1)
	l.edge("n1", "n2", store.References, .8)
	l.edge("s1", "s2", store.References, .6)
	l.edge("n2", "s3", store.Sequence, .9)
	l.edge("n2", "n3", store.References, 1)
	delete(l.similar, "n3.0")
	return l
}

func TestWhyNotAlongEdges(t *testing.T) {
	graph, _ := param.Preset(param.PresetGraph)
	graph.SeedTopK, graph.TopK = 3, 10
	for _, c := range []struct {
		name, target string
		set          func(*param.Params)
		hops         int
		reason       string
		wanted       string
	}{
		{"too far", "n3", func(p *param.Params) { p.Relations = param.NewRelations(store.References, store.PartOf) }, 3, phrase.ReasonUnreached, "max_hops 3 + hop_decay 1,0.7,0.5,0"},
		{"relation", "n1", func(p *param.Params) { p.Relations = param.NewRelations(store.Sequence) }, 1, phrase.ReasonEdgeFiltered, "relations references,sequence"},
		{"weight", "n1", func(p *param.Params) {
			p.MinTraversalScore, p.Relations = .9, param.NewRelations(store.References)
		}, 1, phrase.ReasonEdgeFiltered, "min_traversal_score 0.8"},
		{"hops", "n2", func(p *param.Params) { p.MaxHops = 1 }, 2, phrase.ReasonUnreached, "max_hops 2"},
		{"no edges", "n4", func(*param.Params) {}, 0, phrase.ReasonUnreached, "seed_top_k 6"},
		{"off", "n1", func(p *param.Params) { p.MaxHops, p.TopK = 0, 3 }, 1, phrase.ReasonUnreached, "max_hops 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, l := graph, chained()
			c.set(&p)
			if c.target == "n3" { // nothing on the way is a seed, however many there are
				delete(l.similar, "n1.0")
				delete(l.similar, "n2.0")
			}
			r := whyNot(t, l, "question", p, whynot.Target{ChunkID: c.target})
			if r.Present || r.Graph == nil {
				t.Fatalf("%s %+v", r.Verdict, r)
			}
			if r.Graph.Hops != c.hops || r.Graph.Reason != c.reason {
				t.Errorf("the way is %+v", r.Graph)
			}
			if c.wanted != "" && suggestionOf(&r, c.wanted) == nil {
				t.Errorf("%s is not suggested, but\n%s", c.wanted, allSuggestions(&r))
			}
		})
	}
}

// counting scores texts by their length and counts how often it is asked.
type counting struct{ calls int }

func (*counting) ID() string     { return "counting" }
func (*counting) Scale() string  { return retrieval.ScaleUnit }
func (*counting) Listwise() bool { return true }

func (c *counting) Score(_ context.Context, _ string, docs []string) (retrieval.Scores, error) {
	c.calls++
	s := retrieval.Scores{Values: make([]float64, len(docs)), Scored: make([]bool, len(docs))}
	for i := range docs {
		s.Values[i], s.Scored[i] = 1/float64(i+1), true
	}
	return s, nil
}

// A reranker costs seconds and money: it is asked a few times, and what could not
// be tried for that is said.
func TestWhyNotSparesTheReranker(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i := range 30 {
		l.section(fmt.Sprintf("S%02d", i), i, 10)
		l.child(fmt.Sprintf("C%02d", i), .9-float64(i)/100, "text")
	}
	p, _ := param.Preset(param.PresetHybrid)
	p.Reranker = param.RerankerLLM
	d, scorer := l.deps(), &counting{}
	d.Scorers = map[param.RerankerKind]retrieval.Scorer{param.RerankerLLM: scorer}
	r, err := whynot.Ask(t.Context(), d, retrieval.Query{Text: "question"}, p, whynot.Target{ChunkID: "S20"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Present || scorer.calls > 4 {
		t.Errorf("asked %d times: %+v", scorer.calls, r)
	}
	if !slices.ContainsFunc(r.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeIncomplete.Code }) {
		t.Errorf("notices %+v", r.Notices)
	}
}
