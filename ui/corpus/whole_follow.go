package corpus

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/rendering"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/widget"
)

const (
	// textBlock is of how many sections the texts are read at once.
	textBlock = 64
	// renderAhead is how many sections beyond the screen are rendered.
	renderAhead = 3
	// mostHits is how many places of a page are found.
	mostHits = 10_000
)

// followWhole keeps a page that is shown whole supplied with texts, renderings
// and marks.
func (v pagePane) followWhole() tea.Cmd {
	p := &v.page
	w := &p.whole
	if !p.asWhole || p.content == nil || w.content != p.content {
		return nil
	}
	if w.look != v.Styles() {
		w.unmark()
		w.look = v.Styles()
		w.matches = v.wholeMatches()
		if w.hit == "" {
			w.focus = -1
		}
	}
	w.clamp()
	return tea.Batch(v.fetchTexts(), v.renderWhole(), v.seekWhole())
}

// wholeMatches are the passages of the page that the query matched, in order.
func (v pagePane) wholeMatches() []wholeHit {
	p := &v.page
	var all []wholeHit
	for i := range p.content.Sections {
		it := v.answer.items[p.content.Sections[i].ID]
		if it == nil {
			continue
		}
		for _, mark := range v.needs.Marks(it) {
			all = append(all, wholeHit{i, mark.Start, mark.End, mark.Level})
		}
	}
	slices.SortStableFunc(all, func(a, b wholeHit) int {
		return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.start, b.start))
	})
	return all
}

// fetchTexts reads the texts of the sections on the screen and after it, then
// those of all others, so that the whole page can be searched.
func (v pagePane) fetchTexts() tea.Cmd {
	w := &v.page.whole
	n := len(w.sections)
	if w.fetches || w.err != nil || w.texts >= n {
		return nil
	}
	var ids []string
	for step := range n {
		if i := (w.at.section + step) % n; w.sections[i].item == nil {
			if ids = append(ids, w.content.Sections[i].ID); len(ids) == textBlock {
				break
			}
		}
	}
	w.fetches = true
	return v.Begin(v.Session().ReadPageTexts(ids))
}

// takeTexts takes texts of the page.
func (v pagePane) takeTexts(d session.Done) tea.Cmd {
	w := &v.page.whole
	w.fetches = false
	if d.Err == nil && len(d.Sections) == 0 {
		d.Err = errors.New("its sections are no longer in the corpus")
	}
	if d.Err != nil {
		w.err = d.Err
		return nil
	}
	if w.content == nil {
		return nil // another page is shown by now
	}
	at := make(map[string]int, len(w.sections))
	for i := range w.content.Sections {
		at[w.content.Sections[i].ID] = i
	}
	for _, c := range d.Sections {
		if i, ok := at[c.ID]; ok && w.sections[i].item == nil {
			it := session.ItemOf(c)
			it.Surface = retrieval.SurfaceMarkdown
			w.sections[i].item = it
			w.texts++
		}
	}
	w.clamp()
	return v.fetchTexts()
}

// renderWhole renders the next section that is on the screen or just beyond it.
func (v pagePane) renderWhole() tea.Cmd {
	w := &v.page.whole
	from, to := w.visible()
	var next func(context.Context) func()
	for i := from; i < min(len(w.sections), to+renderAhead); i++ {
		if job := v.renderingOf(i); job != nil && next == nil {
			next = job
		}
	}
	if from > 0 && next == nil {
		next = v.renderingOf(from - 1)
	}
	if next == nil || w.renders {
		return nil
	}
	w.renders = true
	return w.rendering.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
		keep := next(ctx)
		return func() tea.Cmd {
			w.renders = false
			if keep == nil { // it was given up
				return nil
			}
			keep()
			return v.renderWhole()
		}
	})
}

// renderingOf puts the rendering of a section in place, or returns what makes it; nil
// as long as there is no text.
func (v pagePane) renderingOf(i int) func(context.Context) (keep func()) {
	w := &v.page.whole
	s := &w.sections[i]
	if s.item == nil || s.marked != nil {
		return nil
	}
	job := w.ready.Job(s.item, rendering.Rendered, rendering.Width(w.w), v.Styles(), nil)
	if ready := w.ready.Get(job.Key); ready != nil {
		v.setRendering(i, ready.Rendering)
		return nil
	}
	ready := w.ready
	return func(ctx context.Context) func() {
		section, err := job.Run(ctx)
		if errors.Is(err, context.Canceled) {
			return nil
		}
		if err != nil {
			section = &rendering.Section{} // the text stays as it is
		}
		return func() { ready.Put(job.Key, section) }
	}
}

func (v pagePane) setRendering(i int, r *spans.Rendering) {
	w := &v.page.whole
	s := &w.sections[i]
	before := w.lines(i)
	s.rendering, s.height = r, 0
	if r != nil {
		s.height = max(1, r.Height())
	}
	if i == w.at.section && before != w.lines(i) {
		w.at.line = w.at.line * w.lines(i) / max(1, before)
		w.clamp()
	}
	v.paintWhole(i)
	if w.due {
		if stops := w.stops(); w.focus < len(stops) && stops[w.focus].section == i {
			w.reveal()
		}
	}
}

// paintWhole lays what matched and what was found over a section.
func (v pagePane) paintWhole(i int) {
	w := &v.page.whole
	s := &w.sections[i]
	s.marked = nil
	if s.rendering == nil {
		return
	}
	var all []spans.Span
	if it := v.answer.items[s.item.ChunkID]; it != nil {
		all = v.needs.Marks(it)
	}
	from, _ := slices.BinarySearchFunc(w.hits, i, func(h wholeHit, i int) int { return cmp.Compare(h.section, i) })
	for _, h := range w.hits[from:] {
		if h.section != i {
			break
		}
		all = append(all, spans.Span{Start: h.start, End: h.end, Level: h.level})
	}
	s.marked = s.rendering.Mark(all, rendering.Palette(v.Styles()))
}

// seekWhole looks for the words in the texts that are there by now.
func (v pagePane) seekWhole() tea.Cmd {
	w := &v.page.whole
	if w.seeks || w.hit == "" || w.hit == w.soughtFor && w.sought == w.texts {
		return nil
	}
	w.seeks = true
	texts := make([]string, len(w.sections))
	for i := range w.sections {
		if it := w.sections[i].item; it != nil {
			texts[i] = it.ChunkText
		}
	}
	words, n := w.hit, w.texts
	return w.seeking.Run(v.Context(), func(ctx context.Context) func() tea.Cmd {
		hits := hitsIn(ctx, texts, words)
		return func() tea.Cmd { return v.foundWhole(words, n, hits) }
	})
}

// hitsIn finds words in the texts of sections, whatever the case.
func hitsIn(ctx context.Context, texts []string, words string) []wholeHit {
	var hits []wholeHit
	sought := []rune(strings.TrimSpace(words))
	for i, text := range texts {
		if ctx.Err() != nil || len(hits) >= mostHits {
			break
		}
		for _, at := range widget.FoldHits([]rune(text), sought, mostHits-len(hits)) {
			hits = append(hits, wholeHit{i, at, at + len(sought), spans.Found})
		}
	}
	return hits
}

// foundWhole takes the places where words stand in the first so many texts.
func (v pagePane) foundWhole(words string, texts int, hits []wholeHit) tea.Cmd {
	w := &v.page.whole
	w.seeks = false
	if words != w.hit {
		return nil
	}
	first := w.soughtFor != w.hit
	at := place{}
	if !first && w.focus >= 0 && w.focus < len(w.hits) {
		at = place{w.hits[w.focus].section, w.hits[w.focus].start}
	}
	w.hits, w.soughtFor, w.sought = hits, words, texts
	for i := range w.sections {
		w.sections[i].marked = nil
	}
	switch {
	case first:
		w.focus = -1
		w.step(1)
	case w.focus >= 0:
		w.focus = max(0, slices.IndexFunc(w.hits, func(h wholeHit) bool { return h.section == at.section && h.start == at.line }))
	}
	return v.seekWhole()
}

// drawWhole draws the page in full.
func (v pagePane) drawWhole(w, h int) []string {
	s, p := v.Styles(), &v.page.whole
	left := strings.Repeat(" ", rendering.Left)
	blank := strings.Repeat(" ", spans.GutterWidth)
	if p.err != nil {
		return widget.Clip(unread(s, p.err, w), w, h)
	}
	var lines []string
	for i, top := p.at.section, p.at.line; i < len(p.sections) && len(lines) < h; i, top = i+1, 0 {
		section := &p.sections[i]
		switch {
		case section.item == nil:
			lines = append(lines, left+blank+s.Faint.Render(s.Signs.Ellipsis))
		case section.marked != nil:
			focus := p.focusIn(i)
			for _, l := range section.marked.Lines(top, min(section.height, top+h-len(lines)), focus) {
				lines = append(lines, left+l+"\x1b[m")
			}
		default:
			raw := p.rawOf(i)
			for at := top; at < len(raw) && len(lines) < h; at++ {
				lines = append(lines, left+blank+raw[at])
			}
		}
		if i < len(p.sections)-1 {
			lines = append(lines, "")
		}
	}
	return widget.Clip(lines, w, h)
}

// focusIn is the mark of a section that one is on, -1 for none.
func (p *wholePage) focusIn(i int) int {
	stops := p.stops()
	if p.focus < 0 || p.focus >= len(stops) || stops[p.focus].section != i || len(stops) < 2 {
		return -1
	}
	marked := p.sections[i].marked
	for at := range marked.Len() {
		if s := marked.Span(at); s.Start <= stops[p.focus].start && stops[p.focus].start < s.End && s.Level == stops[p.focus].level {
			return at
		}
	}
	return -1
}
