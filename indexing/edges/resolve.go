package edges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Resolution is what entries come to in a corpus.
type Resolution struct {
	// Edges run between sections that exist, ordered by source, target and
	// relation; of several entries for one edge the heaviest counts.
	Edges []store.Edge
	// Missing are the entries that name what is not there.
	Missing []*LineError
	// Duplicates counts the entries that another one stands for.
	Duplicates int
}

// Resolve finds the sections of entries in a view: a child stands for its parent,
// an address for the page that has it ([store.PageKey]), an anchor for the section
// that holds it, a heading, whatever its case, for the section under it. The
// errors are the view's.
func Resolve(ctx context.Context, v store.View, entries []Entry) (Resolution, error) {
	r := resolver{view: v, chunks: map[string]store.Chunk{}, sections: map[string][]store.Chunk{}}
	if err := r.load(ctx, entries); err != nil {
		return Resolution{}, err
	}
	var out Resolution
	byID := map[string]store.Edge{}
	for _, e := range entries {
		edge, reason, err := r.edge(ctx, e)
		switch {
		case err != nil:
			return Resolution{}, err
		case reason != "":
			out.Missing = append(out.Missing, &LineError{Line: e.Line, Err: errors.New(reason)})
			continue
		}
		first, twice := byID[edge.ID]
		if twice {
			out.Duplicates++
		}
		if !twice || edge.Weight > first.Weight {
			byID[edge.ID] = edge
		}
	}
	for _, edge := range byID {
		out.Edges = append(out.Edges, edge)
	}
	slices.SortFunc(out.Edges, func(a, b store.Edge) int {
		return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.TargetID, b.TargetID), cmp.Compare(a.Relation, b.Relation))
	})
	return out, nil
}

// resolver finds sections. What it read once it does not read again.
type resolver struct {
	view store.View
	// chunks are those named by id, by id.
	chunks map[string]store.Chunk
	// pages are the documents by the keys of their addresses, sections the parents
	// of those that were asked for, by document id.
	pages    map[string]store.Document
	sections map[string][]store.Chunk
}

// load reads the chunks that are named by id, and the addresses of the pages if
// any entry has one.
func (r *resolver) load(ctx context.Context, entries []Entry) error {
	var ids []string
	addresses := false
	for _, e := range entries {
		for _, end := range []End{e.Source, e.Target} {
			if end.ChunkID != "" {
				ids = append(ids, end.ChunkID)
			} else {
				addresses = true
			}
		}
	}
	slices.Sort(ids)
	for some := range slices.Chunk(slices.Compact(ids), 1000) {
		chunks, err := r.view.Chunks(ctx, some, 0)
		if err != nil {
			return fmt.Errorf("find chunks: %w", err)
		}
		for _, c := range chunks {
			r.chunks[c.ID] = c
		}
	}
	if !addresses {
		return nil
	}
	docs, err := r.view.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return fmt.Errorf("find pages: %w", err)
	}
	r.pages = Pages(docs)
	return nil
}

// Pages returns documents by the keys of their addresses. Where several have one
// key, a canonical address comes before others, an owner's document before one of
// nobody, and a smaller id before a greater.
func Pages(docs []store.Document) map[string]store.Document {
	docs = slices.Clone(docs)
	slices.SortStableFunc(docs, func(a, b store.Document) int {
		switch {
		case (a.Owner == "") != (b.Owner == "") && a.Owner != "":
			return -1
		case (a.Owner == "") != (b.Owner == ""):
			return 1
		}
		return cmp.Compare(a.ID, b.ID)
	})
	pages := make(map[string]store.Document, len(docs))
	add := func(address string, d *store.Document) {
		key := store.PageKey(address)
		if _, ok := pages[key]; !ok && address != "" {
			pages[key] = *d
		}
	}
	for i := range docs {
		add(docs[i].SourceURL, &docs[i])
	}
	for i := range docs {
		add(docs[i].URL, &docs[i])
		for _, alias := range docs[i].URLAliases {
			add(alias, &docs[i])
		}
	}
	return pages
}

// edge makes the edge of an entry, or says what of it is not there.
func (r *resolver) edge(ctx context.Context, e Entry) (edge store.Edge, reason string, err error) {
	source, reason, err := r.find(ctx, e.Source)
	if err != nil || reason != "" {
		return edge, reason, err
	}
	target, reason, err := r.find(ctx, e.Target)
	if err != nil || reason != "" {
		return edge, reason, err
	}
	if source.id == target.id {
		return edge, fmt.Sprintf("%s and %s are one section", e.Source, e.Target), nil
	}
	return store.Edge{
		ID:         store.EdgeID(source.id, target.id, e.Relation),
		DocumentID: source.document, SourceID: source.id,
		TargetDocumentID: target.document, TargetID: target.id,
		Relation: e.Relation, Weight: e.Weight, Description: e.Description, Origin: store.OriginImport,
	}, "", nil
}

// node is a section: its id and its document's.
type node struct{ id, document string }

func nodeOf(c *store.Chunk) node {
	if c.ParentID != "" {
		return node{c.ParentID, c.DocumentID}
	}
	return node{c.ID, c.DocumentID}
}

func (r *resolver) find(ctx context.Context, end End) (n node, reason string, err error) {
	if end.ChunkID != "" {
		c, ok := r.chunks[end.ChunkID]
		if !ok {
			return n, fmt.Sprintf("there is no chunk %s", end.ChunkID), nil
		}
		return nodeOf(&c), "", nil
	}
	d, ok := r.pages[store.PageKey(end.URL)]
	if !ok {
		return n, fmt.Sprintf("there is no page %s", end.URL), nil
	}
	sections, err := r.sectionsOf(ctx, d.ID)
	if err != nil {
		return n, "", err
	}
	switch {
	case len(sections) == 0:
		return n, fmt.Sprintf("%s has no section", end.URL), nil
	case end.Anchor != "":
		at := slices.IndexFunc(sections, func(c store.Chunk) bool { return slices.Contains(c.Anchors, end.Anchor) })
		if at < 0 {
			// A corpus that was indexed by an older program knows the headings only.
			at = slices.IndexFunc(sections, func(c store.Chunk) bool { return c.Anchor == end.Anchor })
		}
		if at < 0 {
			return n, fmt.Sprintf("no section of %s has the anchor %q", end.URL, end.Anchor), nil
		}
		return nodeOf(&sections[at]), "", nil
	case end.Heading != "":
		return r.byHeading(ctx, sections, end)
	}
	return nodeOf(&sections[store.LinkTarget("", sections)]), "", nil
}

// byHeading finds the section under a heading: the parent that it names, else the
// one with a passage that it names.
func (r *resolver) byHeading(ctx context.Context, sections []store.Chunk, end End) (n node, reason string, err error) {
	if c, paths := underHeading(sections, end.Heading); paths == 1 {
		return nodeOf(c), "", nil
	} else if paths > 1 {
		return n, fmt.Sprintf("%d sections of %s have the heading %q; give the anchor of one", paths, end.URL, end.Heading), nil
	}
	ids := make([]string, len(sections))
	for i := range sections {
		ids[i] = sections[i].ID
	}
	children, err := r.view.Children(ctx, ids, 0)
	if err != nil {
		return n, "", fmt.Errorf("find the passages of %s: %w", end.URL, err)
	}
	c, paths := underHeading(children, end.Heading)
	switch {
	case paths > 1:
		return n, fmt.Sprintf("%d sections of %s have the heading %q; give the anchor of one", paths, end.URL, end.Heading), nil
	case paths == 0:
		return n, fmt.Sprintf("no section of %s has the heading %q", end.URL, end.Heading), nil
	}
	return nodeOf(c), "", nil
}

// underHeading returns the first chunk whose innermost heading is this one, and
// how many different heading paths end with it.
func underHeading(chunks []store.Chunk, heading string) (first *store.Chunk, paths int) {
	seen := map[string]bool{}
	for i := range chunks {
		path := chunks[i].HeadingPath
		if len(path) == 0 || !strings.EqualFold(path[len(path)-1], heading) {
			continue
		}
		if first == nil {
			first = &chunks[i]
		}
		seen[strings.Join(path, "\x00")] = true
	}
	return first, len(seen)
}

func (r *resolver) sectionsOf(ctx context.Context, documentID string) ([]store.Chunk, error) {
	if sections, ok := r.sections[documentID]; ok {
		return sections, nil
	}
	sections, err := r.view.Parents(ctx, store.Scope{DocumentIDs: []string{documentID}}, store.FieldText, store.Page{})
	if err != nil {
		return nil, fmt.Errorf("find the sections of document %s: %w", documentID, err)
	}
	for i := range sections {
		sections[i].ChunkText, sections[i].ImageRefs = "", nil
	}
	r.sections[documentID] = sections
	return sections, nil
}
