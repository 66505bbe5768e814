package retrieval_test

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
)

// What the evidence calls a chunk is what the result calls it, whether it came
// through or fell.
func TestLabels(t *testing.T) {
	b := worked(t)
	ev, err := retrieval.Gather(t.Context(), b.deps(), retrieval.Query{Text: "question"}, b.params)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := retrieval.Rank(ev, b.params, retrieval.Options{})
	ids := []string{"no such chunk"}
	for i := range r.Items {
		ids = append(ids, r.Items[i].ChunkID, r.Items[i].Matches[0].ChunkID, r.Items[i].ChunkID)
	}
	named := ev.Labels(ids)
	if len(named) != len(ids) || named[0].ChunkID != ids[0] || named[0].SourceURL != "" {
		t.Fatalf("named %+v", named)
	}
	for i := range r.Items {
		it := &r.Items[i]
		for _, n := range named[1+3*i : 4+3*i] {
			if n.Section != it.ChunkID || n.SourceURL != it.SourceURL || n.Title != it.Title {
				t.Errorf("%s is called %+v", it.ChunkID, n)
			}
		}
		if named[1+3*i].ChunkID != it.ChunkID || named[2+3*i].ChunkID != it.Matches[0].ChunkID {
			t.Errorf("named %+v in place of %s", named[1+3*i:4+3*i], it.ChunkID)
		}
		if named[1+3*i].Passage != 0 || named[2+3*i].Passage < 1 {
			t.Errorf("passages of %+v", named[1+3*i:4+3*i])
		}
	}
}
