package retrieval

import "slices"

// belowMost is how many sections are listed under the cuts.
const belowMost = 20

// makeItems turns the sections that are left into items.
func (r *ranking) makeItems() {
	if len(r.sections) == 0 {
		return
	}
	r.res.Items = make([]Item, len(r.sections))
	for i := range r.sections {
		r.makeItem(&r.res.Items[i], &r.sections[i], r.matches)
		it := &r.res.Items[i]
		it.Rank, it.CumulativeTokens = r.sections[i].rank, r.sections[i].used
		r.res.Tokens += it.Tokens()
		if it.Surface == SurfaceHTML {
			r.res.SurfaceTokens += it.HTMLTokens
		} else {
			r.res.SurfaceTokens += it.Tokens()
		}
	}
}

func (r *ranking) makeItem(it *Item, sec *section, matches []Match) {
	parent := &r.ev.parents[sec.parent]
	doc := &r.ev.documents[parent.document]
	*it = Item{
		ChunkID: parent.id, DocumentID: doc.id, SourceURL: doc.url, Title: doc.title,
		SectionHeading: parent.heading, HeadingPath: parent.path, Anchor: parent.anchor,
		ChunkIndex: int(parent.index),
		CharStart:  int(parent.charStart), CharEnd: int(parent.charEnd),
		TokenStart: int(parent.tokenStart), TokenEnd: int(parent.tokenEnd),
		Score: sec.score, Depth: int(parent.depth),
		Flags: parent.flags, HTMLTokens: int(parent.htmlTokens), Surface: sec.surface,
		FetchedAt: doc.fetchedAt,
		Matches:   matches[sec.from:sec.to:sec.to],
	}
	if r.res.Mode == ModeChunk {
		it.RawSimilarity, it.HasRaw = sec.best, true
	}
	if t, ok := r.ev.texts[parent.id]; ok {
		it.ChunkText, it.HTMLText = t.markdown, t.html
	}
	if r.o.Explain {
		it.Explanation = r.explain(sec, it)
	}
}

// makeBelow lists the best sections that a stage dropped, cut after cut in the
// order in which they stand under the results: what the budget left out, what
// was beyond the limit, what was below the floor.
func (r *ranking) makeBelow() {
	room := min(belowMost, len(r.unfit)+len(r.beyondLimit)+len(r.belowFloor))
	if room == 0 {
		return
	}
	taken := make([]bool, len(r.ev.parents))
	for i := range r.sections {
		taken[r.sections[i].parent] = true
	}
	below := make([]Item, 0, room)
	for i := range r.unfit {
		u := &r.unfit[i]
		taken[u.section.parent] = true
		if len(below) < room {
			below = append(below, Item{})
			it := &below[len(below)-1]
			r.makeItem(it, &u.section, r.matches)
			why := u.drop
			it.Why = &why
		}
	}
	if r.res.Mode == ModeChunk {
		below = r.lift(below, taken, r.beyondLimit, r.limitDrop)
		below = r.lift(below, taken, r.belowFloor, r.floorDrop)
	}
	r.res.Below = slices.Clip(below)
}

// lift appends the sections of dropped children to below while there is room,
// leaving out those that are listed already, most similar first: these cuts
// compare cosines, so that the first one listed is the first to come in. A
// section's drop is that of its best child.
func (r *ranking) lift(below []Item, taken []bool, dropped []childRow, drop func(int) Drop) []Item {
	room := cap(below) - len(below)
	type lifted struct{ parent, child int32 }
	found := make([]lifted, 0, min(room, len(dropped)))
	for i := range dropped {
		parent := dropped[i].parent
		if len(found) == room {
			break
		}
		if parent == noParent || taken[parent] {
			continue
		}
		taken[parent] = true
		found = append(found, lifted{parent, int32(i)})
	}
	whys, matches := make([]Drop, len(found)), make([]Match, len(found))
	for i, f := range found {
		c := &dropped[f.child]
		whys[i] = drop(int(f.child))
		matches[i] = Match{ChunkID: c.id, CharStart: int(c.charStart), CharEnd: int(c.charEnd), Similarity: c.similarity, Rank: whys[i].Rank}
		multiplier := depthMultiplier(r.p, r.ev.parents[f.parent].depth)
		sec := section{
			parent: f.parent, best: c.similarity, multiplier: multiplier, score: c.similarity * multiplier,
			from: int32(i), to: int32(i + 1),
		}
		r.price(&sec)
		below = append(below, Item{})
		it := &below[len(below)-1]
		r.makeItem(it, &sec, matches)
		it.Why = &whys[i]
	}
	return below
}
