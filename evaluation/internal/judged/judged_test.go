package judged

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// TestQuestions holds the shape of the judged set: enough questions of each kind of
// each corpus, each with an answer, and about a third of all sorts held out.
func TestQuestions(t *testing.T) {
	questions, err := testdata.Questions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range Corpora() {
		names = append(names, c.Name)
	}
	texts := map[string]bool{}
	cells, held := map[string]int{}, map[string]int{}
	for _, q := range questions {
		if texts[q.Text] || q.Text != strings.TrimSpace(q.Text) || q.Text == "" {
			t.Errorf("%s: %q is blank, padded or there twice", q.ID, q.Text)
		}
		texts[q.Text] = true
		if !slices.Contains(names, q.Corpus) || !strings.HasPrefix(q.ID, q.Corpus+"-"+q.Kind+"-") {
			t.Errorf("%s is of the corpus %s and the kind %s", q.ID, q.Corpus, q.Kind)
		}
		cells[q.Corpus+" "+q.Kind]++
		if q.Held {
			held["all"]++
			held[q.Corpus]++
			held[q.Kind]++
		}
		if len(q.Answers) == 0 || q.Answers[0].Grade != 3 {
			t.Errorf("%s: no section answers it", q.ID)
		}
		for i, a := range q.Answers {
			if slices.Contains(q.Answers[:i], a) {
				t.Errorf("%s: %s %s is judged twice", q.ID, a.Page, a.Section)
			}
			// No page's text is kept here, only what names a place in it.
			if words := len(strings.Fields(a.Quote)); words > 12 {
				t.Errorf("%s: a quote of %d words", q.ID, words)
			}
		}
	}
	if len(questions) != 120 {
		t.Errorf("there are %d questions", len(questions))
	}
	for _, corpus := range names {
		for _, kind := range []string{"name", "words", "paraphrase", "error", "howto"} {
			if n := cells[corpus+" "+kind]; n != 6 {
				t.Errorf("%s: %d questions are of the kind %s, want 6", corpus, n, kind)
			}
			if n := held[kind]; n < 24/4 || n > 24/2 {
				t.Errorf("%d of 24 questions of the kind %s are held out", n, kind)
			}
		}
		if n := held[corpus]; n < 30/4 || n > 30/2 {
			t.Errorf("%s: %d of 30 questions are held out", corpus, n)
		}
	}
	if n := held["all"]; n < 36 || n > 44 {
		t.Errorf("%d of 120 questions are held out", n)
	}
}

// TestFind holds which sections an answer means, however a page is cut.
func TestFind(t *testing.T) {
	p := page{
		{ID: "first", HeadingPath: []string{"Page", "Options"}, Anchors: []string{"options", "size"}, ChunkText: "## Options\n\nThe size is\nsmall.\n\n### `--both` \\<n>\n\nBoth.\n"},
		{ID: "rest", HeadingPath: []string{"Page", "Options"}, Anchors: []string{"colour"}, ChunkText: "The colour is red. The size is not."},
		{ID: "bare", ChunkText: "A page may begin without a heading, with # in its text."},
	}
	for _, c := range []struct {
		section, quote string
		want           []string
	}{
		{"#colour", "", []string{"rest"}},
		{"#options", "", []string{"first"}},
		{"#Options", "", nil},
		{"Options", "", []string{"first", "rest"}},
		{"Options", "The colour is", []string{"rest"}},
		{"Options", "The size is small.", []string{"first"}}, // over a line break
		{"--both <n>", "", []string{"first"}},                // the heading of a merged sibling
		{"Page", "", nil},
		{"", "without a heading", []string{"bare"}},
		{"in its text.", "", nil},
	} {
		var got []string
		for _, s := range p.find(testdata.Answer{Section: c.section, Quote: c.quote}) {
			got = append(got, s.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q %q means %q, want %q", c.section, c.quote, got, c.want)
		}
	}
}

// TestScore is a worked example: grades 1, 3 and 2 were judged, and a ranking has
// the first of them at 1, nothing at 2, the second at 3.
func TestScore(t *testing.T) {
	a := Asked{Grades: map[string]int{"one": 1, "three": 3, "two": 2}}
	s := a.score([]string{"one", "else", "three"})
	// (1/1 + 0 + 3/2) / (3/1 + 2/log2(3) + 1/2) = 2.5 / 4.76186
	if want := 2.5 / (3.5 + 2/math.Log2(3)); math.Abs(s.NDCG-want) > 1e-12 || math.Abs(want-.52501) > 1e-5 {
		t.Errorf("nDCG is %v, want %v", s.NDCG, want)
	}
	if s.Rank != 3 || s.Results != 3 || s.Within(1) != 0 || s.Within(3) != 1 || s.Reciprocal() != 1./3 {
		t.Errorf("score is %+v", s)
	}
	// The eleventh is too late, and nothing at all is a score of 0, not none.
	late := a.score(append(slices.Repeat([]string{"else"}, 10), "three"))
	none := a.score(nil)
	if late.Rank != 0 || late.NDCG != 0 || none.Reciprocal() != 0 || none.Within(5) != 0 {
		t.Errorf("late is %+v, none is %+v", late, none)
	}
	m := MeanOf([]Score{s, late, none, a.score([]string{"two"})})
	if m.Questions != 4 || m.Empty != 1 || m.Success1 != .25 || m.Success5 != .5 || math.Abs(m.MRR-1./3) > 1e-12 {
		t.Errorf("the mean is %+v", m)
	}
	if m := MeanOf(nil); m != (Mean{}) {
		t.Errorf("the mean of nothing is %+v", m)
	}
}

func TestASectionCountsOnce(t *testing.T) {
	items := []retrieval.Item{
		{ChunkID: "c3", ParentID: "A", Rank: 3},
		{ChunkID: "c1", ParentID: "A", Rank: 1},
		{ChunkID: "B", Rank: 4, Level: store.Parent},
		{ChunkID: "c2", ParentID: "C", Rank: 2},
	}
	if got := Ranking(items, section); !slices.Equal(got, []string{"A", "C", "B"}) {
		t.Errorf("the sections are %q", got)
	}
}

func TestParamsKeepWhatAPresetIs(t *testing.T) {
	for _, name := range param.Presets() {
		p, _ := param.Preset(name)
		got := Params(p)
		if got.Mode != param.ModeChunk || got.TopK > 0 && got.TopK < depth || p.TopK == 0 && got.TopK != 0 {
			t.Errorf("%s: mode %s, top_k %d", name, got.Mode, got.TopK)
		}
		got.Mode, got.TopK = p.Mode, p.TopK
		if got != p {
			t.Errorf("%s: more than mode and top_k differ", name)
		}
	}
}

// TestTheCacheIsKept indexes a page, opens what that left, and indexes again when
// it is told to.
func TestTheCacheIsKept(t *testing.T) {
	root, cache := t.TempDir(), t.TempDir()
	folder := filepath.Join(root, "pkg", "manual")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.md"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := Corpus{Name: "manual", Folders: []string{"pkg/manual"}}
	titles := func(rebuild bool) []string {
		t.Helper()
		l, err := Open(t.Context(), c, root, cache, rebuild)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		pages, err := l.pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range pages["manual/a.md"] {
			got = append(got, s.SectionHeading)
		}
		return got
	}
	write("# Before\n\nA sentence.\n")
	first := titles(false)
	write("# Later\n\nAnother sentence.\n")
	if second := titles(false); !slices.Equal(first, []string{"Before"}) || !slices.Equal(second, first) {
		t.Errorf("the page has %q, then %q", first, second)
	}
	if third := titles(true); !slices.Equal(third, []string{"Later"}) {
		t.Errorf("rebuilt, the page has %q", third)
	}
	files, err := filepath.Glob(filepath.Join(cache, "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("the cache holds %q, %v", files, err)
	}
	if _, err := Open(t.Context(), Corpus{Name: "absent", Folders: []string{"pkg/absent"}}, root, cache, false); err == nil || !strings.Contains(err.Error(), "make corpora") {
		t.Errorf("an absent folder: %v", err)
	}
}
