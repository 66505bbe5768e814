package evaluation

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Interval is a mean and the bounds that it would stay within in 95 of 100
// repetitions with other queries of the kind.
type Interval struct{ Mean, Low, High float64 }

// String is such as "+0.012 [-0.003, +0.027]".
func (i Interval) String() string { return fmt.Sprintf("%+.3f [%+.3f, %+.3f]", i.Mean, i.Low, i.High) }

// bootstrapDraws is enough for the third decimal of a bound not to depend on the
// seed in the sizes that test collections have.
const bootstrapDraws = 5000

// Bootstrap is the percentile bootstrap of the mean of differences, one a query,
// between two rankings: 5,000 draws with replacement, the 2.5th and the 97.5th
// percentile of their means. The same seed gives the same bounds; without any
// differences all is 0.
func Bootstrap(differences []float64, seed uint64) Interval {
	n := len(differences)
	if n == 0 {
		return Interval{}
	}
	sum := 0.0
	for _, d := range differences {
		sum += d
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, bootstrapDraws)
	for i := range means {
		drawn := 0.0
		for range n {
			drawn += differences[rng.IntN(n)]
		}
		means[i] = drawn / float64(n)
	}
	slices.Sort(means)
	return Interval{
		Mean: sum / float64(n),
		Low:  means[bootstrapDraws*25/1000],
		High: means[bootstrapDraws*975/1000-1],
	}
}
