package evaluation_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata/oracle"
)

// The floors are a little below what was measured when they were last set, as the comments
// say: nDCG@10 over the judged sections of the guide, in chunk mode with ten results.
var floorsGuide = map[string]float64{
	param.PresetBlend:  0.74, // .777
	param.PresetWebRAG: 0.66, // .696
	param.PresetHybrid: 0.71, // .753
}

// guideSet indexes the guide as the program does, and makes a set of the one that comes
// with it.
func guideSet(t *testing.T) (*library, *judgment.Set) {
	t.Helper()
	pages, err := fs.Sub(docs.Guide, "guide")
	if err != nil {
		t.Fatal(err)
	}
	l := newLibrary(t)
	l.add(source.ScanFS(t.Context(), pages, "guide", source.Options{}))
	files, err := fs.Sub(docs.Judged, "judged")
	if err != nil {
		t.Fatal(err)
	}
	sets := t.TempDir()
	if err := judgment.Copy(files, sets, "guide"); err != nil {
		t.Fatal(err)
	}
	set, problems, err := judgment.Open(sets, "guide")
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	return l, set
}

// TestTheGuidesSetIsThatOfTheGuide holds that every judgment of the bundled set stands on
// the guide where it was made. Whoever edits the guide moves judgments: make golden writes
// where they are now. A text that was judged and is gone has to be judged anew, in
// docs/judged/judgments.jsonl.
func TestTheGuidesSetIsThatOfTheGuide(t *testing.T) {
	t.Parallel()
	l, set := guideSet(t)
	view, err := l.deps.Store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	identity, err := judgment.Identify(t.Context(), "guide", view)
	if err != nil {
		t.Fatal(err)
	}
	identity.Newest = time.Time{} // when this test indexed it
	anchors, err := set.Anchor(t.Context(), judgment.InView(view))
	if err != nil {
		t.Fatal(err)
	}
	for _, lost := range anchors.Lost {
		t.Errorf("%s of %s is gone, or said otherwise: %.80q; judge it anew", set.Query(lost.QueryID).Text, lost.SourceURL, lost.Quote)
	}
	s := anchors.Summary
	if s.Ambiguous > 0 || s.Total() != len(set.Records) {
		t.Errorf("%d judgments, and of these %+v", len(set.Records), s)
	}
	if s.Moved > 0 || !identity.IsSame(set.Corpus) {
		t.Logf("the guide was edited, and %d judgments stand elsewhere now: make golden writes where", s.Moved)
	}
	about, records := moved(t, set, anchors, identity)
	oracle.Hold(t, filepath.FromSlash("../docs/judged/set.json"), about)
	oracle.Hold(t, filepath.FromSlash("../docs/judged/judgments.jsonl"), records)
	checkGuideSet(t, set)
}

// moved are the files of the set with its judgments where they are now.
func moved(t *testing.T, set *judgment.Set, anchors *judgment.Anchors, identity judgment.Corpus) (about, records string) {
	t.Helper()
	now := slices.Clone(set.Records)
	for _, a := range anchors.Judgments {
		for _, o := range a.Opinions {
			now[o.Record].SourceURL, now[o.Record].CharStart, now[o.Record].CharEnd = a.Page, a.Start, a.End
		}
	}
	set.About.Corpus = identity
	folder := t.TempDir()
	written, err := judgment.Create(folder, "moved", set.About)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := written.AddQueries(t.Context(), set.Queries...); err != nil {
		t.Fatal(err)
	}
	if err := written.Append(t.Context(), now...); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		raw, err := os.ReadFile(filepath.Join(folder, "moved", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	return read("set.json"), read("judgments.jsonl")
}

// checkGuideSet holds that there are enough queries, with several grades each, so that a
// ranking can be better or worse than another that has the same results.
func checkGuideSet(t *testing.T, set *judgment.Set) {
	t.Helper()
	grades, relevant := map[string]map[judgment.Grade]bool{}, 0
	for _, r := range set.Records {
		if grades[r.QueryID] == nil {
			grades[r.QueryID] = map[judgment.Grade]bool{}
		}
		grades[r.QueryID][r.Grade] = true
		if r.Grade > 0 {
			relevant++
		}
		if r.IsPage() || r.Judge.IsModel() || r.Grade < 0 {
			t.Errorf("%s has a judgment of another kind: %+v", r.QueryID, r)
		}
	}
	several := 0
	for _, q := range set.Queries {
		if !grades[q.ID][3] || !grades[q.ID][0] {
			t.Errorf("%s has the grades %v, and needs 3 and 0", q.ID, grades[q.ID])
		}
		if len(grades[q.ID]) > 2 {
			several++
		}
	}
	if len(set.Queries) < 40 || several < 40 || relevant < 150 || set.Origin != judgment.ByHand {
		t.Errorf("%d queries, %d of them with several grades above 0, %d judgments above 0", len(set.Queries), several, relevant)
	}
}

// TestTheGuidesSetMeasures asks the queries of the bundled set with the presets that a
// session may begin with: what "make run" shows must be near to what was measured here.
func TestTheGuidesSetMeasures(t *testing.T) {
	t.Parallel()
	l, set := guideSet(t)
	anchors := anchorsOf(t.Context(), t, l, set)
	x := experiment.New(set, anchors, experiment.Options{})
	var settings []param.Params
	names := []string{param.PresetBlend, param.PresetWebRAG, param.PresetHybrid}
	for _, name := range names {
		p, _ := param.Preset(name)
		p.Mode = param.ModeChunk
		if p.TopK > 0 {
			p.TopK = 10
		}
		settings = append(settings, p)
	}
	outcomes, err := x.Try(t.Context(), l.deps, settings, nil)
	if err != nil {
		t.Fatal(err)
	}
	ndcg, known := evaluation.MustMeasure("nDCG@10"), evaluation.MustMeasure("Judged@10")
	for i, name := range names {
		var mean, judged float64
		for _, a := range outcomes[i].Answers {
			mean += ndcg.Of(a.Judged) / float64(len(x.Questions))
			judged += known.Of(a.Judged) / float64(len(x.Questions))
		}
		t.Logf("%s: nDCG@10 %.3f, Judged@10 %.3f over %d queries", name, mean, judged, len(x.Questions))
		if mean < floorsGuide[name] || judged < 0.95 {
			t.Errorf("%s: nDCG@10 is %.3f, the floor %.2f; Judged@10 is %.3f", name, mean, floorsGuide[name], judged)
		}
	}
}

// anchorsOf finds the judgments of a set in a corpus.
func anchorsOf(ctx context.Context, t *testing.T, l *library, set *judgment.Set) *judgment.Anchors {
	t.Helper()
	view, err := l.deps.Store.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	anchors, err := set.Anchor(ctx, judgment.InView(view))
	if err != nil {
		t.Fatal(err)
	}
	return anchors
}
