// Package anisotropic makes vectors like those of many embedding models: all of
// them lean to one side, so that the cosines of unrelated texts are not near 0 but
// between .4 and .7. What holds for the built-in embedder, whose unrelated cosines
// are near 0, need not hold for them. Nothing but tests imports it.
package anisotropic

import (
	"math"
	"math/rand/v2"
)

// MinDims is the least dimension for which the cosines keep to their ranges: what
// is random in them shrinks with its square root.
const MinDims = 512

// The shares of the squared length that the common direction has, and that the
// topic has of the rest. A vector draws its own from these ranges.
const (
	leastCommon, mostCommon = .48, .62
	leastTopic, mostTopic   = .56, .84
)

// Space has a common direction and one for each topic. It is never changed.
type Space struct {
	seed   uint64
	common []float64
	topics [][]float64
}

// NewSpace returns a space of dims dimensions, [MinDims] or more. The same seed
// gives the same space.
func NewSpace(seed uint64, topics, dims int) *Space {
	s := &Space{seed: seed, common: direction(rand.New(rand.NewPCG(seed, 0)), dims)}
	for topic := range topics {
		d := direction(rand.New(rand.NewPCG(seed, uint64(topic)+1)), dims)
		removeFrom(d, s.common)
		s.topics = append(s.topics, d)
	}
	return s
}

// Topics is the number of topics.
func (s *Space) Topics() int { return len(s.topics) }

// Vector returns a unit vector for a text on a topic; variant tells the texts of
// one topic apart. The cosine of two vectors of one topic is between .75 and .95,
// that of two topics between .4 and .7.
func (s *Space) Vector(topic int, variant uint64) []float32 {
	rng := rand.New(rand.NewPCG(s.seed^variant*0x9e3779b97f4a7c15, uint64(topic)+1<<32))
	common := leastCommon + (mostCommon-leastCommon)*rng.Float64()
	own := (1 - common) * (leastTopic + (mostTopic-leastTopic)*rng.Float64())
	noise := direction(rng, len(s.common))
	removeFrom(noise, s.common)
	removeFrom(noise, s.topics[topic])
	sum := make([]float64, len(noise))
	for i := range sum {
		sum[i] = math.Sqrt(common)*s.common[i] + math.Sqrt(own)*s.topics[topic][i] + math.Sqrt(1-common-own)*noise[i]
	}
	return unit(sum)
}

// Lift adds one component to a unit vector, so that all cosines c between vectors
// lifted with the same share become share + (1-share)*c: any embedder's vectors
// can be made to lean.
func Lift(v []float32, share float64) []float32 {
	lifted := make([]float64, 0, len(v)+1)
	for _, x := range v {
		lifted = append(lifted, math.Sqrt(1-share)*float64(x))
	}
	return unit(append(lifted, math.Sqrt(share)))
}

// direction is a random unit vector.
func direction(rng *rand.Rand, dims int) []float64 {
	d := make([]float64, dims)
	for i := range d {
		d[i] = rng.NormFloat64()
	}
	scale(d)
	return d
}

// removeFrom makes the unit vector d orthogonal to the unit vector e.
func removeFrom(d, e []float64) {
	dot := 0.0
	for i := range d {
		dot += d[i] * e[i]
	}
	for i := range d {
		d[i] -= dot * e[i]
	}
	scale(d)
}

func scale(d []float64) {
	squares := 0.0
	for _, x := range d {
		squares += x * x
	}
	for i := range d {
		d[i] /= math.Sqrt(squares)
	}
}

func unit(d []float64) []float32 {
	scale(d)
	v := make([]float32, len(d))
	for i := range d {
		v[i] = float32(d[i])
	}
	return v
}
