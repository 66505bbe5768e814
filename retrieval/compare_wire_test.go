package retrieval_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/wire"
)

func TestEncodeComparison(t *testing.T) {
	a, b := ranking("w", "x"), ranking("n", "w")
	b.NearMisses = []retrieval.Item{{ChunkID: "x", Why: &retrieval.Drop{ID: "x", Reason: phrase.ReasonBelowFloor, Value: .2, Threshold: .3, Rank: 9}}}
	raw, err := wire.EncodeComparison(retrieval.Compare(a, b, 0), "webrag", "mine", wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(raw, &whole); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"a":{"name":"webrag","length":2,"scale":"cosine"}`,
		`"entered":[{"chunk_id":"n","source_url":"","title":null,"section_heading":null,"rank_a":null,"rank_b":1,"rank_delta":null,"score_a":null,"score_b":1,"score_delta":null,"dropped_by":null}]`,
		`"rank_a":1,"rank_b":2,"rank_delta":-1,`,
		`"dropped_by":{"id":"x","reason":"below_floor","value":0.2,"threshold":0.3,"rank":9}`,
		`"tau_b":null`, // one common item
		`"overlap_at_depth":0.5`,
	} {
		if !strings.Contains(string(raw), part) {
			t.Errorf("no %s in\n%s", part, raw)
		}
	}
	raw, err = wire.EncodeComparison(retrieval.Compare(ranking(), ranking(), 0), "a", "b", wire.Options{})
	if err != nil || strings.Contains(string(raw), `"entered":null`) {
		t.Errorf("two empty results: %s, %v", raw, err)
	}
}
