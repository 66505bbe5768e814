package ui

import "github.com/webrag/webrag-tui/retrieval/param"

// adapt makes the parameters suit the corpus at the present place, which may want
// others than what its presets and profiles give: of those that nobody has
// changed. What can be undone is adapted with them.
func (m *Model) adapt() {
	t := &m.tune
	if m.opts.Adapt == nil {
		return
	}
	starts := map[string][2]param.Params{}
	move := func(of setting, p *param.Params) param.Params {
		pair, known := starts[of.name]
		if !known {
			plain, ok := t.plain[of.name]
			if !ok {
				return of.params
			}
			adapted := m.suited(plain)
			t.knowOrigin(&adapted)
			pair = [2]param.Params{of.params, adapted.Params}
			starts[of.name] = pair
		}
		*p = rebased(*p, pair[0], pair[1])
		return rebased(of.params, pair[0], pair[1])
	}
	before := t.start
	t.start.params = move(t.start, &t.params)
	for _, list := range [][]tuned{t.undo, t.redo} {
		for i := range list {
			list[i].start.params = move(list[i].start, &list[i].params)
		}
	}
	for _, p := range []*param.Params{t.restored, t.pinnedParams()} {
		if p != nil {
			*p = rebased(*p, before.params, t.start.params)
		}
	}
}

func (t *tuning) pinnedParams() *param.Params {
	if t.pinned == nil {
		return nil
	}
	return &t.pinned.params
}

// rebased are parameters that started from others, as if they had started from
// to: what was changed stays.
func rebased(p, from, to param.Params) param.Params {
	for _, spec := range param.Specs() {
		f := spec.Field
		if value := to.Get(f); value != from.Get(f) && p.Get(f) == from.Get(f) {
			_ = p.Set(f, value) // it was written by Get
		}
	}
	return p
}

// plainParams are the parameters on the screen without what suits this corpus only:
// what a profile of them holds.
func (m *Model) plainParams() param.Params {
	t := &m.tune
	plain, ok := t.plain[t.start.name]
	if !ok {
		return t.params
	}
	return rebased(t.params, t.start.params, plain.Params)
}

// suited is a preset or profile as it suits the present corpus.
func (m *Model) suited(p Profile) Profile {
	if m.opts.Adapt == nil {
		return p
	}
	return m.opts.Adapt(m.opts.Place, p)
}
