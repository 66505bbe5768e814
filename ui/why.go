package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/wording"
)

// whyNot is what is known while one asks why a text is missing.
type whyNot struct {
	// shown is the dialog, nil while it is closed.
	shown *whyDialog
	// entries are what can be picked, of the corpus of; nil before they are read.
	entries *whyEntries
	of      *session.Corpus
	// The works: reading the sections, matching what is typed.
	listing, matching work
	// wanted is what is to be selected once it is among the results.
	wanted *whyWanted
}

// whyWanted is a text that a change is to bring.
type whyWanted struct {
	ids  []string // its chunk and its section
	page string   // the document, where all of a page is meant
	rank int      // what its rank was to be
}

func (m *Model) whyActions() []view.Action {
	return []view.Action{
		{
			ID: "why.ask", Title: "Why not: Ask about a section", Short: "why not", Help: "Say why a section is missing, or present, and what would let it in.",
			Keys: []string{"w"}, Contexts: anyPane, Footer: 77, Enabled: m.canAskWhy,
			Run: m.askWhy,
		},
		{
			ID: "why.pick", Title: "Why not: Pick any page or section", Help: "Find a page or section by its name, address or words, and say why it is missing.",
			Contexts: anyPane, Enabled: m.canAskWhy, Run: m.pickWhy,
		},
	}
}

func (m *Model) canAskWhy() (bool, string) {
	switch {
	case m.corpus == nil:
		return false, "no corpus is open"
	case m.session.Query() == "":
		return false, m.keyed("ask a query first ({query.edit}): what is missing depends on it")
	}
	return true, ""
}

// whyHint leads from an empty list to the answer.
func (m *Model) whyHint() string {
	if it := m.results.Selected(); it != nil && it.Why != nil {
		return "{why.ask} says what would let the selected one in; {why.ask} again asks about any other page."
	}
	return "{why.ask} says of any page why it is missing, and what would let it in."
}

// askWhy asks about the selected section; where none is selected, or one that is
// among the results, another is picked.
func (m *Model) askWhy() tea.Cmd {
	if it := m.results.Selected(); it != nil && m.view == viewExplore {
		if it.Why == nil {
			return m.pickBeside(it) // it is there: another one is missed
		}
		return m.whyTarget(whynot.Target{ChunkID: it.ChunkID})
	}
	if p, ok := m.panel(m.focus).(view.Selector); ok {
		if chunk, ok := p.Selected(); ok {
			return m.whyTarget(whynot.Target{ChunkID: chunk.ID, SourceURL: chunk.URL})
		}
	}
	return m.pickWhy()
}

// whyTarget answers why a text is not among the results, in a dialog.
func (m *Model) whyTarget(t whynot.Target) tea.Cmd {
	if ok, why := m.canAskWhy(); !ok {
		return m.say(why, false)
	}
	return m.lookInto(m.openWhy(), t)
}

// pickWhy opens the dialog where a text is picked.
func (m *Model) pickWhy() tea.Cmd { return m.pickBeside(nil) }

// pickBeside does so with a section that is among the results, if not nil, before
// all others: why it is there.
func (m *Model) pickBeside(it *retrieval.Item) tea.Cmd {
	d := m.openWhy()
	if it != nil {
		d.picker.here = &whyRow{target: whynot.Target{ChunkID: it.ChunkID}, here: cmp.Or(wording.Trail(it, m.tails), "(no heading)")}
	}
	d.fromPicker = true
	return m.startPicking(d)
}

// openWhy shows the dialog, or what is left of it when it is open already.
func (m *Model) openWhy() *whyDialog {
	d := newWhyDialog(m)
	if i := slices.IndexFunc(m.dialogs, func(open view.Dialog) bool { return open == view.Dialog(m.why.shown) }); m.why.shown != nil && i >= 0 {
		m.dialogs = m.dialogs[:i]
	}
	m.why.shown = d
	m.push(d)
	return d
}

// closeWhy ends what the dialog has begun.
func (m *Model) closeWhy() tea.Cmd {
	m.session.StopWhy()
	m.why.matching.end()
	m.why.shown = nil
	return nil
}

// sectionsListed most is how many sections can be picked from.
const whyMost = 20_000

// startPicking shows the line that is typed into, and reads the sections unless
// those of this version of the corpus are known.
func (m *Model) startPicking(d *whyDialog) tea.Cmd {
	m.session.StopWhy()
	d.stage, d.report, d.err = whyPicking, nil, nil
	known := int64(-1)
	if m.why.entries != nil && m.why.of == m.corpus {
		known = m.why.entries.version
		d.picker.entries = m.why.entries
	}
	d.picker.narrow()
	ctx, gen := m.why.listing.begin(m.ctx)
	of, t := m.corpus, m.tails
	return func() tea.Msg {
		list, err := of.Reader.Sections(ctx, whyMost, known)
		msg := whyListed{gen: gen, of: of, err: err}
		if err == nil && list.Version != known {
			msg.entries = entriesOf(list, t)
		}
		return msg
	}
}

// whyListed brings what can be picked; no entries say that nothing has changed.
type whyListed struct {
	gen     int
	of      *session.Corpus
	entries *whyEntries
	err     error
}

func (msg whyListed) arrive(m *Model) tea.Cmd {
	if msg.gen != m.why.listing.gen {
		return nil
	}
	d := m.why.shown
	if msg.err != nil {
		if d != nil && !errors.Is(msg.err, context.Canceled) {
			d.picker.failed = "the pages could not be listed: " + wording.FirstLine(msg.err)
		}
		return nil
	}
	if msg.entries != nil {
		m.why.entries, m.why.of = msg.entries, msg.of
	}
	if d == nil {
		return nil
	}
	d.picker.entries = m.why.entries
	return m.narrowWhy(d)
}

// narrowWhy matches what is typed: at once where that takes no time.
func (m *Model) narrowWhy(d *whyDialog) tea.Cmd {
	m.why.matching.end()
	p := &d.picker
	if p.entries == nil || len(p.entries.all) <= matchedAtOnce || p.text() == "" {
		p.narrow()
		return nil
	}
	_, gen := m.why.matching.begin(m.ctx)
	entries, text := p.entries, p.text()
	return func() tea.Msg { return whyMatched{gen, text, entries.match(text)} }
}

// whyMatched brings the entries that match what was typed.
type whyMatched struct {
	gen   int
	text  string
	found whyMatches
}

func (msg whyMatched) arrive(m *Model) tea.Cmd { //nolint:unparam // as every arrival
	if d := m.why.shown; d != nil && msg.gen == m.why.matching.gen {
		d.picker.list(msg.text, msg.found)
	}
	return nil
}

// lookInto finds out why a text is not among the results.
func (m *Model) lookInto(d *whyDialog, t whynot.Target) tea.Cmd {
	d.begin(t)
	look := m.start(m.session.WhyNot(t, d.params))
	return tea.Batch(look, m.after(spinnerDelay, whySlow{m.session.Generation(session.KindWhy)}))
}

// changedBy are the parameters with a suggestion's changes.
func changedBy(p param.Params, s *whynot.Suggestion) (param.Params, error) {
	for _, c := range s.Changes {
		if err := p.Set(c.Field, c.To); err != nil {
			return p, err
		}
	}
	return p, nil
}

// whySlow says that looking takes a while, whySpun that it still does.
type (
	whySlow struct{ gen int }
	whySpun struct{ gen int }
)

func (msg whySlow) arrive(m *Model) tea.Cmd { return whySpun(msg).arrive(m) }

func (msg whySpun) arrive(m *Model) tea.Cmd {
	d := m.why.shown
	if d == nil || d.stage != whyLooking || msg.gen != m.session.Generation(session.KindWhy) {
		return nil
	}
	d.spin++
	return m.after(spinnerStep, msg)
}

// onWhy takes a report.
func (m *Model) onWhy(found session.Done) tea.Cmd {
	m.session.Apply(found)
	d := m.why.shown
	if d == nil || errors.Is(found.Err, context.Canceled) {
		return nil
	}
	if found.Err != nil {
		d.stage, d.err = whyReported, found.Err
		if session.IsOutage(found.Err) {
			return m.lose(found.Err)
		}
		return nil
	}
	d.show(found.Report)
	if len(m.session.Watched()) == 0 {
		return nil
	}
	return whyJudged{gen: m.session.Generation(session.KindWhy)}.arrive(m)
}

// whyJudged asks for what the watched queries say of one suggestion: one at a
// time, since each is a ranking of every query. Then what they allow comes first.
type whyJudged struct{ gen, at int }

func (msg whyJudged) arrive(m *Model) tea.Cmd {
	d := m.why.shown
	if d == nil || d.report == nil || msg.gen != m.session.Generation(session.KindWhy) {
		return nil
	}
	if msg.at >= len(d.report.Suggestions) {
		d.prefer()
		return nil
	}
	d.watched = append(d.watched[:msg.at], m.watchedWith(d.params, &d.report.Suggestions[msg.at]))
	return m.after(0, whyJudged{msg.gen, msg.at + 1})
}

// applyWhy changes the parameters as a suggestion says, and selects what it lets
// in.
func (m *Model) applyWhy(d *whyDialog, s *whynot.Suggestion) tea.Cmd {
	p, err := changedBy(d.params, s)
	if err != nil {
		return m.say(err.Error(), true)
	}
	r := d.report
	m.why.wanted = &whyWanted{ids: []string{r.Chunk.ParentID, r.Chunk.ChunkID}, rank: s.Rank}
	if r.Target.SourceURL != "" {
		m.why.wanted.page = r.Chunk.DocumentID
	}
	m.leaveTyping()
	return tea.Batch(
		m.showView(viewExplore), m.focusOn(paneResults), m.setParams(p, ""),
		m.say(m.keyed(changeWords(r, s, &m.styles.Signs)+" applied; {tune.undo} takes it back"), false),
	)
}

// selectWanted selects what a change was to bring, as soon as it is there.
func (m *Model) selectWanted() {
	want := m.why.wanted
	if want == nil || m.session.Result() == nil {
		return
	}
	for i := range m.session.Result().Items {
		it := &m.session.Result().Items[i]
		if want.is(it) {
			m.results.Reveal(it)
			m.why.wanted = nil
			return
		}
	}
	if m.session.Pending() == "" {
		m.why.wanted = nil // it is as it is: what the user does next is not to be undone
	}
}

// is reports whether an item is what was wanted.
func (w *whyWanted) is(it *retrieval.Item) bool {
	if w.page != "" {
		return it.DocumentID == w.page && it.Rank == w.rank
	}
	return slices.ContainsFunc(w.ids, func(id string) bool {
		return id != "" && (id == it.ChunkID || slices.Contains(it.Merged, id))
	})
}

// looksLikeAddress reports whether a text is an address rather than words.
func looksLikeAddress(s string) bool {
	return !strings.ContainsAny(s, " \t") && (strings.Contains(s, "://") || strings.Contains(s, "/") || strings.HasPrefix(s, "file:") || strings.HasPrefix(s, "www."))
}
