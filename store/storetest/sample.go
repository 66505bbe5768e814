package storetest

import (
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// checkSample compares what a [store.Sampler] reads with what searches see.
func (c *corpus) checkSample(v store.View) {
	c.Helper()
	s, ok := v.(store.Sampler)
	if !ok {
		return
	}
	ids, err := s.ChildIDs(c.ctx)
	if err != nil {
		c.Fatal(err)
	}
	parents, err := v.Parents(c.ctx, store.Scope{}, 0, store.Page{})
	if err != nil {
		c.Fatal(err)
	}
	want, err := v.Children(c.ctx, chunkIDs(parents), store.FieldText|store.FieldEmbedding)
	if err != nil {
		c.Fatal(err)
	}
	there := chunkIDs(want)
	slices.Sort(there)
	slices.Sort(ids)
	if !slices.Equal(ids, there) {
		c.Errorf("the ids are %v, want %v", ids, there)
	}
	for _, fields := range []store.Fields{store.FieldText, store.FieldEmbedding} {
		got, err := s.Sample(c.ctx, append(ids, ID("nothing"), "not an id"), fields)
		if err != nil || len(got) != len(want) {
			c.Fatalf("%d of %d children, %v", len(got), len(want), err)
		}
		for i := range got {
			at := slices.IndexFunc(want, func(w store.Chunk) bool { return w.ID == got[i].ID })
			if at < 0 {
				c.Fatalf("%s was not asked for", got[i].ID)
			}
			w := &want[at]
			if fields == store.FieldText && (got[i].ChunkText != w.ChunkText || got[i].Embedding != nil) ||
				fields == store.FieldEmbedding && (!slices.Equal(got[i].Embedding, w.Embedding) || got[i].ChunkText != "") {
				c.Errorf("%s is read as %+v, want %+v", w.ID, got[i], w)
			}
		}
	}
}
