package postgres

import (
	"fmt"

	"github.com/webrag/webrag-tui/store"
)

// vectors counts the passages that cannot be found by meaning.
func (c *checker) vectors() error {
	if c.layout.vector.kind == "" {
		if !c.layout.foreign && c.view.meta.EmbedderID == "" {
			// The column is made with the first embedder.
			c.Add("vectors", store.CheckFine, "nothing was embedded yet", "")
			return nil
		}
		c.Add("vectors", store.CheckBroken, c.layout.vector.index.why, "")
		return nil
	}
	// A passage of ours without an embed hash has no words to embed: a figure, a
	// list of links.
	words := "true"
	if !c.layout.foreign {
		words = "embed_hash IS NOT NULL"
	}
	var children, without int
	err := c.Scan("SELECT count(*), count(*) FILTER (WHERE embedding IS NULL) FROM "+c.layout.table("chunks")+
		" WHERE chunk_level = 'child' AND "+words, nil, &children, &without)
	if err != nil {
		return err
	}
	switch {
	case children == 0:
		c.Add("vectors", store.CheckWarning, "there is no passage", c.fill("index pages into it: webrag-tui index PATH --corpus DSN", "run the WebRAG indexer"))
	case without == children:
		c.Add("vectors", store.CheckBroken, fmt.Sprintf("none of %d passages has a vector", children),
			c.fill("webrag-tui index --reembed --corpus DSN", "let the WebRAG indexer embed them"))
	case without > 0:
		c.Add("vectors", store.CheckWarning, fmt.Sprintf("%d of %d passages have no vector and cannot be found by meaning", without, children),
			c.fill("webrag-tui index --reembed --corpus DSN embeds them, as far as the embedder knows their words", "let the WebRAG indexer embed them"))
	default:
		c.Add("vectors", store.CheckFine, fmt.Sprintf("%d passages, each with a vector", children), "")
	}
	return nil
}

// fill is what to do about a corpus of ours, or of another program.
func (c *checker) fill(ours, foreign string) string {
	if c.layout.foreign {
		return foreign
	}
	return ours
}

// keywords holds the index of words against the passages.
func (c *checker) keywords() error {
	if why := c.layout.missing[store.CapKeyword]; why != "" {
		c.Add("keyword index", store.CheckFine, why, "")
		return nil
	}
	if c.layout.foreign {
		return nil
	}
	var without int
	err := c.Scan("SELECT coalesce(sum(greatest(d.term_rows - (SELECT count(*) FROM "+c.layout.table("chunk_terms")+
		" t WHERE t.document_id = d.id), 0)), 0)::bigint FROM "+c.layout.table("documents")+" d", nil, &without)
	if err != nil {
		return err
	}
	if without > 0 {
		c.Add("keyword index", store.CheckBroken, fmt.Sprintf("%d passages are not in it and cannot be found by words", without),
			"copy the corpus, which makes it anew: webrag-tui copy --from DSN --to OTHER")
		return nil
	}
	c.Add("keyword index", store.CheckFine, "it has every passage", "")
	return nil
}
