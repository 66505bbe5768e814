package retrieval

import (
	"cmp"
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/agreement"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Comparison is how one result, b, differs from another, a. Items are the same
// when their chunk ids are; places are ranks by score, whatever the order in which
// a result is listed.
type Comparison struct {
	// LengthA and LengthB are the numbers of items.
	LengthA, LengthB int
	// Entered are the items of b that a has not, by rank in b; Left those of a
	// that b has not, by rank in a; Moved the common ones whose rank or score
	// changed, by rank in b. Same counts those that did not change.
	Entered, Left, Moved []Shift
	Same                 int
	// Common counts the ids in both.
	Common int
	// Depth is the k of the three measures below: at most the longer length.
	Depth int
	// Overlap is the number of ids in both first k places over k, Churn 1 minus
	// it, Jaccard that number over the ids in either. Two empty results overlap.
	Overlap, Jaccard, Churn float64
	// RBO is the rank-biased overlap with p .9, see [agreement.Orders.RBO].
	RBO float64
	// TauB is Kendall's correlation of the common items' order, NaN for fewer
	// than two of them.
	TauB float64
	// MeanDisplacement and MaxDisplacement are by how many ranks the common items
	// moved, up or down.
	MeanDisplacement float64
	MaxDisplacement  int
	// ScaleA and ScaleB say what the scores mean. Where they differ, score deltas
	// compare nothing.
	ScaleA, ScaleB string
}

// SameScale reports whether the scores of both may be compared.
func (c *Comparison) SameScale() bool {
	return c.ScaleA == c.ScaleB || c.LengthA == 0 || c.LengthB == 0
}

// IsIdentical reports that both have the same items with the same ranks and
// scores.
func (c *Comparison) IsIdentical() bool {
	return len(c.Entered) == 0 && len(c.Left) == 0 && len(c.Moved) == 0
}

// Shift is an item in one or both results. A rank of 0 says that a result does not
// have it; the score is 0 then.
type Shift struct {
	ChunkID, SourceURL, Title, Heading string
	// Name is the nearest heading above the item; Heading is its section's.
	Name           string
	RankA, RankB   int
	ScoreA, ScoreB float64
	// Why is what dropped the item from the result that has not it, as far as
	// that result lists what stands below its cuts; nil otherwise.
	Why *Drop
}

// Label is what lists call the item.
func (s *Shift) Label() string { return cmp.Or(s.Name, s.Heading, s.Title, s.SourceURL) }

// RankDelta is by how many places the item rose, negative if it fell; 0 unless
// both results have it.
func (s *Shift) RankDelta() int {
	if s.RankA == 0 || s.RankB == 0 {
		return 0
	}
	return s.RankA - s.RankB
}

// ScoreDelta is what its score gained; 0 unless both results have it.
func (s *Shift) ScoreDelta() float64 {
	if s.RankA == 0 || s.RankB == 0 {
		return 0
	}
	return s.ScoreB - s.ScoreA
}

// Compare compares two results of any presets. Overlap, Jaccard and churn are
// taken at depth; 0 is the longer length, which no depth exceeds.
func Compare(a, b Result, depth int) Comparison {
	byRankA, byRankB := a.ByRank(), b.ByRank()
	orders := agreement.Of(idsOf(byRankA), idsOf(byRankB))
	c := Comparison{
		LengthA: len(byRankA), LengthB: len(byRankB),
		RBO: orders.RBO(agreement.Persistence), ScaleA: scaleOf(byRankA), ScaleB: scaleOf(byRankB),
	}
	c.TauB, c.Common = orders.TauB()
	c.measureTop(&orders, depth)
	entered, left := c.list(byRankA, byRankB, orders.InA)
	explainAbsent(c.Entered, entered, &a)
	explainAbsent(c.Left, left, &b)
	return c
}

// ByRank are the items by rank, however the result lists them.
func (r *Result) ByRank() []*Item {
	items := make([]*Item, len(r.Items))
	for i := range r.Items { // each rank from 1 on, once: then an item's place is known
		it := &r.Items[i]
		if it.Rank < 1 || it.Rank > len(items) || items[it.Rank-1] != nil {
			items = each(r.Items, func(it *Item) *Item { return it })
			slices.SortStableFunc(items, func(x, y *Item) int { return cmp.Compare(x.Rank, y.Rank) })
			return items
		}
		items[it.Rank-1] = it
	}
	return items
}

func idsOf(items []*Item) []string {
	return each(items, func(it **Item) string { return (*it).ChunkID })
}

func scaleOf(items []*Item) string {
	if len(items) == 0 {
		return ""
	}
	return items[0].Scale
}

// measureTop fills the measures of the first k places.
func (c *Comparison) measureTop(o *agreement.Orders, depth int) {
	c.Depth = max(c.LengthA, c.LengthB)
	if depth > 0 {
		c.Depth = min(c.Depth, depth)
	}
	if c.Depth == 0 {
		c.Overlap, c.Jaccard = 1, 1
		return
	}
	common := o.Common(c.Depth)
	c.Overlap = float64(common) / float64(c.Depth)
	c.Jaccard = float64(common) / float64(min(c.LengthA, c.Depth)+min(c.LengthB, c.Depth)-common)
	c.Churn = 1 - c.Overlap
}

// list fills what entered, left and moved, and returns the items of the first two. Both
// come by rank, hence so do they; inA has the place in a of each of b, or -1.
func (c *Comparison) list(a, b []*Item, inA []int32) (entered, left []*Item) {
	stays := make([]bool, len(a))
	displaced := 0
	for i, it := range b {
		if inA[i] < 0 {
			s := shiftOf(it)
			s.RankB, s.ScoreB = it.Rank, it.Score
			c.Entered, entered = append(c.Entered, s), append(entered, it)
			continue
		}
		old := a[inA[i]]
		stays[inA[i]] = true
		if old.Rank == it.Rank && math.Float64bits(old.Score) == math.Float64bits(it.Score) {
			c.Same++
			continue
		}
		if c.Moved == nil { // where one has moved, most that follow have
			c.Moved = make([]Shift, 0, len(b)-i)
		}
		s := shiftOf(it)
		s.RankA, s.ScoreA, s.RankB, s.ScoreB = old.Rank, old.Score, it.Rank, it.Score
		c.Moved = append(c.Moved, s)
		by := max(s.RankDelta(), -s.RankDelta())
		displaced += by
		c.MaxDisplacement = max(c.MaxDisplacement, by)
	}
	for i, it := range a {
		if !stays[i] {
			s := shiftOf(it)
			s.RankA, s.ScoreA = it.Rank, it.Score
			c.Left, left = append(c.Left, s), append(left, it)
		}
	}
	if c.Common > 0 {
		c.MeanDisplacement = float64(displaced) / float64(c.Common)
	}
	return entered, left
}

func shiftOf(it *Item) Shift {
	return Shift{ChunkID: it.ChunkID, SourceURL: it.SourceURL, Title: it.Title, Heading: it.SectionHeading, Name: NearestHeading(it.SectionHeading, it.HeadingPath)}
}

// explainAbsent finds what dropped the items that the other result has not: what
// that one lists below its cuts, else what follows from where this one found them.
func explainAbsent(shifts []Shift, items []*Item, other *Result) {
	if len(shifts) == 0 {
		return
	}
	why := make(map[string]*Drop, len(other.NearMisses))
	for i := range other.NearMisses {
		why[other.NearMisses[i].ChunkID] = other.NearMisses[i].Why
	}
	for i := range shifts {
		if shifts[i].Why = why[shifts[i].ChunkID]; shifts[i].Why == nil {
			shifts[i].Why = inferAbsence(items[i], other)
		}
	}
}

// inferAbsence holds where one result found an item against what the other takes
// of its arms; nil where that leaves it open.
func inferAbsence(it *Item, other *Result) *Drop {
	switch {
	case other.Mode != param.ModeChunk || other.ChildrenFound == 0:
		return nil
	case it.Hop > 0:
		if len(other.NearMisses) == MostNearMisses { // it may be below those that are listed
			return nil
		}
		return &Drop{ID: it.ChunkID, Reason: phrase.ReasonUnreached}
	case it.Keyword != nil && it.Keyword.Rank <= other.KeywordFound:
		return nil
	case it.HasRaw && !other.Floor.Passes(it.RawSimilarity):
		return &Drop{ID: it.ChunkID, Reason: phrase.ReasonBelowFloor, Value: it.RawSimilarity, Threshold: other.Floor.Raw, Arm: param.StageVector}
	case it.Vector != nil && it.Vector.Rank > other.ChildrenFound:
		return &Drop{
			ID: it.ChunkID, Reason: phrase.ReasonBeyondLimit, Value: float64(it.Vector.Rank), Threshold: float64(other.ChildrenFound),
			Rank: it.Vector.Rank, Arm: param.StageVector,
		}
	default:
		return nil
	}
}

// NearestHeading is the last of the headings above a chunk.
func NearestHeading(section string, path []string) string {
	if n := len(path); n > 0 {
		return path[n-1]
	}
	return section
}

// LiftToSections replaces passages by their sections, each where its best passage was, so
// that they can be compared with sections.
func (r *Result) LiftToSections() {
	items := slices.Clone(r.Items)
	slices.SortStableFunc(items, func(x, y Item) int { return cmp.Compare(x.Rank, y.Rank) })
	seen := map[string]bool{}
	r.Items = nil
	for _, it := range items {
		if it.ChunkID = cmp.Or(it.ParentID, it.ChunkID); !seen[it.ChunkID] {
			seen[it.ChunkID] = true
			it.Rank = len(r.Items) + 1
			r.Items = append(r.Items, it)
		}
	}
	r.NearMisses = slices.Clone(r.NearMisses)
	for i := range r.NearMisses {
		r.NearMisses[i].ChunkID = cmp.Or(r.NearMisses[i].ParentID, r.NearMisses[i].ChunkID)
	}
}
