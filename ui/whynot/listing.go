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
	gen, of, t := v.Session().Generation(session.KindSections), v.Session().Corpus(), v.TitleSuffixes()
	return func() tea.Msg { return listed{v, gen, of, entriesOf(d.List, t)} }
}

// listed brings the entries that can be picked from.
type listed struct {
	v       *View
	gen     int
	of      *session.Corpus
	entries *catalogue
}

// Apply implements [view.Arrival].
func (msg listed) Apply() tea.Cmd {
	v := msg.v
	if msg.gen != v.Session().Generation(session.KindSections) {
		return nil
	}
	v.entries, v.of = msg.entries, msg.of
	return v.showListed()
}

// showListed shows what can be picked, where somebody picks.
func (v *View) showListed() tea.Cmd {
	d := v.shown
	if d == nil {
		return nil
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
	ctx, gen := v.matching.Begin(v.Context())
	entries, text := p.entries, p.text()
	return func() tea.Msg { return matched{v, gen, text, entries.match(ctx, text)} }
}

// matched brings the entries that match what was typed.
type matched struct {
	v     *View
	gen   int
	text  string
	found matches
}

// Apply implements [view.Arrival].
func (msg matched) Apply() tea.Cmd {
	if d := msg.v.shown; d != nil && msg.gen == msg.v.matching.Gen {
		d.picker.list(msg.text, msg.found)
	}
	return nil
}
