package retrieval

import (
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// MostNearMisses is how many candidates a result lists under its cuts at most.
const MostNearMisses = 20

// makeItems turns the candidates that are left into items.
func (r *ranking) makeItems() {
	if len(r.list) == 0 {
		return
	}
	r.res.Items = make([]Item, len(r.list))
	r.textless = zeroed(r.textless, len(r.list))
	if r.res.Mode == param.ModeChunk {
		r.places = make(armPlaces, 0, placesOf(r.list))
	}
	for i := range r.list {
		it := &r.res.Items[i]
		r.textless[i] = !r.makeItem(it, &r.list[i], r.matches)
		if r.o.Explain {
			it.Explanation = r.explain(&r.list[i], "")
		}
		it.Rank, it.CumulativeTokens = int(r.list[i].rank), int(r.list[i].used)
		tokens := r.tokens(&r.list[i])
		r.res.Tokens += tokens
		if it.Surface == SurfaceHTML {
			r.res.SurfaceTokens += it.HTMLTokens
		} else {
			r.res.SurfaceTokens += tokens
		}
	}
}

// armPlaces are a block of places: a result has many.
type armPlaces []ArmPlace

// add adds a place, and begins another block where one is full.
func (a *armPlaces) add(p ArmPlace) *ArmPlace {
	if len(*a) == cap(*a) {
		*a = make([]ArmPlace, 0, MostNearMisses)
	}
	*a = append(*a, p)
	return &(*a)[len(*a)-1]
}

// placesOf is in how many arms candidates stand.
func placesOf(list []candidate) (n int) {
	for i := range list {
		n += min(1, int(list[i].vector)) + min(1, int(list[i].keyword))
	}
	return n
}

// makeItem fills an item that is the zero value, and reports whether its text is known.
// It is filled field by field: a literal would be made beside it and copied, which for so
// large a value takes most of the time.
func (r *ranking) makeItem(it *Item, c *candidate, matches []Match) (hasText bool) {
	chunk := &r.ev.rows[c.row]
	named := r.ev.namesOf(c.row)
	doc := &r.ev.documents[chunk.document]
	it.ChunkID, it.DocumentID, it.Level = chunk.id, doc.id, chunk.level()
	it.SourceURL, it.Title = doc.url, doc.title
	it.SectionHeading, it.HeadingPath, it.Anchor = named.heading, named.path, named.anchor
	it.ChunkIndex, it.Depth, it.Hop = int(chunk.index), int(chunk.depth), int(c.hop)
	it.CharStart, it.CharEnd = int(chunk.charStart), int(chunk.charEnd)
	it.TokenStart, it.TokenEnd = int(chunk.tokenStart), int(chunk.tokenEnd)
	it.Score, it.Scale = c.score, r.scaleOf(c)
	it.Flags, it.HTMLTokens, it.Surface = chunk.flags, int(chunk.htmlTokens), SurfaceMarkdown
	it.FetchedAt, it.Document = doc.fetchedAt, doc.meta
	it.Matches = matches[c.from:c.to:c.to]
	if c.html {
		it.Surface = SurfaceHTML
	}
	if chunk.parent != noRow {
		it.ParentID = r.ev.rows[chunk.parent].id
	}
	if r.res.Mode == param.ModeChunk {
		r.placeInArms(it, c)
	}
	if r.p.MaxHops > 0 && r.res.Mode == param.ModeChunk {
		if c.hop > 0 {
			it.GraphContext = r.pathsTo(c)
		} else {
			it.EdgesIn = r.pathsTo(c)
		}
	}
	if r.answered() && c.before > 0 {
		it.Rerank = &RerankPlace{By: r.answer.by.said, Scale: r.answer.scale, Scored: c.reranked, Before: int(c.before), After: int(c.rank)}
		if c.reranked {
			it.Rerank.Score = c.score
		}
	}
	t, hasText := r.ev.texts[chunk.id]
	it.ChunkText, it.HTMLText = t.markdown, t.html
	if c.joined {
		r.join(it, c)
	}
	return hasText
}

// scaleOf is the scale of a candidate's score: what a reranker did not score
// keeps its old one.
func (r *ranking) scaleOf(c *candidate) string {
	if r.answered() && !c.reranked {
		return scaleUnscored
	}
	return r.scale
}

// placeInArms fills the best rows of both arms.
func (r *ranking) placeInArms(it *Item, c *candidate) {
	if c.vector > 0 {
		n := r.nearestAt(c.vector)
		it.RawSimilarity, it.HasRaw = n.score, true
		it.Vector = r.places.add(ArmPlace{ChunkID: r.ev.rows[n.row].id, Rank: int(c.vector), Score: n.score, Contribution: n.score})
		if r.fusing.on {
			it.Vector.Contribution = r.vectorContribution(c.ownVector)
		}
	}
	if c.keyword > 0 {
		w := r.wordsAt(c.keyword)
		it.Keyword = r.places.add(ArmPlace{
			ChunkID: r.ev.rows[w.row].id, Rank: int(c.keyword), Score: w.score,
			Contribution: r.keywordContribution(c.ownKeyword),
		})
		if r.o.Explain || r.o.Trace {
			it.Keyword.Words = r.ev.keyword.attribution(w)
		}
	}
}

// join makes one item of neighbouring chunks: their offsets and texts follow one
// another, since children partition their section.
func (r *ranking) join(it *Item, c *candidate) {
	run := r.runs[c.row]
	first, last := &r.ev.rows[run[0]], &r.ev.rows[run[len(run)-1]]
	it.ChunkIndex = int(first.index)
	it.CharStart, it.CharEnd = int(first.charStart), int(last.charEnd)
	it.TokenStart, it.TokenEnd = int(first.tokenStart), int(last.tokenEnd)
	it.HTMLText, it.HTMLTokens = "", 0
	it.Merged = make([]string, len(run))
	for i, at := range run {
		it.Merged[i] = r.ev.rows[at].id
		it.Flags |= r.ev.rows[at].flags
	}
	it.ChunkText = r.textOf(it.Merged)
}

// textOf is the text of chunks that follow one another, empty until all of them
// were read.
func (r *ranking) textOf(ids []string) string {
	var text strings.Builder
	for _, id := range ids {
		t, ok := r.ev.texts[id]
		if !ok {
			return ""
		}
		text.WriteString(t.markdown)
	}
	return text.String()
}

// makeNearMisses lists the best candidates that a stage dropped, cut after cut in the
// order in which they stand under the results: what the last stage left out
// first, in the end what was beyond the limits of the arms and below the floor.
func (r *ranking) makeNearMisses() {
	room := min(MostNearMisses, len(r.cuts)+len(r.beyondLimit)+len(r.beyondWords)+len(r.belowFloor))
	if room == 0 {
		return
	}
	r.taken = zeroed(r.taken, len(r.ev.rows))
	taken := r.taken
	for i := range r.list {
		taken[r.list[i].row] = true
	}
	below, whys := make([]Item, 0, room), make([]Drop, room)
	for end := len(r.cuts); end > 0 && len(below) < room; {
		start := end - 1
		for start > 0 && r.cuts[start-1].stage == r.cuts[end-1].stage {
			start--
		}
		for i := start; i < end; i++ {
			u := &r.cuts[i]
			taken[u.candidate.row] = true
			if len(below) < room {
				below = below[:len(below)+1]
				it := &below[len(below)-1]
				u.candidate.html = r.prefersHTML(&u.candidate)
				r.makeItem(it, &u.candidate, r.matches)
				if r.o.Explain {
					it.Explanation = r.explain(&u.candidate, u.stage)
				}
				it.Why = &whys[len(below)-1]
				*it.Why = u.drop
			}
		}
		end = start
	}
	if r.res.Mode == param.ModeChunk {
		below = r.lift(below, whys, r.beyondLimit, r.limitDrop)
		below = r.lift(below, whys, r.belowFloor, r.floorDrop)
	}
	r.res.NearMisses = slices.Clip(below)
}

// lift adds near misses for children cut by floor or limit while there is room, each
// as the section that would be returned, and leaves out what is listed already. The
// most similar comes first, since these cuts compare cosines: it is the first to come
// in. A section's drop is that of its best child.
func (r *ranking) lift(below []Item, whys []Drop, dropped []armRow, drop func(int) Drop) []Item {
	room := cap(below) - len(below)
	found := emptied(r.lifting, min(room, len(dropped)))
	for i := range dropped {
		if len(found) == room {
			break
		}
		at := dropped[i].row
		if r.p.Unit == param.UnitParent {
			at = r.unitOf(at)
		}
		if at == noRow || r.taken[at] {
			continue
		}
		r.taken[at] = true
		found = append(found, lifted{at, int32(i)})
	}
	r.lifting = found
	if len(found) == 0 {
		return below
	}
	matches, scale := make([]Match, len(found)), weighedScale(r)
	for i, f := range found {
		c := &dropped[f.child]
		chunk := &r.ev.rows[c.row]
		why := &whys[len(below)]
		*why = drop(int(f.child))
		matches[i] = Match{ChunkID: chunk.id, CharStart: int(chunk.charStart), CharEnd: int(chunk.charEnd), Similarity: c.score, Rank: why.Rank}
		below = below[:len(below)+1]
		it := &below[len(below)-1]
		r.makeLifted(it, f.row, c.score, matches[i:i+1:i+1])
		it.Scale, it.Why = scale, why
	}
	return below
}

// lifted is a row that is lifted for a child, by its place among those that were dropped.
type lifted struct{ row, child int32 }

// weighedScale is the scale of a cosine after the multipliers.
func weighedScale(r *ranking) string {
	scale := scaleCosine
	for _, s := range stageTable {
		if s.weigh != nil && r.takesPart(s) {
			scale += s.weigh.scale
		}
	}
	return scale
}

// makeLifted makes an item of a row that never became a candidate: its score is
// what the multipliers would leave of its cosine, where only cosines are ranked.
func (r *ranking) makeLifted(it *Item, at int32, cosine float64, matches []Match) {
	c := candidate{row: at, child: noRow, fused: cosine, score: cosine, to: int32(len(matches))}
	var tree *Explanation
	if r.o.Explain {
		tree = r.leaf(cosine, "cosine, rank "+strconv.Itoa(matches[0].Rank), scaleCosine)
	}
	for _, s := range stageTable {
		if s.weigh == nil || !r.takesPart(s) {
			continue
		}
		c.score = weighed(c.score, s.weigh.weight(r, at))
		if tree != nil {
			tree = s.weigh.multiplied(r, at, tree)
		}
	}
	c.html = r.prefersHTML(&c)
	r.makeItem(it, &c, matches)
	it.Explanation = tree
	it.RawSimilarity, it.HasRaw = cosine, true
}
