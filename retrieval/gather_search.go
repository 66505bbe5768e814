package retrieval

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// search runs the arms and reads the numbers of everything they may select.
func (ev *Evidence) search(ctx context.Context, d *Deps, view store.View, p param.Params) (err error) {
	start := d.now()
	spec := ev.spec(d, p)
	ev.keyword.own = len(spec.Terms)
	if ev.keyword.own > 0 && p.UsesFeedback() {
		// A keyword arm that fails is reported by the search itself.
		if spec, err = withFeedback(ctx, view, spec, p); err != nil && ctx.Err() != nil {
			return err
		}
	}
	var found store.Found
	if spec.Vector != nil || spec.Terms != nil {
		if found, err = view.Search(ctx, spec); err != nil {
			return err
		}
		ev.coverage.exact, ev.coverage.usedEf = found.Exact, found.EfSearch
		ev.coverage.scanned, ev.coverage.returned = found.VectorScanned, len(found.Vector)
		ev.coverage.asked = askedNotes(&found.Vectors)
		ev.keyword.unindexed, ev.keyword.run = found.KeywordUnindexed, found.KeywordRun
		ev.coverage.missed = count(found.Vector, func(row *store.VectorRow) bool { return row.Missed })
	}
	ev.timing.search = d.now().Sub(start)

	start = d.now()
	defer func() { ev.timing.rows = d.now().Sub(start) }()
	if ev.hidden, err = view.Hidden(ctx); err != nil {
		return fmt.Errorf("count what is hidden: %w", err)
	}
	mode, _, _ := decideMode(p, ev.stats)
	all := mode == param.ModeFullContext || ev.stats.Parents <= wideParents && p.Reach == param.ReachWide
	x := indexOf(ev)
	if all {
		parents, err := view.Parents(ctx, ev.query.Scope, 0, store.Page{})
		if err != nil {
			return fmt.Errorf("read sections: %w", err)
		}
		ev.addChunks(x, parents)
		ev.orderForReading()
	}
	if err := ev.readRows(ctx, view, x, &found); err != nil {
		return fmt.Errorf("read sections: %w", err)
	}
	ev.addFound(x, &found)
	return nil
}

// spec is the request for all arms that p uses.
func (ev *Evidence) spec(d *Deps, p param.Params) store.Search {
	want := p.ArmRows()
	ev.coverage = coverage{rows: want, armRows: want, exact: true, way: WayOf(p)}
	if p.Reach == param.ReachWide {
		ev.coverage.rows = max(WideRows, want)
	}
	spec := store.Search{
		Scope: ev.query.Scope,
		Exact: p.Search == param.SearchExact, EfSearch: p.HNSWEfSearch, Iterative: store.Iterative(p.IterativeScan),
		Policy: store.Policy(p.SearchPolicy), Explain: ev.query.Plan,
	}
	if p.SearchPolicy == param.PolicyAuto {
		spec.Policy = store.PolicySafe
		if d.Store.Info().Foreign {
			spec.Policy = store.PolicySystem
		}
	}
	ev.coverage.system = spec.Policy == store.PolicySystem
	if len(ev.vector) > 0 && !ev.directionless {
		spec.Vector, spec.VectorRows, spec.OwnRows = ev.vector, ev.coverage.rows, want
	}
	if p.KeywordWeight > 0 {
		ev.askWords(d, p, &spec)
	}
	return spec
}

// askWords adds the keyword arm to spec, if the store has one and the query any
// words.
func (ev *Evidence) askWords(d *Deps, p param.Params, spec *store.Search) {
	info := d.Store.Info()
	if why, missing := info.Missing[store.CapKeyword]; missing && !(info.Unindexed && p.KeywordUnindexed) {
		ev.keyword.missing, ev.keyword.possible = why, info.Unindexed
		return
	}
	ev.coverage.keyword = true
	spec.Unindexed = p.KeywordUnindexed
	spec.KeywordRows, spec.Match = ev.coverage.rows, store.Match(p.KeywordMatch)
	spec.Fields = store.FieldWeights{Heading: p.HeadingWeight, Title: p.TitleWeight}
	words := store.Terms(ev.query.Text)
	if p.KeywordMatch == param.MatchWebsearch {
		words, spec.Phrases, spec.Excluded = store.Websearch(ev.query.Text)
	}
	spec.Terms, spec.TermWeights = repeated(words)
}

// mostTerms bounds the words of a query. More than a paragraph holds is a page
// pasted by mistake, and each word costs a search.
const mostTerms = 256

// repeated returns the first mostTerms different words and how often each occurs: a
// word counts as often as the query says it, which is BM25 with a k3 without bound
// (Robertson and Walker, TREC-3, 1994). It returns nil for no words.
func repeated(words []string) (terms []string, weights []float64) {
	at := make(map[string]int, len(words))
	for _, w := range words {
		i, known := at[w]
		switch {
		case known:
			weights[i]++
		case len(terms) < mostTerms:
			at[w] = len(terms)
			terms, weights = append(terms, w), append(weights, 1)
		}
	}
	return terms, weights
}

// readRows reads the numbers of the children found and of their sections.
func (ev *Evidence) readRows(ctx context.Context, view store.View, x rowIndex, found *store.Found) error {
	ids := make([]string, 0, 2*(len(found.Vector)+len(found.Keyword)))
	for i := range found.Vector {
		ids = append(ids, found.Vector[i].ID, found.Vector[i].ParentID)
	}
	for i := range found.Keyword {
		ids = append(ids, found.Keyword[i].ID, found.Keyword[i].ParentID)
	}
	if ids = x.unknown(ids); len(ids) == 0 {
		return nil
	}
	chunks, err := view.Chunks(ctx, ids, 0)
	if err != nil {
		return err
	}
	ev.addSectionsFirst(x, chunks)
	return nil
}

// addSectionsFirst adds sections before children, so that children find them.
func (ev *Evidence) addSectionsFirst(x rowIndex, chunks []store.Chunk) {
	isChild := func(c store.Chunk) bool { return c.Level == store.Child }
	ev.addChunks(x, slices.DeleteFunc(slices.Clone(chunks), isChild))
	ev.addChunks(x, chunks)
}

// askedNotes say how a database was asked, and what it answered; a corpus in
// memory has nothing to say.
func askedNotes(a *store.Asked) (notes []string) {
	if a.Rows > 0 {
		notes = append(notes, "LIMIT "+strconv.Itoa(a.Rows)+" sent to the database, "+strconv.Itoa(a.Returned)+" rows returned")
	}
	switch {
	case a.Index != "" && len(a.Plan) > 0 && a.Used == "":
		notes = append(notes, "index "+a.Index+" is there, and the plan uses none")
	case a.Index != "" && a.Used == "":
		notes = append(notes, "index "+a.Index)
	case a.Used != "":
		notes = append(notes, "index "+a.Used+", which the plan uses")
	}
	if a.Why != "" {
		notes = append(notes, a.Why)
	}
	for _, s := range a.Settings {
		notes = append(notes, "set "+s.Name+" = "+s.Value)
	}
	return append(notes, a.Plan...)
}
