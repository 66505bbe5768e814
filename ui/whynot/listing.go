package whynot

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// mostListed is how many sections can be picked from.
const mostListed = 20_000

// startPicking shows the line that is typed into, and reads the sections unless
// those of this version of the corpus are known.
func (v *View) startPicking(d *dialog) tea.Cmd {
	v.Session().StopWhy()
	d.judging.End()
	d.stage, d.report, d.err = picking, nil, nil
	known := int64(-1)
	if v.entries != nil && v.of == v.Session().Corpus() {
		known = v.entries.version
		d.picker.entries = v.entries
	}
	d.picker.narrow()
	v.listing.End() // of an older list
	return v.Begin(v.Session().ListSections(mostListed, known))
}

// takeList takes what can be picked; that nothing has changed since it was last read is said
// by its version.
func (v *View) takeList(d session.Done) tea.Cmd {
	if d.Err != nil {
		if v.shown != nil && !errors.Is(d.Err, context.Canceled) {
			v.shown.picker.failed = "the pages could not be listed: " + wording.FirstLine(d.Err)
		}
		return nil
	}
	if v.entries != nil && v.of == v.Session().Corpus() && v.entries.version == d.List.Version {
		return v.showListed()
	}
	of, t := v.Session().Corpus(), v.TitleSuffixes()
	return v.listing.Run(v.Context(), func(context.Context) func() tea.Cmd {
		entries := entriesOf(d.List, t)
		return func() tea.Cmd {
			v.entries, v.of = entries, of
			return v.showListed()
		}
	})
}

// showListed shows what can be picked, where somebody picks.
func (v *View) showListed() tea.Cmd {
	d := v.shown
	if d == nil || d.picker.entries == v.entries {
		return nil // there is nothing new to list: the cursor may have moved meanwhile
	}
	d.picker.entries = v.entries
	return v.narrow(d)
}

// narrow matches what is typed: at once where that takes no time.
func (v *View) narrow(d *dialog) tea.Cmd {
	v.matching.End()
	p := &d.picker
	if p.entries == nil || len(p.entries.all) <= matchedAtOnce || p.text() == "" {
		p.narrow()
		return nil
	}
	entries, text, nearby := p.entries, p.text(), p.nearby
	return v.matching.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
		found := entries.match(ctx, text, nearby)
		return func() tea.Cmd {
			if d := v.shown; d != nil {
				d.picker.list(text, found)
			}
			return nil
		}
	})
}
