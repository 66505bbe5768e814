package retrieval

import "fmt"

func (r *ranking) warn(code, format string, args ...any) {
	r.res.Notices = append(r.res.Notices, Notice{Code: code, Text: fmt.Sprintf(format, args...), Warning: true})
}

func (r *ranking) note(code, format string, args ...any) {
	r.res.Notices = append(r.res.Notices, Notice{Code: code, Text: fmt.Sprintf(format, args...)})
}

func (r *ranking) noticeClamped() {
	r.warn(NoticeThresholdClamped, "the full-context threshold of %d tokens is above the budget of %d tokens: %d is used",
		r.p.FullContextThreshold, r.p.ContextBudget, r.p.ContextBudget)
}

func (r *ranking) noticeUncalibrated() {
	r.warn(NoticeUncalibrated, "the corpus has no calibrated scale for this embedder: the floor of %s is taken as a raw cosine", short(r.p.SimilarityFloor))
}

func (r *ranking) noticeBlank() {
	r.note(NoticeEmptyQuery, "the query is empty: nothing was searched")
}

func (r *ranking) noticeEmpty() {
	if r.ev.query.Scope.IsZero() {
		r.note(NoticeEmptyCorpus, "the corpus is empty: index some pages first")
		return
	}
	r.note(NoticeEmptyScope, "no page of the corpus is in the scope asked for")
}

func (r *ranking) noticeBeyond(why string) {
	r.warn(NoticeBeyondEvidence, "these settings reach beyond what was gathered (%s): ask again", why)
}

// report adds the notices that depend on what came out, and the statistics of
// the result.
func (r *ranking) report() {
	r.res.Stats.DocumentsMatched = r.res.SourceURLs()
	if r.res.Mode == ModeChunk {
		r.res.ParentsFound = len(r.sections) + len(r.unfit)
	} else if r.ev.reach.allParents {
		r.res.ParentsFound = len(r.ev.reading)
	}
	if r.ev.blank || r.ev.isEmpty() {
		return
	}
	r.reportSearch()
	r.reportBudget()
	if r.ev.changed {
		r.warn(NoticeCorpusChanged, "the corpus was changed while it was read: ask again to see it as it is now")
	}
}

func (r *ranking) reportSearch() {
	if r.ev.directionless {
		r.warn(NoticeNoWords, "the query has no searchable words: the vector search found nothing")
		return
	}
	if len(r.ev.children) == 0 {
		r.warn(NoticeNoVectors, "no section in scope has a vector: the search found nothing")
		return
	}
	if r.res.Mode != ModeChunk {
		return
	}
	if r.orphans > 0 {
		r.warn(NoticeNoParents, "%d of the children found belong to no section and were left out", r.orphans)
	}
	if len(r.belowFloor) == len(r.ev.children) {
		nearest := &r.belowFloor[0]
		r.note(NoticeNothingAbove, "nothing is above the floor of %s; the nearest is %s%s", r.res.Floor, short(nearest.similarity), r.whereIs(nearest))
	}
}

// whereIs names the section of a child, quoted, since headings and addresses are
// whatever a page says.
func (r *ranking) whereIs(c *childRow) string {
	if c.parent == noParent {
		return ""
	}
	parent := &r.ev.parents[c.parent]
	url := r.ev.documents[parent.document].url
	if parent.heading == "" {
		return fmt.Sprintf(", in %q", url)
	}
	return fmt.Sprintf(", %q in %q", parent.heading, url)
}

func (r *ranking) reportBudget() {
	if r.res.Mode == ModeFullContext && len(r.unfit) > 0 {
		r.warn(NoticeOverflow, "the corpus exceeds the budget of %d tokens: %d of %d sections were left out",
			r.res.Budget, len(r.unfit), len(r.unfit)+len(r.sections))
	}
	if len(r.res.Items) == 0 {
		return
	}
	if len(r.res.Items) == 1 && r.sections[0].cost > r.res.Budget {
		r.warn(NoticeOversize, "the first section alone has %d tokens, %d over the budget of %d: it is returned all the same",
			r.sections[0].cost, r.sections[0].cost-r.res.Budget, r.res.Budget)
	}
	if r.p.BudgetCount == CountMarkdown && r.res.SurfaceTokens > r.res.Budget && r.res.SurfaceTokens > r.res.Tokens {
		r.warn(NoticeSurfaceOver, "what is sent has %d tokens, %d over the budget of %d, because HTML is longer than the markdown that is counted",
			r.res.SurfaceTokens, r.res.SurfaceTokens-r.res.Budget, r.res.Budget)
	}
}
