package keyword

import (
	"bytes"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Fields are the terms of a child by field, separated by single spaces.
type Fields struct{ Body, Heading, Title []byte }

// Of returns the terms of a child.
func Of(c *store.Chunk) Fields {
	return Fields{[]byte(c.Terms), []byte(c.HeadingTerms), []byte(c.TitleTerms)}
}

// Lengths are the numbers of terms.
func (f *Fields) Lengths() store.FieldCounts {
	return store.FieldCounts{Body: length(f.Body), Heading: length(f.Heading), Title: length(f.Title)}
}

func length(terms []byte) int {
	if len(terms) == 0 {
		return 0
	}
	return bytes.Count(terms, []byte{' '}) + 1
}

// Length is the number of terms that single spaces separate.
func Length(terms string) int {
	if terms == "" {
		return 0
	}
	return strings.Count(terms, " ") + 1
}

// Counter counts a query's terms in children. It is used by one goroutine.
type Counter struct {
	query *Query
	at    map[string]int
	// Counts are those of the last child in the fields that are searched, by
	// Query.Terms.
	Counts []store.FieldCounts
}

// NewCounter returns a counter for q.
func NewCounter(q *Query) Counter {
	at := make(map[string]int, len(q.Terms))
	for i, t := range q.Terms {
		at[t.Text] = i
	}
	return Counter{query: q, at: at, Counts: make([]store.FieldCounts, len(q.Terms))}
}

// Count counts the query's terms among those of a child and reports whether the
// child is a match.
func (c *Counter) Count(f *Fields) bool {
	clear(c.Counts)
	searched := c.query.searched(f)
	c.each(searched.Body, func(n *store.FieldCounts) { n.Body++ })
	c.each(searched.Heading, func(n *store.FieldCounts) { n.Heading++ })
	c.each(searched.Title, func(n *store.FieldCounts) { n.Title++ })
	return c.query.Matches(c.Counts) && c.query.HasRuns(f)
}

func (c *Counter) each(terms []byte, add func(*store.FieldCounts)) {
	for rest := terms; len(rest) > 0; {
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte{' '})
		if i, ok := c.at[string(word)]; ok {
			add(&c.Counts[i])
		}
	}
}

// Matches reports whether a child with these counts matches, but for its runs.
func (q *Query) Matches(counts []store.FieldCounts) bool {
	some, all := len(q.Phrases) > 0, true
	for i, t := range q.Terms {
		if t.Used {
			holds := counts[i] != store.FieldCounts{}
			some, all = some || holds, all && holds
		}
	}
	return some && (all || !IsConjunction(q.Match))
}

// HasRuns reports whether a child has all phrases, and none of what is excluded.
func (q *Query) HasRuns(f *Fields) bool {
	if len(q.Phrases)+len(q.Without) == 0 {
		return true
	}
	searched := q.searched(f)
	has := func(run string) bool {
		return hasRun(searched.Body, run) || hasRun(searched.Heading, run) || hasRun(searched.Title, run)
	}
	return !slices.ContainsFunc(q.Phrases, func(run string) bool { return !has(run) }) && !slices.ContainsFunc(q.Without, has)
}

// searched returns the fields that count.
func (q *Query) searched(f *Fields) Fields {
	s := Fields{Body: f.Body}
	if q.Fields.Heading != 0 {
		s.Heading = f.Heading
	}
	if q.Fields.Title != 0 {
		s.Title = f.Title
	}
	return s
}

// hasRun reports whether the terms of run follow one another in terms. Single
// spaces separate both.
func hasRun(terms []byte, run string) bool {
	for from := 0; ; {
		i := bytes.Index(terms[from:], []byte(run))
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(run)
		if (start == 0 || terms[start-1] == ' ') && (end == len(terms) || terms[end] == ' ') {
			return true
		}
		from = start + 1
	}
}
