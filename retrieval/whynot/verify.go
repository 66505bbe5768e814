package whynot

import (
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// verify ranks with the changes and appends the suggestion if they let the target
// in.
func (pr *prober) verify(present *retrieval.Result, drop *DroppedBy, list []Suggestion, changes ...Adjustment) []Suggestion {
	p := pr.base
	s := Suggestion{Changes: changes}
	for _, a := range changes {
		s.Size += sizeOf(&p, a.Change)
		if err := p.Set(a.Field, a.To); err != nil {
			return list // a value that is not accepted lets nothing in
		}
	}
	result, ok := pr.rank(p, true)
	at := pr.sought.find(&result)
	if !ok || at == nil {
		return list
	}
	c := retrieval.Compare(*present, result, 0)
	s.Rank, s.Items, s.Floor = at.Rank, len(result.Items), result.Floor
	s.Leaves, s.Moved = c.Left, len(c.Moved)
	s.Via = pr.sought.via(at, result.Mode)
	if rows := p.ArmRows(); drop != nil && drop.Stage == param.StageLimit && rows != pr.base.ArmRows() {
		s.Rows = rows
	}
	for _, e := range c.Entered {
		if e.ChunkID != at.ChunkID {
			s.Enters = append(s.Enters, e)
		}
	}
	return append(list, s)
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
