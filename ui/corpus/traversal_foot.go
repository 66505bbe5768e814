package corpus

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
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
func (v *View) followTraversal() {
	t := &v.tree
	look := traversalLook{v.Session().Result(), len(t.pages.pages), t.pages.linksOf, t.w, t.h, v.Styles()}
	v.traversal.Keep(look, func() []string {
		roots, more := traversal(&t.pages, v.answer)
		v.between = betweenThem(roots)
		if t.h < footFrom || v.Styles().Spoken || v.Session().Result() == nil || len(t.rows) == 0 {
			return []string{}
		}
		s := v.Styles()
		const name = "Traversal"
		head := " " + s.TitleOff.Render(name) + " " + s.Rule.Render(widget.Repeat(s.Signs.Rule, t.w-len(name)-2))
		lines := diagram(s, roots, byTitle(v.PageTitle), max(1, t.w-2))
		most := max(1, t.h/3-2)
		said := ""
		if len(lines) > most || more > 0 {
			lines = lines[:min(most, len(lines))]
			said = s.KeyName.Render("T") + s.Faint.Render(" shows all")
		}
		if len(lines) == 0 {
			lines = []string{s.Faint.Render("the query reached no page")}
		}
		signs := s.Faint.Render(signWords(s))
		switch wide := ansi.StringWidth(said) + ansi.StringWidth(signs); {
		case len(roots) == 0:
		case said == "":
			said = signs
		case wide+3 < t.w-2:
			said += "   " + signs
		case len(lines) > 3:
			lines[len(lines)-1] = said // what it leaves out is all behind the key
			said = signs
		}
		if said != "" {
			lines = append(lines, ansi.Truncate(said, max(1, t.w-2), s.Signs.Ellipsis))
		}
		return widget.Clip(append([]string{head}, widget.Indented(lines, 1)...), t.w, len(lines)+1)
	})
	t.foot = len(v.traversal.Lines)
	t.scroll()
}

// signWords say what the signs of pages mean, in the list and in the diagram.
func signWords(s *theme.Styles) string {
	return s.Signs.Check + " gave evidence  " + s.Signs.Dash + " did not"
}

// betweenThem are the pages of a diagram that the query did not reach, by which
// others of it are reached; a root has no sign.
func betweenThem(roots []*traversed) map[string]bool {
	found := map[string]bool{}
	var walk func(nodes []*traversed)
	walk = func(nodes []*traversed) {
		for _, n := range nodes {
			for _, next := range n.next {
				if !next.visited {
					found[next.entry.ID] = true
				}
			}
			walk(n.next)
		}
	}
	walk(roots)
	return found
}

// traversalDialog shows the whole diagram, with titles or with addresses.
type traversalDialog struct {
	view.TextDialog
	addresses bool
}

func (d *traversalDialog) Handle(msg tea.Msg) view.Verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "tab", "a":
			d.addresses = !d.addresses
			return view.Verdict{}
		case "T":
			return view.Verdict{Closed: true}
		}
	}
	return d.TextDialog.Handle(msg)
}

// showTraversal opens the diagram of the present answer.
func (v *View) showTraversal() tea.Cmd {
	query, missing := v.Session().Query(), ""
	if v.Session().Result() == nil {
		missing = "No query has been answered yet: / asks one. The pages that it reaches stand here then, under those that link to them."
	}
	roots, more := traversal(&v.tree.pages, v.answer)
	d := &traversalDialog{}
	d.TextDialog = view.TextDialog{Title: "Traversal", Wanted: 140, Text: func(s *theme.Styles, w int) []string {
		if missing != "" {
			return widget.Wrapped(missing, w)
		}
		label := byTitle(v.PageTitle)
		if d.addresses {
			label = byAddress
		}
		lines := widget.Styled(s.Accent.Render, widget.Wrapped(wording.Line(query), w))
		lines = append(lines, "")
		lines = append(lines, diagram(s, roots, label, w)...)
		if len(roots) == 0 {
			lines = append(lines, s.Faint.Render("the query reached no page"))
		}
		if more > 0 {
			lines = append(lines, s.Faint.Render(wording.Plural(more, "page")+" more"))
		}
		said := "[" + s.Signs.Check + "] gave sections to the answer, [" + s.Signs.Dash + "] did not; tab changes between titles and addresses"
		return append(append(lines, ""), widget.Styled(s.Faint.Render, widget.Wrapped(said, w))...)
	}}
	return v.Push(d)
}
