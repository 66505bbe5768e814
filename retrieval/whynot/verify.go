package whynot

import (
	"errors"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// verify ranks with the changes and appends the suggestion if they let the target
// in.
func (pr *prober) verify(present *retrieval.Result, dropped string, list []Suggestion, changes ...Adjustment) ([]Suggestion, error) {
	p := pr.base
	s := Suggestion{Changes: changes}
	for _, a := range changes {
		s.Size += sizeOf(&p, a.Change)
		if err := p.Set(a.Field, a.To); err != nil {
			return list, nil //nolint:nilerr // a value that is not accepted lets nothing in
		}
	}
	result, err := pr.rank(p, true)
	if errors.Is(err, errUnranked) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	at := pr.sought.find(&result)
	if at == nil {
		return list, nil
	}
	c := retrieval.Compare(*present, result, 0)
	s.Rank, s.Items, s.Floor = at.Rank, len(result.Items), result.Floor
	s.Leaves, s.Moved = c.Left, len(c.Moved)
	s.Via = pr.sought.via(at, result.Mode)
	if rows := p.ArmRows(); dropped == param.StageLimit && rows != pr.base.ArmRows() {
		s.Rows = rows
	}
	for _, e := range c.Entered {
		if e.ChunkID != at.ChunkID {
			s.Enters = append(s.Enters, e)
		}
	}
	return append(list, s), nil
}

// sizeOf is the part of its parameter's range that a change of p takes; 1 for a word.
func sizeOf(p *param.Params, c param.Change) float64 {
	s, _ := param.SpecOf(c.Field)
	changed := *p
	if err := s.Set(&changed, c.To); err != nil || !s.Ordered() {
		return 1
	}
	return param.Size(&s, param.PresentNumber(&s, p), param.PresentNumber(&s, &changed))
}

func stageOf(d *DroppedBy) string {
	if d == nil {
		return ""
	}
	return d.Stage
}
