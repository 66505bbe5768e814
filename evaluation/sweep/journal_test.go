package sweep

import (
	"bufio"
	"bytes"
	"math"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// FuzzJournal reads anything for a journal: what is taken from it are whole rows of settings of
// the plan.
func FuzzJournal(f *testing.F) {
	const batch = `{"batch":1,"settings":[["3"],["4"]]}` + "\n"
	for _, seed := range []string{
		"", "\n", "null\n", batch + `{"batch":1,"query":"q0","rows":[[0.5,1,3,800],[1,1,3,900]]}` + "\n",
		batch + `{"batch":1,"query":"q0","rows":[[0.5,1,3,800]]}` + "\n", batch + `{"batch":2,"query":"q0","rows":[]}` + "\n" + batch,
		`{"batch":1,"settings":[["many"]]}` + "\n", `{"batch":1,"settings":[["3","4"]]}` + "\n", `{"batch":1,"settings":[["03"]]}` + "\n",
		batch + `{"batch":1,"query":"q9","rows":[[0.5,1,3,800],[1,1,3]]}` + "\n", batch + `{"batch":1,"query":"q0","rows":[null,[1e999]]}` + "\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p := Plan{Base: hybrid(), Axes: over(t, "top_k=1..5")}
		x := &experiment.Experiment{Questions: []*experiment.Question{{Query: judgment.Query{ID: "q0"}}, {Query: judgment.Query{ID: "q1"}}}}
		if err := p.complete(2); err != nil {
			t.Fatal(err)
		}
		table := newTable(x, &p)
		if err := (&Journal{}).read(bufio.NewReader(bytes.NewReader(raw)), &p, table); err != nil {
			t.Fatal(err)
		}
		for s := range table.Settings {
			if k := p.Axes[0].Field; table.Settings[s].Params.Get(k) != table.Settings[s].Values[0] {
				t.Fatalf("%q is no value as it is written", table.Settings[s].Values)
			}
			for q := range table.IDs {
				missing := 0
				for _, v := range table.row(s, q) {
					if math.IsNaN(v) {
						missing++
					}
				}
				if missing != 0 && missing != table.columns() {
					t.Fatalf("a part of a row is taken from %q", raw)
				}
			}
		}
	})
}
