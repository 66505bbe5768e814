package measure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/testdata/cputime"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
)

// BenchmarkStep measures a step of a slider while the view is shown beside a third setting:
// from the key to the drawn table, with what is measured in the background between. The
// budget is a frame for 50 queries and 200 ms for 500; what counts is the processor time of
// all cores, which is no less than what passes on a machine that does nothing else.
func BenchmarkStep(b *testing.B) {
	for queries, budget := range map[int]float64{50: 16, 500: 200} {
		b.Run(fmt.Sprint(queries), func(b *testing.B) {
			v, s := words(b, queries)
			p := s.Of.Params()
			settle := func() {
				for {
					v.Follow()
					if len(s.Begun) == 0 {
						return
					}
					begun := s.Begun
					s.Begun = nil
					for _, w := range begun {
						if s.Of.Awaits(w.Kind, w.Gen) {
							s.Begin(s.Of.Apply(w.Run(b.Context())))
						}
					}
				}
			}
			settle()
			v.columns = []column{{kind: baseline}, {Setting: setting(param.PresetBlend, nil)}, {kind: live}}
			v.at = 2
			settle()
			start := cputime.Now()
			for i := 0; b.Loop(); i++ {
				p.SimilarityFloor = .05 + .05*float64(i%2)
				s.Begin(s.Of.Set(p, param.FieldSimilarityFloor))
				settle()
				v.Pane(Table).Draw(120, 40, true)
			}
			b.ReportMetric(float64((cputime.Now()-start).Microseconds())/1000/float64(b.N), "median_ms")
			b.ReportMetric(budget, "budget_ms")
		})
	}
}

// words is the view of a corpus of pages of random words, with an open set of so many queries.
func words(b *testing.B, queries int) (*View, *viewtest.Shell) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("word%03d", int(200*rng.Float64()*rng.Float64()))
		}
		return strings.Join(all, " ")
	}
	pages := map[string]string{}
	for i := range 150 {
		page := "# " + text(3) + "\n"
		for range 6 {
			page += "\n## " + text(3) + "\n\n" + text(120) + "\n"
		}
		pages[fmt.Sprintf("p%d.md", i)] = page
	}
	s := viewtest.New(b)
	s.Of = session.New(setting(param.PresetHybrid, nil), func() time.Time { return time.Unix(0, 0) })
	var list []judgment.Expected
	for i := range queries {
		list = append(list, judgment.Expected{Query: text(4), Page: fmt.Sprintf("file:pages/p%d.md", i%150)})
	}
	sets := b.TempDir()
	if _, err := judgment.CreateExpected(b.Context(), sets, "words", judgment.About{}, list, "ana", time.Unix(0, 0)); err != nil {
		b.Fatal(err)
	}
	s.Of.JudgeBy(sets, "ana", evaluation.MustMeasure("nDCG@10"))
	v := New(s, Needs{})
	for _, work := range [][]session.Work{s.Of.Take(viewtest.Corpus(b, pages), nil), s.Of.OpenSet("words")} {
		for len(work) > 0 {
			d := work[0].Run(b.Context())
			work = append(work[1:], s.Of.Apply(d)...)
		}
	}
	return v, s
}
