package retrieval_test

import (
	"math"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

func TestCalibratedFloor(t *testing.T) {
	measured := store.Calibration{EmbedderID: "double", P50: 0.05, P995: 0.327, Chunks: 400}
	for _, c := range []struct {
		name      string
		scale     string
		floor     string
		lexical   bool
		cal       store.Calibration
		shown     string
		raw       float64
		unnoticed bool
	}{
		{"auto, lexical", "auto", "0.3", true, measured, ".300 cal = .327 raw", .327, true},
		{"auto, not lexical", "auto", "0.3", false, measured, ".300", .3, true},
		{"raw, lexical", "raw", "0.3", true, measured, ".300", .3, true},
		{"calibrated, not lexical", "calibrated", "0.3", false, measured, ".300 cal = .327 raw", .327, true},
		{"below the knee", "calibrated", "0.15", true, measured, ".150 cal = .189 raw", .1885, true},
		{"at zero", "calibrated", "0", true, measured, ".000 cal = .050 raw", .05, true},
		{"above the knee", "calibrated", "0.65", true, measured, ".650 cal = .664 raw", .6635, true},
		{"at one", "calibrated", "1", true, measured, "1.000 cal = 1.000 raw", 1, true},
		{"off", "calibrated", "-1", true, measured, "off", 0, true},
		{"off without calibration", "auto", "-1", true, store.Calibration{}, "off", 0, true},
		{"no calibration", "auto", "0.3", true, store.Calibration{}, ".300", .3, false},
		{"percentiles that do not differ", "auto", "0.3", true, store.Calibration{P50: .3, P995: .3}, ".300", .3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench().set(t, "mode", "chunk", "floor_scale", c.scale, "similarity_floor", c.floor)
			b.double.info.Lexical = c.lexical
			b.memory.meta.Calibration = c.cal
			b.page("a", 0)
			at := max(c.raw, -1)
			b.section("above", "a", 0, 1, math.Nextafter(at, 2)+1e-9)
			b.section("at", "a", 1, 1, at-1e-9)
			r := b.retrieve(t)
			if got := r.Floor.String(); got != c.shown {
				t.Errorf("shown %q, want %q", got, c.shown)
			}
			if !r.Floor.Off && math.Abs(r.Floor.Raw-c.raw) > 1e-12 {
				t.Errorf("raw %v, want %v", r.Floor.Raw, c.raw)
			}
			want := "above"
			if r.Floor.Off {
				want = "above at"
			}
			if ids(r.Items) != want {
				t.Errorf("items %s, want %s", ids(r.Items), want)
			}
			if got := codes(r) == ""; got != c.unnoticed {
				t.Errorf("notices %q", codes(r))
			}
			if r.Floor.Off {
				if slices.ContainsFunc(r.Trace.Stages, func(s retrieval.Stage) bool { return s.Name == param.StageFloor }) {
					t.Error("the trace has a floor that is off")
				}
			} else if got := stageOf(t, r, "floor").Params["similarity_floor"]; got != c.shown {
				t.Errorf("the trace shows %q", got)
			}
			if !r.Floor.Off && !c.unnoticed && r.Notices[0].Code != phrase.NoticeUncalibrated.Code {
				t.Errorf("notices %s", codes(r))
			}
		})
	}
}
