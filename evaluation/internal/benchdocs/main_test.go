package main

import (
	"io"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/internal/judged"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/testdata"
)

func TestRows(t *testing.T) {
	for _, c := range []struct {
		b    bench
		want []string // rows, each with what it is compared with
	}{
		{bench{presets: param.Presets()[:2]}, []string{"blend", "webrag"}},
		{bench{presets: list{"hybrid"}, sets: list{"fusion=convex", "keyword_weight=0.5"}}, []string{"hybrid", "hybrid fusion=convex keyword_weight=0.5 < hybrid"}},
		{bench{presets: list{"hybrid", "topk"}, base: "hybrid"}, []string{"hybrid", "topk < hybrid"}},
		{bench{presets: list{"hybrid", "topk"}, base: "hybrid", sets: list{"top_k=20"}}, []string{"hybrid", "hybrid top_k=20 < hybrid", "topk < hybrid", "topk top_k=20 < hybrid"}},
	} {
		rows, err := c.b.rows()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			name := r.name
			if r.against != nil {
				name += " < " + r.against.name
			}
			got = append(got, name)
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("rows %q, want %q", got, c.want)
		}
	}
	b := bench{presets: list{"hybrid"}, sets: list{"fusion=convex"}}
	rows, err := b.rows()
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].params.Fusion != param.FusionRRF || rows[1].params.Fusion != param.FusionConvex {
		t.Errorf("the rows fuse by %s and %s", rows[0].params.Fusion, rows[1].params.Fusion)
	}
}

func TestBadInput(t *testing.T) {
	t.Setenv("WEBRAG_CORPORA", "")
	here := t.TempDir()
	for want, args := range map[string]string{
		"run make corpora":            "",
		`"page" is no flag`:           "page",
		"tunes on it":                 "-held -each",
		`no preset "best"`:            "-preset best",
		"want field=value":            "-set top_k",
		`"colour"`:                    "-set colour=red",
		"there is no corpus perl":     "-corpus perl",
		"make corpora fetches":        "-corpus git",
		"flag provided but not defin": "-fast",
	} {
		full := strings.Fields(args)
		if args != "" {
			full = append([]string{"-corpora", here, "-cache", here}, full...)
		}
		if err := run(t.Context(), full, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v, want %q", args, err, want)
		}
	}
}

// TestPrint prints two rows of three questions of two corpora, made up.
func TestPrint(t *testing.T) {
	score := func(corpus, kind string, rank int, ndcg float64, results int) judged.Score {
		q := testdata.Question{ID: corpus + "-" + kind, Corpus: corpus, Kind: kind, Text: "a question"}
		return judged.Score{Asked: judged.Asked{Question: q}, Rank: rank, NDCG: ndcg, Results: results}
	}
	base := &row{name: "base", scores: []judged.Score{
		score("git", "name", 1, 1, 10), score("git", "error", 2, .5, 10), score("sqlite", "name", 0, 0, 0),
	}}
	changed := &row{name: "base top_k=20", against: base, scores: []judged.Score{
		score("git", "name", 1, 1, 20), score("git", "error", 4, .25, 20), score("sqlite", "name", 1, .75, 20),
	}}
	var out strings.Builder
	b := bench{each: true}
	if err := b.print(&out, []*row{base, changed}); err != nil {
		t.Fatal(err)
	}
	const want = `3 questions that may be tuned with; success, MRR: sections of grade 2 and 3; each preset as it is, but for at least ten results

preset         corpus  questions  success@1  success@5  MRR    nDCG@10  empty
base           git     2          .500       1.000      .750   .750     0
base           sqlite  1          .000       .000       .000   .000     1
base           all     3          .333       .667       .500   .500     1
base top_k=20  git     2          .500       1.000      .625   .625     0
base top_k=20  sqlite  1          1.000      1.000      1.000  .750     0
base top_k=20  all     3          .667       1.000      .750   .667     0

nDCG@10 by kind  name (2)  error (1)
base             .500      .500
base top_k=20    .875      .250

compared       with  MRR                      nDCG@10                  better, worse
base top_k=20  base  +0.250 [-0.250, +1.000]  +0.167 [-0.250, +0.750]  1, 1

1.000 1.000  git-name               a question
.500 .250  git-error              a question
.000 .750  sqlite-name            a question
`
	var readme strings.Builder
	base.scores[2].Held = true
	printReadme(&readme, []*row{base})
	if !strings.Contains(readme.String(), "| `base` | .500 · .000 | 1.000 · .000 | .750 · .000 | .750 · .000 | 0 · 1 |\n") {
		t.Errorf("the table is\n%s", readme.String())
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	if got := strings.Join(lines, ""); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
}
