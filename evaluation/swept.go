package evaluation

import (
	"encoding/binary"
	"hash/fnv"
)

// Swept is what a sweep measured.
type Swept struct {
	// IDs are those of the queries. Scores[s][q] is the score of setting s for
	// query q.
	IDs    []string
	Scores [][]float64
}

// Choice is a setting that is best on some of the queries, and what it is worth on
// the others, which is what counts: on the queries that it was chosen on, luck
// counts too.
type Choice struct {
	// Setting is its index.
	Setting int
	// On is the mean score on the Chosen queries that it was chosen on, Held that
	// on the others.
	On, Held float64
	// Chosen and Others are how many queries these are.
	Chosen, Others int
}

// Choose splits the queries in two by a hash of seed and id and chooses a setting
// on each half: the one with the highest mean, of equal ones the first. Where a
// half is empty nothing can be held out, and the means of it are 0. Without any
// setting the index is -1.
func (s *Swept) Choose(seed uint64) [2]Choice {
	second := make([]bool, len(s.IDs))
	for i, id := range s.IDs {
		second[i] = inSecondHalf(seed, id)
	}
	return [2]Choice{s.choose(second, false), s.choose(second, true)}
}

func (s *Swept) choose(second []bool, half bool) Choice {
	best := Choice{Setting: -1}
	for i, scores := range s.Scores {
		c := Choice{Setting: i}
		for q, score := range scores {
			if second[q] == half {
				c.On += score
				c.Chosen++
			} else {
				c.Held += score
				c.Others++
			}
		}
		c.On /= float64(max(1, c.Chosen))
		c.Held /= float64(max(1, c.Others))
		if best.Setting < 0 || c.On > best.On {
			best = c
		}
	}
	return best
}

func inSecondHalf(seed uint64, id string) bool {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	h.Write([]byte(id))
	// The lowest bit of FNV depends on the lowest bits of the input alone.
	return h.Sum64()>>32&1 == 1
}
