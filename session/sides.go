package session

import (
	"context"
	"errors"
	"slices"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// sides are rankings by other parameters than the present ones, side by side: of the
// present query, and of those that are watched.
type sides struct {
	works  *works
	tuning *tuning
	answer *answer
	watch  *watchList

	// by are the parameters of the sides, known what became of each query by them.
	by    []param.Params
	known map[sideOf]sideRanking
	// worded are the parts of sections whose first words were asked for, by id.
	worded map[string]bool
}

// sideOf is one query by some parameters.
type sideOf struct {
	query  string
	params param.Params
}

// sideRanking is a result, or why there is none.
type sideRanking struct {
	result *retrieval.Result
	why    string
}

// LookAside ranks the present query and all watched ones by some parameters, two sets or
// more, and sees to it that what is missing for that is gathered; without any it stops.
func (s *sides) LookAside(by ...param.Params) []Work {
	s.works.end(KindSide)
	s.by = by
	if len(by) == 0 {
		s.known, s.worded = nil, nil
		return nil
	}
	if s.known == nil {
		s.known, s.worded = map[sideOf]sideRanking{}, map[string]bool{}
	}
	return s.gatherSides()
}

// lookAsideAgain has all sides ranked anew: the corpus is another one, or holds other pages.
func (s *sides) lookAsideAgain() []Work {
	by := s.by
	s.LookAside()
	return s.LookAside(by...)
}

// gatherSides ranks what the evidence reaches, and asks for the first ranking that it does not.
func (s *sides) gatherSides() []Work {
	var missing []sideOf
	for _, query := range s.queries() {
		for _, p := range s.by {
			of := sideOf{query, p}
			if _, ok := s.known[of]; ok {
				continue
			}
			if r := s.rankedFor(of); r != nil {
				s.answer.opened.setParts(r)
				s.known[of] = sideRanking{result: r}
			} else {
				missing = append(missing, of)
			}
		}
	}
	if len(missing) == 0 {
		return s.readWords()
	}
	if s.works.engine == nil {
		return nil
	}
	e, of := s.works.engine, missing[0]
	return []Work{s.works.begin(KindSide, 0, func(ctx context.Context) Done {
		d := Done{Query: of.query, Params: of.params}
		d.Evidence, d.Err = e.Gather(ctx, retrieval.Query{Text: of.query}, of.params.WithoutWaits())
		return d
	})}
}

// readWords reads the first words of the parts of sections that the sides of the present query
// list without their texts: they name these parts.
func (s *sides) readWords() []Work {
	if s.answer.opened.corpus == nil {
		return nil
	}
	asked := []string{AskedTexts}
	for _, p := range s.by {
		r, _ := s.Aside(s.answer.query, p)
		if r == nil {
			continue
		}
		for i := range r.Items {
			if it := &r.Items[i]; it.Parts > 1 && it.ChunkText == "" && !s.worded[it.ChunkID] {
				s.worded[it.ChunkID] = true
				asked = append(asked, it.ChunkID)
			}
		}
	}
	if len(asked) < 2 {
		return nil
	}
	read := s.answer.opened.corpus.Reader
	return []Work{s.works.begin(KindSide, 0, s.works.replayable(Done{Query: s.answer.query, Asked: asked}, func(ctx context.Context, d *Done) {
		d.Sections, d.Err = read.SectionTexts(ctx, asked[1:])
	}))}
}

// takeWords puts first words into the sides of the present query. Without them these are
// listed by their numbers.
func (s *sides) takeWords(d Done) {
	words := make(map[string]string, len(d.Sections))
	for i := range d.Sections {
		words[d.Sections[i].ID] = Opening(d.Sections[i].ChunkText)
	}
	for of, side := range s.known {
		if of.query != s.answer.query || side.result == nil || len(words) == 0 {
			continue
		}
		worded := *side.result // another one, so that what is made of it is made anew
		worded.Items = slices.Clone(worded.Items)
		for i := range worded.Items {
			if it := &worded.Items[i]; it.Parts > 1 && it.ChunkText == "" {
				it.ChunkText = words[it.ChunkID]
			}
		}
		s.known[of] = sideRanking{result: &worded}
	}
}

// queries are the present one, and those that are watched.
func (s *sides) queries() []string {
	var all []string
	if s.answer.query != "" {
		all = append(all, s.answer.query)
	}
	for _, w := range s.watch.watched {
		if w.Query != s.answer.query {
			all = append(all, w.Query)
		}
	}
	return all
}

// rankedFor ranks by the evidence that there is, nil where it does not reach so far.
func (s *sides) rankedFor(of sideOf) *retrieval.Result {
	if of.query == s.answer.query && s.answer.IsCurrent() && of.params == s.tuning.params {
		return s.answer.result
	}
	w := s.watch.WatchedQuery(of.query)
	if w == nil {
		w = &Watched{}
	}
	if of.query == s.answer.query {
		w = &Watched{evidence: s.answer.evidence}
	}
	r, _ := w.ranked(of.params, &s.answer.scratch)
	return r
}

// takeSide takes evidence of one query, and asks for the next.
func (s *sides) takeSide(d Done) []Work {
	of := sideOf{d.Query, d.Params}
	switch {
	case s.known == nil || errors.Is(d.Err, context.Canceled):
		return nil
	case len(d.Asked) > 0:
		s.takeWords(d)
		return nil
	case d.Err != nil:
		s.known[of] = sideRanking{why: offset.Trimmed(d.Err.Error())}
	default:
		w := Watched{evidence: d.Evidence}
		r, why := w.ranked(d.Params, &s.answer.scratch)
		s.answer.opened.setParts(r)
		s.known[of] = sideRanking{r, why}
	}
	return s.gatherSides()
}

// Aside is what some parameters give for a query, of whose texts only the first words are
// known of parts of sections, as soon as they are read; nil where that is not
// known, and then why says why not, empty while it is being asked.
func (s *sides) Aside(query string, p param.Params) (r *retrieval.Result, why string) {
	of := s.known[sideOf{query, p}]
	return of.result, of.why
}

// AsideRank is the rank of the page that a watched query must return, by some parameters,
// and whether the query passes; known is false where that is not known.
func (s *sides) AsideRank(w *Watched, p param.Params) (rank int, passed, known bool) {
	r, _ := s.Aside(w.Query, p)
	if r == nil {
		return 0, false, false
	}
	page := w.Required()
	rank = pageRank(r, page)
	return rank, rank > 0 || page == "" && len(r.Items) > 0, true
}

// SideSum is how the watched queries do by some parameters.
type SideSum struct {
	// Passed of Total pass; Known is false while one is not known.
	Passed, Total int
	Known         bool
	// MRR is as in [Session.WatchMRR], over the Pages queries that must return a page.
	MRR   float64
	Pages int
}

// AsideSum is how the watched queries do by some parameters.
func (s *sides) AsideSum(p param.Params) SideSum {
	sum := SideSum{Total: len(s.watch.watched), Known: len(s.watch.watched) > 0}
	for _, w := range s.watch.watched {
		rank, passed, known := s.AsideRank(w, p)
		sum.Known = sum.Known && known
		if passed {
			sum.Passed++
		}
		if w.Required() != "" {
			sum.Pages++
			sum.MRR += reciprocal(rank)
		}
	}
	if sum.Pages > 0 {
		sum.MRR /= float64(sum.Pages)
	}
	return sum
}
