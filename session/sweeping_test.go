package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/sweep"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// A sweep brings its finding and keeps a journal beside the set; one that is stopped, or of a set
// that is closed, brings nothing that is waited for.
func TestSweeping(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	axis, err := sweep.ParseAxis(param.FieldTopK + "=1..3")
	if err != nil {
		t.Fatal(err)
	}
	plan := &sweep.Plan{Base: s.Params(), Seed: 1}
	plan.Axes = append(plan.Axes, axis)

	work := s.EstimateSweep(plan)
	d := work[0].Run(t.Context())
	if e := d.SweepEstimate; d.Err != nil || d.Kind != session.KindSweepEstimate || e.Settings != 3 || e.Queries != 1 || e.Whole {
		t.Errorf("the estimate is %+v, %v", e, d.Err)
	}
	s.Apply(d)

	work = s.Sweep(plan, session.SweepOptions{Program: "1"})
	if s.Sweeping() == nil || s.Sweeping().Elapsed() < 0 {
		t.Fatal("nothing is under way")
	}
	running := s.Sweeping()
	d = work[0].Run(t.Context())
	if d.Err != nil || d.Finding == nil || len(d.Finding.Settings) != 3+1 {
		t.Fatalf("it brings %+v, %v", d.Finding, d.Err)
	}
	if p := running.Progress(); p.Done != p.Total || p.Kept != 0 {
		t.Errorf("it ends at %+v", p)
	}
	s.Apply(d)
	if s.Sweeping() != nil {
		t.Error("it is still under way")
	}
	if files, err := os.ReadDir(filepath.Join(s.Sets(), "drinks", "runs")); err != nil || len(files) == 0 {
		t.Errorf("it has left %v, %v", files, err)
	}

	for what, end := range map[string]func(){"stopped": s.StopSweep, "closed": func() { s.OpenSet("") }} {
		work = s.Sweep(plan, session.SweepOptions{Program: "1"})
		end()
		if s.Sweeping() != nil {
			t.Errorf("%s, it is under way", what)
		}
		if d = work[0].Run(t.Context()); d.Err == nil || s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%s, it ends with %v and is waited for: %v", what, d.Err, s.Awaits(d.Kind, d.Gen))
		}
		finish(t, s, s.OpenSet("drinks"))
	}
	s.OpenSet("")
	if s.Sweep(plan, session.SweepOptions{}) != nil || s.EstimateSweep(plan) != nil {
		t.Error("without a set there is something to sweep")
	}
}

// A survey says which parameters change anything; a sweep ends it, and so does another set.
func TestSurveying(t *testing.T) {
	s := judgedLibrary(t)
	finish(t, s, s.Grade(itemOf(s, "Tea"), "", 0, 3))
	axis, err := sweep.ParseAxis(param.FieldTopK + "=1..3")
	if err != nil {
		t.Fatal(err)
	}
	by := evaluation.MustMeasure("nDCG@10")
	work := s.Survey([]evaluation.Axis{axis}, by)
	d := work[0].Run(t.Context())
	if n, ok := d.Terrain.Pieces(axis); d.Err != nil || !ok || n < 1 {
		t.Errorf("%d pieces, %v, %v", n, ok, d.Err)
	}
	plan := &sweep.Plan{Base: s.Params(), Seed: 1, Axes: evaluation.Grid{axis}}
	for what, end := range map[string]func(){"swept": func() { s.Sweep(plan, session.SweepOptions{Program: "1"}) }, "closed": func() { s.OpenSet("") }} {
		work = s.Survey([]evaluation.Axis{axis}, by)
		end()
		if d = work[0].Run(t.Context()); d.Err == nil || s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%s, a survey ends with %v and is waited for: %v", what, d.Err, s.Awaits(d.Kind, d.Gen))
		}
		finish(t, s, s.OpenSet("drinks"))
	}
	s.OpenSet("")
	if s.Survey([]evaluation.Axis{axis}, by) != nil {
		t.Error("without a set there is something to survey")
	}
}
