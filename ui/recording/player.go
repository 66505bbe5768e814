package recording

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/kept"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

const (
	noQuery  = "this query was not asked in the recorded session"
	noSearch = "these parameters need a new search, which a recording cannot make"
	noWhy    = "to say why takes a new search, which a recording cannot make"
)

// player answers queries from the evidence that was recorded.
type player struct{ r *Recording }

// Gather is the evidence of a query that ranks by p, with the texts that were recorded.
func (e player) Gather(ctx context.Context, q retrieval.Query, p param.Params) (session.Evidence, error) {
	return evidenceOf(ctx, e.r, q.Text, p)
}

// Complete is Gather: what one evidence lacks another of the query may have.
func (e player) Complete(ctx context.Context, ev session.Evidence, p param.Params) (session.Evidence, error) {
	own, ok := ev.(session.Gathered)
	if !ok {
		return nil, fmt.Errorf("complete evidence of another engine: %T", ev)
	}
	return evidenceOf(ctx, e.r, own.Query().Text, p)
}

// WhyNot is a report that is found out from the evidence.
func (e player) WhyNot(ctx context.Context, q retrieval.Query, p param.Params, t whynot.Target) (whynot.Report, error) {
	way := newEffort(e.r)
	own, err := way.evidenceFor(ctx, q.Text, p)
	if err != nil {
		return whynot.Report{}, err
	}
	all := []retrieval.Evidence{own.Evidence}
	for _, g := range e.r.candidates(q.Text, p) {
		if err := ctx.Err(); err != nil {
			return whynot.Report{}, err
		}
		if more, ok := way.complete(g); ok {
			all = append(all, more.Evidence)
		}
	}
	report, err := whynot.AskKept(ctx, all, p, t)
	if errors.Is(err, whynot.ErrUnkept) {
		return report, &session.NotRecordedError{Why: noWhy}
	}
	return report, err
}

// MatchTerms is what the evidence knows of the words.
func (e player) MatchTerms(_ context.Context, q retrieval.Query, _ param.Params) (session.TermMatch, error) {
	for _, g := range e.r.gathered[q.Text] {
		if f := &e.r.found[g.Found]; f.kept.Coverage.Keyword {
			return session.TermMatch{None: f.ev.NoTermMatch(), Lexical: f.ev.IsLexical()}, nil
		}
	}
	return session.TermMatch{}, &session.NotRecordedError{Why: noMore}
}

func evidenceOf(ctx context.Context, r *Recording, query string, p param.Params) (session.Evidence, error) {
	way := newEffort(r)
	own, err := way.evidenceFor(ctx, query, p)
	if err != nil {
		return nil, err
	}
	return own, nil
}

// evidenceFor is evidence of a query that ranks by p. Of several the one that was gathered for
// these parameters comes first, and then the earliest that lacks nothing. Where all lack
// texts, it has those that were recorded.
func (e *effort) evidenceFor(ctx context.Context, query string, p param.Params) (session.Gathered, error) {
	r := e.r
	if r.gathered[query] == nil {
		return session.Gathered{}, &session.NotRecordedError{Why: noQuery}
	}
	var lacks string
	var bare *session.Gathered
	for _, g := range r.candidates(query, p) {
		if err := ctx.Err(); err != nil {
			return session.Gathered{}, err
		}
		if ok, _ := r.found[g.Found].ev.Covers(p); !ok {
			continue
		}
		own, ok := e.complete(g)
		if !ok {
			continue
		}
		_, needs := own.Rank(p, retrieval.Options{})
		switch {
		case needs.IsZero():
			return own, nil
		case needs.IsProvisional() && !e.readWords(&own, p):
			lacks = lackOf(needs)
		case bare == nil:
			bare = &own
		}
	}
	switch {
	case bare != nil:
		return e.withTexts(*bare, p), nil
	case lacks != "":
		return session.Gathered{}, &session.NotRecordedError{Why: "these parameters need " + lacks + ", which the recording does not have"}
	default:
		return session.Gathered{}, &session.NotRecordedError{Why: noSearch}
	}
}

// mostTried bounds how many evidences of a query are looked at.
const mostTried = 64

// candidates are the evidences of a query in the order in which they are tried.
func (r *Recording) candidates(query string, p param.Params) []*gathered {
	var own, others []*gathered
	for _, g := range r.gathered[query] {
		if g.params == p {
			own = append(own, g)
		} else {
			others = append(others, g)
		}
	}
	slices.Reverse(own) // the corpus may have been indexed again
	all := slices.Concat(own, others)
	return all[:min(len(all), mostTried)]
}

// readWords adds texts whose words are to be compared, if all of them were recorded and
// nothing else decides the order.
func (e *effort) readWords(own *session.Gathered, p param.Params) bool {
	_, needs := own.Rank(p, retrieval.Options{})
	if len(needs.Words) > 0 {
		own.Evidence = retrieval.WithTexts(own.Evidence, e.recorded(needs.Words))
		_, needs = own.Rank(p, retrieval.Options{})
	}
	return !needs.IsProvisional()
}

// withTexts adds the texts that were recorded. Those that were not are missing where they
// would be read.
func (e *effort) withTexts(own session.Gathered, p param.Params) session.Gathered {
	const rounds = 3 // a text may show that a section has no HTML, and others take its place
	for range rounds {
		_, needs := own.Rank(p, retrieval.Options{})
		texts := e.recorded(needs.Texts)
		if len(texts) == 0 {
			break
		}
		own.Evidence = retrieval.WithTexts(own.Evidence, texts)
	}
	return own
}

// recorded are texts that were recorded, as far as the effort goes.
func (e *effort) recorded(ids []string) map[string]kept.Text {
	texts := make(map[string]kept.Text, len(ids))
	for _, id := range ids {
		if s, ok := e.r.sections[id]; ok && e.spend(len(e.r.texts[s.text].Markdown)) {
			texts[id] = e.r.texts[s.text]
		}
	}
	return texts
}

// lackOf says in words what ranking found missing.
func lackOf(n retrieval.Needs) string {
	switch {
	case len(n.Edges) > 0:
		return "more edges"
	case len(n.Words) > 0:
		return "the words of more sections"
	default:
		return "scores of a reranker"
	}
}
