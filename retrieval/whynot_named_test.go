package retrieval_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

// A section comes in through its best passage: one that is quoted and far below
// the floor did not.
func TestWhyNotOfAPassageWhoseSectionCameInOtherwise(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	l.section("S1", 0, 10)
	l.child("C1", .9, "near the question")
	l.child("C2", -.002, "so it goes")
	p, _ := param.Preset(param.PresetWebRAG)
	p.Mode, p.SimilarityFloor = param.ModeChunk, .3
	r := whyNot(t, l, "question", p, whynot.Target{Quote: "so it goes"})
	if !r.Present || r.Via != whynot.ViaPassage || !strings.Contains(r.Verdict, "another passage brought it: its own cosine of -.002 is not above the floor of .300") {
		t.Errorf("via %q: %s", r.Via, r.Verdict)
	}
	if r = whyNot(t, l, "question", p, whynot.Target{ChunkID: "C1"}); !r.Present || r.Via != whynot.ViaItself {
		t.Errorf("via %q: %s", r.Via, r.Verdict)
	}
	p.SimilarityFloor = .95
	r = whyNot(t, l, "question", p, whynot.Target{Quote: "so it goes"})
	if len(r.Suggestions) == 0 || r.Suggestions[0].Via != whynot.ViaPassage || !strings.Contains(r.Verdict, "lets its section in") {
		t.Errorf("%s\n%s", r.Verdict, allSuggestions(&r))
	}
}

// The arms may find different passages of a page best: each is named, and so is
// every section that is returned.
func TestWhyNotNamesThePassagesOfAPage(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	l.section("S1", 0, 10).HeadingPath = []string{"Guide", "Nearness"}
	l.child("C1", .9, "near").HeadingPath = []string{"Guide", "Nearness"}
	l.section("S2", 1, 10).HeadingPath = []string{"Guide", "Words"}
	l.child("C2", .5, "alpha alpha").HeadingPath = []string{"Guide", "Words"}
	l.page("b", 0)
	l.section("S3", 0, 10)
	l.child("C3", .7, "other")
	p, _ := param.Preset(param.PresetHybrid)
	r := whyNot(t, l, "alpha prioritising", p, whynot.Target{SourceURL: "a"})
	if r.Vector.Name != "Nearness" || r.Keyword.Name != "Words" {
		t.Errorf("the arms show %q and %q", r.Vector.Name, r.Keyword.Name)
	}
	var names []string
	for i, place := range r.InResult {
		names = append(names, place.Name)
		if i > 0 && place.Rank < r.InResult[i-1].Rank {
			t.Errorf("not by rank: %+v", r.InResult)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"Nearness", "Words"}) {
		t.Errorf("in the result: %v", names)
	}
	if !slices.Equal(r.Keyword.LacksWords, []string{"prioritising"}) || slices.Contains(r.Keyword.Lacks, "prioritising") {
		t.Errorf("lacks the words %v for the terms %v", r.Keyword.LacksWords, r.Keyword.Lacks)
	}
}

// Every section on a way is named, and every setting that does not go it.
func TestWhyNotNamesTheWay(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i, id := range []string{"S1", "S2", "S3"} {
		l.section(id, i, 10).HeadingPath = []string{"Guide", "Part " + id}
		l.child("C"+id, []float64{.9, .1, .1}[i], "text")
	}
	l.edge("S1", "S2", store.References, 1)
	l.edge("S3", "S2", store.References, 1)
	p, _ := param.Preset(param.PresetGraph)
	p.SeedTopK, p.TopK, p.MaxHops, p.SimilarityFloor, p.Bidirectional = 1, 2, 1, .5, false
	r := whyNot(t, l, "question", p, whynot.Target{ChunkID: "S3"})
	if r.Graph == nil || len(r.Graph.Steps) != 2 {
		t.Fatalf("%+v", r.Graph)
	}
	if s := r.Graph.Steps; s[0].FromName != "Part S1" || s[0].ToName != "Part S2" || s[1].FromName != "Part S2" || s[1].ToName != "Part S3" {
		t.Errorf("%+v", s)
	}
	if !slices.Equal(r.Graph.Settings, []string{"bidirectional", "max_hops"}) {
		t.Errorf("settings %v", r.Graph.Settings)
	}
}

// In full context everything is returned: there are no cuts to be held against.
func TestWhyNotInFullContext(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	l.section("S1", 0, 10)
	l.child("C1", -.5, "far away")
	p, _ := param.Preset(param.PresetWebRAG)
	r := whyNot(t, l, "zzz", p, whynot.Target{ChunkID: "S1"})
	if r.Mode != param.ModeFullContext || !r.Present || len(r.Vector.Cuts) > 0 || !strings.Contains(r.Verdict, "since everything is") {
		t.Errorf("%s %v: %s", r.Mode, r.Vector, r.Verdict)
	}
}

// tangled is a corpus in which each section leads to many others.
func tangled(sections int) *lab {
	l := newLab()
	l.page("a", 0)
	for i := range sections {
		l.section(fmt.Sprintf("S%04d", i), i, 10)
		l.child(fmt.Sprintf("C%04d", i), .9-float64(i)/float64(sections), fmt.Sprint("text ", i))
	}
	for i := range sections {
		for n := range 5 {
			l.edge(fmt.Sprintf("S%04d", i), fmt.Sprintf("S%04d", (i*7+n*13+1)%sections), store.References, 1)
		}
	}
	return l
}

// What costs too much is left untried, which the report says with what it was.
func TestWhyNotIsBounded(t *testing.T) {
	l := tangled(400)
	p, _ := param.Preset(param.PresetGraph)
	p.TopK = 5
	r := whyNot(t, l, "question", p, whynot.Target{ChunkID: "S0390"})
	if r.Present || r.Runs > 30_000 {
		t.Fatalf("%d rankings: %s", r.Runs, r.Verdict)
	}
	at := slices.IndexFunc(r.Notices, func(n retrieval.Notice) bool { return n.Code == phrase.NoticeIncomplete.Code })
	if at < 0 || !strings.Contains(r.Notices[at].Text, "not everything was tried: ") || !strings.Contains(r.Notices[at].Text, "seed_top_k") {
		t.Errorf("%d rankings, notices %+v", r.Runs, r.Notices)
	}
}

func TestWhyNotStopsWhenItIsTold(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	d := tangled(50).deps()
	d.Scorers = map[param.RerankerKind]retrieval.Scorer{param.RerankerLLM: &stopping{stop: stop}}
	p, _ := param.Preset(param.PresetHybrid)
	p.Reranker = param.RerankerLLM
	if _, err := whynot.Ask(ctx, d, retrieval.Query{Text: "question"}, p, whynot.Target{ChunkID: "S0049"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// stopping ends the question it is asked for.
type stopping struct {
	counting
	stop context.CancelFunc
}

func (s *stopping) Score(ctx context.Context, query string, docs []string) (retrieval.Scores, error) {
	s.stop()
	return s.counting.Score(ctx, query, docs)
}

// What is neither listed below a cut nor returned is explained by where the other
// result found it.
func TestCompareInfersWhatIsNotListed(t *testing.T) {
	l := tangled(100)
	p, _ := param.Preset(param.PresetTopK)
	p.RequireOwner = false
	p.TopK = 60
	a := l.retrieve(t, "question", p)
	p.TopK = 5
	c := retrieval.Compare(a, l.retrieve(t, "question", p), 0)
	if len(c.Left) != 55 {
		t.Fatalf("%d left", len(c.Left))
	}
	for i := range c.Left {
		if c.Left[i].Why == nil {
			t.Fatalf("%+v has no reason", c.Left[i])
		}
	}
	if w := c.Left[54].Why; w.Reason != phrase.ReasonBeyondLimit || w.Rank != 60 || w.Threshold != 5 || w.Arm != param.StageVector {
		t.Errorf("%+v", w)
	}
}
