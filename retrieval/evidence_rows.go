package retrieval

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/store"
)

// rowIndex finds rows and documents by id while rows are added.
type rowIndex struct {
	rows, documents map[string]int32
}

func indexOf(ev *Evidence) rowIndex {
	x := rowIndex{rows: make(map[string]int32, len(ev.rows)), documents: make(map[string]int32, len(ev.documents))}
	for i := range ev.rows {
		x.rows[ev.rows[i].id] = int32(i)
	}
	for i := range ev.documents {
		x.documents[ev.documents[i].id] = int32(i)
	}
	return x
}

// unknown are those of the ids that have no row yet, each once.
func (x rowIndex) unknown(ids []string) []string {
	asked := make(map[string]bool, len(ids))
	return slices.DeleteFunc(ids, func(id string) bool {
		_, known := x.rows[id]
		known = known || id == "" || asked[id]
		asked[id] = true
		return known
	})
}

// addChunks adds rows for chunks that are not known yet. Sections must be added
// before their children.
func (ev *Evidence) addChunks(x rowIndex, chunks []store.Chunk) {
	for i := range chunks {
		c := &chunks[i]
		if _, known := x.rows[c.ID]; known {
			continue
		}
		doc, ok := x.documents[c.DocumentID]
		if !ok {
			doc = int32(len(ev.documents))
			x.documents[c.DocumentID] = doc
			ev.documents = append(ev.documents, documentRow{id: c.DocumentID, url: c.SourceURL, title: c.Title, fetchedAt: c.FetchedAt})
		}
		parent, ok := x.rows[c.ParentID]
		if !ok || c.ParentID == "" {
			parent = noRow
		}
		x.rows[c.ID] = int32(len(ev.rows))
		added := row{
			id: c.ID, document: doc, parent: parent, index: int32(c.Index), depth: int32(c.Depth),
			charStart: int32(c.CharStart), charEnd: int32(c.CharEnd),
			tokenStart: int32(c.TokenStart), tokenEnd: int32(c.TokenEnd),
			htmlTokens: int32(c.HTMLTokens), flags: c.Flags, isChild: c.Level == store.Child,
		}
		own := names{heading: c.SectionHeading, anchor: c.Anchor, path: c.HeadingPath}
		if parent == noRow || !own.equal(ev.namesOf(parent)) {
			added.names = &own
		}
		ev.rows = append(ev.rows, added)
	}
}

// sectionOf is the section that a row is of, noRow for a child without one. A
// section that was found itself, as where passages have none above them, is its
// own.
func (ev *Evidence) sectionOf(at int32) int32 {
	if r := &ev.rows[at]; r.isChild {
		return r.parent
	}
	return at
}

// nodeOf is the row that stands for a row in the graph: its section, or itself.
func (ev *Evidence) nodeOf(at int32) int32 {
	if parent := ev.rows[at].parent; parent != noRow {
		return parent
	}
	return at
}

// byScore orders rows of an arm by their scores, the best first, then by id.
func (ev *Evidence) byScore(a, b int32, scoreA, scoreB float64) int {
	if c := cmp.Compare(scoreB, scoreA); c != 0 {
		return c
	}
	return cmp.Compare(ev.rows[a].id, ev.rows[b].id)
}

func (n *names) equal(o *names) bool {
	return n.heading == o.heading && n.anchor == o.anchor && slices.Equal(n.path, o.path)
}

// addFound takes over the rows of both arms, in canonical order: stores may
// return equal scores in any order. Rows whose chunk was not read are left out.
func (ev *Evidence) addFound(x rowIndex, found *store.Found) {
	ev.nearest = make([]armRow, 0, len(found.Vector))
	for i := range found.Vector {
		if at, ok := x.rows[found.Vector[i].ID]; ok {
			ev.nearest = append(ev.nearest, armRow{row: at, score: found.Vector[i].Similarity, missed: found.Vector[i].Missed})
		}
	}
	slices.SortFunc(ev.nearest, func(a, b armRow) int { return ev.byScore(a.row, b.row, a.score, b.score) })

	kw := &ev.keyword
	kw.terms, kw.children, kw.meanLength = found.Terms, found.KeywordRows, found.AvgLength
	kw.fields = found.Fields
	kw.matches, kw.sampled = max(found.KeywordMatches, len(found.Keyword)), found.KeywordSampled
	if found.KeywordErr != nil {
		kw.err = reasonOf(found.KeywordErr)
	}
	kw.rows = make([]keywordRow, 0, len(found.Keyword))
	counts := make([]fieldCounts, 0, len(found.Keyword)*len(found.Terms))
	for i := range found.Keyword {
		hit := &found.Keyword[i]
		at, ok := x.rows[hit.ID]
		if !ok {
			continue
		}
		from := len(counts)
		for _, tf := range hit.TF {
			counts = append(counts, compactCounts(tf))
		}
		kw.rows = append(kw.rows, keywordRow{row: at, length: compactCounts(hit.Length), score: hit.Score, counts: counts[from:len(counts):len(counts)]})
	}
	slices.SortFunc(kw.rows, func(a, b keywordRow) int { return ev.byScore(a.row, b.row, a.score, b.score) })
}

// orderForReading fills reading from all sections in scope.
func (ev *Evidence) orderForReading() {
	ev.reading = make([]int32, 0, len(ev.rows))
	for i := range ev.rows {
		if !ev.rows[i].isChild {
			ev.reading = append(ev.reading, int32(i))
		}
	}
	slices.SortFunc(ev.reading, func(a, b int32) int {
		x, y := &ev.rows[a], &ev.rows[b]
		return cmp.Or(
			cmp.Compare(x.depth, y.depth),
			cmp.Compare(ev.documents[x.document].url, ev.documents[y.document].url),
			// Two owners may have a page of the same address.
			cmp.Compare(ev.documents[x.document].id, ev.documents[y.document].id),
			cmp.Compare(x.index, y.index),
			cmp.Compare(x.id, y.id),
		)
	})
	ev.coverage.allParents = true
}
