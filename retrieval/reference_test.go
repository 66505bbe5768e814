package retrieval_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// naive works out what a query returns, straight from the descriptions of the
// five strategies: over all chunks, with plain loops, and with nothing of the
// engine but the names of its parameters.
type naive struct {
	l     *lab
	query string
	scope store.Scope
	p     param.Params
	// close says that two scores differ by less than arithmetic may: which one is
	// higher depends on the order of operations then, and nothing can be compared.
	close bool
}

// refItem is a result of the reference.
type refItem struct {
	// id is a section or a child, members are the children of a joined run.
	id      string
	members []string
	score   float64
	seed    bool
	rank    int
	cost    int
}

const nearly = 1e-9

// run returns the items in the order in which they are listed, with their ranks.
func (r *naive) run() []refItem {
	if strings.TrimSpace(r.query) == "" {
		return nil
	}
	var tokens int
	for _, c := range r.sections() {
		tokens += c.TokenEnd - c.TokenStart
	}
	full := r.p.Mode == param.ModeFullContext ||
		r.p.Mode == param.ModeAuto && tokens <= min(r.p.FullContextThreshold, r.p.ContextBudget)
	var items []refItem
	if full {
		items = r.everything()
	} else {
		items = r.search()
	}
	for i := range items {
		items[i].rank = i + 1
	}
	if r.p.GroupBySource {
		return r.grouped(items)
	}
	return items
}

func (r *naive) sections() []*store.Chunk {
	var list []*store.Chunk
	for i := range r.l.chunks {
		if c := &r.l.chunks[i]; c.Level == store.Parent && r.l.in(c, r.scope) {
			list = append(list, c)
		}
	}
	return list
}

func (r *naive) children() []*store.Chunk {
	var list []*store.Chunk
	for i := range r.l.chunks {
		if c := &r.l.chunks[i]; c.Level == store.Child && r.l.in(c, r.scope) {
			list = append(list, c)
		}
	}
	return list
}

// everything is full context: all sections in reading order, as far as they fit.
func (r *naive) everything() []refItem {
	sections := r.sections()
	slices.SortFunc(sections, func(a, b *store.Chunk) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), strings.Compare(a.SourceURL, b.SourceURL), cmp.Compare(a.Index, b.Index), strings.Compare(a.ID, b.ID))
	})
	var items []refItem
	total := 0
	for _, c := range sections {
		items = append(items, refItem{id: c.ID, score: 1, cost: r.cost(c)})
		total += r.cost(c)
	}
	if total <= r.p.ContextBudget || len(items) == 0 {
		return items
	}
	if r.p.FullContextOverflow == param.OverflowSkip {
		var kept []refItem
		used := 0
		for _, it := range items {
			if used+it.cost <= r.p.ContextBudget {
				kept = append(kept, it)
				used += it.cost
			}
		}
		if len(kept) == 0 {
			return items[:1]
		}
		return kept
	}
	for total > r.p.ContextBudget && len(items) > 1 {
		lastURL, first := r.url(items[len(items)-1].id), len(items)-1
		for first > 0 && r.url(items[first-1].id) == lastURL {
			first--
		}
		if first == 0 { // the last page left loses its end
			first = len(items) - 1
		}
		for _, it := range items[first:] {
			total -= it.cost
		}
		items = items[:first]
	}
	return items
}

func (r *naive) url(id string) string { return r.l.chunk(id).SourceURL }

// cost is what the budget counts for a chunk.
func (r *naive) cost(c *store.Chunk) int {
	const structured = store.HasTable | store.HasCode | store.HasMath | store.HasDefinitionList | store.HasAdmonition
	html := r.p.SurfacePolicy == param.SurfaceAuto && c.Flags&structured != 0 && c.HTMLText != ""
	if html && r.p.BudgetCount == param.CountSurface {
		return c.HTMLTokens
	}
	return c.TokenEnd - c.TokenStart
}

// search is chunk mode, step by step.
func (r *naive) search() []refItem {
	items := r.lift(r.fuse(r.nearest(), r.worded()))
	if r.p.MaxHops > 0 {
		items = r.walk(items)
	}
	for i := range items {
		c := r.l.chunk(items[i].id)
		items[i].score *= max(1-float64(c.Depth)*r.p.DepthDecayRate, r.p.DepthFloor)
		if r.p.RecencyHalfLife > 0 && !c.FetchedAt.IsZero() {
			age := labNow.Sub(c.FetchedAt).Hours() / 24
			items[i].score *= math.Pow(2, -max(age, 0)/r.p.RecencyHalfLife)
		}
	}
	r.sort(items)
	items = r.distinct(items)
	if r.p.Reranker == param.RerankerScore {
		items = slices.DeleteFunc(items, func(it refItem) bool { return it.score < r.p.RerankMinScore })
	}
	if r.p.MinScore > 0 {
		items = slices.DeleteFunc(items, func(it refItem) bool { return it.score < r.p.MinScore })
	}
	items = r.top(items)
	if r.p.MergeAdjacent && r.p.Unit == param.UnitChunk {
		items = r.joined(items)
	}
	return r.fit(items)
}

// rows is how many rows each arm contributes.
func (r *naive) rows() int {
	switch {
	case r.p.MaxHops > 0 && r.p.SeedTopK > 0:
		return r.p.SeedTopK
	case r.p.TopKChildrenLimit > 0:
		return r.p.TopKChildrenLimit
	case r.p.TopK > 0:
		return min(1000, r.p.TopK*max(r.p.Overfetch, 1))
	}
	return 1000
}

// nearest is the vector arm: above the floor, up to the limit.
func (r *naive) nearest() []refItem {
	if r.l.directionless {
		return nil
	}
	floor := r.p.SimilarityFloor
	if c := r.l.meta.Calibration; r.calibrated() && floor > -1 {
		if floor <= .3 {
			floor = c.P50 + floor/.3*(c.P995-c.P50)
		} else {
			floor = c.P995 + (floor-.3)/.7*(1-c.P995)
		}
	}
	var items []refItem
	for _, c := range r.children() {
		s, has := r.l.similar[c.ID]
		if !has {
			continue
		}
		if s != floor && math.Abs(s-floor) < nearly {
			r.close = true
		}
		if r.p.SimilarityFloor <= -1 || s > floor {
			items = append(items, refItem{id: c.ID, score: s})
		}
	}
	r.sort(items)
	return items[:min(len(items), r.rows())]
}

// worded is the keyword arm: what holds the query's words, by BM25.
func (r *naive) worded() []refItem {
	if r.p.KeywordWeight == 0 {
		return nil
	}
	var terms []string
	var weights []float64
	for _, t := range store.Terms(r.query) {
		if at := slices.Index(terms, t); at >= 0 {
			weights[at]++
		} else {
			terms, weights = append(terms, t), append(weights, 1)
		}
	}
	if p := r.p; p.FeedbackTerms > 0 && p.FeedbackWeight > 0 && (p.KeywordMatch == param.MatchAuto || p.KeywordMatch == param.MatchOr) {
		terms, weights = r.feedback(terms, weights)
	}
	return r.wordedBy(terms, weights, r.rows())
}

// feedback adds the likeliest words of the best chunks, by the definition of RM3.
func (r *naive) feedback(terms []string, weights []float64) ([]string, []float64) {
	best := r.wordedBy(terms, weights, r.p.FeedbackChunks)
	likely, scores := map[string]float64{}, 0.0
	for _, it := range best {
		scores += it.score
	}
	for _, it := range best {
		words := strings.Fields(r.chunk(it.id).Terms)
		for _, w := range words {
			likely[w] += it.score / scores / float64(len(words))
		}
	}
	words := slices.Sorted(maps.Keys(likely))
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(likely[b], likely[a]) })
	if n := r.p.FeedbackTerms; n < len(words) {
		r.close = r.close || likely[words[n-1]]-likely[words[n]] < nearly
		words = words[:n]
	}
	if len(words) == 0 {
		return terms, weights
	}
	sum, mass := 0.0, 0.0
	for _, w := range words {
		sum += likely[w]
	}
	for _, w := range weights {
		mass += w
	}
	terms, weights = slices.Clone(terms), slices.Clone(weights)
	for i := range weights {
		weights[i] *= 1 - r.p.FeedbackWeight
	}
	for _, w := range words {
		at := slices.Index(terms, w)
		if at < 0 {
			at = len(terms)
			terms, weights = append(terms, w), append(weights, 0)
		}
		weights[at] += r.p.FeedbackWeight * mass * likely[w] / sum
	}
	return terms, weights
}

// chunk is the one with an id.
func (r *naive) chunk(id string) *store.Chunk {
	return &r.l.chunks[slices.IndexFunc(r.l.chunks, func(c store.Chunk) bool { return c.ID == id })]
}

// wordedBy ranks what holds some words, which count as their weights say.
func (r *naive) wordedBy(terms []string, weights []float64, rows int) []refItem {
	var lengths, n float64
	frequency := make([]float64, len(terms))
	for i := range r.l.chunks {
		c := &r.l.chunks[i]
		if c.Level != store.Child || !r.l.visible(c) {
			continue
		}
		words := strings.Fields(c.Terms)
		n++
		lengths += float64(len(words))
		for t := range terms {
			if slices.Contains(words, terms[t]) {
				frequency[t]++
			}
		}
	}
	var items []refItem
	counts := map[string][]float64{} // what a score was worked out from
	for _, c := range r.children() {
		words := strings.Fields(c.Terms)
		score, held := 0.0, 0
		for t := range terms {
			tf := 0.0
			for _, w := range words {
				if w == terms[t] {
					tf++
				}
			}
			counts[c.ID] = append(counts[c.ID], tf, float64(len(words)))
			if tf > 0 {
				held++
				idf := math.Log(1 + (n-frequency[t]+.5)/(frequency[t]+.5))
				score += weights[t] * idf * tf * 2.2 / (tf + 1.2*(1-.75+.75*float64(len(words))/(lengths/n)))
			}
		}
		all := r.p.KeywordMatch == param.MatchAnd || r.p.KeywordMatch == param.MatchWebsearch
		if held > 0 && (!all || held == len(terms)) {
			items = append(items, refItem{id: c.ID, score: score})
		}
	}
	r.sort(items)
	// Where three words are the mean, once in one word scores as twice in three
	// does, to the last bit or all but that.
	for i := 1; i < len(items); i++ {
		a, b := items[i-1], items[i]
		r.close = r.close || a.score-b.score < nearly && !slices.Equal(counts[a.id], counts[b.id])
	}
	return items[:min(len(items), rows)]
}

// fuse makes one list of both arms.
func (r *naive) fuse(nearest, worded []refItem) []refItem {
	if r.p.KeywordWeight == 0 {
		return nearest
	}
	v, w, k := 1-r.p.KeywordWeight, r.p.KeywordWeight, float64(r.p.RRFK)
	if r.p.SingleArm == param.SingleArmRenormalize {
		if len(worded) == 0 {
			v = 1
		}
		if len(nearest) == 0 {
			w = 1
		}
	}
	scores := map[string]float64{}
	for i, it := range nearest {
		if r.p.Fusion == param.FusionConvex {
			scores[it.id] += v * r.shown(it.score)
		} else {
			scores[it.id] += v / (k + float64(i) + 1)
		}
	}
	for i, it := range worded {
		if r.p.Fusion == param.FusionConvex {
			scores[it.id] += w * it.score / worded[0].score
		} else {
			scores[it.id] += w / (k + float64(i) + 1)
		}
	}
	var items []refItem
	for id, score := range scores {
		if r.p.Fusion == param.FusionRRF && r.p.RRFScale == param.RRFNormalized {
			score *= k + 1
		}
		items = append(items, refItem{id: id, score: score})
	}
	r.sort(items)
	return items
}

// shown is a cosine on the corpus's own scale where that is used, from 0 to 1.
func (r *naive) shown(cosine float64) float64 {
	c := r.l.meta.Calibration
	if r.calibrated() {
		switch {
		case cosine <= c.P50:
			cosine = 0
		case cosine <= c.P995:
			cosine = .3 * (cosine - c.P50) / (c.P995 - c.P50)
		default:
			cosine = .3 + .7*(cosine-c.P995)/(1-c.P995)
		}
	}
	return min(1, max(0, cosine))
}

// calibrated reports whether similarities are read on the corpus's own scale.
func (r *naive) calibrated() bool {
	wanted := r.p.FloorScale == param.FloorCalibrated || r.p.FloorScale == param.FloorAuto && r.l.info.Lexical
	c := r.l.meta.Calibration
	return wanted && c.P50 < c.P995 && c.P995 < 1
}

// lift turns children into their sections, each with the best child's score.
func (r *naive) lift(items []refItem) []refItem {
	for i := range items {
		items[i].seed = true
	}
	if r.p.Unit == param.UnitChunk {
		return items
	}
	best := map[string]refItem{}
	for _, it := range items {
		parent := r.l.chunk(r.l.chunk(it.id).ParentID)
		if parent == nil || !r.l.visible(parent) {
			if r.p.MissingParent == param.MissingParentDrop {
				continue
			}
		} else {
			it.id = parent.ID
		}
		if old, ok := best[it.id]; !ok || it.score > old.score {
			best[it.id] = it
		}
	}
	items = nil
	for _, it := range best {
		items = append(items, it)
	}
	r.sort(items)
	return items
}

// distinct drops what repeats a better one.
func (r *naive) distinct(items []refItem) []refItem {
	if r.p.DedupThreshold == 0 {
		return items
	}
	words := func(id string) map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(strings.ToLower(r.l.chunk(id).ChunkText)) {
			set[w] = true
		}
		return set
	}
	var kept []refItem
	for _, it := range items {
		repeats := slices.ContainsFunc(kept, func(k refItem) bool {
			if r.l.chunk(k.id).ChunkText == r.l.chunk(it.id).ChunkText {
				return true
			}
			a, b := words(k.id), words(it.id)
			both := 0
			for w := range a {
				if b[w] {
					both++
				}
			}
			return len(a)+len(b)-both > 0 && float64(both)/float64(len(a)+len(b)-both) > r.p.DedupThreshold
		})
		if !repeats {
			kept = append(kept, it)
		}
	}
	return kept
}

// joined makes one item of children that follow one another in their section. The
// best gives it its score and its place.
func (r *naive) joined(items []refItem) []refItem {
	var out []refItem
	done := map[string]bool{}
	for _, it := range items {
		if done[it.id] {
			continue
		}
		run := []string{it.id}
		for grown := true; grown; {
			grown = false
			for _, other := range items {
				c := r.l.chunk(other.id)
				first, last := r.l.chunk(run[0]), r.l.chunk(run[len(run)-1])
				if done[other.id] || r.node(c.ID) == c.ID || r.node(c.ID) != r.node(first.ID) {
					continue
				}
				switch c.Index {
				case last.Index + 1:
					run, grown = append(run, other.id), true
				case first.Index - 1:
					run, grown = append([]string{other.id}, run...), true
				}
			}
		}
		for _, id := range run {
			done[id] = true
		}
		if len(run) > 1 {
			it.members = run
		}
		out = append(out, it)
	}
	return out
}

// fit takes what fits into the budget, the best first.
func (r *naive) fit(items []refItem) []refItem {
	used := 0
	var kept []refItem
	for _, it := range items {
		it.cost = r.cost(r.l.chunk(it.id))
		if it.members != nil {
			first, last := r.l.chunk(it.members[0]), r.l.chunk(it.members[len(it.members)-1])
			it.cost = last.TokenEnd - first.TokenStart
		}
		if used+it.cost > r.p.ContextBudget {
			if len(kept) == 0 {
				kept = append(kept, it)
				used += it.cost
			}
			if r.p.BudgetPolicy == param.BudgetStop {
				break
			}
			continue
		}
		kept = append(kept, it)
		used += it.cost
	}
	return kept
}

// grouped lists page by page, the page of the best item first, each in reading
// order.
func (r *naive) grouped(items []refItem) []refItem {
	var pages []string
	for _, it := range items {
		if url := r.url(it.id); !slices.Contains(pages, url) {
			pages = append(pages, url)
		}
	}
	var out []refItem
	for _, url := range pages {
		var page []refItem
		for _, it := range items {
			if r.url(it.id) == url {
				page = append(page, it)
			}
		}
		slices.SortStableFunc(page, func(a, b refItem) int {
			return cmp.Compare(r.l.chunk(a.id).CharStart, r.l.chunk(b.id).CharStart)
		})
		out = append(out, page...)
	}
	return out
}

// sort orders by score, then by id.
func (r *naive) sort(items []refItem) {
	slices.SortFunc(items, func(a, b refItem) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
	})
	for i := 1; i < len(items); i++ {
		if a, b := items[i-1].score, items[i].score; a != b && math.Abs(a-b) < nearly {
			r.close = true
		}
	}
}
