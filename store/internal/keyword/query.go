package keyword

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/webrag/webrag-tui/store"
)

// Query is what a search's keyword arm looks for.
type Query struct {
	// Terms are the different terms of the query.
	Terms []Term
	Match store.Match
	// Fields says which fields are searched.
	Fields store.FieldWeights
	// Phrases must occur and Without must not: runs of terms, joined by single
	// spaces.
	Phrases, Without []string
	// Bound is an upper bound of the number of matches, 0 when there is none.
	Bound int
	// places is where among Terms each word of the query is, -1 for what cannot be
	// a term and so is in no child.
	places []int
	// weights are those of the words of the query, nil for 1 each.
	weights []float64
}

// OfAllFields is the query with all fields searched: what is in any counts for the
// frequencies of its terms.
func (q *Query) OfAllFields() *Query {
	all := *q
	all.Fields = store.FieldWeights{Heading: 1, Title: 1}
	return &all
}

// Term is a distinct term of a query.
type Term struct {
	Text string
	// DF is the number of children that hold it in any field.
	DF int
	// Used says that it finds rows.
	Used  bool
	first int // its first place in the query
}

// NewQuery returns the query of a search. Its terms must be counted and then
// chosen.
func NewQuery(spec *store.Search) *Query {
	q := &Query{Match: spec.Match, Fields: spec.Fields, weights: spec.TermWeights}
	q.Terms, q.places = Distinct(spec.Terms)
	return q
}

// Distinct returns the different terms of a query and the place of each of its
// words among them, -1 for what cannot be a term.
func Distinct(words []string) (terms []Term, places []int) {
	places = make([]int, len(words))
	at := make(map[string]int, len(words))
	for i, w := range words {
		p, ok := at[w]
		switch {
		case ok:
		case !IsTerm(w):
			p = -1
			at[w] = p
		default:
			p = len(terms)
			at[w] = p
			terms = append(terms, Term{Text: w, first: i})
		}
		places[i] = p
	}
	return terms, places
}

// maxTerm is the most bytes of a term: more than store.Terms ever makes, and as
// many as every index takes.
const maxTerm = 1024

// IsTerm reports whether s can be a term, as all are that store.Terms makes. An
// index keeps those unchanged and has no other meaning for them; nothing else is
// ever asked for.
func IsTerm(s string) bool {
	return s != "" && len(s) <= maxTerm && !strings.ContainsFunc(s, func(r rune) bool {
		return 'A' <= r && r <= 'Z' || r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
}

// IsConjunction reports whether a match asks for all terms.
func IsConjunction(m store.Match) bool { return m == store.MatchAnd || m == store.MatchWebsearch }

// Choose decides which of the counted terms find rows. rows is the number of
// searchable children; limit is the most rows that MatchAuto may have to rank.
func (q *Query) Choose(spec *store.Search, rows, limit int) {
	q.Bound = q.chooseTerms(limit)
	if IsConjunction(q.Match) && slices.Contains(q.places, -1) {
		q.Bound = 0
	}
	if q.Match != store.MatchWebsearch {
		return
	}
	notTerm := func(s string) bool { return !IsTerm(s) }
	for _, phrase := range spec.Phrases {
		switch {
		case len(phrase) == 0:
		case slices.ContainsFunc(phrase, notTerm):
			q.Bound = 0
		default:
			q.Phrases = append(q.Phrases, strings.Join(phrase, " "))
			if len(q.Terms) == 0 {
				q.Bound = rows
			}
		}
	}
	for _, run := range spec.Excluded {
		// What cannot be in a child excludes none.
		if !slices.ContainsFunc(strings.Split(run, " "), notTerm) {
			q.Without = append(q.Without, run)
		}
	}
}

// chooseTerms marks the terms that find rows and returns an upper bound of the
// rows that they match, 0 for none. With MatchAuto that is at most limit, unless
// even the rarest term has more.
func (q *Query) chooseTerms(limit int) (matches int) {
	if IsConjunction(q.Match) {
		for i := range q.Terms {
			t := &q.Terms[i]
			t.Used = true
			if i == 0 || t.DF < matches {
				matches = t.DF
			}
		}
		return matches
	}
	rarest := make([]*Term, 0, len(q.Terms))
	for i := range q.Terms {
		if q.Terms[i].DF > 0 {
			rarest = append(rarest, &q.Terms[i])
		}
	}
	slices.SortFunc(rarest, func(a, b *Term) int {
		return cmp.Or(cmp.Compare(a.DF, b.DF), cmp.Compare(a.first, b.first))
	})
	for _, t := range rarest {
		if q.Match != store.MatchOr && matches > 0 && matches+t.DF > limit {
			break
		}
		t.Used = true
		matches += t.DF
	}
	return matches
}

// Places returns where among Terms each word of the query is, -1 for what cannot be
// a term.
func (q *Query) Places() []int { return q.places }

// RunTerms returns the different terms of a phrase, or of what is excluded.
func RunTerms(run string) []string {
	terms := strings.Split(run, " ")
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Stats describes the words of the query.
func (q *Query) Stats(words []string) []store.TermStat {
	out := make([]store.TermStat, len(words))
	for i, text := range words {
		out[i] = store.TermStat{Term: text, Weight: 1}
		if i < len(q.weights) {
			out[i].Weight = q.weights[i]
		}
		if p := q.places[i]; p >= 0 {
			out[i].DF, out[i].Used = q.Terms[p].DF, q.Terms[p].Used
		}
	}
	return out
}

// Frequencies returns counts of Terms by the words of the query.
func (q *Query) Frequencies(counts []store.FieldCounts) []store.FieldCounts {
	tf := make([]store.FieldCounts, len(q.places))
	for i, p := range q.places {
		if p >= 0 {
			tf[i] = counts[p]
		}
	}
	return tf
}
