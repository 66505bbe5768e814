package experiment_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/internal/sample"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// measures are what sweeps keep in these tests.
func measures() []evaluation.Measure {
	return []evaluation.Measure{evaluation.MustMeasure("nDCG@10"), evaluation.MustMeasure("AP"), evaluation.MustMeasure("Judged@10")}
}

// swept are the numbers of all questions, by question and setting.
func swept(t testing.TB, s *sample.Sample, x *experiment.Experiment, settings ...param.Params) [][]experiment.Numbers {
	t.Helper()
	all := make([][]experiment.Numbers, len(x.Questions))
	err := x.Sweep(t.Context(), s.Deps, settings, experiment.SweepOptions{Measures: measures(), Through: func(question int, by []experiment.Numbers) error {
		all[question] = by
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// inChunkMode is a preset that searches these small corpora as it does a large one.
func inChunkMode(preset string) param.Params {
	p, _ := param.Preset(preset)
	p.Mode = param.ModeChunk
	return p
}

// everyPreset are all presets, as they are and in chunk mode, and one that joins passages.
func everyPreset() (settings []param.Params) {
	for _, name := range param.Presets() {
		p, _ := param.Preset(name)
		settings = append(settings, p, inChunkMode(name))
	}
	joins := inChunkMode(param.PresetTextbook)
	joins.MergeAdjacent = true
	alike := inChunkMode(param.PresetWebRAG)
	alike.DedupThreshold = .6
	return append(settings, joins, alike)
}

func ranking(r *retrieval.Result) (ids []string) {
	for _, it := range r.ByRank() {
		ids = append(ids, it.ChunkID)
	}
	return ids
}

// TestTryIsRetrieve ranks all at once and each alone, and sweeps the same.
func TestTryIsRetrieve(t *testing.T) {
	t.Parallel()
	settings := everyPreset()
	for name, s := range map[string]*sample.Sample{"guide": guide, "random": random} {
		x := s.Experiment()
		if len(x.Questions) != len(s.Set.Queries) || x.Unjudged != 0 || s.Anchors.Summary.Lost() != 0 {
			t.Fatalf("%s: %d questions of %d, %+v", name, len(x.Questions), len(s.Set.Queries), s.Anchors.Summary)
		}
		var told atomic.Int64
		outcomes, err := x.Try(t.Context(), s.Deps, settings, func(n int) { told.Add(int64(n)) })
		if err != nil {
			t.Fatal(err)
		}
		if n := int64(len(x.Questions)); told.Load() != n*(n+1)/2 {
			t.Errorf("%s: progress adds up to %d", name, told.Load())
		}
		numbers := swept(t, s, x, settings...)
		for i, p := range settings {
			if outcomes[i].Params != p {
				t.Errorf("%s: the outcome %d is of other parameters", name, i)
			}
			for q, question := range x.Questions {
				want, err := retrieval.Retrieve(t.Context(), s.Deps, retrieval.Query{Text: question.Text}, p, retrieval.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := &outcomes[i].Results[q]
				if !slices.Equal(ranking(got), ranking(&want)) || got.Tokens != want.Tokens {
					t.Fatalf("%s, setting %d, %q: %q, want %q", name, i, question.Text, ranking(got), ranking(&want))
				}
				answer, n := &outcomes[i].Answers[q], &numbers[q][i]
				if answer.ID != question.ID || !slices.Equal(answer.Tags, question.Tags) || n.Tokens != want.Tokens || n.Returned != len(answer.Grades) {
					t.Fatalf("%s, setting %d, %q: %+v, and swept %+v", name, i, question.Text, answer, n)
				}
				for m, measure := range measures() {
					if want := measure.Of(answer.Judged); n.Scores[m] != want {
						t.Fatalf("%s, setting %d, %q: %s is %v, want %v", name, i, question.Text, measure, n.Scores[m], want)
					}
				}
			}
		}
	}
}

// TestASweepRanksAsRankDoes sweeps settings that nobody would choose.
func TestASweepRanksAsRankDoes(t *testing.T) {
	t.Parallel()
	specs := slices.DeleteFunc(param.Specs(), func(s param.Spec) bool { return s.Field == param.FieldReranker || s.Field == param.FieldReach })
	rapid.Check(t, func(rt *rapid.T) {
		settings := make([]param.Params, 3)
		for i := range settings {
			settings[i] = inChunkMode(rapid.SampledFrom(param.Presets()).Draw(rt, "preset"))
			for range 3 {
				spec := rapid.SampledFrom(specs).Draw(rt, "parameter")
				if err := spec.Set(&settings[i], rapid.SampledFrom(spec.Positions()).Draw(rt, "value")); err != nil {
					rt.Fatal(err)
				}
			}
		}
		x := random.Experiment()
		x.Questions = x.Questions[:2]
		numbers := swept(t, random, x, settings...)
		alone := random.Experiment()
		for q := range x.Questions {
			for i, p := range settings {
				r, err := alone.Questions[q].Rank(t.Context(), &random.Deps, p)
				if err != nil {
					rt.Fatal(err)
				}
				if want := measures()[1].Of(alone.Questions[q].Judged(&r)); numbers[q][i].Scores[1] != want || numbers[q][i].Tokens != r.Tokens {
					rt.Fatalf("setting %d of question %d: %+v, want %v and %d tokens", i, q, numbers[q][i], want, r.Tokens)
				}
			}
		}
	})
}

func TestAskingAgain(t *testing.T) {
	t.Parallel()
	q := random.Experiment().Questions[0]
	near := inChunkMode(param.PresetWebRAG)
	if _, err := q.Rank(t.Context(), nil, near); !errors.Is(err, experiment.ErrUnknown) {
		t.Errorf("ranking what was never asked gives %v", err)
	}
	if _, err := q.Rank(t.Context(), &random.Deps, near); err != nil {
		t.Fatal(err)
	}
	near.SimilarityFloor += .1
	if _, err := q.Rank(t.Context(), nil, near); err != nil {
		t.Errorf("another floor, within what was gathered, gives %v", err)
	}
	far := near
	far.TopKChildrenLimit = 900
	if _, err := q.Rank(t.Context(), nil, far); !errors.Is(err, experiment.ErrUnknown) {
		t.Errorf("900 rows after a search for fewer give %v", err)
	}
	alike := near
	alike.DedupThreshold = .9
	if _, err := q.Rank(t.Context(), nil, alike); !errors.Is(err, experiment.ErrUnknown) {
		t.Errorf("comparing texts that nobody has read gives %v", err)
	}
	for _, p := range []param.Params{far, alike} {
		if _, err := q.Rank(t.Context(), &random.Deps, p); err != nil {
			t.Fatal(err)
		}
		if _, err := q.Rank(t.Context(), nil, p); err != nil {
			t.Errorf("what was asked for is not kept: %v", err)
		}
	}
	q.Forget()
	if _, err := q.Rank(t.Context(), nil, near); !errors.Is(err, experiment.ErrUnknown) {
		t.Errorf("what was forgotten gives %v", err)
	}
}

func TestStoppingASweep(t *testing.T) {
	t.Parallel()
	x := random.Experiment()
	settings := []param.Params{inChunkMode(param.PresetWebRAG)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Sweep(ctx, random.Deps, settings, experiment.SweepOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled sweep gives %v", err)
	}
	if _, err := x.Try(ctx, random.Deps, settings, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled trial gives %v", err)
	}
	full := errors.New("the disk is full")
	through := 0
	err := x.Sweep(t.Context(), random.Deps, settings, experiment.SweepOptions{Through: func(int, []experiment.Numbers) error {
		through++
		return full
	}})
	if !errors.Is(err, full) || through > 2 {
		t.Errorf("an error of who is told gives %v, after %d questions", err, through)
	}
	skipped := 0
	err = x.Sweep(t.Context(), random.Deps, settings, experiment.SweepOptions{
		Skip:    func(question int) bool { return question != 3 },
		Through: func(question int, _ []experiment.Numbers) error { skipped += question; return nil },
	})
	if err != nil || skipped != 3 {
		t.Errorf("a sweep of one question: %v, %d", err, skipped)
	}
}

func TestErrorsNameTheQuery(t *testing.T) {
	t.Parallel()
	s, err := sample.Random(t.Context(), t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	x := s.Experiment()
	s.Close()
	if _, err := x.Try(t.Context(), s.Deps, []param.Params{inChunkMode(param.PresetTopK)}, nil); err == nil || !strings.Contains(err.Error(), "query q0") {
		t.Errorf("a corpus that was closed gives %v", err)
	}
}

// TestUnjudgedQueries asks them where others are to judge them, and measures nothing of them.
func TestUnjudgedQueries(t *testing.T) {
	t.Parallel()
	s, err := sample.Random(t.Context(), t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Set.AddQuery(t.Context(), judgment.Query{ID: "new", Text: "word01 word02"}); err != nil {
		t.Fatal(err)
	}
	if x := s.Experiment(); x.Unjudged != 1 || len(x.Questions) != 1 {
		t.Errorf("%d questions, %d unjudged", len(x.Questions), x.Unjudged)
	}
	x := experiment.New(s.Set, s.Anchors, experiment.Options{All: true})
	if x.Unjudged != 1 || len(x.Questions) != 2 || x.Level != judgment.Passages {
		t.Fatalf("%d questions, %d unjudged", len(x.Questions), x.Unjudged)
	}
	n := swept(t, s, x, inChunkMode(param.PresetTopK))[1][0]
	if n.Returned == 0 || n.Tokens == 0 || slices.Max(n.Scores) != 0 {
		t.Errorf("what nobody judged is %+v", n)
	}
	// Where pages alone were judged, pages are graded.
	pages := &judgment.Anchors{}
	for _, j := range s.Anchors.Judgments {
		j.Key, j.Quote = judgment.PageKey(j.QueryID, j.SourceURL), ""
		pages.Judgments = append(pages.Judgments, j)
	}
	if x := experiment.New(s.Set, pages, experiment.Options{}); x.Level != judgment.WholePages {
		t.Error("judged pages are not graded")
	}
}

// TestMemoryOfASweep holds that evidence is let go of when a question is through.
func TestMemoryOfASweep(t *testing.T) {
	t.Parallel()
	x := random.Experiment()
	p := inChunkMode(param.PresetWebRAG)
	swept(t, random, x, p)
	for _, q := range x.Questions {
		if _, err := q.Rank(t.Context(), nil, p); !errors.Is(err, experiment.ErrUnknown) {
			t.Fatalf("%s is still kept: %v", q.ID, err)
		}
	}
	keep := experiment.SweepOptions{Keep: true, Measures: measures(), Through: func(int, []experiment.Numbers) error { return nil }}
	if err := x.Sweep(t.Context(), random.Deps, []param.Params{p}, keep); err != nil {
		t.Fatal(err)
	}
	for _, q := range x.Questions {
		if _, err := q.Rank(t.Context(), nil, p); err != nil {
			t.Fatalf("%s is not kept for the next sweep: %v", q.ID, err)
		}
	}
	if sum := swept(t, random, x, p)[0][0].Scores[0]; sum == 0 {
		t.Error("nothing relevant is found: the other tests see nothing")
	}
}

// TestMeasureRanksAsTryDoes measures what Try ranks, and how differently two settings do.
func TestMeasureRanksAsTryDoes(t *testing.T) {
	t.Parallel()
	settings := everyPreset()
	x, other := random.Experiment(), random.Experiment()
	outcomes, err := other.Try(t.Context(), random.Deps, settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []*experiment.Measurement
	for i, p := range settings {
		m, err := x.Measure(t.Context(), random.Deps, p, measures()...)
		if err != nil {
			t.Fatal(err)
		}
		want := evaluation.Measured(outcomes[i].Answers, evaluation.Options{Measures: measures()})
		if !slices.Equal(m.Set.Scores, want.Set.Scores) {
			t.Errorf("setting %d: %v, want %v", i, m.Set.Scores, want.Set.Scores)
		}
		all = append(all, m)
	}
	for i, m := range all {
		const depth = 5
		var compared []retrieval.Comparison
		for q := range x.Questions {
			compared = append(compared, retrieval.Compare(outcomes[i].Results[q], outcomes[0].Results[q], depth))
		}
		if got, want := m.Movement(all[0], depth), evaluation.MovementOf(compared); got != want {
			t.Errorf("setting %d: %+v, want %+v", i, got, want)
		}
	}
}
