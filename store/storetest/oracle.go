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

// in returns the bundles in scope that owner may see, by (depth, source URL).
func (o oracle) in(scope store.Scope, owner string) []store.Bundle {
	var out []store.Bundle
	for _, b := range o {
		d := b.Document
		if d.Owner != "" && d.Owner != owner {
			continue
		}
		urls := append([]string{d.URL, d.SourceURL}, d.URLAliases...)
		if len(scope.SourceURLs) > 0 && !slices.ContainsFunc(urls, func(u string) bool { return slices.Contains(scope.SourceURLs, u) }) ||
			len(scope.DocumentIDs) > 0 && !slices.Contains(scope.DocumentIDs, d.ID) ||
			slices.Contains(scope.ExcludeDocumentIDs, d.ID) {
			continue
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b store.Bundle) int {
		x, y := a.Document, b.Document
		return cmp.Or(cmp.Compare(x.Depth, y.Depth), strings.Compare(x.SourceURL, y.SourceURL), strings.Compare(x.ID, y.ID))
	})
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
	var found store.Found
	length := 0
	df := make(map[string]int)
	for _, c := range children(o.in(store.Scope{}, owner)) {
		words := strings.Fields(c.Terms)
		if len(words) == 0 {
			continue
		}
		found.KeywordRows++
		length += len(words)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			df[w]++
		}
	}
	found.AvgLength = float64(length) / float64(max(1, found.KeywordRows))
	for _, t := range terms {
		found.Terms = append(found.Terms, store.TermStat{Term: t, DF: df[t]})
	}
	for _, c := range children(o.in(scope, owner)) {
		words := strings.Fields(c.Terms)
		row := store.KeywordRow{ID: c.ID, ParentID: c.ParentID, DocumentID: c.DocumentID, Length: len(words)}
		some, every := false, true
		for _, t := range terms {
			n := 0
			for _, w := range words {
				if w == t {
					n++
				}
			}
			row.TF = append(row.TF, n)
			row.Score += bm25(n, df[t], len(words), found.KeywordRows, found.AvgLength)
			some, every = some || n > 0, every && n > 0
		}
		if some && (every || !all) {
			found.Keyword = append(found.Keyword, row)
		}
	}
	slices.SortFunc(found.Keyword, func(a, b store.KeywordRow) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return found
}

// bm25 is the formula written out once more, so that a mistake in store.BM25
// does not prove itself right.
func bm25(tf, df, length, rows int, avg float64) float64 {
	if tf == 0 {
		return 0
	}
	idf := math.Log(1 + (float64(rows)-float64(df)+0.5)/(float64(df)+0.5))
	return idf * float64(tf) * 2.2 / (float64(tf) + 1.2*(0.25+0.75*float64(length)/avg))
}
