package whynot

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// target is what a [Target] turned out to mean.
type target struct {
	chunk  TargetChunk
	meant  int
	others []TargetChunk
	// ids are the chunks any of which counts as the target: children and their
	// sections.
	ids map[string]bool
	// own are the passages themselves where they are only part of their sections,
	// else nil. page says that all of a page is meant. names are the headings above
	// the chunks.
	own   map[string]bool
	page  bool
	names map[string]string
	// vector and keyword are where its best children stand in each arm, best the
	// one of them that stands for it.
	vector, keyword, best store.Placement
	// nodes are the sections at which edges may end.
	nodes []string
}

// find is the target's best item in a result, nil when it has none.
func (t *target) find(r *retrieval.Result) *retrieval.Item {
	var best *retrieval.Item
	for i := range r.Items {
		it := &r.Items[i]
		if t.isIn(it) && (best == nil || it.Rank < best.Rank) {
			best = it
		}
	}
	return best
}

// via is what brought an item that the target is part of.
func (t *target) via(it *retrieval.Item, mode param.Mode) Via {
	switch {
	case t.own == nil || mode == param.ModeFullContext || t.own[it.ChunkID],
		slices.ContainsFunc(it.Merged, func(id string) bool { return t.own[id] }),
		slices.ContainsFunc(it.Matches, func(m retrieval.Match) bool { return t.own[m.ChunkID] }):
		return ViaItself
	case it.Hop > 0:
		return ViaEdges
	default:
		return ViaPassage
	}
}

// ofPage are the items of a page that was asked about, by rank.
func (t *target) ofPage(r *retrieval.Result) []PagePlace {
	if !t.page {
		return nil
	}
	var places []PagePlace
	for _, it := range r.ByRank() {
		if t.isIn(it) {
			places = append(places, PagePlace{it.ChunkID, retrieval.NearestHeading(it.SectionHeading, it.HeadingPath), it.Rank, it.Score})
		}
	}
	return places
}

func (t *target) isIn(it *retrieval.Item) bool {
	return t.ids[it.ChunkID] || slices.ContainsFunc(it.Merged, func(id string) bool { return t.ids[id] })
}

// locate finds the chunks that t names, and of them the one that stands best.
func (pr *prober) locate(t Target) (_ target, err error) {
	view, err := pr.from.read(pr.ctx)
	if err != nil {
		return target{}, err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	chunks, total, err := pr.chunksOf(view, t)
	if err != nil {
		return target{}, fmt.Errorf("find the %s in corpus %s: %w", t, pr.from.name(), err)
	}
	sought, err := pr.rankTarget(view, t, chunks, total)
	if err != nil {
		return target{}, fmt.Errorf("place the %s in corpus %s: %w", t, pr.from.name(), err)
	}
	return sought, nil
}

// chunksOf are the chunks that t names: children where there are any.
func (pr *prober) chunksOf(view view, t Target) (chunks []store.Chunk, total int, err error) {
	find := func(level store.Level) error {
		chunks, total, err = view.Find(pr.ctx, store.FindQuery{
			ChunkID: t.ChunkID, SourceURL: t.SourceURL, Quote: t.Quote, Level: level, Limit: deepest,
		})
		return err
	}
	if t.ChunkID != "" {
		if err := find(""); err != nil || len(chunks) == 0 || chunks[0].Level == store.Child {
			return chunks, total, err
		}
		children, err := view.Children(pr.ctx, []string{t.ChunkID}, 0)
		if err == nil && len(children) > 0 {
			chunks = children
		}
		return chunks, total, err
	}
	if err = find(store.Child); err == nil && total == 0 {
		err = find(store.Parent)
	}
	return chunks, total, err
}

// rankTarget ranks the chunks among one another and places the best in the corpus.
func (pr *prober) rankTarget(view view, t Target, chunks []store.Chunk, total int) (target, error) {
	sought := target{meant: total, ids: map[string]bool{}}
	if len(chunks) == 0 {
		sought.best.Absence = store.AbsentUnknown
		return pr.findHidden(view, t, sought)
	}
	spec, own, err := view.exact(pr.ctx, pr.base, true)
	pr.own = own
	if err != nil {
		return sought, err
	}
	vectorRanks, keywordRanks, err := pr.rankAmong(view, chunks, spec)
	if err != nil {
		return sought, err
	}
	listed := make([]TargetChunk, len(chunks))
	for i := range chunks {
		listed[i] = targetChunkOf(&chunks[i])
		listed[i].VectorRank, listed[i].KeywordRank = vectorRanks[chunks[i].ID], keywordRanks[chunks[i].ID]
	}
	byVector, byKeyword := slices.Clone(listed), slices.Clone(listed)
	slices.SortStableFunc(byVector, func(a, b TargetChunk) int {
		return cmp.Or(cmp.Compare(last(a.VectorRank), last(b.VectorRank)), cmp.Compare(last(a.KeywordRank), last(b.KeywordRank)))
	})
	slices.SortStableFunc(byKeyword, func(a, b TargetChunk) int {
		return cmp.Or(cmp.Compare(last(a.KeywordRank), last(b.KeywordRank)), cmp.Compare(last(a.VectorRank), last(b.VectorRank)))
	})
	if sought.vector, err = view.Place(pr.ctx, spec, byVector[0].ChunkID); err != nil {
		return sought, err
	}
	sought.keyword = sought.vector
	if byKeyword[0].ChunkID != byVector[0].ChunkID {
		if sought.keyword, err = view.Place(pr.ctx, spec, byKeyword[0].ChunkID); err != nil {
			return sought, err
		}
	}
	order := byVector
	sought.best = sought.vector
	if !sought.vector.HasVector && sought.keyword.HasKeyword {
		order, sought.best = byKeyword, sought.keyword
	}
	sought.chunk = order[0]
	sought.mean(t, order)
	return sought, nil
}

// findHidden looks for the reason why nothing was found: [store.View.Place]
// knows chunks that reads do not show, and deleted pages are listed.
func (pr *prober) findHidden(view view, t Target, sought target) (target, error) {
	switch {
	case t.ChunkID != "":
		spec, _, err := view.exact(pr.ctx, pr.base, false)
		if err != nil {
			return sought, err
		}
		place, err := view.Place(pr.ctx, spec, t.ChunkID)
		if err != nil {
			return sought, err
		}
		if place.Absence != store.AbsentNone {
			sought.best = place
			sought.chunk = targetChunkOf(&place.Chunk)
		}
	case t.SourceURL != "":
		deleted, err := view.Deleted(pr.ctx)
		if err != nil {
			return sought, err
		}
		for i := range deleted {
			d := &deleted[i]
			if d.SourceURL == t.SourceURL || d.URL == t.SourceURL || slices.Contains(d.URLAliases, t.SourceURL) {
				sought.best.Absence = store.AbsentDeleted
				sought.chunk = TargetChunk{DocumentID: d.ID, SourceURL: d.SourceURL, Title: d.Title}
			}
		}
	}
	return sought, nil
}

// mean decides which chunks count as the target: all of a page or of a section,
// one of the places of a quote.
func (t *target) mean(asked Target, order []TargetChunk) {
	nodes := map[string]bool{}
	t.page, t.names = asked.SourceURL != "", map[string]string{}
	if asked.Quote != "" || asked.ChunkID != "" && order[0].ChunkID == asked.ChunkID && order[0].ParentID != "" {
		t.own = map[string]bool{order[0].ChunkID: true}
	}
	for i := range order {
		c := &order[i]
		if i > 0 && (asked.Quote != "" || asked.ChunkID != "" && c.ParentID != t.chunk.ParentID) {
			continue
		}
		t.ids[c.ChunkID] = true
		t.names[c.ChunkID] = c.Name
		node := c.ChunkID
		if c.ParentID != "" {
			t.ids[c.ParentID] = true
			t.names[c.ParentID] = cmp.Or(t.names[c.ParentID], c.Name)
			node = c.ParentID
		}
		if !nodes[node] {
			nodes[node] = true
			t.nodes = append(t.nodes, node)
		}
	}
	if asked.ChunkID != "" {
		t.meant = 1
		return
	}
	t.others = order[1:min(len(order), othersMost+1)]
}

// last puts what an arm does not find behind what it does.
func last(rank int) int {
	if rank == 0 {
		return deepest + 1
	}
	return rank
}

func targetChunkOf(c *store.Chunk) TargetChunk {
	return TargetChunk{
		ChunkID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Level: c.Level,
		SourceURL: c.SourceURL, Title: c.Title, Heading: c.SectionHeading, Name: retrieval.NearestHeading(c.SectionHeading, c.HeadingPath),
	}
}

// rankAmong ranks the chunks among one another, from 1: it searches their pages only.
func (pr *prober) rankAmong(view view, chunks []store.Chunk, spec store.Search) (vector, keyword map[string]int, err error) {
	vector, keyword = map[string]int{}, map[string]int{}
	own := make(map[string]bool, len(chunks))
	in, pages := pr.from.scope().DocumentIDs, []string(nil)
	for i := range chunks {
		c := &chunks[i]
		own[c.ID] = true
		if (len(in) == 0 || slices.Contains(in, c.DocumentID)) && !slices.Contains(pages, c.DocumentID) {
			pages = append(pages, c.DocumentID)
		}
	}
	if spec.Scope.DocumentIDs = pages; pages == nil || spec.Vector == nil && spec.Terms == nil {
		return vector, keyword, nil // without a page it would be a search of the whole corpus
	}
	found, err := view.Search(pr.ctx, spec)
	rank := func(ranks map[string]int, id string) {
		if own[id] {
			ranks[id] = len(ranks) + 1
		}
	}
	for i := range found.Vector {
		rank(vector, found.Vector[i].ID)
	}
	for i := range found.Keyword {
		rank(keyword, found.Keyword[i].ID)
	}
	return vector, keyword, err
}
