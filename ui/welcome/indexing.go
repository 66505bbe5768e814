package welcome

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

// indexingStep is the pause between two looks at the progress.
const indexingStep = 100 * time.Millisecond

func (v *View) canIndex() (bool, string) {
	switch {
	case v.needs.Index == nil:
		return false, "this program only looks; 'webrag-tui index' fills a corpus"
	case v.Session().Indexing() != "":
		return false, "pages are being indexed already"
	case v.isGuide() && v.needs.Own == "":
		return false, "the guide stays as it is; \"Corpus: Open another\" opens one that can be filled"
	case v.Session().Corpus() == nil && !v.IsShown():
		return false, "the corpus is not open"
	case v.Session().Corpus() != nil && v.Session().Corpus().Foreign:
		return false, "another program made this corpus: it is never written"
	}
	return true, ""
}

// isGuide says that the open corpus is the guide, which is never written.
func (v *View) isGuide() bool { return v.needs.Guide != nil && v.needs.Guide.Place == v.needs.Place() }

func (v *View) promptIndex() tea.Cmd {
	if ok, why := v.canIndex(); !ok {
		return v.Say(why, false)
	}
	v.LeaveTyping()
	v.askSource("")
	return nil
}

// askSource asks what is to be indexed, and stays until there is such a thing.
func (v *View) askSource(value string) *view.Prompt {
	var p *view.Prompt
	title, label := "Index pages", "a folder or file of HTML, markdown or JSONL"
	if v.isGuide() {
		title, label = "Index pages into a corpus of your own", "a folder or file; it goes into "+wording.ShortURL(v.needs.Own, 36)
	}
	p = view.NewPrompt(title, label, value, func(text string) error {
		if strings.TrimSpace(text) == "" {
			return errNoSource
		}
		return nil
	}, func(text string) tea.Cmd { return v.look(strings.TrimSpace(text), p) })
	p.CompletePaths(v)
	p.Verb, p.Stays = "index", true
	v.Push(p)
	return p
}

// look looks whether there is something to index before the prompt is left.
func (v *View) look(source string, from *view.Prompt) tea.Cmd {
	check := v.needs.CheckSource
	return v.checking.Run(v.Context(), func(context.Context) func() tea.Cmd {
		var err error
		if check != nil {
			err = check(source)
		}
		return func() tea.Cmd {
			if !v.Answer(from, err) || err != nil {
				return nil
			}
			return v.Index(source)
		}
	})
}

var errNoSource = errors.New("type the path of a folder, such as docs")

// openGuide switches to the first corpus that is always there.
func (v *View) openGuide() tea.Cmd {
	if v.needs.Guide == nil || v.needs.Open == nil {
		return v.Say("this program has no guide", false)
	}
	guide := v.needs.Guide
	v.typeahead.begin(v.Session().Corpus() == nil)
	return tea.Batch(v.Say("opening "+guide.Name+" "+v.Styles().Signs.Ellipsis, false), v.SwitchTo(guide.Place, nil))
}

// Index fills the corpus with the pages of a source: a folder or file. From the guide it
// fills another one, which is opened then.
func (v *View) Index(source string) tea.Cmd {
	run, place := v.needs.Index, v.needs.Place()
	if v.toOpen = v.isGuide() && v.needs.Own != ""; v.toOpen {
		place = v.needs.Own
	}
	v.indexedAt = place
	work := v.Session().Index(source, func(ctx context.Context, progress func(indexing.Progress)) (string, error) {
		return run(ctx, place, source, progress)
	})
	return tea.Batch(v.tick(), v.Begin(work))
}

// StopIndexing cancels the indexing; what was written stays.
func (v *View) StopIndexing() tea.Cmd {
	v.Session().StopIndexing()
	said := v.Say("stopped; the pages that were written stay, and the next run goes on from there", false)
	if v.isIndexedElsewhere() {
		return said
	}
	return tea.Batch(said, v.needs.Again())
}

// isIndexedElsewhere says that pages are, or were last, indexed into another corpus than
// the present one: one that was left meanwhile. That goes on until somebody stops it.
func (v *View) isIndexedElsewhere() bool { return v.indexedAt != v.needs.Place() }

// tick has the progress drawn, as long as there is some.
func (v *View) tick() tea.Cmd {
	return v.ticking.Rest(v.After, indexingStep, func() tea.Cmd {
		if v.Session().Indexing() == "" {
			return nil
		}
		return v.tick()
	})
}

// onIndexed ends an indexing.
func (v *View) onIndexed(d session.Done) tea.Cmd {
	if d.Err != nil {
		if errors.Is(d.Err, context.Canceled) {
			return nil
		}
		p := v.Session().IndexProgress()
		inPlace := !v.isIndexedElsewhere() || v.toOpen && v.isGuide()
		if !inPlace {
			return v.Push(notIndexed(d))
		}
		if p == nil || p.PagesDone == 0 {
			// Nothing was written: what was typed can be mended.
			again := v.needs.Again()
			v.LeaveTyping()
			v.Answer(v.askSource(d.ID), d.Err)
			return again
		}
		v.Push(notIndexed(d))
		return v.needs.Again()
	}
	if v.isIndexedElsewhere() {
		said := v.Say(wording.ShortURL(v.indexedAt, 40)+": "+d.Said, false)
		if v.toOpen && v.isGuide() {
			return tea.Batch(v.SwitchTo(v.indexedAt, nil), said)
		}
		return said
	}
	return tea.Batch(v.Say(d.Said, false), v.needs.Again())
}

// notIndexed says why pages were not indexed, or not all.
func notIndexed(d session.Done) view.Dialog {
	err := fmt.Errorf("index %s: %w", d.ID, d.Err)
	return &view.TextDialog{
		Title: "The pages could not be indexed", Wanted: 76,
		Text: view.PlainText(wording.Display(err.Error()), "What was written before stays. Nothing else has changed."),
	}
}

// indexingLines say how far the indexing is.
func (v *View) indexingLines(w int) []string {
	s := v.Styles()
	lines := []string{"", "  " + s.Strong.Render(ansi.Truncate("Indexing "+wording.Line(v.Session().Indexing()), max(0, w-4), s.Signs.Ellipsis))}
	p := v.Session().IndexProgress()
	if p == nil {
		return append(lines, "", "  "+s.Faint.Render("looking for pages "+s.Signs.Ellipsis))
	}
	if p.PagesTotal > 0 && !s.Spoken {
		wide := max(1, min(40, w-4))
		b := widget.Bar(float64(p.PagesDone), float64(p.PagesTotal), wide, s.Plain)
		lines = append(lines, "", "  "+s.Accent.Render(b)+s.Faint.Render(strings.Repeat(s.Signs.Track, wide-ansi.StringWidth(b))))
	}
	words := ProgressWords(p)
	lines = append(lines, "")
	lines = append(lines, widget.Indented(widget.Styled(s.Text.Render, widget.Wrapped(strings.Join(words, ", "), w-4)), 2)...)
	return append(append(lines, ""), widget.Indented(widget.Styled(s.Faint.Render, widget.Wrapped(v.Keyed("{program.interrupt} stops; what is written stays."), w-4)), 2)...)
}

// ProgressWords are the figures of a progress, the pages first.
func ProgressWords(p *indexing.Progress) []string {
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
