package corpus

import "github.com/webrag/webrag-tui/retrieval"

// pageEvidence is what a query found on a page.
type pageEvidence struct {
	// sections of the page are in the result, the best at rank. Without any, the
	// page was looked at: a stage dropped what was found on it.
	sections, rank int
}

// given says that the page has a part in the answer.
func (e pageEvidence) given() bool { return e.sections > 0 }

// answerPages are the pages and sections that a result has to do with.
type answerPages struct {
	of    *retrieval.Result
	pages map[string]pageEvidence // by document
	items map[string]*retrieval.Item
	// matched are the passages that the query matched, by their ids.
	matched map[string]bool
	// order are the pages as the result has them, then those that were dropped.
	order []*retrieval.Item
}

// evidenceOn sums up a result by page. A nil result has none.
func evidenceOn(r *retrieval.Result) answerPages {
	a := answerPages{of: r, pages: map[string]pageEvidence{}, items: map[string]*retrieval.Item{}, matched: map[string]bool{}}
	if r == nil {
		return a
	}
	for i := range r.Items {
		it := &r.Items[i]
		e, known := a.pages[it.DocumentID]
		if !known {
			a.order = append(a.order, it)
		}
		if e.sections == 0 || it.Rank < e.rank {
			e.rank = it.Rank
		}
		e.sections++
		a.pages[it.DocumentID] = e
		a.items[it.SectionID()] = it
		for _, match := range it.Matches {
			a.matched[match.ChunkID] = true
		}
		if len(it.Matches) == 0 && it.ParentID != "" {
			a.matched[it.ChunkID] = true
		}
	}
	for i := range r.NearMisses {
		it := &r.NearMisses[i]
		if _, known := a.pages[it.DocumentID]; !known {
			a.pages[it.DocumentID] = pageEvidence{}
			a.order = append(a.order, it)
		}
	}
	return a
}

// rankOf is the best rank of a page, 0 where the result has none of its sections.
func (a *answerPages) rankOf(address string) int {
	for _, it := range a.order {
		if it.SourceURL == address {
			return a.pages[it.DocumentID].rank
		}
	}
	return 0
}
