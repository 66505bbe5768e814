package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
)

func looseningActions() []action {
	return []action{{
		ID: "results.admit", Title: "Results: Let the nearest in", Short: "let the nearest in",
		Help: "After a query without results: make the smallest change that lets the nearest section in.",
		Keys: []string{"A"}, Contexts: inResults, Footer: 96, Enabled: canAdmit, Run: func(m *Model) tea.Cmd { return m.admit() },
	}}
}

func canAdmit(m *Model) (bool, string) {
	switch {
	case m.result == nil || m.evidence == nil:
		return false, "ask a query first"
	case len(m.result.Items) > 0:
		return false, "there are results; why not says what lets another section in"
	case len(m.result.Below) == 0:
		return false, "nothing came near enough to let in"
	}
	return true, ""
}

// admit looks for the smallest change that lets the nearest section in, and makes
// it.
func (m *Model) admit() tea.Cmd {
	ctx, gen := m.admitting.begin(m.ctx)
	query, params, e := retrieval.Query{Text: m.answeredQuery}, m.params(), m.corpus.Engine
	nearest := m.result.Below[0].ChunkID
	return tea.Batch(m.say("looking for the smallest change "+m.styles.Signs.Ellipsis, false), func() tea.Msg {
		r, err := e.WhyNot(ctx, query, params, retrieval.Target{ChunkID: nearest})
		return admissible{gen: gen, id: nearest, params: params, report: r, err: err}
	})
}

// admissible brings what would let a section in.
type admissible struct {
	gen    int
	id     string
	params retrieval.Params
	report retrieval.Report
	err    error
}

func (msg admissible) arrive(m *Model) tea.Cmd {
	if msg.gen != m.admitting.gen || msg.params != m.params() {
		return nil
	}
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		return m.say("no change could be found: "+msg.err.Error(), true)
	case len(msg.report.Suggestions) == 0:
		return m.say("no change of one or two parameters lets it in: "+msg.report.Verdict, false)
	}
	p := m.params()
	var said []string
	for _, c := range msg.report.Suggestions[0].Changes {
		if err := p.Set(c.Field, c.To); err != nil {
			return m.say(err.Error(), true)
		}
		said = append(said, fmt.Sprintf("%s %s %s %s", c.Field, c.From, m.styles.Signs.ArrowRight, c.To))
	}
	return tea.Batch(m.setParams(p, ""), m.say(m.keyed(strings.Join(said, ", ")+"; {tune.undo} takes it back"), false))
}
