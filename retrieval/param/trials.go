package param

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// Trial is a value of a parameter to be tried. The distance orders trials: the
// next one to try is the nearest to the present value.
type Trial struct {
	Value    float64
	Distance float64
	// Between says that no step of the parameter lands on it.
	Between bool
}

// PresentNumber is the number that a parameter's value stands for.
func PresentNumber(s *Spec, p *Params) float64 {
	switch v := s.ref(p).(type) {
	case *int:
		if *v == 0 && s.means != nil {
			return float64(s.means(p))
		}
		return float64(*v)
	case *float64:
		if *v == 0 && s.zeroApart() {
			return s.Max
		}
		return *v
	default:
		return 0
	}
}

// beyondRows is more than any number of rows.
func beyondRows(*Params) int { return MostRows + 1 }

// zeroApart reports whether 0 is not the number beside the smallest one: it stands
// for no limit, for that of another parameter, or it switches a stage off that the
// highest value all but leaves alone.
func (s *Spec) zeroApart() bool {
	return s.special.value == "0" && s.special.end > 0 || s.Kind == KindInt && s.Switch && s.Off == "0"
}

// Trials are the values of a numeric parameter worth trying, nearest first: all
// that its steps reach, and the hints, which lie where a stage said it would
// decide otherwise.
//
// There are known chunks: no count of rows or results beyond [Spec.MostCounted] changes
// anything.
func Trials(s *Spec, p *Params, hints []float64, known int) []Trial {
	from := PresentNumber(s, p)
	off := s.Kind == KindFloat && s.zeroApart() && s.Get(p) == "0" // the highest value is not the present one
	var list []Trial
	add := func(value float64, between bool) {
		if value < s.Min || value > s.Max || value == from && !off {
			return
		}
		list = append(list, Trial{value, distance(s, from, value), between})
	}
	step := func(v float64) {
		if v != 0 || !s.zeroApart() {
			add(v, false)
		}
	}
	if s.Kind == KindInt {
		high := min(int(s.Max), MostRows)
		if s.CountsRows {
			high = min(high, s.MostCounted(p, known))
		}
		for n := int(s.Min); n <= high; n++ {
			step(float64(n))
		}
	} else {
		low := s.Min
		if s.Scale == Log {
			low = s.Low
		}
		for _, v := range steps(s, low, s.Max) {
			step(v)
		}
		for _, h := range hints {
			add(h, true)
		}
	}
	slices.SortStableFunc(list, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(b.Value, a.Value))
	})
	list = slices.CompactFunc(list, func(a, b Trial) bool { return a.Value == b.Value })
	if present := s.Get(p); present != "0" && s.zeroApart() {
		list = append(list, Trial{Value: 0, Distance: math.Inf(1)})
	}
	return list
}

// MostCounted is the count from which on a parameter that CountsRows changes nothing
// more, where there are so many chunks to count. Places that are kept for what edges
// find stand empty where they find nothing: then more places than there are chunks
// decide how many are left for the rest.
func (s *Spec) MostCounted(p *Params, chunks int) int {
	switch {
	case p.MaxHops == 0:
	case s.Field == FieldTopK:
		return chunks + p.GraphTopK
	case s.Field == FieldGraphTopK:
		return max(chunks, p.TopK)
	}
	return chunks
}

// distance is the way from one value to another as a slider's track divides it.
func distance(s *Spec, from, to float64) float64 {
	if s.Scale == Log && s.Kind == KindFloat {
		return math.Abs(math.Log(max(to, s.Step) / max(from, s.Step)))
	}
	return math.Abs(to - from)
}

// Size is the part of the track that a change takes: 1 for all of it.
func Size(s *Spec, from, to float64) float64 {
	if s.Scale == Log {
		low := max(s.Low, s.Step)
		return math.Abs(math.Log(max(to, low)/max(from, low))) / math.Log(s.High/low)
	}
	return math.Abs(to-from) / (s.High - s.Low)
}

// NumberOf writes a parameter's number as Set reads it.
func NumberOf(s *Spec, value float64) string {
	if s.Kind == KindInt {
		return strconv.Itoa(int(value))
	}
	return phrase.Number(value)
}

// WordTrials are the other values of a word, a switch, a set or a list, in a fixed
// order.
func WordTrials(s *Spec, p *Params) []string {
	present := s.Get(p)
	var list []string
	switch v := s.ref(p).(type) {
	case *bool:
		return []string{strconv.FormatBool(!*v)}
	case *string:
		for _, word := range s.Values {
			if word != present && !slices.Contains(s.waits, word) {
				list = append(list, word)
			}
		}
	case *Relations:
		list = relationTrials(*v)
	case *HopDecay:
		list = decayTrials(*v, p.MaxHops)
	}
	return list
}

// relationTrials follow one relation more or one less, or all.
func relationTrials(present Relations) []string {
	var list []string
	from := cmp.Or(present, NewRelations(store.Relations()...))
	for _, r := range store.Relations() {
		if changed := from ^ NewRelations(r); changed != 0 {
			list = append(list, changed.String())
		}
	}
	if present != 0 {
		list = append(list, allRelations)
	}
	return list
}

// decayTrials give one hop after the other another weight, and a hop beyond the
// list one.
func decayTrials(present HopDecay, hops int) []string {
	var list []string
	n := present.Len()
	last := min(n, MostHops)
	if hops < n {
		last = n - 1
	}
	for hop := 1; hop <= last; hop++ {
		for _, weight := range decaySteps(present, hop) {
			values := present.values
			values[hop] = weight
			list = append(list, NewHopDecay(values[:max(n, hop+1)]...).String())
		}
	}
	return list
}

// decaySteps are the weights in steps of a twentieth, nearest to the present one
// first.
func decaySteps(present HopDecay, hop int) []float64 {
	from, ok := present.At(hop)
	var steps []float64
	for n := range 21 {
		if weight := float64(n) / 20; !ok || weight != from {
			steps = append(steps, weight)
		}
	}
	slices.SortStableFunc(steps, func(a, b float64) int { return cmp.Compare(math.Abs(a-from), math.Abs(b-from)) })
	return steps
}
