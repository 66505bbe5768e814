package retrieval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/agreement"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// ranking is a result of these ids, the first with the highest score.
func ranking(names ...string) retrieval.Result {
	var r retrieval.Result
	for i, id := range names {
		r.Items = append(r.Items, retrieval.Item{ChunkID: id, Rank: i + 1, Score: 1 - float64(i)/100, Scale: "cosine"})
	}
	return r
}

func chars(s string) []string { return strings.Split(s, "") }

func TestMeasuresOfTwoRankings(t *testing.T) {
	for _, c := range []struct {
		a, b                       string
		depth                      int
		rbo, tau                   float64
		common                     int
		overlap, jaccard, churnAtK float64
	}{
		{"abc", "abc", 0, 1, 1, 3, 1, 1, 0},
		{"123", "321", 0, .855000, -1, 3, 1, 1, 0},
		{"abcde", "edcba", 0, .737775, -1, 5, 1, 1, 0},
		{"1234567", "13245768", 0, .945159, .809524, 7, .875, .875, .125},
		{"1234567", "13245768", 7, .945159, .809524, 7, 1, 1, 0},
		{"12", "1234", 0, 1, 1, 2, .5, .5, .5},
		{"abc", "xyz", 0, 0, math.NaN(), 0, 0, 0, 1},
		{"abc", "xbz", 1, .315000, math.NaN(), 1, 0, 0, 1},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			got := retrieval.Compare(ranking(chars(c.a)...), ranking(chars(c.b)...), c.depth)
			for _, m := range []struct {
				name      string
				got, want float64
			}{
				{"RBO", got.RBO, c.rbo},
				{"tau", got.TauB, c.tau},
				{"overlap", got.Overlap, c.overlap},
				{"Jaccard", got.Jaccard, c.jaccard},
				{"churn", got.Churn, c.churnAtK},
			} {
				if math.IsNaN(m.want) != math.IsNaN(m.got) || math.Abs(m.got-m.want) > tolerance {
					t.Errorf("%s is %v, want %v", m.name, m.got, m.want)
				}
			}
			if got.Common != c.common || got.LengthA != len(c.a) || got.LengthB != len(c.b) {
				t.Errorf("%d common of %d and %d", got.Common, got.LengthA, got.LengthB)
			}
		})
	}
}

func TestEmptyRankings(t *testing.T) {
	both := retrieval.Compare(ranking(), ranking(), 10)
	if both.RBO != 1 || both.Overlap != 1 || both.Churn != 0 || !both.IsIdentical() {
		t.Errorf("two empty results: %+v", both)
	}
	one := retrieval.Compare(ranking(), ranking("a"), 10)
	if one.RBO != 0 || one.Overlap != 0 || one.Churn != 1 || len(one.Entered) != 1 {
		t.Errorf("an empty result and another: %+v", one)
	}
}

func TestEnteredLeftMoved(t *testing.T) {
	a, b := ranking("w", "x", "y", "z"), ranking("w", "z", "n", "y")
	b.NearMisses = []retrieval.Item{{ChunkID: "x", Why: &retrieval.Drop{ID: "x", Reason: phrase.ReasonBelowFloor}}}
	slices.Reverse(b.Items) // a list by page is not in order of rank
	c := retrieval.Compare(a, b, 0)
	var got []string
	for _, s := range c.Entered {
		got = append(got, fmt.Sprintf("+%s %d", s.ChunkID, s.RankB))
	}
	for _, s := range c.Left {
		got = append(got, fmt.Sprintf("-%s %d %s", s.ChunkID, s.RankA, s.Why.Reason))
	}
	for _, s := range c.Moved {
		got = append(got, fmt.Sprintf("%s %+d %+.2f", s.ChunkID, s.RankDelta(), s.ScoreDelta()))
	}
	if want := "+n 3, -x 2 below_floor, z +2 +0.02, y -1 -0.01"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if c.Same != 1 || c.MaxDisplacement != 2 || c.MeanDisplacement != 1 {
		t.Errorf("%d the same, displaced by %v and at most %d", c.Same, c.MeanDisplacement, c.MaxDisplacement)
	}
}

func TestComparisonIsSymmetricAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) []string {
			all := chars("abcdefghijkl")
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, label), 0))
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			return all[:rapid.IntRange(0, len(all)).Draw(t, label+" length")]
		}
		a, b := draw("a"), draw("b")
		depth := rapid.IntRange(0, 14).Draw(t, "depth")
		there, back := retrieval.Compare(ranking(a...), ranking(b...), depth), retrieval.Compare(ranking(b...), ranking(a...), depth)
		if there.RBO != back.RBO || there.Overlap != back.Overlap || len(there.Entered) != len(back.Left) || len(there.Moved) != len(back.Moved) {
			t.Fatalf("%+v and %+v", there, back)
		}
		for _, m := range []float64{there.RBO, there.Overlap, there.Jaccard, there.Churn} {
			if !(m >= 0 && m <= 1+1e-12) {
				t.Fatalf("%v is not between 0 and 1: %+v", m, there)
			}
		}
		if there.Same+len(there.Moved) != there.Common || there.Common+len(there.Entered) != len(b) || there.Common+len(there.Left) != len(a) {
			t.Fatalf("%+v does not add up", there)
		}
		if len(b) > 0 {
			prefix := b[:1+rapid.IntRange(0, len(b)-1).Draw(t, "prefix")]
			if got := ordersOf(prefix, b).RBO(0.9); math.Abs(got-1) > 1e-12 {
				t.Fatalf("a ranking and its prefix overlap by %v", got)
			}
		}
		tau, n := ordersOf(a, b).TauB()
		if want := naiveTau(a, b); n > 1 && math.Abs(tau-want) > 1e-12 {
			t.Fatalf("tau %v, counted pair by pair %v", tau, want)
		}
	})
}

func ordersOf(a, b []string) *agreement.Orders {
	o := agreement.Of(a, b)
	return &o
}

// naiveTau counts pair by pair.
func naiveTau(a, b []string) float64 {
	var pairs, sum float64
	for i := range a {
		for j := range i {
			x, y := slices.Index(b, a[i]), slices.Index(b, a[j])
			if x < 0 || y < 0 {
				continue
			}
			pairs++
			if x > y {
				sum++
			} else {
				sum--
			}
		}
	}
	return sum / pairs
}
