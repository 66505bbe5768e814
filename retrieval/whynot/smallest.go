package whynot

import (
	"math"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// smallest is the smallest change of one parameter that passes.
func (pr *prober) smallest(s *param.Spec, p param.Params, drop *DroppedBy, pass passes) (Adjustment, bool, error) {
	switch {
	case s.Field == param.FieldContextBudget:
		return pr.smallestBudget(s, p, pass)
	case s.Field == param.FieldFullContextThreshold:
		return pr.smallestThreshold(s, p, pass)
	case s.Kind == param.KindInt || s.Kind == param.KindFloat:
		return pr.smallestNumber(s, p, drop, pass)
	}
	for _, word := range param.WordTrials(s, &p) {
		changed := p
		if err := s.Set(&changed, word); err != nil {
			continue
		}
		ok, err := pass(changed)
		if err != nil {
			return Adjustment{}, false, err
		}
		if ok {
			return Adjustment{Change: param.Change{Field: s.Field, From: s.Get(&p), To: word}}, true, nil
		}
	}
	return Adjustment{}, false, nil
}

// smallestNumber tries the values of a number from the present one outwards: all
// of them while that costs no more than half of what there is to spend, then some.
func (pr *prober) smallestNumber(s *param.Spec, p param.Params, drop *DroppedBy, pass passes) (Adjustment, bool, error) {
	list := param.Trials(s, &p, pr.hints(s, drop), pr.known())
	try := func(value float64) (bool, error) { return pr.tryNumber(s, p, value, pass) }
	for i, t := range list {
		if pr.effort.isHalfSpent() {
			return pr.stride(s, p, list, i, try)
		}
		ok, err := try(t.Value)
		if err != nil {
			return Adjustment{}, false, err
		}
		if ok {
			return pr.adjust(s, p, list, i, try)
		}
	}
	return Adjustment{}, false, nil
}

// adjust is the change to the value list[i], which passes, moved on to a step of
// the parameter and with the boundary between it and what does not pass.
func (pr *prober) adjust(s *param.Spec, p param.Params, list []param.Trial, i int, try func(float64) (bool, error)) (Adjustment, bool, error) {
	t, from := list[i], param.PresentNumber(s, &p)
	to := t.Value
	if t.Between {
		var err error
		if to, err = onStep(list[i+1:], from, t, try); err != nil {
			return Adjustment{}, false, err
		}
	}
	a := Adjustment{Change: param.Change{Field: s.Field, From: s.Get(&p), To: param.NumberOf(s, to)}}
	// Away from a value that leaves a stage out, the first number already puts it
	// in: there is no boundary to speak of.
	if s.Kind == param.KindFloat && !math.IsInf(t.Distance, 1) && s.Get(&p) != s.Off {
		boundary, err := bisect(nearer(list[:i], from, t), t.Value, try)
		if err != nil {
			return Adjustment{}, false, err
		}
		a.Boundary = phrase.Number(boundary)
	}
	return a, true, nil
}

// stride tries list from done on, going twice as far each time, and where that
// passes looks for the first value that does in the last stride. A value between
// two that do not pass may be overlooked.
func (pr *prober) stride(s *param.Spec, p param.Params, list []param.Trial, done int, try func(float64) (bool, error)) (Adjustment, bool, error) {
	from := param.PresentNumber(s, &p)
	pr.effort.strides = true
	// Each direction has its own strides: last[d] is the last value tried in it.
	var sides [2][]int
	for i := done; i < len(list); i++ {
		sides[sideOf(list[i], from)] = append(sides[sideOf(list[i], from)], i)
	}
	var last [2]int
	var at [2]int
	for i := done; i < len(list); i++ {
		d := sideOf(list[i], from)
		n := at[d]
		at[d]++
		isLast := n == len(sides[d])-1
		if !isLast && !list[i].Between && (n+1)&n != 0 {
			continue
		}
		ok, err := try(list[i].Value)
		if err != nil {
			return Adjustment{}, false, err
		}
		if !ok {
			last[d] = n + 1
			continue
		}
		low, high := last[d], n
		for low < high && !list[i].Between {
			middle := (low + high) / 2
			if ok, err = try(list[sides[d][middle]].Value); err != nil {
				return Adjustment{}, false, err
			}
			if ok {
				high = middle
			} else {
				low = middle + 1
			}
		}
		return pr.adjust(s, p, list, sides[d][high], try)
	}
	return Adjustment{}, false, nil
}

// sideOf is 1 for what is above the present value, 0 for what is below it.
func sideOf(t param.Trial, from float64) int {
	if t.Value > from {
		return 1
	}
	return 0
}

// known is how many chunks were gathered, with room for those that edges may yet
// lead to.
func (pr *prober) known() int {
	most := 0
	for _, ev := range pr.gathered {
		most = max(most, ev.Chunks())
	}
	return most + 1
}

func (pr *prober) tryNumber(s *param.Spec, p param.Params, value float64, pass passes) (bool, error) {
	if err := s.Set(&p, param.NumberOf(s, value)); err != nil {
		return false, nil //nolint:nilerr // a value that is not accepted lets nothing in
	}
	return pass(p)
}

// hints are the values at which the stage that dropped the target would have
// decided otherwise.
func (pr *prober) hints(s *param.Spec, drop *DroppedBy) []float64 {
	if drop == nil || s.Stage != drop.Stage {
		return nil
	}
	return []float64{drop.Value, math.Nextafter(drop.Value, math.Inf(-1))}
}

// onStep is the next value on the parameter's steps if it passes like the one
// between them that was found, which it is otherwise.
func onStep(further []param.Trial, from float64, found param.Trial, try func(float64) (bool, error)) (float64, error) {
	for _, t := range further {
		if t.Between || (t.Value > from) != (found.Value > from) {
			continue
		}
		ok, err := try(t.Value)
		if ok && err == nil {
			return t.Value, nil
		}
		return found.Value, err
	}
	return found.Value, nil
}

// nearer is the last value on the same side that did not pass.
func nearer(tried []param.Trial, from float64, found param.Trial) float64 {
	for _, t := range slices.Backward(tried) {
		if (t.Value > from) == (found.Value > from) {
			return t.Value
		}
	}
	return from
}

// bisect narrows the way from a value that does not pass to one that does down to
// neighbours, and returns the one that does.
func bisect(no, yes float64, try func(float64) (bool, error)) (float64, error) {
	for {
		middle := no + (yes-no)/2
		if middle == no || middle == yes {
			return yes, nil
		}
		ok, err := try(middle)
		if err != nil {
			return 0, err
		}
		if ok {
			yes = middle
		} else {
			no = middle
		}
	}
}
