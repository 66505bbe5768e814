package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// endsOf returns the sections at the ends of edges, by id; those that are gone or
// hidden are missing.
func endsOf(ctx context.Context, v store.View, list []store.Edge) (map[string]store.Chunk, error) {
	var ids []string
	for i := range list {
		ids = append(ids, list[i].SourceID, list[i].TargetID)
	}
	slices.Sort(ids)
	ends := map[string]store.Chunk{}
	for some := range slices.Chunk(slices.Compact(ids), 1000) {
		chunks, err := v.Chunks(ctx, some, 0)
		if err != nil {
			return nil, err
		}
		for i := range chunks {
			ends[chunks[i].ID] = chunks[i]
		}
	}
	return ends, nil
}

// saidOf is what an edge says, as far as both its ends may be seen: it names the
// headings of both.
func saidOf(e *store.Edge, ends map[string]store.Chunk) string {
	_, hasSource := ends[e.SourceID]
	_, hasTarget := ends[e.TargetID]
	if !hasSource || !hasTarget {
		return ""
	}
	return e.Description
}

// edges prints each edge on two lines: what it connects, and what it says.
func (p *printer) edges(list []store.Edge, ends map[string]store.Chunk) {
	width := 0
	for i := range list {
		width = max(width, len(list[i].Relation))
	}
	for i := range list {
		e := &list[i]
		fmt.Fprintf(p.w, "%s  %s  %s → %s\n", weight(e.Weight), pad(string(e.Relation), width), endName(ends, e.SourceID, ""), endName(ends, e.TargetID, ends[e.SourceID].DocumentID))
		said := "[" + string(e.Origin) + "]"
		if words := saidOf(e, ends); words != "" {
			said = words + "  " + said
		}
		fmt.Fprintf(p.w, "      %s%s%s\n", faint, offset.Line(said), plain)
	}
}

// weight is a weight for lists: two decimals, more where they say something.
func weight(w float64) string {
	text := fmt.Sprintf("%.2f", w)
	if w < 0.005 {
		text = fmt.Sprintf("%.1g", w)
	}
	return text
}

// endName is what a list calls an end: its page and its headings, the page only
// when it is not the one given.
func endName(ends map[string]store.Chunk, id, page string) string {
	c, ok := ends[id]
	if !ok {
		return "(gone: " + offset.Line(id) + ")"
	}
	name := "“" + sectionPath(&c) + "”"
	if len(c.HeadingPath) == 0 {
		name = sectionPath(&c)
	}
	if c.DocumentID != page {
		name += " of " + c.SourceURL
	}
	return offset.Line(name)
}

// edgeJSON is an edge in JSON; the parts of an end that is gone or deleted are null,
// and then there is no description.
type edgeJSON struct {
	ID          string  `json:"id"`
	Relation    string  `json:"relation"`
	Weight      float64 `json:"weight"`
	Description string  `json:"description"`
	Origin      string  `json:"origin"`
	Source      endJSON `json:"source"`
	Target      endJSON `json:"target"`
}

type endJSON struct {
	ChunkID     string   `json:"chunk_id"`
	DocumentID  string   `json:"document_id"`
	SourceURL   *string  `json:"source_url"`
	HeadingPath []string `json:"heading_path"`
	Anchor      *string  `json:"anchor"`
}

func encodeEdges(list []store.Edge, ends map[string]store.Chunk) []edgeJSON {
	end := func(id, document string) endJSON {
		c := ends[id]
		return endJSON{
			ChunkID: id, DocumentID: document, SourceURL: orNull(c.SourceURL), HeadingPath: c.HeadingPath, Anchor: orNull(c.Anchor),
		}
	}
	return eachOf(list, func(e *store.Edge) edgeJSON {
		return edgeJSON{
			ID: e.ID, Relation: string(e.Relation), Weight: e.Weight, Description: saidOf(e, ends), Origin: string(e.Origin),
			Source: end(e.SourceID, e.DocumentID), Target: end(e.TargetID, e.TargetDocumentID),
		}
	})
}
