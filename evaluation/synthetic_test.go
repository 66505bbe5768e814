package evaluation_test

import (
	"testing"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/synthetic"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// TestKnownItems makes questions of the manual of git and asks them of it. When last
// measured there could have been 1,071, of 300 made 167 stood verbatim in their page, and RR@10
// by pages was .792 for hybrid, .862 for blend and .778 for webrag.
func TestKnownItems(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	lib, err := judged.Open(t.Context(), judged.Corpora()[0], corpora(t), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	view, err := lib.Deps.Store.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer view.Close()
	made, report, err := synthetic.FromPages(t.Context(), view, synthetic.Options{Count: 300, Seed: 1})
	if err != nil || len(made) != 300 || report.Verbatim < 100 || report.Verbatim > 250 {
		t.Fatalf("%d questions, %+v, %v", len(made), report, err)
	}
	t.Logf("%+v", report)
	set, err := synthetic.Save(t.Context(), t.TempDir(), "git", judgment.About{}, made, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	anchors, err := set.Anchor(t.Context(), judgment.InView(view))
	if err != nil || anchors.Summary.Exact != len(set.Records) {
		t.Fatalf("%d judgments, %+v, %v", len(set.Records), anchors.Summary, err)
	}
	level := judgment.WholePages
	x := experiment.New(set, anchors, experiment.Options{Level: &level})
	for preset, floor := range map[string]float64{param.PresetBlend: 0.83, param.PresetHybrid: 0.76, param.PresetWebRAG: 0.75} {
		p, _ := param.Preset(preset)
		p.Mode = param.ModeChunk
		if p.TopK > 0 {
			p.TopK = 10
		}
		outcomes, err := x.Try(t.Context(), lib.Deps, []param.Params{p}, nil)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for _, a := range outcomes[0].Answers {
			mean += evaluation.MustMeasure("RR@10").Of(a.Judged) / float64(len(made))
		}
		t.Logf("%s: RR@10 %.3f", preset, mean)
		if mean < floor {
			t.Errorf("%s: RR@10 is %.3f, below %.2f", preset, mean, floor)
		}
	}
}
