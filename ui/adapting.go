package ui

import (
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// adapt makes the parameters suit the corpus at the present place, which may want
// others than what its presets and profiles give.
func (m *Model) adapt() {
	if m.opts.Adapt == nil {
		return
	}
	t := &m.tune
	m.session.Adapt(func(name string) (param.Params, bool) {
		plain, ok := t.plain[name]
		if !ok {
			return param.Params{}, false
		}
		adapted := m.suited(plain)
		t.knowOrigin(&adapted)
		return adapted.Params, true
	})
}

// plainParams are the parameters on the screen without what suits this corpus only:
// what a profile of them holds.
func (m *Model) plainParams() param.Params {
	start := m.session.Start()
	plain, ok := m.tune.plain[start.Name]
	if !ok {
		return m.session.Params()
	}
	return session.Rebase(m.session.Params(), start.Params, plain.Params)
}

// suited is a preset or profile as it suits the present corpus.
func (m *Model) suited(p Profile) Profile {
	if m.opts.Adapt == nil {
		return p
	}
	return m.opts.Adapt(m.opts.Place, p)
}
