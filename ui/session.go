package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/welcome"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// sessionState is what was last on the screen of one corpus.
type sessionState struct {
	Query string `json:"query,omitempty"`
	// Start names the preset or profile, Changed the parameters that were changed
	// from it, as [param.Params.Set] reads them.
	Start   string            `json:"start,omitempty"`
	Changed map[string]string `json:"changed,omitempty"`
	View    viewID            `json:"view,omitempty"`
	Tune    bool              `json:"tune,omitempty"`
	// Parameter is the one under the cursor of the tune pane.
	Parameter string `json:"parameter,omitempty"`
}

// mostSessions bounds how many corpora are remembered.
const mostSessions = 50

// sessionState is that of the present corpus.
func (m *Model) sessionState() sessionState {
	start, p := m.session.Start(), m.session.Params()
	return sessionState{
		Query: m.session.Query(), Start: start.Name, Changed: p.Differing(start.Params), View: m.view, Tune: m.showTune, Parameter: m.tune.Parameter(),
	}
}

// resume goes on where a session ended: with what was tuned and, if no query was given,
// with its query and view. The parameters of the start stay one undo away.
func (m *Model) resume(s sessionState) {
	s.retune(m.session)
	if _, ok := param.SpecOf(s.Parameter); ok {
		m.tune.Select(s.Parameter)
	}
	if m.opts.Query != "" || m.opts.Span != nil {
		return
	}
	if s.Query != "" {
		m.input.Set(wording.Line(s.Query))
		m.resumed = true
	}
	if s.View > 0 && int(s.View) < len(m.views) {
		m.view = s.View
		m.focus = m.focusIn[s.View]
	}
	m.showTune = s.Tune
}

// retune sets the parameters that were changed, of a session that starts as this one did.
func (s *sessionState) retune(of *session.Session) {
	if s.Start != of.Start().Name || len(s.Changed) == 0 {
		return
	}
	p, changed := of.Params(), 0
	for _, spec := range param.Specs() {
		if value, ok := s.Changed[spec.Field]; ok && p.Set(spec.Field, value) == nil {
			changed++
		}
	}
	if changed == 0 || p == of.Params() || p.Validate() != nil {
		return
	}
	of.Restore(p)
}

// startAnew has the parameters begin as those of the corpus at the present place do: as
// they were left there or, in one that was never opened, with the preset of the settings.
// What was tuned in another corpus stays with that.
func startAnew(m *Model) {
	last := m.sessions[m.opts.Place]
	if !m.opts.Resume {
		last = sessionState{}
	}
	p := session.Profile{Name: m.opts.Preset, Base: m.opts.Base, Params: m.opts.Params, Origin: m.opts.Origin}
	if m.opts.StartAt != nil {
		p = m.opts.StartAt(last.Start)
	}
	p = m.profiles.Know(p)
	m.session.StartAnew(session.Setting{Name: p.Name, Params: p.Params})
	last.retune(m.session)
}

// noteCorpus notes that a corpus was opened, for the list to switch to.
func (m *Model) noteCorpus(c welcome.Corpus) {
	if c.Place == "" {
		return
	}
	m.recent = slices.DeleteFunc(m.recent, func(r welcome.Corpus) bool { return r.Place == c.Place })
	m.recent = slices.Insert(m.recent, 0, c)
	m.recent = m.recent[:min(len(m.recent), mostSessions)]
}

// keepSession puts the present session to those of the other corpora.
func (m *Model) keepSession() {
	if m.opts.Place == "" || m.opts.Tour != nil { // what a tour has left on the screen is nobody's
		return
	}
	if m.sessions == nil {
		m.sessions = map[string]sessionState{}
	}
	m.sessions[m.opts.Place] = m.sessionState()
	for place := range m.sessions {
		if !slices.ContainsFunc(m.recent, func(r welcome.Corpus) bool { return r.Place == place }) {
			delete(m.sessions, place)
		}
	}
}

func (m *Model) sessionActions() []view.Action {
	return []view.Action{
		{
			ID: "query.history", Title: "Query: History", Help: "Find a query that was asked before, in this session or an earlier one.",
			Keys: []string{"ctrl+r"}, Contexts: inQuery, Footer: 40, Short: "history", Run: m.showHistory,
		},
		{
			ID: "query.past", Title: "Query: Asked before…", Words: "recent last", Help: "Find a query that was asked before.",
			Contexts: anyPane, Run: m.showHistory,
		},
		{
			ID: "index.health", Title: "Vector index: recall check", Words: "health ann hnsw recall", Help: "The health of the index for this query: what it finds, beside an exact search, by ef_search.",
			Contexts: anyPane, Enabled: indexHealth{m}.canExamine,
			Run: indexHealth{m}.examine,
		},
	}
}

// showHistory lists the queries of this session and of earlier ones, latest
// first.
func (m *Model) showHistory() tea.Cmd {
	var all []widget.Choice
	for _, q := range slices.Backward(m.session.History()) {
		c := widget.Choice{Value: q, Title: wording.Line(q)}
		for _, p := range m.session.HistoryEntries() {
			if p.Query == q {
				c.Key = wording.Plural(len(p.Ranks), "page")
			}
		}
		all = append(all, c)
	}
	if c := m.session.Corpus(); c != nil && c.Recorded { // the others that have an answer
		for _, q := range m.welcome.Examples() {
			if !slices.ContainsFunc(all, func(c widget.Choice) bool { return c.Value == q }) {
				all = append(all, widget.Choice{Value: q, Title: wording.Line(q), Key: "recorded"})
			}
		}
	}
	if len(all) == 0 {
		return m.say("no query was asked yet", false)
	}
	m.leaveTyping()
	c := view.NewChooser("Queries asked before", all, true)
	c.Then = func(query string) tea.Cmd {
		m.input.Set(wording.Line(query))
		return m.submitQuery()
	}
	return m.push(c)
}
