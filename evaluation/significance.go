package evaluation

import (
	"math"
	"math/rand/v2"
)

// Tests say how often chance alone makes a difference as large as that of some queries, up or
// down.
type Tests struct {
	// Deviation is the standard deviation of the differences, over n − 1. T is Student's t of
	// their mean with Freedom degrees of freedom, and StudentP its two-sided p. Where the
	// differences are all equal there is no t: it is 0, and its p 1 if they are 0 and else 0.
	Deviation, T, StudentP float64
	Freedom                int
	// Randomisation is the p of the randomisation test, and Exact says that all ways to flip signs
	// were counted.
	Randomisation float64
	Exact         bool
}

// What the randomisation test does.
const (
	mostExact = 20 // queries: a million ways
	flipDraws = 10_000
	// rounding is by how much two ways to add the same differences may differ.
	rounding = 1e-12
)

// Test tests whether the mean of differences, one for each query, is other than 0: by
// Student's t for pairs, and by randomisation, which flips their signs, as they would
// be if it were chance which of two rankings is called the first one. It counts how often
// |mean| is not below the observed one (by more than 1e-12): exactly for up to 20 queries, otherwise in
// 10,000 draws, with p = (count + 1)/(draws + 1). The same seed gives the same p. Without
// differences both p are 1.
//
// Smucker, Allan and Carterette, A Comparison of Statistical Significance Tests for
// Information Retrieval Evaluation (2007).
func Test(differences []float64, seed uint64) Tests {
	t := Tests{StudentP: 1, Exact: len(differences) <= mostExact}
	t.student(differences)
	if t.Exact {
		t.Randomisation = exactFlips(differences)
	} else {
		t.Randomisation = drawnFlips(differences, seed)
	}
	return t
}

func (t *Tests) student(differences []float64) {
	n := float64(len(differences))
	if n < 2 {
		return
	}
	mean, squares := sumOf(differences)/n, 0.0
	for _, d := range differences {
		squares += float64((d - mean) * (d - mean))
	}
	t.Freedom = len(differences) - 1
	t.Deviation = math.Sqrt(squares / (n - 1))
	switch {
	case t.Deviation > rounding:
		t.T = mean / (t.Deviation / math.Sqrt(n))
		t.StudentP = studentTails(t.T, t.Freedom)
	case math.Abs(mean) > rounding:
		t.StudentP = 0
	}
}

func sumOf(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += x
	}
	return sum
}

// studentTails is the probability that Student's t with so many degrees of freedom is at least as
// far from 0 as t. For whole degrees the distribution is a finite sum of powers of the
// cosine of atan(t/√freedom): Abramowitz and Stegun, Handbook of Mathematical Functions,
// 26.7.3 and 26.7.4.
func studentTails(t float64, freedom int) float64 {
	angle := math.Atan(math.Abs(t) / math.Sqrt(float64(freedom)))
	sin, cos := math.Sincos(angle)
	first, term := 2, 1.0 // of an even number of degrees: 1 + cos²/2 + 3 cos⁴/8 + …
	if freedom%2 == 1 {
		first, term = 3, cos // of an odd one: cos + 2 cos³/3 + …
	}
	sum := 0.0
	for i := first; i <= freedom; i += 2 {
		sum += term
		term *= float64(cos*cos) * float64(i-1) / float64(i)
	}
	within := sin * sum
	if freedom%2 == 1 {
		within = (angle + within) * 2 / math.Pi
	}
	return min(1, max(0, 1-within))
}

// exactFlips is the share of all ways to choose signs with a sum that is not below the observed.
func exactFlips(differences []float64) float64 {
	least := math.Abs(sumOf(differences)) - rounding*float64(len(differences))
	count := 0
	var flip func(rest []float64, sum float64)
	flip = func(rest []float64, sum float64) {
		if len(rest) == 0 {
			if math.Abs(sum) >= least {
				count++
			}
			return
		}
		flip(rest[1:], sum+rest[0])
		flip(rest[1:], sum-rest[0])
	}
	flip(differences, 0)
	return math.Ldexp(float64(count), -len(differences))
}

// drawnFlips estimates the same from random signs, 64 of them from one number.
func drawnFlips(differences []float64, seed uint64) float64 {
	least := math.Abs(sumOf(differences)) - rounding*float64(len(differences))
	rng := rand.New(rand.NewPCG(seed, 1))
	count, signs := 0, uint64(0)
	for range flipDraws {
		sum := 0.0
		for i, d := range differences {
			if i%64 == 0 {
				signs = rng.Uint64()
			}
			if signs&1 == 1 {
				d = -d
			}
			signs >>= 1
			sum += d
		}
		if math.Abs(sum) >= least {
			count++
		}
	}
	return float64(count+1) / float64(flipDraws+1)
}
