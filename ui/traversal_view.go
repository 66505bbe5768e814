package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
)

// traversalLook is all that the diagram under the list depends on.
type traversalLook struct {
	result *retrieval.Result
	// pages and linked say how far the pages were read.
	pages, linked, w, h int
	styles              *theme.Styles
}

// footFrom is the height of the list from which on the diagram stands under it,
// in a third of it at most.
const footFrom = 18

// followTraversal draws the diagram anew when something of it has changed.
func (m *Model) followTraversal() {
	v := &m.corpusView
	t := &v.tree
	look := traversalLook{m.result, len(t.pages.pages), t.pages.linksOf, t.w, t.h, m.styles}
	v.traversal.keep(look, func() []string {
		if t.h < footFrom || m.result == nil || len(t.rows) == 0 {
			return []string{}
		}
		s := m.styles
		const name = "Traversal"
		head := " " + s.TitleOff.Render(name) + " " + s.Rule.Render(repeat(s.Signs.Rule, t.w-len(name)-2))
		roots, more := traversal(&t.pages, v.answer)
		lines := diagram(s, roots, byTitle(m.tails), max(1, t.w-2))
		most := max(1, t.h/3-2)
		said := ""
		if len(lines) > most || more > 0 {
			lines = lines[:min(most, len(lines))]
			said = s.KeyName.Render("T") + s.Faint.Render(" shows all")
		}
		if len(lines) == 0 {
			lines = []string{s.Faint.Render("the query reached no page")}
		}
		if said != "" {
			lines = append(lines, said)
		}
		return clip(append([]string{head}, indented(lines, 1)...), t.w, len(lines)+1)
	})
	t.foot = len(v.traversal.lines)
	t.scroll()
}

// traversalFoot is the diagram under the list of pages.
func (m *Model) traversalFoot() []string { return m.corpusView.traversal.lines }

// traversalDialog shows the whole diagram, with titles or with addresses.
type traversalDialog struct {
	textDialog
	addresses bool
}

func (d *traversalDialog) handle(msg tea.Msg) verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "tab", "a":
			d.addresses = !d.addresses
			return verdict{}
		case "T":
			return verdict{closed: true}
		}
	}
	return d.textDialog.handle(msg)
}

// showTraversal opens the diagram of the present answer.
func (m *Model) showTraversal() tea.Cmd {
	v := &m.corpusView
	query, missing := m.answeredQuery, ""
	if m.result == nil {
		missing = "No query has been answered yet: / asks one. The pages that it reaches stand here then, under those that link to them."
	}
	roots, more := traversal(&v.tree.pages, v.answer)
	tails := m.tails
	d := &traversalDialog{}
	d.textDialog = textDialog{title: "Traversal", wanted: 140, lines: func(s *theme.Styles, w int) []string {
		if missing != "" {
			return wrapped(missing, w)
		}
		label := byTitle(tails)
		if d.addresses {
			label = byAddress
		}
		lines := styled(s.Accent.Render, wrapped(oneLine(query), w))
		lines = append(lines, "")
		lines = append(lines, diagram(s, roots, label, w)...)
		if len(roots) == 0 {
			lines = append(lines, s.Faint.Render("the query reached no page"))
		}
		if more > 0 {
			lines = append(lines, s.Faint.Render(plural(more, "page")+" more"))
		}
		said := "[" + s.Signs.Check + "] gave sections to the answer, [" + s.Signs.Dash + "] did not; tab changes between titles and addresses"
		return append(append(lines, ""), styled(s.Faint.Render, wrapped(said, w))...)
	}}
	m.dialogs = append(m.dialogs, d)
	return nil
}
