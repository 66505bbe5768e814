package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{wording.Score(0.612), ".612"},
		{wording.Score(1), "1.000"},
		{wording.Score(-0.0124), "-.012"},
		{wording.Score(0.9996), "1.000"},
		{wording.Count(214), "214"},
		{wording.Count(8102), "8.1k"},
		{wording.Count(2000), "2k"},
		{wording.Count(2961), "3.0k"},
		{wording.Count(40000), "40k"},
		{wording.Count(1_250_000), "1.2M"},
		{wording.Plural(1, "page"), "1 page"},
		{wording.Plural(0, "page"), "0 pages"},
		{wording.Took(900 * time.Microsecond), "0.9 ms"},
		{wording.Took(123 * time.Millisecond), "123 ms"},
		{wording.Took(12 * time.Second), "12.0 s"},
		{widget.Bar(1, 1, 10, false), "██████████"},
		{widget.Bar(0.5, 1, 10, false), "█████"},
		{widget.Bar(0.5+1.0/16, 1, 2, false), "█▏"},
		{widget.Bar(0.0001, 1, 10, false), "▏"},
		{widget.Bar(0, 1, 10, false), ""},
		{widget.Bar(-0.2, 1, 10, false), ""},
		{widget.Bar(2, 1, 3, false), "███"},
		{widget.Bar(0.69, 1, 10, true), "######"},
		{wording.ShellQuote("plain-1.0"), "plain-1.0"},
		{wording.ShellQuote("it's"), `'it'\''s'`},
		{wording.ShellQuote(""), "''"},
		{wording.ShortURL("https://a.example/docs/page", 40), "a.example/docs/page"},
		{wording.ShortURL("https://a.example/docs/ranking", 12), "a.ex…ranking"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestLevel(t *testing.T) {
	// Thirds of [0.3, 0.9]: up to 0.5, up to 0.7, above.
	for v, want := range map[float64]int{0.2: 0, 0.3: 0, 0.49: 0, 0.51: 1, 0.69: 1, 0.71: 2, 0.9: 2, 1.2: 2} {
		if got := wording.Level(v, 0.3, 0.9); got != want {
			t.Errorf("level(%v) = %d, want %d", v, got, want)
		}
	}
	if wording.Level(0.5, 0.5, 0.5) != 2 {
		t.Error("a single value is not the strongest")
	}
}

// The number of a bar's cells never exceeds its room, and grows with its value.
func TestBarGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, plain := rapid.IntRange(0, 20).Draw(t, "w"), rapid.Bool().Draw(t, "plain")
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		short, long := widget.Bar(min(a, b), 1, w, plain), widget.Bar(max(a, b), 1, w, plain)
		if ansi.StringWidth(long) > w || ansi.StringWidth(short) > ansi.StringWidth(long) {
			t.Fatalf("%q and %q in %d cells", short, long, w)
		}
	})
}

func TestCutLabels(t *testing.T) {
	for reason, want := range map[string]string{
		"below_floor": "below floor .300", "beyond_limit": "limit 0", "over_budget": "over the budget of 0 tokens",
		"after_budget_stop": "after the budget's stop", "no_parent": "without a section", "beyond_topk": "top k 0",
		"duplicate_of": "near-duplicates, above .300", "below_min_score": "below min score .300", "reranked_out": "below rerank min score .300",
		"pool_full": "beyond the 0 kept for its kind", "ann_missed": "missed by the index", "unreached": "not reached by edges", "some_\x1breason": "some ␛reason",
	} {
		if got := strings.TrimPrefix(wording.CutHeading(&retrieval.Drop{Reason: reason, Threshold: .3}, "", false), "dropped: "); got != want {
			t.Errorf("%s: %q, want %q", reason, got, want)
		}
	}
}

func TestHeadingsOfCutsSayWhatWasDropped(t *testing.T) {
	limit := &retrieval.Drop{Reason: "beyond_limit", Threshold: 15, Value: 25, Arm: "vector"}
	for _, c := range []struct {
		drop  *retrieval.Drop
		floor string
		arms  bool
		want  string
		value string
	}{
		{&retrieval.Drop{Reason: "beyond_topk", Threshold: 5, Value: 6}, "", true, "dropped: top k 5", "rank 6"},
		{limit, "", true, "dropped: limit 15 of the vector search", "vector rank 25"},
		{limit, "", false, "dropped: limit 15", "rank 25"},
		{&retrieval.Drop{Reason: "below_floor", Threshold: .237, Value: .2}, ".237 (set as .300)", false, "dropped: below floor .237 (set as .300)", " .200"},
	} {
		if got := wording.CutHeading(c.drop, c.floor, c.arms); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if got := wording.FailedValue(c.drop, c.arms); got != c.value {
			t.Errorf("%s: got %q, want %q", c.want, got, c.value)
		}
	}
}

func TestNoLineBreaksWithinAFlag(t *testing.T) {
	const said = "this preset searches one owner's pages: give one with --owner-of-it, well-known"
	for w := 14; w < 60; w++ {
		lines := widget.Wrapped(said, w)
		if got := strings.Join(lines, "\n"); !strings.Contains(got, "--owner-of-it") {
			t.Errorf("in %d cells: %q", w, got)
		}
	}
}

// Only the best bar is full: .906 of .986 is not.
func TestPlainBarsTellTheBestApart(t *testing.T) {
	if best, next := widget.Bar(.986, .986, 6, true), widget.Bar(.906, .986, 6, true); best != "######" || next != "#####" {
		t.Errorf("%q and %q", best, next)
	}
}

func TestEstimatedTokensSaySo(t *testing.T) {
	if got, want := wording.Tokens(8102, true), "≈8.1k tokens"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d := drive(t, 1, 150, 42, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: f, Live: true, Estimated: true}, nil
		}
	}, "")
	d.mustShow("· ≈8.1k tokens", "rank 1 of 8 · ≈136 tokens", "budget ≈136 of 40k")
}

// The preset is named at every width, and depths only where pages differ in them.
func TestThePresetStaysAndDepthsLeave(t *testing.T) {
	for _, size := range [][2]int{{150, 42}, {80, 24}, {50, 15}, {40, 12}} {
		d := drive(t, 1, size[0], size[1], func(o *Options, f *fakeCorpus) {
			o.Query, o.Preset, f.level = "decay", "hybrid", true
		}, "")
		d.mustShow("hybrid")
		d.mustNotShow("depth 0 ·")
	}
	drive(t, 1, 200, 60, asking("decay"), "").mustShow("depth 0 ·")
}

// What is cut off below says so.
func TestAScoreThatGoesOnSaysSo(t *testing.T) {
	d := drive(t, 1, 50, 15, asking("how does depth decay work"), "e")
	d.mustShow("↓")
	d.press("G")
	d.mustNotShow("↓")
}
