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
	// pages and linked say how far the pages were read, rows how many are listed.
	pages, linked, rows, w, h int
	// current is the page under the cursor.
	current string
	styles  *theme.Styles
}

// footFrom is the height of the list from which on the diagram stands under it: in what
// the pages leave free, and in a third of the list at least.
const footFrom = 18

// followTraversal draws the diagram anew when something of it has changed. It says what
// the tree above it does not: by which addresses the query came to its evidence. Read
// aloud it would be a heap of arrows; there the dialog has it.
func (v *View) followTraversal() {
	t := &v.tree
	look := traversalLook{v.Session().Result(), len(t.pages.pages), t.pages.linksOf, len(t.rows), t.w, t.h, "", v.Styles()}
	if at := t.selected(); at != nil {
		look.current = at.ID
	}
	v.traversal.Keep(look, func() []string {
		if s := v.Styles(); s.Spoken || t.h < footFrom || v.Session().Result() == nil || len(t.rows) == 0 {
			return []string{}
		}
		s, w := v.Styles(), max(1, t.w-2)
		roots, more := traversal(&t.pages, v.answer)
		roots = based(onlyEvidence(roots))
		d := traversalDrawing{styles: s, label: byPath(roots), current: look.current}
		lines := d.diagram(roots, w)
		head := s.TitleOff.Render("Traversal")
		if signs := signWords(s); len(lines) == 0 {
			lines = []string{s.Faint.Render("the query reached no page")}
		} else if len("Traversal  ")+ansi.StringWidth(signs) <= w {
			head += "  " + s.Faint.Render(signs)
		}
		most := max(1, max(t.h/3, t.h-t.headHeight()-len(t.rows))-2)
		if len(lines) > most || more > 0 {
			lines = append(lines[:min(max(1, most-1), len(lines))], s.KeyName.Render(v.KeyOf("pages.traversal"))+s.Faint.Render(" shows all"))
		}
		return widget.Clip(append([]string{""}, widget.Indented(append([]string{head}, lines...), 1)...), t.w, len(lines)+2)
	})
	t.foot = len(v.traversal.Lines)
	t.scroll()
}

// signWords say what the signs of pages in the diagram mean.
func signWords(s *theme.Styles) string {
	return s.Signs.Check + " evidence  " + s.Signs.Dash + " none"
}

// traversalDialog shows the whole diagram, with addresses or with titles.
type traversalDialog struct {
	view.TextDialog
	titles bool
}

func (d *traversalDialog) Handle(msg tea.Msg) view.Verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "tab", "a":
			d.titles = !d.titles
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
		pages := based(roots)
		drawing, other := traversalDrawing{styles: s, label: byPath(pages)}, "titles"
		if d.titles {
			pages, drawing.label, drawing.most, other = roots, byTitle(v.PageTitle), titleMost, "addresses"
		}
		lines := widget.Styled(s.Accent.Render, widget.Wrapped(wording.Line(query), w))
		lines = append(lines, "")
		lines = append(lines, drawing.diagram(pages, w)...)
		if len(roots) == 0 {
			lines = append(lines, s.Faint.Render("the query reached no page"))
		}
		if more > 0 {
			lines = append(lines, s.Faint.Render(wording.Plural(more, "page")+" more"))
		}
		said := "[" + s.Signs.Check + "] gave sections to the answer, [" + s.Signs.Dash + "] were reached and gave none; tab shows " + other
		return append(append(lines, ""), widget.Styled(s.Faint.Render, widget.Wrapped(said, w))...)
	}}
	return v.Push(d)
}
