package retrieval

import (
	"encoding/json"
	"testing"
)

func TestResultsCarryTheirEdges(t *testing.T) {
	r := &Result{Items: []Item{
		{ChunkID: "found", Rank: 2, Score: .25, ChunkText: "markdown", HTMLText: "<p>", Surface: SurfaceHTML, GraphContext: []GraphPath{
			{FromChunkID: "seed", Relation: "references", Description: "cites the decision", Hop: 1, Weight: .8},
			{FromChunkID: "other", Relation: "sequence", Hop: 2, Weight: .5},
		}},
		{ChunkID: "seed", Rank: 1, Score: .5, ChunkText: "markdown", Surface: SurfaceMarkdown, EdgesIn: []GraphPath{{FromChunkID: "found"}}},
	}}
	raw, err := json.Marshal(resultsOf(r))
	const want = `[{"content":"markdown","score":0.5,"chunk_id":"seed","document_id":"","document_title":"","document_source":""},` +
		`{"content":"\u003cp\u003e","score":0.25,"chunk_id":"found","document_id":"","document_title":"","document_source":"","graph_context":[` +
		`{"from_chunk_id":"seed","relation":"references","description":"cites the decision"},{"from_chunk_id":"other","relation":"sequence","description":""}]}]`
	if err != nil || string(raw) != want {
		t.Errorf("%s, %v", raw, err)
	}
	if r.Items[0].ChunkID != "found" {
		t.Error("the result's own order changed")
	}
}
