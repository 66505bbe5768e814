package sweep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/internal/sample"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// samples are made once for all tests, which only read them.
var (
	guide  = sync.OnceValues(func() (*sample.Sample, error) { return sample.Guide(context.Background(), folders.make()) })
	random = sync.OnceValues(func() (*sample.Sample, error) { return sample.Random(context.Background(), folders.make(), 8) })
)

// folders are removed when all tests are through.
var folders made

type made struct {
	mu   sync.Mutex
	list []string
}

func (m *made) make() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	name, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	m.list = append(m.list, name)
	return name
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, name := range folders.list {
		os.RemoveAll(name)
	}
	os.Exit(code)
}

func of(t testing.TB, get func() (*sample.Sample, error)) *sample.Sample {
	t.Helper()
	s, err := get()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// axes reads them.
func axes(t testing.TB, texts ...string) (grid evaluation.Grid) {
	t.Helper()
	for _, text := range texts {
		a, err := sweep.ParseAxis(text)
		if err != nil {
			t.Fatal(err)
		}
		grid = append(grid, a)
	}
	return grid
}

// base is a preset that searches a small corpus as a large one.
func base(preset string) param.Params {
	p, _ := param.Preset(preset)
	p.Mode = param.ModeChunk
	return p
}

// told is a finding as text: all that it has to say.
func told(t testing.TB, f *sweep.Finding) string {
	t.Helper()
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	for _, v := range []any{f.Settings, f.Halves, f.Held, f.Winner, f.OnAll, f.Verdict, f.Idle, f.Curve(0), f.Frontier(), f.Ranked(), f.Note("set", "base")} {
		if err := w.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for s := range f.Settings {
		for q := range f.IDs {
			if err := w.Encode(f.Score(s, q)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.String()
}

// journal keeps in a folder what is measured on the random pages.
func journal(s *sample.Sample, folder string) *sweep.Journal {
	return &sweep.Journal{Folder: folder, Program: "1.0", Set: "set", Judgments: sweep.Fingerprint(s.Set), Corpus: s.Corpus}
}

// TestASweepMeasuresAsAReport compares with what an evaluation of each setting says.
func TestASweepMeasuresAsAReport(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	plan := &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=1..9/4", "keyword_weight=0..1/2")}
	f, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Settings) != 15+1 || f.Settings[0].Params != plan.Base {
		t.Fatalf("%d settings", len(f.Settings))
	}
	all := make([]param.Params, len(f.Settings))
	for i := range all {
		all[i] = f.Settings[i].Params
	}
	outcomes, err := s.Experiment().Try(t.Context(), s.Deps, all, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports := make([]*evaluation.Report, len(all))
	for i := range outcomes {
		reports[i] = evaluation.Measured(outcomes[i].Answers, evaluation.Options{Measures: f.Measures})
		means, want := f.Means(i), reports[i].Set
		if math.Abs(means.Score-want.Scores[0].Mean) > 1e-12 || math.Abs(means.Judged-want.Judged[0]) > 1e-12 {
			t.Errorf("%q: %+v, want %v and %v", f.Settings[i].Values, means, want.Scores[0].Mean, want.Judged[0])
		}
		tokens := 0
		for q := range outcomes[i].Results {
			tokens += outcomes[i].Results[q].Tokens
		}
		if got := means.Tokens * float64(len(f.IDs)); math.Abs(got-float64(tokens)) > 1e-6 {
			t.Errorf("%q: %v tokens, want %d", f.Settings[i].Values, got, tokens)
		}
	}
	paired := evaluation.Compare(reports[f.Winner], reports[0], 0)
	if math.Abs(f.OnAll.Difference.Mean-paired.Difference.Mean) > 1e-12 || math.Abs(f.OnAll.Chance-paired.Randomisation) > .01 {
		t.Errorf("the winner is better by %+v, want %+v, p %v", f.OnAll, paired.Difference, paired.Randomisation)
	}
}

// TestAKnobOfTheGuideThatHelps begins with one result, which is too few, on queries that have
// answers in several places.
func TestAKnobOfTheGuideThatHelps(t *testing.T) {
	t.Parallel()
	s := of(t, guide)
	one := base(param.PresetBlend)
	one.TopK = 1
	recall := evaluation.MustMeasure("R@10")
	f, err := sweep.Run(t.Context(), &sweep.Plan{Base: one, Axes: axes(t, "top_k=1..10", "rrf_k=30,60"), Measure: recall}, s.Experiment(), s.Deps, sweep.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Hardly anything but the answers is judged there, so that there is no verdict; the tests
	// of both halves stand.
	if f.Settings[f.Winner].Values[0] == "1" || f.Halves[0].Held.Chance > .05 || f.Halves[1].Held.Chance > .05 || f.Held.Difference.Low <= 0 {
		t.Errorf("%q wins: %+v", f.Settings[f.Winner].Values, f.Halves)
	}
	if !slices.Equal(f.Idle, []string{"rrf_k"}) {
		t.Errorf("%q have no effect, and with scores fused rrf_k has none", f.Idle)
	}
}

// TestTheSameSeedGivesTheSame on one core and on all.
func TestTheSameSeedGivesTheSame(t *testing.T) {
	s := of(t, random)
	for _, search := range []sweep.Search{sweep.Grid, sweep.Random, sweep.Coordinate} {
		plan := &sweep.Plan{Base: base(param.PresetWebRAG), Axes: axes(t, "similarity_floor=0..0.5/5", "depth_decay_rate=0..0.2/4"), Search: search, Most: 30, Seed: 5}
		run := func(cores int) string {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
			f, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return told(t, f)
		}
		if a, b := run(1), run(4); a != b {
			t.Errorf("%s: two runs differ", search)
		}
	}
}

// TestGoingOn stops sweeps anywhere, and goes on to what one that nobody stopped finds.
func TestGoingOn(t *testing.T) {
	t.Parallel()
	s := of(t, random)
	rapid.Check(t, func(rt *rapid.T) {
		plan := &sweep.Plan{
			Base: base(rapid.SampledFrom([]string{param.PresetWebRAG, param.PresetHybrid}).Draw(rt, "preset")),
			Axes: axes(t, "top_k=3..7", "context_budget=500,1500,4000"), Most: rapid.IntRange(4, 20).Draw(rt, "most"), Seed: 2,
			Search: rapid.SampledFrom([]sweep.Search{sweep.Random, sweep.Coordinate}).Draw(rt, "search"),
		}
		whole, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		folder := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		most, calls := rapid.IntRange(1, 6).Draw(rt, "calls"), 0
		var before sweep.Progress
		_, err = sweep.Run(ctx, plan, s.Experiment(), s.Deps, sweep.Options{Journal: journal(s, folder), Progress: func(p sweep.Progress) {
			if before = p; calls == most {
				cancel()
			}
			calls++
		}})
		if err != nil && !errors.Is(err, context.Canceled) {
			rt.Fatal(err)
		}
		if rapid.Bool().Draw(rt, "cut") {
			cutOff(t, folder)
		}
		var after sweep.Progress
		f, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{Journal: journal(s, folder), Progress: func(p sweep.Progress) { after = p }})
		if err != nil {
			rt.Fatal(err)
		}
		if told(t, f) != told(t, whole) {
			rt.Fatal("what was gone on with differs")
		}
		if after.Done > 0 && (after.Kept == 0 || after.Done != after.Total || after.Kept > before.Done) {
			rt.Fatalf("after %+v: %+v", before, after)
		}
		// All is known now.
		again, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{Journal: journal(s, folder), Progress: func(p sweep.Progress) {
			if p.Done != p.Kept {
				rt.Fatalf("something is measured again: %+v", p)
			}
		}})
		if err != nil || told(t, again) != told(t, whole) {
			rt.Fatalf("a third run differs: %v", err)
		}
	})
}

// cutOff ends the only file of a folder in the middle of its last line.
func cutOff(t testing.TB, folder string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%q: %v", names, err)
	}
	raw, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	last := bytes.LastIndexByte(bytes.TrimSuffix(raw, []byte("\n")), '\n') + 1
	if last == 0 {
		return
	}
	if err := os.WriteFile(names[0], raw[:last+(len(raw)-last)/2], 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAFinerGridMeasuresOnlyWhatIsNew finds settings again by what they are.
func TestAFinerGridMeasuresOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	s := of(t, random)
	folder := t.TempDir()
	run := func(axis string, from int) sweep.Progress {
		p := base(param.PresetHybrid)
		p.TopK = from
		var last sweep.Progress
		_, err := sweep.Run(t.Context(), &sweep.Plan{Base: p, Axes: axes(t, axis)}, s.Experiment(), s.Deps, sweep.Options{Journal: journal(s, folder), Progress: func(p sweep.Progress) { last = p }})
		if err != nil {
			t.Fatal(err)
		}
		return last
	}
	if p := run("top_k=2,6,10", 2); p.Total != 3*8 || p.Kept != 0 || p.Done != p.Total {
		t.Errorf("the first sweep is %+v", p)
	}
	if p := run("top_k=2..10", 5); p.Total != 9*8 || p.Kept != 3*8 || p.Done != p.Total {
		t.Errorf("the second sweep is %+v", p)
	}
}

func TestJournalsOfOthers(t *testing.T) {
	t.Parallel()
	s := of(t, random)
	folder := t.TempDir()
	plan := &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=2,6")}
	run := func(change func(*sweep.Journal)) error {
		j := journal(s, folder)
		if change != nil {
			change(j)
		}
		_, err := sweep.Run(t.Context(), plan, s.Experiment(), s.Deps, sweep.Options{Journal: j})
		return err
	}
	if err := run(nil); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*sweep.Journal){
		`of the query set "set", and this is "other"`: func(j *sweep.Journal) { j.Set = "other" },
		"on other pages":                    func(j *sweep.Journal) { j.Corpus.Hash = "other" },
		"the index of corpus":               func(j *sweep.Journal) { j.Corpus.Index = "other" },
		"now sample, 41 pages":              func(j *sweep.Journal) { j.Corpus.Name, j.Corpus.Documents = "sample", 41 },
		"judgments of the set have":         func(j *sweep.Journal) { j.Judgments = "other" },
		"version 1.0 measured it, and this": func(j *sweep.Journal) { j.Program = "1.1" },
	} {
		var refused *sweep.JournalError
		if err := run(change); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--fresh") {
			t.Errorf("%q: %v", want, err)
		}
		if err := run(func(j *sweep.Journal) { change(j); j.Fresh = true }); err != nil {
			t.Errorf("%q, begun anew: %v", want, err)
		}
		if err := run(func(j *sweep.Journal) { j.Fresh = true }); err != nil {
			t.Fatal(err)
		}
	}
	// What pages alone say has another file.
	if err := run(func(j *sweep.Journal) { j.Counting, j.Program = "pages", "1.1" }); err != nil {
		t.Error(err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(names) != 2 {
		t.Fatalf("%q, %v", names, err)
	}
	for _, name := range names {
		if err := os.WriteFile(name, []byte("scores\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(nil); err == nil || !strings.Contains(err.Error(), "does not say what it is of") {
		t.Errorf("some other file gives %v", err)
	}
	for _, name := range names {
		lock, held, err := file.TryLock(name + ".lock")
		if err != nil || !held {
			t.Fatalf("a lock is left: %v", err)
		}
		defer lock.Release()
	}
	if err := run(nil); err == nil || !strings.Contains(err.Error(), "another program is at the same sweep") {
		t.Errorf("two at once give %v", err)
	}
}

func TestNothingToMeasure(t *testing.T) {
	t.Parallel()
	s := of(t, random)
	x := s.Experiment()
	x.Questions = nil
	plan := &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=2,6")}
	if _, err := sweep.Run(t.Context(), plan, x, s.Deps, sweep.Options{}); err == nil || !strings.Contains(err.Error(), "judge some results first") {
		t.Errorf("a set without judgments gives %v", err)
	}
	if _, err := sweep.EstimateTime(t.Context(), plan, x, s.Deps, time.Now); err == nil {
		t.Error("a sweep of nothing has a time")
	}
}

// TestEstimates is a worked example with a clock that goes on by a second for asking and by one for
// each ranking, as often as it is read: 2 s for the first setting, 3 s for all.
func TestEstimates(t *testing.T) {
	t.Parallel()
	s := of(t, random)
	x := s.Experiment()
	steps := []int64{0, 2, 2, 4, 4, 4 + 2 + 4}
	now := func() time.Time {
		at := time.Unix(steps[0], 0)
		steps = steps[1:]
		return at
	}
	e, err := sweep.EstimateTime(t.Context(), &sweep.Plan{Base: base(param.PresetHybrid), Axes: axes(t, "top_k=1..5")}, x, s.Deps, now)
	if err != nil {
		t.Fatal(err)
	}
	// Base is one of five settings: 2 s for asking and the first, then 4 s for four.
	want := 8 * (2 + 5*1) * time.Second / time.Duration(min(8, runtime.GOMAXPROCS(0)))
	if e.Settings != 5 || e.Combinations != 5 || e.Queries != 8 || e.Search != sweep.Grid || e.Time != want {
		t.Errorf("%+v, want %v", e, want)
	}
}
