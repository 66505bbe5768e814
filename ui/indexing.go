package ui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// ErrNoCorpus is what opening a place fails with where there is no corpus yet:
// the explorer then offers to make one.
var ErrNoCorpus = errors.New("there is no corpus yet")

// NoCorpusError is an [ErrNoCorpus] that says apart from what to do about it what is
// missing.
type NoCorpusError interface {
	error
	// Missing is a clause such as "there is no corpus at a.db".
	Missing() string
}

// indexingStep is the pause between two looks at the progress.
const indexingStep = 100 * time.Millisecond

func (m *Model) indexingActions() []view.Action {
	welcoming := func() (bool, string) {
		return m.welcoming(), "there is a corpus with pages; the palette can index more, or switch to another"
	}
	return []view.Action{
		{
			ID: "welcome.index", Title: "Welcome: Index a folder", Short: "index a folder", Help: "While there is no corpus: fill one with the pages of a folder.", Outside: true,
			Keys: []string{"i"}, Contexts: inWelcome, Footer: 99, Enabled: welcoming, Run: m.promptIndex,
		},
		{
			ID: "welcome.guide", Title: "Welcome: Open the guide", Short: "open the guide", Help: "While there is no corpus: look at the bundled guide.", Outside: true,
			Keys: []string{"d"}, Contexts: inWelcome, Footer: 98, Enabled: welcoming, Run: m.openGuide,
		},
		{
			ID: "welcome.connect", Title: "Welcome: Connect to a database", Short: "connect", Help: "While there is no corpus: open a file, or connect to PostgreSQL.", Outside: true,
			Keys: []string{"c"}, Contexts: inWelcome, Footer: 97, Enabled: m.canSwitch, Run: m.promptCorpus,
		},
		{
			ID: "corpus.index", Title: "Corpus: Index a folder…", Help: "Add the pages of a folder or file to this corpus, or bring them up to date.", Outside: true,
			Contexts: anyPane, Enabled: m.canIndex, Run: m.promptIndex,
		},
	}
}

// welcoming says that there are no pages to ask: no corpus, or an empty one that
// may be filled.
func (m *Model) welcoming() bool {
	if m.session.Indexing() != "" || m.opts.Index == nil {
		return false
	}
	if m.session.Corpus() == nil {
		return m.failure != nil && errors.Is(m.failure.err, ErrNoCorpus)
	}
	return m.isEmptyCorpus() && !m.session.Corpus().Foreign
}

func (m *Model) canIndex() (bool, string) {
	switch {
	case m.opts.Index == nil:
		return false, "this program only looks; 'webrag-tui index' fills a corpus"
	case m.session.Indexing() != "":
		return false, "pages are being indexed already"
	case m.session.Corpus() == nil && !m.welcoming():
		return false, "the corpus is not open"
	case m.session.Corpus() != nil && m.session.Corpus().Foreign:
		return false, "another program made this corpus: it is never written"
	}
	return true, ""
}

func (m *Model) promptIndex() tea.Cmd {
	if ok, why := m.canIndex(); !ok {
		return m.say(why, false)
	}
	m.leaveTyping()
	m.askSource("")
	return nil
}

// askSource asks what is to be indexed, and stays until there is such a thing.
func (m *Model) askSource(value string) *view.Prompt {
	var p *view.Prompt
	p = view.NewPrompt("Index pages", "a folder or file of HTML, markdown or JSONL", value, func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errNoSource
		}
		return nil
	}, func(text string) tea.Cmd { return m.look(strings.TrimSpace(text), p) })
	p.Verb, p.Stays = "index", true
	m.push(p)
	return p
}

// look looks whether there is something to index before the prompt is left.
func (m *Model) look(source string, from *view.Prompt) tea.Cmd {
	check := m.opts.CheckSource
	return func() tea.Msg {
		var err error
		if check != nil {
			err = check(source)
		}
		return sourceChecked{source: source, from: from, err: err}
	}
}

// sourceChecked says whether there is something to index.
type sourceChecked struct {
	source string
	from   *view.Prompt
	err    error
}

func (msg sourceChecked) apply(m *Model) tea.Cmd {
	if !m.isOpen(msg.from) {
		return nil
	}
	m.answerPrompt(msg.from, msg.err)
	if msg.err != nil {
		return nil
	}
	return m.index(msg.source)
}

var errNoSource = errors.New("type the path of a folder, such as docs")

// openGuide switches to the first corpus that is always there.
func (m *Model) openGuide() tea.Cmd {
	if len(m.opts.Corpora) == 0 || m.opts.OpenPlace == nil {
		return m.say("this program has no guide", false)
	}
	m.typeahead = typeahead{on: m.session.Corpus() == nil, gen: m.typeahead.gen + 1}
	return tea.Batch(m.say("opening "+m.opts.Corpora[0].Name+" "+m.styles.Signs.Ellipsis, false), m.switchTo(m.opts.Corpora[0].Place, nil))
}

// index fills the corpus with pages.
func (m *Model) index(source string) tea.Cmd {
	run, at := m.opts.Index, m.opts.Place
	m.indexedAt = at
	work := m.session.Index(source, func(ctx context.Context, progress func(indexing.Progress)) (string, error) {
		return run(ctx, at, source, progress)
	})
	return tea.Batch(m.after(indexingStep, indexingTicked{m.session.Generation(session.KindIndex)}), m.start(work))
}

// stopIndexing cancels the indexing; what was written stays.
func (m *Model) stopIndexing() tea.Cmd {
	m.session.StopIndexing()
	said := m.say("stopped; the pages that were written stay, and the next run goes on from there", false)
	if m.isIndexedElsewhere() {
		return said
	}
	return tea.Batch(said, m.lookAgain())
}

// indexingTicked asks to look at the progress.
type indexingTicked struct{ gen int }

func (msg indexingTicked) apply(m *Model) tea.Cmd {
	if msg.gen != m.session.Generation(session.KindIndex) || m.session.Indexing() == "" {
		return nil
	}
	return m.after(indexingStep, msg)
}

// isIndexedElsewhere says that pages are, or were last, indexed into another corpus than
// the present one: one that was left meanwhile. That goes on until somebody stops it.
func (m *Model) isIndexedElsewhere() bool { return m.indexedAt != m.opts.Place }

// onIndexed ends an indexing.
func (m *Model) onIndexed(d session.Done) tea.Cmd {
	if d.Err != nil {
		if errors.Is(d.Err, context.Canceled) {
			return nil
		}
		p := m.session.IndexProgress()
		if m.isIndexedElsewhere() {
			return m.push(notIndexed(d))
		}
		if p == nil || p.PagesDone == 0 {
			// Nothing was written: what was typed can be mended.
			again := m.lookAgain()
			m.leaveTyping()
			m.answerPrompt(m.askSource(d.ID), d.Err)
			return again
		}
		m.push(notIndexed(d))
		return m.lookAgain()
	}
	if m.isIndexedElsewhere() {
		return m.say(wording.ShortURL(m.indexedAt, 40)+": "+d.Said, false)
	}
	return tea.Batch(m.say(d.Said, false), m.lookAgain())
}

// notIndexed says why pages were not indexed, or not all.
func notIndexed(d session.Done) view.Dialog {
	err := fmt.Errorf("index %s: %w", d.ID, d.Err)
	return &view.TextDialog{
		Title: "The pages could not be indexed", Wanted: 76,
		Text: view.PlainText(wording.Display(err.Error()), "What was written before stays. Nothing else has changed."),
	}
}

// lookAgain shows what the corpus holds by now.
func (m *Model) lookAgain() tea.Cmd {
	if m.session.Corpus() == nil {
		return m.reopen()
	}
	m.texts, m.pages = sectionTexts{}, newPageCache(pagesKept)
	cmds := []tea.Cmd{m.corpusChanged()}
	if m.session.Asked() != "" {
		cmds = append(cmds, m.sendQuery(true))
	} else {
		cmds = append(cmds, m.editQuery())
	}
	return tea.Batch(cmds...)
}

// corpusChanged forgets what was read of the corpus as it was: the view of pages
// and the watch list read it anew.
func (m *Model) corpusChanged() tea.Cmd {
	m.views[viewCorpus].Leave()
	return m.showSession(m.selectedID(), m.session.Reindexed())
}

// indexingLines say how far the indexing is.
func (m *Model) indexingLines(w int) []string {
	s := m.styles
	lines := []string{"", "  " + s.Strong.Render(ansi.Truncate("Indexing "+wording.Line(m.session.Indexing()), max(0, w-4), s.Signs.Ellipsis))}
	p := m.session.IndexProgress()
	if p == nil {
		return append(lines, "", "  "+s.Faint.Render("looking for pages "+s.Signs.Ellipsis))
	}
	if p.PagesTotal > 0 && !s.Spoken {
		wide := max(1, min(40, w-4))
		b := widget.Bar(float64(p.PagesDone), float64(p.PagesTotal), wide, s.Plain)
		lines = append(lines, "", "  "+s.Accent.Render(b)+s.Faint.Render(strings.Repeat(s.Signs.Track, wide-ansi.StringWidth(b))))
	}
	words := progressWords(p)
	lines = append(lines, "")
	lines = append(lines, widget.Indented(widget.Styled(s.Text.Render, widget.Wrapped(strings.Join(words, ", "), w-4)), 2)...)
	return append(append(lines, ""), widget.Indented(widget.Styled(s.Faint.Render, widget.Wrapped(m.keyed("{program.interrupt} stops; what is written stays."), w-4)), 2)...)
}

// progressWords are the figures of a progress.
func progressWords(p *indexing.Progress) []string {
	if p.Stage == indexing.StageFinish {
		return []string{"building the index of the vectors"}
	}
	pages := wording.Plural(p.PagesDone, "page")
	if p.PagesTotal > 0 {
		pages = fmt.Sprintf("%s of %s", wording.Count(p.PagesDone), wording.Plural(p.PagesTotal, "page"))
	}
	words := []string{pages, wording.Plural(p.Chunks, "chunk"), wording.Plural(p.Vectors, "vector")}
	if left, ok := p.Left(); ok && p.PagesTotal > 0 && p.Elapsed >= time.Second {
		words = append(words, left.Round(time.Second).String()+" left")
	}
	return words
}
