package sqlite

import (
	"context"
	"errors"
	"math"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
	"github.com/webrag/webrag-tui/store/sqlite/internal/postings"
)

// keyword runs the keyword arm into found.
func (v *View) keyword(ctx context.Context, sn *snapshot, sel selection, spec *store.Search, found *store.Found) error {
	w, err := v.startWords(ctx, sn, spec, found)
	if err != nil || w.query.Bound == 0 || spec.KeywordRows <= 0 {
		return err
	}
	best := bestWords{search: w, limit: spec.KeywordRows, floor: math.Inf(-1)}
	if found.KeywordMatches, err = w.each(ctx, sel, best.add); err != nil {
		return err
	}
	found.Keyword, err = w.rows(best.sorted())
	found.KeywordReturned = len(found.Keyword)
	return err
}

// wordSearch is one search of the keyword index.
type wordSearch struct {
	view  *View
	sn    *snapshot
	index *wordIndex
	query *keyword.Query
	found *store.Found
	// lists are those of the query's distinct terms; required are those of the terms of
	// phrases that are not among them. Both are by segment.
	lists, required [][]postings.List
	without         []withoutRun
	// scores are the sums of the children of the index, and held how many different
	// terms of the query each has.
	scores []float64
	held   []int32
}

// withoutRun is a run of terms that a match does not have.
type withoutRun struct {
	lists [][]postings.List
}

// startWords looks up the terms of a search and describes them, and the corpus, in
// found. All terms that any child holds find rows.
func (v *View) startWords(ctx context.Context, sn *snapshot, spec *store.Search, found *store.Found) (*wordSearch, error) {
	q := keyword.NewQuery(spec)
	// Terms without counts yet, so that a search that fails still names them.
	found.Fields, found.Terms = spec.Fields, q.Stats(spec.Terms)
	index, err := v.words(ctx, sn)
	if err != nil {
		return nil, err
	}
	w := &wordSearch{view: v, sn: sn, index: index, query: q, found: found}
	found.KeywordRows, found.AvgLength = index.rows, store.MeanLengths(index.terms, index.rows)
	reader, err := v.listReader(ctx, index)
	if err != nil {
		return nil, err
	}
	defer reader.close()
	w.lists = make([][]postings.List, len(q.Terms))
	for i := range q.Terms {
		if w.lists[i], err = reader.lists(ctx, q.Terms[i].Text); err != nil {
			return nil, err
		}
		if q.Terms[i].DF, err = index.frequency(w.lists[i]); err != nil {
			return nil, err
		}
	}
	q.Choose(spec, index.rows, math.MaxInt)
	found.Terms = q.Stats(spec.Terms)
	return w, w.readRuns(ctx, reader)
}

// readRuns looks up the terms of phrases and of what is excluded.
func (w *wordSearch) readRuns(ctx context.Context, reader *listReader) error {
	known := make(map[string][]postings.List, len(w.query.Terms))
	for i, t := range w.query.Terms {
		known[t.Text] = w.lists[i]
	}
	lists := func(term string) (l []postings.List, isNew bool, err error) {
		if l, ok := known[term]; ok {
			return l, false, nil
		}
		l, err = reader.lists(ctx, term)
		known[term] = l
		return l, true, err
	}
	for _, run := range w.query.Phrases {
		for _, term := range keyword.RunTerms(run) {
			l, isNew, err := lists(term)
			if err != nil {
				return err
			}
			if isNew {
				w.required = append(w.required, l)
			}
		}
	}
	for _, run := range w.query.Without {
		var r withoutRun
		for _, term := range keyword.RunTerms(run) {
			l, _, err := lists(term)
			if err != nil {
				return err
			}
			r.lists = append(r.lists, l)
		}
		w.without = append(w.without, r)
	}
	return nil
}

// each calls do with the index of every child in scope that matches, in the order of
// the index, and returns how many they are. Their scores are then in scores.
func (w *wordSearch) each(ctx context.Context, sel selection, do func(at int)) (matches int, err error) {
	in := w.sn.admission(sel)
	w.scores, w.held = make([]float64, len(w.index.children)), make([]int32, len(w.index.children))
	needed := int32(1)
	if keyword.IsConjunction(w.query.Match) {
		needed = int32(len(w.query.Terms) + len(w.required))
	}
	if err := w.score(ctx, in); err != nil {
		return 0, err
	}
	refused, err := w.refused(ctx, needed)
	if err != nil {
		return 0, err
	}
	for at, n := range w.held {
		if n >= needed && !refused[at] {
			matches++
			do(at)
		}
	}
	return matches, nil
}

// score adds up the shares of all words, in their order.
func (w *wordSearch) score(ctx context.Context, in admission) error {
	f := w.found
	counted := make([]bool, len(w.query.Terms))
	for i, place := range w.query.Places() {
		if place < 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		weight := f.Terms[i].Weight * store.BM25IDF(f.Terms[i].DF, f.KeywordRows)
		once := !counted[place]
		counted[place] = true
		for s, l := range w.lists[place] {
			if err := w.scoreList(s, l, weight, once, &in); err != nil {
				return err
			}
		}
	}
	for _, lists := range w.required {
		err := w.eachHolder(lists, func(at int) {
			if in.admits(&w.index.children[at]) {
				w.held[at]++
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// mostShares is for bodies of how many terms the share of a word that is once in them
// is kept: a division for each posting is half of what a search costs.
const mostShares = 1024

// scoreList adds the shares of a word to the scores of the children of a segment, and
// with once counts it among what they hold.
func (w *wordSearch) scoreList(segment int, l postings.List, weight float64, once bool, in *admission) error {
	if len(l) == 0 {
		return nil
	}
	s, f := &w.index.segments[segment], w.found
	children, scores, held := w.index.children[s.from:][:s.n], w.scores[s.from:][:s.n], w.held[s.from:][:s.n]
	var shares [mostShares]float64 // 0 is one that is not known yet
	c := l.Cursor()
	for c.Next() {
		if int(c.Child) >= len(children) {
			return postings.ErrDamaged
		}
		child := &children[c.Child]
		tf := f.Fields.Of(c.Counts)
		if child.number < 0 || tf == (store.FieldCounts{}) || !in.admits(child) {
			continue
		}
		if once {
			held[c.Child]++
		}
		if tf != (store.FieldCounts{Body: 1}) || uint32(child.body) >= mostShares {
			scores[c.Child] += store.BM25Saturated(weight, tf, child.length(), f.AvgLength, f.Fields)
			continue
		}
		if shares[child.body] == 0 {
			shares[child.body] = store.BM25Saturated(weight, tf, child.length(), f.AvgLength, f.Fields)
		}
		scores[c.Child] += shares[child.body]
	}
	if c.Damaged {
		return postings.ErrDamaged
	}
	return nil
}

// eachHolder calls do with the index of each child that holds a term in a field that
// is searched.
func (w *wordSearch) eachHolder(lists []postings.List, do func(at int)) error {
	for s, l := range lists {
		from := w.index.segments[s].from
		err := w.index.each(s, l, func(_ *wordChild, c *postings.Cursor) {
			if w.found.Fields.Of(c.Counts) != (store.FieldCounts{}) {
				do(from + int(c.Child))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// refused returns which of the children with the needed terms are no match for their
// runs. Texts are read only of those that may have a run.
func (w *wordSearch) refused(ctx context.Context, needed int32) (map[int]bool, error) {
	if len(w.query.Phrases)+len(w.query.Without) == 0 {
		return nil, nil
	}
	refused, doubtful := make(map[int]bool), make(map[int]bool)
	if len(w.query.Phrases) > 0 {
		for at, n := range w.held {
			if n >= needed {
				doubtful[at] = true
			}
		}
	}
	for _, run := range w.without {
		holders := make(map[int]int)
		for i, lists := range run.lists {
			err := w.eachHolder(lists, func(at int) {
				if w.held[at] >= needed && holders[at] == i {
					holders[at]++
				}
			})
			if err != nil {
				return nil, err
			}
		}
		for at, n := range holders {
			if n == len(run.lists) {
				doubtful[at] = true
			}
		}
	}
	return refused, w.checkRuns(ctx, doubtful, refused)
}

// admission says which children are in scope.
type admission struct {
	sel selection
	// places are 1 + the index in sel of each document by its number, nil for all.
	places []int32
}

func (s *snapshot) admission(sel selection) admission {
	if sel.parents == nil && len(sel.docs) == len(s.docs) {
		return admission{}
	}
	a := admission{sel: sel, places: make([]int32, len(s.numbered))}
	for i, d := range sel.docs {
		a.places[d.number] = int32(1 + i)
	}
	return a
}

func (a *admission) admits(c *wordChild) bool {
	if a.places == nil {
		return true
	}
	i := a.places[c.number]
	return i > 0 && a.sel.has(int(i-1), c.row)
}

// isDamaged reports whether an error says that the keyword index is not what the
// writer made.
func isDamaged(err error) bool { return errors.Is(err, postings.ErrDamaged) }
