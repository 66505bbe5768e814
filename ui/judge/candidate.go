package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/view"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// shownText is the text of a candidate on its pane.
type shownText struct {
	widget.Pager
	w, h int
	// of is the candidate, lines its text for the width.
	of    judgment.Key
	key   rendering.Key
	lines []string
	// due is what is being rendered.
	due rendering.Key
}

// followText has the text of the candidate rendered.
func (v *View) followText() tea.Cmd {
	c, t := v.pool.candidate(), &v.text
	if c == nil {
		*t = shownText{w: t.w, h: t.h}
		return nil
	}
	if c.Key != t.of {
		t.of, t.Top, t.lines, t.key = c.Key, 0, nil, rendering.Key{}
	}
	it := retrieval.Item{ChunkID: c.ChunkID, ChunkText: c.Quote, SourceURL: c.SourceURL}
	job := v.ready.Job(&it, rendering.Rendered, rendering.Width(t.w), v.Styles(), nil)
	if ready := v.ready.Get(job.Key); ready != nil {
		if t.key == job.Key {
			return nil
		}
		t.key, t.lines = job.Key, rendering.RawLines(rendering.Beginning(c.Quote), t.w)
		if r := ready.Rendering; r != nil {
			t.lines = r.Mark(nil, rendering.Palette(v.Styles())).Lines(0, r.Height(), -1)
		}
		t.Resize(t.h, len(t.lines))
		return nil
	}
	if t.due == job.Key || t.w <= 0 {
		return nil
	}
	t.due = job.Key
	return v.rendering.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
		section, err := job.Run(ctx)
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return func() tea.Cmd {
			if err != nil {
				section = &rendering.Section{}
			}
			v.ready.Put(job.Key, section)
			v.text.due = rendering.Key{}
			return v.followText()
		}
	})
}

// named are the page of a candidate, by its title or address, and the headings that it
// stands under, without the first where the page is called by it; at the end stands which
// part of its section it is.
func (v *View) named(c *judgment.Candidate) []string {
	const address = 60
	page := cmp.Or(v.PageTitle(c.Title), wording.ShortURL(c.SourceURL, address))
	names := []string{page}
	for _, h := range c.HeadingPath {
		if h = wording.Line(h); h != "" && (len(names) > 1 || !strings.HasPrefix(page, h)) {
			names = append(names, h)
		}
	}
	if c.Parts > 1 {
		names[len(names)-1] += fmt.Sprintf(" %d/%d", c.Part, c.Parts)
	}
	return names
}

// candidatePane shows a candidate.
type candidatePane struct{ *View }

var _ view.Measured = candidatePane{}

// SetSize implements [view.Pane].
func (v candidatePane) SetSize(w, h int) {
	if v.text.w != w {
		v.text.lines, v.text.key = nil, rendering.Key{}
	}
	v.text.w = w
	v.text.h = h
}

// Measure implements [view.Measured].
func (v candidatePane) Measure() int { return rendering.Measure }

// Hidden implements [view.Pager].
func (v candidatePane) Hidden() (above, below int) {
	if v.pool.candidate() == nil {
		return 0, 0
	}
	return v.text.Hidden()
}

// Title implements [view.Pane].
func (v candidatePane) Title() (name, note string) {
	if v.pool.candidate() == nil {
		return "Judge", ""
	}
	left, total := v.progress()
	const short = 60 // cells, below which no line has room for all of it
	if v.text.w < short {
		return fmt.Sprintf("%d of %d", v.pool.at+1, total), fmt.Sprintf("%d judged", total-left)
	}
	note = fmt.Sprintf("%d of %d judged by you", total-left, total)
	switch at, n := v.list.place(v.Session()); {
	case at > 0:
		note += fmt.Sprintf(" · query %d of %d", at, n)
	case n > 0:
		note += " · not in the set: the first grade adds it"
	}
	const long = 90 // cells, below which it takes the room of what is below the text
	if v.text.w >= long {
		note += " · " + v.pooled()
	}
	if v.pool.missing > 0 {
		note += fmt.Sprintf(" · reading %s", wording.Plural(v.pool.missing, "text"))
	}
	return fmt.Sprintf("Candidate %d of %d", v.pool.at+1, total), note
}

// pooled says which rankings the candidates are from, and how much of each.
func (v candidatePane) pooled() string {
	names := make([]string, 0, len(v.pool.from))
	for _, name := range v.pool.from {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("top %d of %s", v.pool.set.K, strings.Join(names, ", "))
}

// Draw implements [view.Pane].
func (v candidatePane) Draw(w, h int, _ bool) []string {
	c := v.pool.candidate()
	if c == nil {
		return widget.Clip(widget.Styled(v.Styles().Faint.Render, padded(widget.Wrapped(v.Keyed(v.nothing()), w-2))), w, h)
	}
	head := v.head(c, w-2)
	if len(head) > h/2 {
		head = head[:h/2]
	}
	lines := padded(head)
	text := v.text.lines
	if text == nil {
		text = rendering.RawLines(rendering.Beginning(c.Quote), w)
		text = padded(text)
	}
	v.text.Resize(max(0, h-len(lines)), len(text))
	return widget.Clip(append(lines, text[v.text.Top:v.text.Until()]...), w, h)
}

// padded are lines with the blank that stands before the text of a pane.
func padded(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = " " + l
	}
	return out
}

// head says where a candidate is from, what it was judged to be, and what the grades mean.
func (v candidatePane) head(c *judgment.Candidate, w int) []string {
	s := v.Styles()
	names := v.named(c)
	where := s.Strong.Render(wording.CutPath(strings.Join(names, wording.TrailSign), max(1, w)))
	grade, judged := v.said(c)
	state := s.Faint.Render("not judged by you yet; what others judged and ranks are hidden")
	switch {
	case judged && v.Session().IsUnwritten(v.pool.query, c.Key):
		state = s.Accent.Render(v.label(grade)) + s.Warning.Render("   ! not written yet: the next grade tries again")
	case judged:
		state = s.Accent.Render(v.label(grade)) + s.Faint.Render("   "+ranksOf(c))
	case v.open:
		state = s.Faint.Render("not judged by you yet   " + ranksOf(c))
	}
	lines := []string{where, ansi.Truncate(state, w, s.Signs.Ellipsis)}
	lines = append(lines, v.legend(grade, judged, w)...)
	return append(lines, s.Rule.Render(widget.Repeat(s.Signs.Rule, w)))
}

// legend says which key is which grade; the one that was given stands out.
func (v candidatePane) legend(grade judgment.Grade, judged bool, w int) []string {
	s := v.Styles()
	var lines []string
	line, wide := "", 0
	add := func(key, word string, is bool) {
		style := s.Faint
		if is {
			style = s.Selected
		}
		text := s.KeyName.Render(key) + " " + style.Render(word)
		n := ansi.StringWidth(key) + 1 + ansi.StringWidth(word)
		if wide > 0 && wide+3+n > w {
			lines, line, wide = append(lines, line), "", 0
		}
		if wide > 0 {
			line, wide = line+"   ", wide+3
		}
		line, wide = line+text, wide+n
	}
	for g := range v.Session().Judged().Labels {
		key, word, _ := strings.Cut(v.label(judgment.Grade(g)), " ")
		if g <= most {
			key = v.KeyOf("judge.grade" + key)
		}
		add(key, word, judged && int(grade) == g)
	}
	add(v.KeyOf("judge.cannot"), "cannot tell", judged && grade < 0)
	return append(lines, line)
}

// nothing says why there is no candidate.
func (v *View) nothing() string {
	now := v.Session()
	switch {
	case now.JudgingFailed() != nil:
		return "The set cannot be used: " + wording.FirstLine(now.JudgingFailed()) + "."
	case now.SetName() == "":
		return "Here results are judged one after the other, without their ranks: what several rankings return for a query, shuffled. What was judged says what parameters are worth. {judge.toggle} opens a query set, or makes one."
	case now.Judged() == nil:
		return "The set is being opened."
	case now.Query() == "" || now.Result() == nil:
		return "Ask a query ({query.edit}), or one of the set's: {judge.ask} asks the selected one, {judge.nextquery} the next. " +
			"Each text that comes is judged with one key, " + scale(v) + "; {judge.undo} takes that back, and what is judged is kept at once."
	case v.changed && len(v.pool.of) < 2 && len(v.pool.waiting) == 0:
		return "There is one ranking only, and nothing that it differs from: change a parameter ({tune.open}), or add a preset ({judge.rankings}). {judge.changed} shows all candidates."
	case v.changed && v.pool.missing == 0 && len(v.pool.waiting) == 0:
		return "All rankings return the same in the same order: nothing differs. {judge.changed} shows all candidates."
	case v.pool.missing > 0 || len(v.pool.waiting) > 0:
		return "The texts are being read."
	case now.Result().Mode == param.ModeFullContext:
		return "The whole corpus is sent, and nothing is ranked."
	}
	return "The query returns nothing to judge. {why.ask} says why a page is missing."
}

// scale are the grades of the set with their keys.
func scale(v *View) string {
	var grades []string
	for g := range v.Session().Judged().Labels {
		grades = append(grades, v.label(judgment.Grade(g)))
	}
	return strings.Join(grades, ", ") + ", or {judge.cannot} cannot tell"
}

// Said implements [view.Pane].
func (v candidatePane) Said() string {
	c := v.pool.candidate()
	if c == nil {
		return ""
	}
	grade, judged := v.said(c)
	state := "not judged yet"
	if judged {
		state = v.label(grade) + ", " + ranksOf(c)
	}
	return wording.Aloud(strings.Join(v.named(c), ", "), state)
}

// Move implements [view.Pane].
func (v candidatePane) Move(verb widget.Verb) { v.text.Turn(verb) }

// Click implements [view.Pane].
func (v candidatePane) Click(int, int) tea.Cmd { return nil }

// Selected implements [view.Selector].
func (v candidatePane) Selected() (chunk view.Chunk, ok bool) {
	c := v.pool.candidate()
	if c == nil {
		return chunk, false
	}
	return view.Chunk{ID: c.ChunkID, Section: c.ChunkID, URL: c.SourceURL, Page: view.Page{URL: c.SourceURL, Title: v.PageTitle(c.Title)}}, true
}
