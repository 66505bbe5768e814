package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
)

// turning is what is known of the values at which the ranking changes, and the
// work of finding out. A track is right whatever its own parameter's value is, as
// long as all others stay.
type turning struct {
	work
	known map[string]knownTrack
	// due is what the work under way, or last done, is for.
	due turningFor
	// jump is a jump that waits for its track: 1 up, -1 down.
	jump int
}

// knownTrack is a track and what it was made for.
type knownTrack struct {
	whynot.Breakpoints
	of    trackOf
	exact bool // looked at between the steps, too
}

// trackOf is what a track depends on: the evidence, and all other parameters.
type trackOf struct {
	evidence session.EvidenceID
	others   param.Params
}

// turningFor is what decides which tracks are looked at.
type turningFor struct {
	field    string
	evidence session.EvidenceID
	params   param.Params
	rows     int
}

// The bounds of looking along tracks, in candidates ranked: a ranking of a
// thousand takes about a millisecond.
const (
	// mostTurning bounds the track of the parameter under the cursor, mostSketched
	// each of the others.
	mostTurning  = 3_000_000
	mostSketched = 60_000
	// sketchedAt is at how many values the others are looked at.
	sketchedAt = 24
)

func (m *Model) trackOf(field string) trackOf {
	others := m.session.Params()
	if spec, ok := param.SpecOf(field); ok {
		if err := others.Set(field, spec.Positions()[0]); err != nil {
			others = m.session.Params() // a track of one value at most
		}
	}
	return trackOf{m.session.EvidenceID(), others}
}

// knownTrack is what was last known of a parameter's track, which may be of other
// parameters until the new one is found.
func (m *Model) knownTrack(field string) (whynot.Breakpoints, bool) {
	k, ok := m.tune.drawer.turning.known[field]
	return k.Breakpoints, ok && m.session.Evidence() != nil && k.of.evidence.Answers == m.session.EvidenceID().Answers
}

// exactTrack is what is known of a parameter's track now.
func (m *Model) exactTrack(field string) (whynot.Breakpoints, bool) {
	k, ok := m.tune.drawer.turning.known[field]
	return k.Breakpoints, ok && k.exact && k.of == m.trackOf(field)
}

// followTune looks where the ranking changes, once the parameters have rested. It
// runs after every message.
func (m *Model) followTune() tea.Cmd {
	d := &m.tune.drawer
	if !m.tune.open || m.session.Evidence() == nil || m.session.Pending() != "" {
		return nil
	}
	m.layRows()
	due := turningFor{d.field, m.session.EvidenceID(), m.session.Params(), len(d.rows)}
	if d.onFold {
		due.field = ""
	}
	if due == d.turning.due {
		return nil
	}
	d.turning.due = due
	d.turning.end()
	return m.after(session.Pause, turningDue{d.turning.gen})
}

// turningDue says that the parameters have rested for long enough.
type turningDue struct{ gen int }

func (msg turningDue) arrive(m *Model) tea.Cmd {
	t := &m.tune.drawer.turning
	if msg.gen != t.gen || m.session.Evidence() == nil {
		return nil
	}
	return m.turnNext()
}

// turnNext looks along the next track that is not known: that under the cursor
// first, exactly, then those of the other rows.
func (m *Model) turnNext() tea.Cmd {
	d := &m.tune.drawer
	field, exact := d.turning.due.field, true
	if _, ok := m.exactTrack(field); ok || field == "" {
		if field, exact = m.nextSketch(), false; field == "" {
			return nil
		}
	}
	ctx, gen := d.turning.begin(m.ctx)
	ev, p, of := m.session.Evidence(), m.session.Params(), m.trackOf(field)
	most := mostSketched
	if exact {
		most = mostTurning
	}
	rankings := max(4, most/(m.candidates()+50))
	return func() tea.Msg {
		stop := func() bool {
			rankings--
			return rankings < 0 || ctx.Err() != nil
		}
		msg := trackFound{gen: gen, known: knownTrack{of: of, exact: exact}}
		if exact {
			msg.known.Breakpoints = ev.Breakpoints(p, field, stop)
		} else {
			msg.known.Breakpoints = ev.CoarseBreakpoints(p, field, sketchedAt, stop)
		}
		return msg
	}
}

// candidates is how many a ranking has to do with.
func (m *Model) candidates() int {
	if m.session.Result() == nil {
		return 0
	}
	return m.session.Result().ChildrenFound + m.session.Result().KeywordFound + len(m.session.Result().Items)
}

// nextSketch is a parameter on the screen whose track is not known; empty when
// there is none.
func (m *Model) nextSketch() string {
	for _, r := range m.layRows() {
		if spec, ok := param.SpecOf(r.field); !ok || spec.Kind != param.KindInt && spec.Kind != param.KindFloat {
			continue
		}
		if k, ok := m.tune.drawer.turning.known[r.field]; !ok || k.of != m.trackOf(r.field) {
			return r.field
		}
	}
	return ""
}

// trackFound brings a track.
type trackFound struct {
	gen   int
	known knownTrack
}

func (msg trackFound) arrive(m *Model) tea.Cmd {
	d := &m.tune.drawer
	if msg.gen != d.turning.gen {
		return nil
	}
	if d.turning.known == nil {
		d.turning.known = map[string]knownTrack{}
	}
	d.turning.known[msg.known.Field] = msg.known
	d.version++
	if sign := d.turning.jump; sign != 0 && msg.known.exact {
		d.turning.jump = 0
		return m.jumpTurn(sign)
	}
	return m.turnNext()
}
