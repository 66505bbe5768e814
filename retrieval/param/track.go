package param

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Positions are the values on a parameter's track, in its order: what the steps
// of a number land on, or the words. A value with a meaning of its own stands at
// the end that it is next to: no cap is beyond the highest cap. Lists and sets,
// which have no order, have some values that are worth a look.
func (s *Spec) Positions() []string {
	switch s.Kind {
	case KindBool:
		return []string{"false", "true"}
	case KindEnum:
		return slices.Clone(s.Values)
	case KindList:
		return []string{"1", "1,0.5", "1,0.5,0.25", "1,0.7,0.5", "1,0.9,0.8", "1,1,1"}
	case KindSet:
		return append([]string{allRelations}, s.Values...)
	default:
		return s.Numbers(steps(s, s.Low, s.High))
	}
}

// Numbers writes numbers that ascend, with the special value at its end.
func (s *Spec) Numbers(values []float64) []string {
	list := make([]string, 0, len(values)+1)
	if special, at := s.Special(); at < 0 {
		list = append(list, special)
	}
	for _, v := range values {
		list = append(list, NumberOf(s, v))
	}
	if special, at := s.Special(); at > 0 {
		list = append(list, special)
	}
	return list
}

// Special is the value outside of the track that means something of its own, and
// the end at which it stands: -1, 1, or 0 for none.
func (s *Spec) Special() (value string, end int) { return s.special.value, s.special.end }

// Word is what a screen says for a value that stands for no number, or for a word of
// settings; false for values that say it themselves.
func (s *Spec) Word(value string) (word string, ok bool) {
	if s.special.word != "" && value == s.special.value {
		return s.special.word, true
	}
	if at := slices.Index(s.Values, value); at >= 0 && s.says != nil {
		return s.says[at], s.says[at] != value
	}
	return "", false
}

// meant is the value that a text stands for: itself, or the special value for its word.
func (s *Spec) meant(text string) string {
	text = strings.TrimSpace(text)
	if s.special.word != "" && strings.EqualFold(text, s.special.word) {
		return s.special.value
	}
	return text
}

// steps are the numbers between low and high on which the steps of a parameter
// land, ascending. On a logarithmic scale they are round numbers, about twenty
// for each power of ten, and no nearer than one step of the value.
func steps(s *Spec, low, high float64) []float64 {
	var list []float64
	if s.Scale != Log {
		perOne := math.Round(1 / s.Step)
		for n := math.Ceil(low * perOne); n <= high*perOne; n++ {
			list = append(list, n/perOne)
		}
		return list
	}
	for ten := math.Pow(10, math.Floor(math.Log10(low))); ten <= high; ten *= 10 {
		for _, digits := range roundNumbers() {
			v := math.Round(float64(digits)*ten/10/s.Step) * s.Step
			if v >= low && v <= high {
				list = append(list, v)
			}
		}
	}
	return slices.Compact(list)
}

// roundNumbers are the two digits of the steps on a logarithmic scale.
func roundNumbers() [21]int {
	return [...]int{10, 11, 12, 13, 15, 16, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 55, 60, 70, 80, 90}
}

// Walk is the value that lies a number of steps from that of p, as far as the
// track goes: from a value between two steps the first step leads to the next
// one. What lies beyond the track stays where it is when there is no way on.
func (s *Spec) Walk(p Params, by int) string {
	list, present := s.Positions(), s.Get(&p)
	at, on := s.Find(list, present)
	switch {
	case by == 0 || !on && (at == len(list) && by > 0 || at == 0 && by < 0 && s.Ordered()):
		return present
	case !on && by > 0:
		by--
	case !on && at == 0:
		at = len(list)
	}
	return list[min(max(at+by, 0), len(list)-1)]
}

// Find is where a value stands among those of a track, or would stand. What has
// no order stands before all others.
func (s *Spec) Find(list []string, value string) (at int, on bool) {
	if s.Ordered() {
		return slices.BinarySearchFunc(list, value, s.Order)
	}
	at = slices.Index(list, value)
	return max(at, 0), at >= 0
}

// Coarse is how many steps are a tenth of the track.
func (s *Spec) Coarse() int { return max(1, (len(s.Positions())+5)/10) }

// Place is where a value stands on the track, from 0 to 1; values beyond it stand
// at its ends.
func (s *Spec) Place(value string) float64 {
	if !s.Ordered() {
		list := s.Positions()
		at := slices.Index(list, value)
		if at < 0 || len(list) < 2 {
			return 0
		}
		return float64(at) / float64(len(list)-1)
	}
	v := s.Position(value)
	if s.Scale == Log {
		low := max(s.Low, s.Step)
		return min(max(math.Log(max(v, low)/low)/math.Log(s.High/low), 0), 1)
	}
	return min(max((v-s.Low)/(s.High-s.Low), 0), 1)
}

// At is the value on the track's steps that stands nearest to a place from 0 to 1.
func (s *Spec) At(place float64) string {
	list := s.Positions()
	best, least := "", math.Inf(1)
	for _, value := range list {
		if special, end := s.Special(); end != 0 && value == special && len(list) > 1 && (place > 0 && place < 1) {
			continue // it shares its place with the end of the track
		}
		if by := math.Abs(s.Place(value) - place); by < least {
			best, least = value, by
		}
	}
	return best
}

// Ordered reports whether more and less mean something.
func (s *Spec) Ordered() bool { return s.Kind == KindInt || s.Kind == KindFloat }

// Position is the number that orders a value on the track: infinite for the
// Special one.
func (s *Spec) Position(value string) float64 {
	if special, end := s.Special(); end != 0 && value == special {
		return math.Inf(end)
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Order orders two values of a number as the track does.
func (s *Spec) Order(a, b string) int { return cmp.Compare(s.Position(a), s.Position(b)) }

// PerOne is how finely breakpoints are looked for: in so many parts of 1.
func (s *Spec) PerOne() float64 {
	switch {
	case s.Kind == KindInt:
		return 1
	case s.Step >= 1:
		return 10
	default:
		return 1000
	}
}
