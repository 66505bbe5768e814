package retrieval

import (
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wordset"
	"github.com/webrag/webrag-tui/store"
)

// Keep is evidence as plain data, for [FromFound] and [WithCompletion]. It shares lists with
// the evidence and must not be changed. It names no servers: errors and rerankers are said
// without.
func Keep(ev Evidence) kept.Evidence {
	k := kept.Evidence{Found: keepFound(&ev), Completion: keepCompletion(&ev)}
	k.Texts = make(map[string]kept.Text, len(ev.texts))
	for id, t := range ev.texts {
		k.Texts[id] = kept.Text{Markdown: t.markdown, HTML: t.html, Gone: t.gone}
	}
	// The words of what has a text are those of the text.
	k.Words = ev.words.Keep(func(id string) bool { return !has(ev.texts, id) })
	return k
}

func keepFound(ev *Evidence) kept.Found {
	f := kept.Found{
		Query: ev.query.Text, Cut: ev.isCut, Blank: ev.blank,
		Dimensions: ev.dimensions, Directionless: ev.directionless, EmbedError: ev.embedErr.placeless,
		Now: ev.now, Foreign: ev.foreign, Lexical: ev.lexical,
		Stats: ev.stats, Hidden: ev.hidden, Calibration: ev.calibration, Coverage: ev.coverage.keep(),
		AllParents: ev.coverage.allParents, Reading: ev.reading,
		Documents: each(ev.documents, func(d *documentRow) kept.Document {
			return kept.Document{ID: d.id, URL: d.url, Title: d.title, Fetched: d.fetchedAt}
		}),
		Rows:    each(ev.rows, (*row).keep),
		Nearest: each(ev.nearest, func(n *armRow) kept.Hit { return kept.Hit{Row: n.row, Score: n.score, Missed: n.missed} }),
		Keyword: ev.keyword.keep(),
	}
	f.Calibration.EmbedderID = "" // it may name a file of this machine
	if !ev.query.Scope.IsZero() {
		f.Scope = &ev.query.Scope
	}
	return f
}

func (c *coverage) keep() kept.Coverage {
	w := &c.way
	return kept.Coverage{
		Rows: c.rows, OwnRows: c.armRows, UsedEf: c.usedEf, Exact: c.exact, Scanned: c.scanned, Returned: c.returned, Missed: c.missed,
		System: c.system, Asked: c.asked, Keyword: c.keyword,
		Search: string(w.index.search), Policy: string(w.index.policy), Iterative: string(w.index.iterative), Ef: w.index.ef,
		Match: string(w.match), HeadingWeight: w.words.heading, TitleWeight: w.words.title,
		FeedbackTerms: w.words.terms, FeedbackChunks: w.words.chunks, FeedbackWeight: w.words.weight,
	}
}

func (r *row) keep() kept.Row {
	k := kept.Row{
		ID: r.id, Document: r.document, Parent: r.parent, Index: r.index, Depth: r.depth,
		Chars: [2]int32{r.charStart, r.charEnd}, Tokens: [2]int32{r.tokenStart, r.tokenEnd},
		HTMLTokens: r.htmlTokens, Flags: r.flags, Child: r.isChild, Outside: r.outside,
	}
	if n := r.names; n != nil {
		k.Names = &kept.Names{Heading: n.heading, Anchor: n.anchor, Path: n.path}
	}
	return k
}

func (k *keywordArm) keep() kept.Keyword {
	return kept.Keyword{
		Terms: k.terms, Own: k.own, Children: k.children, Matches: k.matches, MeanLength: k.meanLength, Fields: k.fields,
		Sampled: k.sampled, Unindexed: k.unindexed, Possible: k.possible, Error: k.err.placeless, Missing: k.missing, Run: k.run,
		Rows: each(k.rows, func(w *keywordRow) kept.KeywordHit {
			return kept.KeywordHit{Row: w.row, Score: w.score, Length: w.length.keep(), Counts: each(w.counts, (*fieldCounts).keep)}
		}),
	}
}

func (c *fieldCounts) keep() [3]int32 { return [3]int32{c.body, c.heading, c.title} }

func keepCompletion(ev *Evidence) kept.Completion {
	t, g := &ev.timing, &ev.graph
	c := kept.Completion{
		Timing:  kept.Timing{Mode: t.mode, Embed: t.embed, Search: t.search, Rows: t.rows, Texts: t.texts, Edges: t.edges, Rerank: t.rerank},
		Graph:   kept.Graph{Capped: g.capped, Missing: g.missing, Error: g.err.placeless},
		Changed: ev.changed,
	}
	for i := range ev.documents {
		if m := ev.documents[i].meta; m != nil {
			c.Metadata = append(c.Metadata, kept.Metadata{
				Document: int32(i), SourceType: m.SourceType, Filename: m.Filename, DocPath: m.DocPath, Owner: m.Owner,
				Tags: m.Tags, Values: m.Metadata, IndexedAt: m.IndexedAt,
			})
		}
	}
	c.Graph.Edges = each(g.edges, func(e *edgeRow) kept.Edge {
		return kept.Edge{ID: e.id, Source: e.source, Target: e.target, Relation: e.relation, Weight: e.weight, Description: e.description}
	})
	for _, at := range slices.Sorted(maps.Keys(g.at)) {
		c.Graph.Nodes = append(c.Graph.Nodes, kept.Node{Row: at, Out: g.at[at].out, In: g.at[at].in})
	}
	if len(ev.answers) > 0 {
		c.Answers = make(map[string]kept.Answer, len(ev.answers))
	}
	for asked, a := range ev.answers {
		c.Answers[asked] = kept.Answer{
			By: a.by.placeless, Scale: a.scale, Scores: a.scores, Asked: slices.Sorted(maps.Keys(a.asked)), Invalid: a.invalid, Notes: a.notes, Error: a.err.placeless,
		}
	}
	return c
}

// FromFound is evidence as far as a search found it, which [WithCompletion] completes. What is
// out of range is an error; nothing that ranks evidence fails on the rest.
func FromFound(f *kept.Found) (Evidence, error) {
	if err := f.Check(); err != nil {
		return Evidence{}, fmt.Errorf("kept evidence: %w", err)
	}
	ev := Evidence{
		query: Query{Text: f.Query}, isCut: f.Cut, blank: f.Blank,
		dimensions: f.Dimensions, directionless: f.Directionless, embedErr: ours(f.EmbedError),
		now: f.Now, foreign: f.Foreign, lexical: f.Lexical, stats: f.Stats, hidden: f.Hidden, calibration: f.Calibration,
		coverage: coverageOf(&f.Coverage), keyword: keywordOf(&f.Keyword),
		documents: each(f.Documents, func(d *kept.Document) documentRow {
			return documentRow{id: d.ID, url: d.URL, title: d.Title, fetchedAt: d.Fetched}
		}),
		rows:    each(f.Rows, rowOf),
		nearest: each(f.Nearest, func(h *kept.Hit) armRow { return armRow{row: h.Row, score: h.Score, missed: h.Missed} }),
		reading: f.Reading,
	}
	ev.coverage.allParents = f.AllParents
	if f.Scope != nil {
		ev.query.Scope = *f.Scope
	}
	return ev, nil
}

func coverageOf(k *kept.Coverage) coverage {
	c := coverage{
		rows: k.Rows, armRows: k.OwnRows, usedEf: k.UsedEf, exact: k.Exact, scanned: k.Scanned, returned: k.Returned, missed: k.Missed,
		system: k.System, asked: k.Asked, keyword: k.Keyword,
	}
	w := &c.way
	w.index.search, w.index.policy, w.index.iterative, w.index.ef = param.Search(k.Search), param.SearchPolicy(k.Policy), param.IterativeScan(k.Iterative), k.Ef
	w.match, w.words.heading, w.words.title = param.KeywordMatch(k.Match), k.HeadingWeight, k.TitleWeight
	w.words.terms, w.words.chunks, w.words.weight = k.FeedbackTerms, k.FeedbackChunks, k.FeedbackWeight
	return c
}

func rowOf(k *kept.Row) row {
	r := row{
		id: k.ID, document: k.Document, parent: k.Parent, index: k.Index, depth: k.Depth,
		charStart: k.Chars[0], charEnd: k.Chars[1], tokenStart: k.Tokens[0], tokenEnd: k.Tokens[1],
		htmlTokens: k.HTMLTokens, flags: k.Flags, isChild: k.Child, outside: k.Outside,
	}
	if n := k.Names; n != nil {
		r.names = &names{heading: n.Heading, anchor: n.Anchor, path: n.Path}
	}
	return r
}

func keywordOf(k *kept.Keyword) keywordArm {
	return keywordArm{
		terms: k.Terms, own: k.Own, children: k.Children, matches: k.Matches, meanLength: k.MeanLength, fields: k.Fields,
		sampled: k.Sampled, unindexed: k.Unindexed, possible: k.Possible, err: ours(k.Error), missing: k.Missing, run: k.Run,
		rows: each(k.Rows, func(h *kept.KeywordHit) keywordRow {
			return keywordRow{row: h.Row, score: h.Score, length: countsOf(&h.Length), counts: each(h.Counts, countsOf)}
		}),
	}
}

func countsOf(c *[3]int32) fieldCounts { return fieldCounts{c[0], c[1], c[2]} }

// WithCompletion is ev, which is of k.Found, with what else k has.
func WithCompletion(ev Evidence, k *kept.Evidence) (Evidence, error) {
	if err := k.Completion.Check(&k.Found); err != nil {
		return Evidence{}, fmt.Errorf("kept evidence: %w", err)
	}
	t := &k.Timing
	ev.timing = gatherTiming{mode: t.Mode, embed: t.Embed, search: t.Search, rows: t.Rows, texts: t.Texts, edges: t.Edges, rerank: t.Rerank}
	ev.changed = k.Changed
	if len(k.Metadata) > 0 {
		ev.documents = slices.Clone(ev.documents)
	}
	for i := range k.Metadata {
		m := &k.Metadata[i]
		ev.documents[m.Document].meta = &DocumentMeta{
			SourceType: m.SourceType, Filename: m.Filename, DocPath: m.DocPath, Owner: m.Owner, Tags: m.Tags, Metadata: m.Values, IndexedAt: m.IndexedAt,
		}
	}
	ev.graph = graphOf(&k.Graph)
	ev.answers = make(map[string]rerankAnswer, len(k.Answers))
	for asked, a := range k.Answers {
		answer := rerankAnswer{by: ours(a.By), scale: a.Scale, scores: a.Scores, asked: make(map[string]bool, len(a.Asked)), invalid: a.Invalid, notes: a.Notes, err: ours(a.Error)}
		for _, id := range a.Asked {
			answer.asked[id] = true
		}
		ev.answers[asked] = answer
	}
	words, err := wordset.Take(k.Words)
	if err != nil {
		return Evidence{}, err
	}
	ev.texts, ev.words = nil, words
	return WithTexts(ev, k.Texts), nil
}

func graphOf(k *kept.Graph) graphRows {
	g := graphRows{at: make(map[int32]nodeEdges, len(k.Nodes)), capped: k.Capped, missing: k.Missing, err: ours(k.Error)}
	g.edges = each(k.Edges, func(e *kept.Edge) edgeRow {
		return edgeRow{id: e.ID, source: e.Source, target: e.Target, relation: e.Relation, weight: e.Weight, description: e.Description}
	})
	for i := range k.Nodes {
		g.at[k.Nodes[i].Row] = nodeEdges{out: k.Nodes[i].Out, in: k.Nodes[i].In}
	}
	return g
}

// WithTexts is evidence with texts of chunks, by their ids, as reading them would give
// it. A text that it has already stays.
func WithTexts(ev Evidence, more map[string]kept.Text) Evidence {
	known, read := maps.Clone(ev.texts), make(map[string]string, len(more))
	if known == nil {
		known = make(map[string]texts, len(more))
	}
	for id, t := range more {
		if _, ok := known[id]; !ok {
			known[id] = texts{markdown: t.Markdown, html: t.HTML, gone: t.Gone}
			read[id] = t.Markdown
		}
	}
	ev.texts, ev.words = known, ev.words.With(read)
	return ev
}

// Chunk is what the evidence knows of a chunk, given by its number, with its text where
// that was read.
func (ev *Evidence) Chunk(number int32) store.Chunk {
	r, n := &ev.rows[number], ev.namesOf(number)
	doc, text := &ev.documents[r.document], ev.texts[r.id]
	c := store.Chunk{
		ID: r.id, DocumentID: doc.id, Level: r.level(), Index: int(r.index), SectionHeading: n.heading, HeadingPath: n.path, Anchor: n.anchor,
		CharStart: int(r.charStart), CharEnd: int(r.charEnd), TokenStart: int(r.tokenStart), TokenEnd: int(r.tokenEnd),
		Flags: r.flags, HTMLTokens: int(r.htmlTokens), Depth: int(r.depth), Title: doc.title, SourceURL: doc.url, FetchedAt: doc.fetchedAt,
		ChunkText: text.markdown, HTMLText: text.html,
	}
	if r.parent != noRow {
		c.ParentID = ev.rows[r.parent].id
	}
	return c
}

// HasDirection reports that the query has a vector to compare others with.
func (ev *Evidence) HasDirection() bool { return ev.dimensions > 0 && !ev.directionless }
