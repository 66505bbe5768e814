package session

import (
	"context"
	"errors"

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
		s.known = nil
		return nil
	}
	if s.known == nil {
		s.known = map[sideOf]sideRanking{}
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
	if len(missing) == 0 || s.works.engine == nil {
		return nil
	}
	e, of := s.works.engine, missing[0]
	return []Work{s.works.begin(KindSide, 0, func(ctx context.Context) Done {
		d := Done{Query: of.query, Params: of.params}
		d.Evidence, d.Err = e.Gather(ctx, retrieval.Query{Text: of.query}, of.params.WithoutWaits())
		return d
	})}
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

// Aside is what some parameters give for a query, bare of texts; nil where that is not
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
