// Package scoping says what the conditions of a scope let in, so that one that lets
// nothing in can be put right.
package scoping

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/spelling"
	"github.com/webrag/webrag-tui/store"
)

// Report says how many documents each condition of a scope lets in, so that
// a scope that lets none in can be put right.
type Report struct {
	// Documents is how many there are, InScope how many meet all conditions.
	Documents, InScope int
	Conditions         []Condition
	// Unmatched are the values that alone let no document in, where their condition
	// has others that do.
	Unmatched []Condition
}

// Condition is one condition of a scope, taken alone.
type Condition struct {
	// Words say what a document must do to meet it: `have tag "x"`.
	Words string
	// Documents is how many do.
	Documents int
	// Hint says what there is instead, empty where that would not help.
	Hint string
}

// Count counts the documents that meet each condition of a scope alone. It
// lists the documents once when a condition lets none in, to say what there is.
func Count(ctx context.Context, v store.View, scope store.Scope) (Report, error) {
	all, err := v.Stats(ctx, store.Scope{})
	if err != nil {
		return Report{}, fmt.Errorf("count the corpus: %w", err)
	}
	in, err := v.Stats(ctx, scope)
	if err != nil {
		return Report{}, fmt.Errorf("count the scope: %w", err)
	}
	r := Report{Documents: all.Documents, InScope: in.Documents}
	var documents []store.Document
	conditions := scopeParts(scope)
	for i, part := range append(conditions, valueParts(scope)...) {
		st, err := v.Stats(ctx, part.alone)
		if err != nil {
			return Report{}, fmt.Errorf("count the documents that %s: %w", part.words, err)
		}
		c := Condition{Words: part.words, Documents: st.Documents}
		if st.Documents == 0 && part.hint != nil {
			if documents == nil {
				if documents, err = listed(ctx, v); err != nil {
					return Report{}, err
				}
			}
			c.Hint = part.hint(documents)
		}
		switch {
		case i < len(conditions):
			r.Conditions = append(r.Conditions, c)
		case c.Documents == 0:
			r.Unmatched = append(r.Unmatched, c)
		}
	}
	return r, nil
}

// listed are all documents, and behind them those that were deleted.
func listed(ctx context.Context, v store.View) ([]store.Document, error) {
	documents, err := v.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return nil, fmt.Errorf("list the documents: %w", err)
	}
	deleted, err := v.Deleted(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the deleted documents: %w", err)
	}
	return append(documents, deleted...), nil
}

// String is the report in a sentence: `no page is in scope: 0 of 14 pages have
// tag "x"; the corpus's tags are a (3), b (2)`.
func (r Report) String() string {
	are := "are"
	if r.Documents == 1 {
		are = "is"
	}
	head := fmt.Sprintf("%d of %s %s in scope", r.InScope, phrase.Counted(r.Documents, "page"), are)
	if r.InScope == 0 {
		head = "no page is in scope"
	}
	// What lets none in comes first: it alone explains an empty scope.
	conditions := slices.Clone(r.Conditions)
	slices.SortStableFunc(conditions, func(a, b Condition) int { return cmp.Compare(min(a.Documents, 1), min(b.Documents, 1)) })
	var parts []string
	for i, c := range conditions {
		of := strconv.Itoa(r.Documents)
		if i == 0 {
			of = phrase.Counted(r.Documents, "page")
		}
		parts = append(parts, fmt.Sprintf("%d of %s %s", c.Documents, of, c.Words))
		if c.Hint != "" {
			parts = append(parts, c.Hint)
		}
	}
	if len(conditions) > 1 && r.InScope == 0 && conditions[0].Documents > 0 {
		parts = append(parts, "none meets all of these")
	}
	if len(parts) == 0 {
		return head
	}
	return head + ": " + strings.Join(parts, "; ")
}

// Notes say of each unmatched value what there is instead: `0 of 14 pages have tag
// "x"; the corpus's tags are a (3), b (2)`.
func (r Report) Notes() []string {
	var notes []string
	for _, c := range r.Unmatched {
		note := fmt.Sprintf("0 of %s %s", phrase.Counted(r.Documents, "page"), c.Words)
		if c.Hint != "" {
			note += "; " + c.Hint
		}
		notes = append(notes, note)
	}
	return notes
}

// scopePart is one condition as a scope of its own.
type scopePart struct {
	alone store.Scope
	words string
	hint  func([]store.Document) string
}

// scopeValues is a condition that documents meet with one of several values.
type scopeValues struct {
	values []string
	// alone is the scope of some of them, words say what documents must do, ended by
	// the values; hint, which may be nil, says what there is instead of them.
	alone func(values []string) store.Scope
	words string
	hint  func(asked []string, docs []store.Document) string
}

func (c *scopeValues) part(values []string) scopePart {
	p := scopePart{alone: c.alone(values), words: c.words + anyOf(values)}
	if c.hint != nil {
		p.hint = func(docs []store.Document) string { return c.hint(values, docs) }
	}
	return p
}

// valuesOf are the conditions of a scope that have values, before those left out and
// after them.
func valuesOf(s store.Scope) (ids, others []scopeValues) {
	ids = []scopeValues{
		{s.SourceURLs, func(v []string) store.Scope { return store.Scope{SourceURLs: v} }, "have the address ", nearestAddress},
		documentIDs(s.DocumentIDs),
	}
	others = []scopeValues{{
		s.Tags, func(v []string) store.Scope { return store.Scope{Tags: v} }, "have tag ",
		hintOf("tag", func(d *store.Document) []string { return d.Tags }),
	}}
	for _, m := range s.Meta {
		others = append(others, scopeValues{
			m.Values, func(v []string) store.Scope { return store.Scope{Meta: []store.MetaFilter{{Key: m.Key, Values: v}}} }, "have " + m.Key + " ",
			func(asked []string, docs []store.Document) string { return metaHint(m.Key, asked, docs) },
		})
	}
	return ids, append(others, scopeValues{
		s.SourceTypes, func(v []string) store.Scope { return store.Scope{SourceTypes: v} }, "are of source type ",
		hintOf("source type", func(d *store.Document) []string { return []string{d.SourceType} }),
	}, scopeValues{
		s.Headings, func(v []string) store.Scope { return store.Scope{Headings: v} }, "have a section under ", nil,
	})
}

func documentIDs(ids []string) scopeValues {
	return scopeValues{ids, func(v []string) store.Scope { return store.Scope{DocumentIDs: v} }, "have the id ", nil}
}

// hintOf lists the values that documents have.
func hintOf(what string, of func(*store.Document) []string) func([]string, []store.Document) string {
	return func(asked []string, docs []store.Document) string { return there(what, asked, countValues(docs, of)) }
}

// scopeParts takes a scope apart.
func scopeParts(s store.Scope) []scopePart {
	var parts []scopePart
	add := func(list []scopeValues) {
		for i := range list {
			if len(list[i].values) > 0 {
				parts = append(parts, list[i].part(list[i].values))
			}
		}
	}
	ids, others := valuesOf(s)
	add(ids)
	if n := len(s.ExcludeDocumentIDs); n > 0 {
		parts = append(parts, scopePart{store.Scope{ExcludeDocumentIDs: s.ExcludeDocumentIDs}, "are not among the " + strconv.Itoa(n) + " left out", nil})
	}
	add(others)
	return append(parts, boundParts(s)...)
}

// mostValues bounds how many values of a scope are looked up one by one.
const mostValues = 64

// valueParts are the values of the conditions that have several, each alone, and
// the documents to leave out: whether one of them is missing cannot be seen from
// all of them together.
func valueParts(s store.Scope) []scopePart {
	var parts []scopePart
	ids, others := valuesOf(s)
	for _, c := range append(ids, others...) {
		if len(c.values) < 2 {
			continue
		}
		for i := range c.values[:min(len(c.values), mostValues)] {
			if !slices.Contains(c.values[:i], c.values[i]) {
				parts = append(parts, c.part(c.values[i:i+1]))
			}
		}
	}
	excluded := documentIDs(s.ExcludeDocumentIDs)
	for i := range excluded.values[:min(len(excluded.values), mostValues)] {
		parts = append(parts, excluded.part(excluded.values[i:i+1]))
	}
	return parts
}

// boundParts are the conditions on times and depth.
func boundParts(s store.Scope) []scopePart {
	var parts []scopePart
	if !s.CreatedAfter.IsZero() {
		parts = append(parts, scopePart{store.Scope{CreatedAfter: s.CreatedAfter}, "were fetched after " + moment(s.CreatedAfter), fetchedHint})
	}
	if !s.CreatedBefore.IsZero() {
		parts = append(parts, scopePart{store.Scope{CreatedBefore: s.CreatedBefore}, "were fetched before " + moment(s.CreatedBefore), fetchedHint})
	}
	if s.MaxDepth != nil {
		depth := *s.MaxDepth
		parts = append(parts, scopePart{
			store.Scope{MaxDepth: &depth},
			fmt.Sprintf("are at depth %d or less", depth),
			func(docs []store.Document) string {
				docs = slices.DeleteFunc(slices.Clone(docs), func(d store.Document) bool { return !d.DeletedAt.IsZero() })
				if len(docs) == 0 {
					return ""
				}
				least := slices.MinFunc(docs, func(a, b store.Document) int { return cmp.Compare(a.Depth, b.Depth) })
				return fmt.Sprintf("the least depth is %d", least.Depth)
			},
		})
	}
	return parts
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func fetchedHint(docs []store.Document) string {
	var times []time.Time
	for i := range docs {
		if t := docs[i].FetchedAt; !t.IsZero() && docs[i].DeletedAt.IsZero() {
			times = append(times, t)
		}
	}
	if len(times) == 0 {
		return "no page says when it was fetched"
	}
	first, last := moment(slices.MinFunc(times, time.Time.Compare)), moment(slices.MaxFunc(times, time.Time.Compare))
	if first == last {
		return "the pages were fetched at " + first
	}
	return "the pages were fetched from " + first + " to " + last
}

// anyOf quotes values: "a" or "b". Many are cut short.
func anyOf(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	return strings.Join(firstOf(quoted, 3), " or ")
}

// firstOf is the first of a list and how many more there are.
func firstOf(list []string, most int) []string {
	if n := len(list) - most; n > 0 {
		return append(list[:most:most], strconv.Itoa(n)+" more")
	}
	return list
}

// countValues counts how many documents have each value, the deleted ones aside.
func countValues(docs []store.Document, of func(*store.Document) []string) map[string]int {
	counts := map[string]int{}
	for i := range docs {
		if !docs[i].DeletedAt.IsZero() {
			continue
		}
		for _, value := range of(&docs[i]) {
			counts[value]++
		}
	}
	delete(counts, "")
	return counts
}

// there lists the values that a corpus has, the most frequent first.
func there(what string, asked []string, counts map[string]int) string {
	const most = 8
	if len(counts) == 0 {
		return "no page of the corpus has a " + what
	}
	values := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	counted := make([]string, len(values))
	for i, v := range values {
		counted[i] = fmt.Sprintf("%s (%d)", v, counts[v])
	}
	listed := firstOf(counted, most)
	if near := nearest(asked, values); near != "" && len(values) > most {
		listed = append(listed, "among them "+strconv.Quote(near))
	}
	return "the corpus's " + what + "s are " + strings.Join(listed, ", ")
}

// metaHint lists the key's values, or the keys when there is no such key.
func metaHint(key string, asked []string, docs []store.Document) string {
	values := countValues(docs, func(d *store.Document) []string { return []string{d.Metadata[key]} })
	if len(values) > 0 {
		return there(key, asked, values)
	}
	keys := countValues(docs, func(d *store.Document) []string { return slices.Collect(maps.Keys(d.Metadata)) })
	// The program's own notes are of no use to a reader.
	maps.DeleteFunc(keys, func(key string, _ int) bool { return strings.HasPrefix(key, "webrag:") })
	return there("metadata key", []string{key}, keys)
}

// nearestAddress names the page that was probably meant: the one of that address
// if it is deleted, the shortest address that holds the words, or one that is a
// slip of the fingers away.
func nearestAddress(asked []string, docs []store.Document) string {
	var urls []string
	for i := range docs {
		d := &docs[i]
		if d.DeletedAt.IsZero() {
			urls = append(urls, d.SourceURL)
			continue
		}
		if slices.ContainsFunc(asked, func(a string) bool { return store.PageKey(a) == store.PageKey(d.SourceURL) }) {
			return d.SourceURL + " is deleted: 'webrag-tui docs restore' brings it back"
		}
	}
	near := ""
	for _, a := range asked {
		for _, url := range urls {
			if len(a) >= shortestPart && strings.Contains(strings.ToLower(url), strings.ToLower(a)) && (near == "" || len(url) < len(near)) {
				near = url
			}
		}
	}
	if near == "" {
		near = nearest(asked, urls)
	}
	if near == "" {
		return ""
	}
	return "the nearest is " + near
}

// shortestPart is the shortest part of an address that names a page: fewer letters
// are in too many.
const shortestPart = 3

// nearest is the candidate that is a slip of the fingers away from one of the
// words, empty when there is none.
func nearest(words, candidates []string) string {
	best, least := "", 0
	for _, word := range words {
		most := len(word)/4 + 1
		for _, c := range candidates {
			if len(c) > len(word)+most || len(word) > len(c)+most {
				continue
			}
			if d := spelling.Distance(strings.ToLower(word), strings.ToLower(c)); d <= most && (best == "" || d < least) {
				best, least = c, d
			}
		}
	}
	return best
}
