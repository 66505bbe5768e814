package kept

import (
	"errors"
	"fmt"
	"math"
	"time"
)

const (
	// mostRows and mostHits bound the chunks of one evidence, and those that an arm found:
	// some times what a search is ever asked for.
	mostRows, mostHits = 100_000, 5_000
	// mostEdges bounds the edges of one evidence, and their ends at the nodes.
	mostEdges = 200_000
	// mostWords bounds the different words that are kept of one text.
	mostWords = 100_000
	// mostIndex bounds the places of chunks in their pages.
	mostIndex = 1 << 30
	// mostCount bounds what is counted in a corpus.
	mostCount int64 = 1 << 40
)

// WordSize is how many bytes of [Words.Words] a word has, digestSize how many a text's
// digest.
const (
	WordSize   = 8
	digestSize = 16
)

// Check finds out whether everything is in its range, and says what is not.
func (f *Found) Check() error {
	c := &f.Coverage
	for name, n := range map[string]int{
		"dimensions": f.Dimensions, "pages": f.Stats.Documents, "sections": f.Stats.Parents, "passages": f.Stats.Children, "tokens": f.Stats.Tokens,
		"deleted": f.Hidden.Deleted, "unfinished": f.Hidden.Unfinished, "stale": f.Hidden.Stale,
		"rows": c.Rows, "own rows": c.OwnRows, "ef": c.Ef, "used ef": c.UsedEf, "scanned": c.Scanned, "returned": c.Returned, "missed": c.Missed,
		"own terms": f.Keyword.Own, "children": f.Keyword.Children, "matches": f.Keyword.Matches,
	} {
		if n < 0 || int64(n) > mostCount {
			return fmt.Errorf("%s: %d is no count", name, n)
		}
	}
	for name, x := range map[string]float64{
		"calibration": f.Calibration.P50, "upper calibration": f.Calibration.P995, "own calibration": f.Calibration.Own,
		"mean length": f.Keyword.MeanLength.Body, "mean heading": f.Keyword.MeanLength.Heading, "mean title": f.Keyword.MeanLength.Title,
		"heading weight": f.Keyword.Fields.Heading, "title weight": f.Keyword.Fields.Title,
	} {
		if !isFinite(x) {
			return fmt.Errorf("%s: it is no number", name)
		}
	}
	if err := f.checkRows(); err != nil {
		return err
	}
	if err := f.checkArms(); err != nil {
		return err
	}
	if len(f.Reading) > len(f.Rows) || len(f.Reading) > 0 && !f.AllParents {
		return errors.New("the reading order has more sections than there are")
	}
	for _, at := range f.Reading {
		if !f.has(at) || f.Rows[at].Child {
			return errors.New("the reading order names no section")
		}
	}
	return nil
}

func (f *Found) checkRows() error {
	if len(f.Rows) > mostRows || len(f.Documents) > mostRows {
		return errors.New("evidence has too many chunks")
	}
	known := make(map[string]bool, len(f.Rows))
	for i := range f.Rows {
		r := &f.Rows[i]
		switch {
		case r.ID == "" || known[r.ID]:
			return errors.New("a chunk has no id, or that of another")
		case r.Document < 0 || int(r.Document) >= len(f.Documents):
			return errors.New("a chunk is of no page")
		// So that no chunk can be in itself.
		case r.Parent < None || int(r.Parent) >= i:
			return errors.New("a passage stands before its section")
		case r.Chars[0] < 0 || r.Chars[1] < r.Chars[0] || r.Tokens[0] < 0 || r.Tokens[1] < r.Tokens[0]:
			return errors.New("a range ends before it begins, or begins before the page")
		case r.Depth < 0 || r.HTMLTokens < 0:
			return errors.New("a chunk has less than nothing")
		// So that whoever counts from one to the next comes to an end.
		case r.Index < -1 || r.Index > mostIndex:
			return errors.New("a chunk stands nowhere in its page")
		}
		known[r.ID] = true
	}
	return nil
}

// checkArms holds that the arms are in order: ranking cuts off their ends.
func (f *Found) checkArms() error {
	if len(f.Nearest) > mostHits || len(f.Keyword.Rows) > mostHits {
		return errors.New("a search found too many rows")
	}
	last := math.Inf(1)
	for i := range f.Nearest {
		h := &f.Nearest[i]
		if !f.has(h.Row) || !isFinite(h.Score) || h.Score > last {
			return errors.New("the vector search has no such row, or is out of order")
		}
		last = h.Score
	}
	last = math.Inf(1)
	for i := range f.Keyword.Rows {
		h := &f.Keyword.Rows[i]
		if !f.has(h.Row) || !isFinite(h.Score) || h.Score > last {
			return errors.New("the keyword search has no such row, or is out of order")
		}
		last = h.Score
		if len(h.Counts) > len(f.Keyword.Terms) || min(h.Length[0], h.Length[1], h.Length[2]) < 0 {
			return errors.New("the keyword search counts more terms than there are, or less than nothing")
		}
		for _, counts := range h.Counts {
			if min(counts[0], counts[1], counts[2]) < 0 {
				return errors.New("the keyword search counts less than nothing")
			}
		}
	}
	for i := range f.Keyword.Terms {
		if t := &f.Keyword.Terms[i]; t.DF < 0 || !isFinite(t.Weight) {
			return errors.New("a term occurs less than never, or its weight is no number")
		}
	}
	return nil
}

// Check finds out whether everything is in its range and fits f, which was checked.
func (c *Completion) Check(f *Found) error {
	t := &c.Timing
	if min(t.Mode, t.Embed, t.Search, t.Rows, t.Texts, t.Edges, t.Rerank) < 0 || max(t.Mode, t.Embed, t.Search, t.Rows, t.Texts, t.Edges, t.Rerank) > longest {
		return errors.New("a part took less than no time, or too long")
	}
	for i := range c.Metadata {
		if at := c.Metadata[i].Document; at < 0 || int(at) >= len(f.Documents) {
			return errors.New("metadata is of no page")
		}
	}
	for _, a := range c.Answers {
		for _, score := range a.Scores {
			if !isFinite(score) {
				return errors.New("a reranker's score is no number")
			}
		}
		if a.Invalid < 0 {
			return errors.New("a reranker gave less than no score")
		}
	}
	return c.Graph.check(f)
}

// longest is more than anything takes, and so little that sums stay in range.
const longest = 1000 * time.Hour

func (g *Graph) check(f *Found) error {
	if len(g.Edges) > mostEdges || len(g.Nodes) > mostRows || g.Capped < 0 {
		return errors.New("the graph is too large")
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		if !f.has(e.Source) || !f.has(e.Target) || !isFinite(e.Weight) {
			return errors.New("an edge leads nowhere, or its weight is no number")
		}
	}
	ends, known := 0, make(map[int32]bool, len(g.Nodes))
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if !f.has(n.Row) || known[n.Row] {
			return errors.New("edges are at no chunk, or at one twice")
		}
		known[n.Row] = true
		if ends += len(n.Out) + len(n.In); ends > 2*mostEdges {
			return errors.New("the graph is too large")
		}
		for _, e := range n.Out {
			if e < 0 || int(e) >= len(g.Edges) || g.Edges[e].Source != n.Row {
				return errors.New("an edge does not begin where it is said to")
			}
		}
		for _, e := range n.In {
			if e < 0 || int(e) >= len(g.Edges) || g.Edges[e].Target != n.Row {
				return errors.New("an edge does not end where it is said to")
			}
		}
	}
	return nil
}

// Check finds out whether these are words.
func (w *Words) Check() error {
	if len(w.Digest) != digestSize || len(w.Words)%WordSize != 0 || len(w.Words) > mostWords*WordSize {
		return errors.New("these are no words of a text")
	}
	return nil
}

// has reports whether a row is there.
func (f *Found) has(row int32) bool { return row >= 0 && int(row) < len(f.Rows) }

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
