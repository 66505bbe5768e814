package storetest

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// oracle is a corpus as a map by document id, searched naively.
type oracle map[string]store.Bundle

// in returns what owner may see and is in scope, by (depth, source URL): bundles
// with the sections in scope, and without those of which there is none.
func (o oracle) in(scope store.Scope, owner string) []store.Bundle {
	var out []store.Bundle
	for _, b := range o {
		d := b.Document
		if owner != "" && d.Owner != owner || !d.DeletedAt.IsZero() || !inScope(d, scope) {
			continue
		}
		if len(scope.Headings) > 0 {
			if b.Chunks = under(b.Chunks, scope.Headings); len(b.Chunks) == 0 {
				continue
			}
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b store.Bundle) int {
		x, y := a.Document, b.Document
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), strings.Compare(x.SourceURL, y.SourceURL), strings.Compare(x.ID, y.ID))
	})
	return out
}

func inScope(d store.Document, scope store.Scope) bool {
	one := func(list []string, of ...string) bool {
		return slices.ContainsFunc(of, func(s string) bool { return slices.Contains(list, s) })
	}
	if len(scope.SourceURLs) > 0 && !one(scope.SourceURLs, append([]string{d.URL, d.SourceURL}, d.URLAliases...)...) ||
		len(scope.DocumentIDs) > 0 && !one(scope.DocumentIDs, d.ID) || one(scope.ExcludeDocumentIDs, d.ID) ||
		len(scope.Tags) > 0 && !one(scope.Tags, d.Tags...) || len(scope.SourceTypes) > 0 && !one(scope.SourceTypes, d.SourceType) {
		return false
	}
	for _, m := range scope.Meta {
		value, ok := d.Metadata[m.Key]
		if len(m.Values) > 0 && (!ok || !one(m.Values, value)) {
			return false
		}
	}
	after, before := scope.CreatedAfter, scope.CreatedBefore
	if bounded := !after.IsZero() || !before.IsZero(); bounded && d.FetchedAt.IsZero() {
		return false
	}
	return (after.IsZero() || d.FetchedAt.After(after)) && (before.IsZero() || d.FetchedAt.Before(before)) &&
		(scope.MaxDepth == nil || d.Depth <= *scope.MaxDepth)
}

// under returns the parents below one of the headings, with their children.
func under(chunks []store.Chunk, headings []string) (out []store.Chunk) {
	in := make(map[string]bool)
	wanted := make(map[string]bool)
	for _, h := range headings {
		wanted[strings.ToLower(h)] = h != ""
	}
	for _, c := range chunks {
		for _, h := range append([]string{c.SectionHeading}, c.HeadingPath...) {
			if wanted[strings.ToLower(h)] {
				in[c.ID] = c.Level == store.Parent
			}
		}
	}
	for _, c := range chunks {
		if in[c.ID] || in[c.ParentID] {
			out = append(out, c)
		}
	}
	return out
}

func children(bundles []store.Bundle) []store.Chunk {
	var out []store.Chunk
	for _, b := range bundles {
		for _, c := range b.Chunks {
			if c.Level == store.Child {
				out = append(out, c)
			}
		}
	}
	return out
}

// nearest returns all children with a vector by (similarity, id).
func (o oracle) nearest(q []float32, scope store.Scope, owner string) []store.VectorRow {
	var rows []store.VectorRow
	for _, c := range children(o.in(scope, owner)) {
		if c.Embedding == nil {
			continue
		}
		var s float64
		for i, x := range c.Embedding {
			s += float64(float64(x) * float64(q[i]))
		}
		rows = append(rows, store.VectorRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Similarity: s})
	}
	slices.SortFunc(rows, func(a, b store.VectorRow) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.ID, b.ID))
	})
	return rows
}

// keyword returns what a keyword search must find: the rows that hold any of
// the terms, or all of them, by (score, id).
func (o oracle) keyword(terms []string, all bool, scope store.Scope, owner string) store.Found {
	match := store.MatchOr
	if all {
		match = store.MatchAnd
	}
	return o.match(store.Search{Terms: terms, Match: match, Scope: scope}, owner)
}

// match returns what a search's keyword arm must find.
func (o oracle) match(spec store.Search, owner string) store.Found {
	found := store.Found{Fields: spec.Fields}
	var sum [3]float64
	df := make(map[string]int)
	for _, c := range children(o.in(store.Scope{}, owner)) {
		words := strings.Fields(c.Terms + " " + c.HeadingTerms + " " + c.TitleTerms)
		if len(words) == 0 {
			continue
		}
		found.KeywordRows++
		for i, field := range fieldsOf(c) {
			sum[i] += float64(len(field))
		}
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			df[w]++
		}
	}
	n := float64(max(1, found.KeywordRows))
	found.AvgLength = store.FieldLengths{Body: sum[0] / n, Heading: sum[1] / n, Title: sum[2] / n}
	for i, t := range spec.Terms {
		stat := store.TermStat{Term: t, DF: df[t], Weight: 1}
		if spec.TermWeights != nil {
			stat.Weight = spec.TermWeights[i]
		}
		found.Terms = append(found.Terms, stat)
	}
	for _, c := range children(o.in(spec.Scope, owner)) {
		if row, ok := keywordRow(&found, c, spec); ok {
			found.Keyword = append(found.Keyword, row)
		}
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return found
}

// fieldsOf returns the terms of a child's body, headings and title.
func fieldsOf(c store.Chunk) [3][]string {
	return [3][]string{strings.Fields(c.Terms), strings.Fields(c.HeadingTerms), strings.Fields(c.TitleTerms)}
}

// keywordRow counts the terms in a chunk, and says whether it is a match.
func keywordRow(found *store.Found, c store.Chunk, spec store.Search) (store.KeywordRow, bool) {
	fields := fieldsOf(c)
	length := store.FieldCounts{Body: len(fields[0]), Heading: len(fields[1]), Title: len(fields[2])}
	row := store.KeywordRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Length: length}
	for i, weight := range []float64{1, spec.Fields.Heading, spec.Fields.Title} {
		if weight == 0 {
			fields[i] = nil
		}
	}
	some, every := false, true
	for _, t := range found.Terms {
		var n [3]int
		for i, words := range fields {
			for _, w := range words {
				if w == t.Term {
					n[i]++
				}
			}
		}
		tf := store.FieldCounts{Body: n[0], Heading: n[1], Title: n[2]}
		row.TF = append(row.TF, tf)
		row.Score += bm25f(t, tf, length, found)
		held := n != [3]int{}
		some, every = some || held, every && held
	}
	switch spec.Match {
	case store.MatchAnd:
		return row, some && every
	case store.MatchWebsearch:
		has := func(run string) bool {
			return slices.ContainsFunc(fields[:], func(words []string) bool {
				return len(words) > 0 && strings.Contains(" "+strings.Join(words, " ")+" ", " "+run+" ")
			})
		}
		for _, p := range spec.Phrases {
			every = every && has(strings.Join(p, " "))
			some = true
		}
		return row, some && every && !slices.ContainsFunc(spec.Excluded, has)
	default:
		return row, some
	}
}

// bm25f is the formula written out once more, so that a mistake in store.BM25F
// does not prove itself right.
func bm25f(t store.TermStat, tf, length store.FieldCounts, found *store.Found) float64 {
	if tf == (store.FieldCounts{}) {
		return 0
	}
	f := 0.0
	if tf.Body > 0 {
		f += float64(tf.Body) / (.25 + .75*float64(length.Body)/found.AvgLength.Body)
	}
	if tf.Heading > 0 {
		f += found.Fields.Heading * float64(tf.Heading) / (1 - store.BM25B + store.BM25B*float64(length.Heading)/found.AvgLength.Heading)
	}
	if tf.Title > 0 {
		f += found.Fields.Title * float64(tf.Title) / (1 - store.BM25B + store.BM25B*float64(length.Title)/found.AvgLength.Title)
	}
	idf := math.Log(1 + (float64(found.KeywordRows)-float64(t.DF)+0.5)/(float64(t.DF)+0.5))
	return t.Weight * idf * f * 2.2 / (f + 1.2)
}
