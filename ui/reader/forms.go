package reader

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/ui/rendering"
)

// formOf is the form in which a section is shown: the chosen one if it has it.
// The section of an opened span is shown as it is sent.
func (v *View) formOf(it *retrieval.Item) rendering.Form {
	if v.shown.tentative {
		if of, _ := v.needs.Cited(); of == nil || of.ChunkID != it.ChunkID {
			return rendering.Rendered
		}
	}
	if slices.Contains(rendering.FormsOf(it), v.shown.form) {
		return v.shown.form
	}
	return rendering.Rendered
}

// setForm shows sections in a form. A tentative one gives way where the cited span has no
// place in it.
func (p *shownSection) setForm(f rendering.Form, tentative bool) {
	p.form, p.tentative = f, tentative
}

// NextForm shows the selected section in its next form.
func (v *View) NextForm() tea.Cmd {
	it := v.Item()
	if it == nil {
		return nil
	}
	forms := rendering.FormsOf(it)
	next := (slices.Index(forms, v.formOf(it)) + 1) % len(forms)
	v.shown.setForm(forms[next], false)
	v.shown.reset()
	return v.Say(fmt.Sprintf("form %d of %d: %s", next+1, len(forms), forms[next]), false)
}

// ShowRendered shows the markdown rendered, in which every mark has its place.
func (v *View) ShowRendered() {
	v.shown.setForm(rendering.Rendered, false)
	v.shown.reset()
}

// ShowAsSent shows a section that is cited as the HTML that a model gets, rendered, as long
// as the cited span has a place there.
func (v *View) ShowAsSent() { v.shown.setForm(rendering.HTML, true) }

// misses says that the shown form cannot show the opened span.
func (p *shownSection) misses() bool {
	return p.ready.Rendering == nil || slices.ContainsFunc(p.marks, isCited) && !slices.ContainsFunc(p.ready.Place(p.marks), isCited)
}
