package retrieval

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/webrag/webrag-tui/store"
)

// Evidence is what was gathered for one query: which children are near, which
// sections they belong to, and how much there is. It holds ids and numbers, about
// 200 bytes a candidate; the texts that Extend fetched are kept beside them. An
// Evidence is never changed, so it may be used from several goroutines.
type Evidence struct {
	query Query
	// blank queries reached neither the embedder nor the store.
	blank bool
	// vector is the query's unit vector, nil when nothing was embedded;
	// directionless says that it is all zeros.
	vector        []float32
	directionless bool

	version     int64
	stats       store.Stats
	lexical     bool
	calibration store.Calibration
	reach       reach
	timing      gatherTiming

	// children are by similarity descending, then id; parents by id, so that
	// comparing their indices breaks ties as comparing ids would.
	children  []childRow
	parents   []parentRow
	documents []documentRow
	// reading is the order of all parents in scope by depth, URL and index. It
	// is nil unless reach.allParents.
	reading []int32

	texts map[string]texts
	// changed says that the corpus was written between Gather and Extend.
	changed bool
}

// reach is how far Gather asked.
type reach struct {
	vectorRows int
	efSearch   int
	exact      bool
	// scanned is how many vectors were compared, returned how many came back.
	scanned, returned int
	allParents        bool
}

type gatherTiming struct {
	mode, embed, vector, rows, texts time.Duration
}

func (t gatherTiming) search() time.Duration { return t.mode + t.vector + t.rows + t.texts }

// noParent marks a child whose parent is missing.
const noParent = -1

type childRow struct {
	id                 string
	similarity         float64
	parent             int32 // index in parents, or noParent
	charStart, charEnd int32
}

type parentRow struct {
	id                   string
	heading, anchor      string
	path                 []string
	document             int32 // index in documents
	index, depth         int32
	charStart, charEnd   int32
	tokenStart, tokenEnd int32
	htmlTokens           int32
	flags                store.Flags
}

func (p *parentRow) tokens() int { return int(p.tokenEnd - p.tokenStart) }

type documentRow struct {
	id, url, title string
	fetchedAt      time.Time
}

// texts are the two forms of a section; gone says that it was not found when
// they were asked for.
type texts struct {
	markdown, html string
	gone           bool
}

// Covers reports whether the evidence reaches far enough for p, and if not why.
func (ev Evidence) Covers(p Params) (ok bool, why string) {
	if ev.blank || ev.isEmpty() {
		return true, ""
	}
	if mode, _, _ := decideMode(p, ev.stats); mode == ModeFullContext && !ev.reach.allParents {
		return false, fmt.Sprintf("only %d of the %d sections in scope were read", len(ev.parents), ev.stats.Parents)
	}
	if ev.directionless {
		return true, ""
	}
	if p.TopKChildrenLimit > ev.reach.vectorRows && ev.reach.returned >= ev.reach.vectorRows {
		return false, fmt.Sprintf("the search returned %d rows", ev.reach.vectorRows)
	}
	if !ev.reach.exact && p.HNSWEfSearch != ev.reach.efSearch {
		return false, fmt.Sprintf("the index was searched with ef_search %d", ev.reach.efSearch)
	}
	return true, ""
}

// isEmpty reports that there is nothing in scope.
func (ev *Evidence) isEmpty() bool { return ev.stats.Parents == 0 }

// addRows takes over what the search and the reads returned, in canonical order:
// stores may return chunks in any order, and equal scores too. parents may repeat.
func (ev *Evidence) addRows(found []store.VectorRow, children, parents []store.Chunk) {
	slices.SortFunc(parents, func(a, b store.Chunk) int { return cmp.Compare(a.ID, b.ID) })
	parents = slices.CompactFunc(parents, func(a, b store.Chunk) bool { return a.ID == b.ID })

	documents := map[string]int32{}
	parentAt := make(map[string]int32, len(parents))
	ev.parents = make([]parentRow, 0, len(parents))
	for i := range parents {
		c := &parents[i]
		doc, ok := documents[c.DocumentID]
		if !ok {
			doc = int32(len(ev.documents))
			documents[c.DocumentID] = doc
			ev.documents = append(ev.documents, documentRow{id: c.DocumentID, url: c.SourceURL, title: c.Title, fetchedAt: c.FetchedAt})
		}
		parentAt[c.ID] = int32(i)
		ev.parents = append(ev.parents, parentRow{
			id: c.ID, heading: c.SectionHeading, anchor: c.Anchor, path: c.HeadingPath,
			document: doc, index: int32(c.Index), depth: int32(c.Depth),
			charStart: int32(c.CharStart), charEnd: int32(c.CharEnd),
			tokenStart: int32(c.TokenStart), tokenEnd: int32(c.TokenEnd),
			htmlTokens: int32(c.HTMLTokens), flags: c.Flags,
		})
	}

	spans := make(map[string][2]int32, len(children))
	for i := range children {
		spans[children[i].ID] = [2]int32{int32(children[i].CharStart), int32(children[i].CharEnd)}
	}
	ev.children = make([]childRow, 0, len(found))
	for _, row := range found {
		child := childRow{id: row.ID, similarity: row.Similarity, parent: noParent}
		if at, ok := parentAt[row.ParentID]; ok && row.ParentID != "" {
			child.parent = at
		}
		child.charStart, child.charEnd = spans[row.ID][0], spans[row.ID][1]
		ev.children = append(ev.children, child)
	}
	slices.SortFunc(ev.children, func(a, b childRow) int {
		if c := cmp.Compare(b.similarity, a.similarity); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	})
}

// orderForReading fills reading from all parents.
func (ev *Evidence) orderForReading() {
	ev.reading = make([]int32, len(ev.parents))
	for i := range ev.reading {
		ev.reading[i] = int32(i)
	}
	slices.SortFunc(ev.reading, func(a, b int32) int {
		x, y := &ev.parents[a], &ev.parents[b]
		return cmp.Or(
			cmp.Compare(x.depth, y.depth),
			cmp.Compare(ev.documents[x.document].url, ev.documents[y.document].url),
			cmp.Compare(x.index, y.index),
			cmp.Compare(a, b),
		)
	})
	ev.reach.allParents = true
}
