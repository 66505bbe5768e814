package ui

import (
	"context"
	"errors"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// follow keeps preview and score on the selected section. It runs after every
// message and costs microseconds while nothing has changed.
func (m *Model) follow() tea.Cmd {
	it := m.results.Selected()
	if it != nil && it.ChunkText == "" {
		m.texts.fill(it)
	}
	explain, text := m.score.Examine(it), m.followText(it)
	m.score.Show(it, m.focusedMatch())
	return tea.Batch(explain, text)
}

// followText brings the text of the selected section into the preview.
func (m *Model) followText(it *retrieval.Item) tea.Cmd {
	if it != m.preview.item {
		m.preview.show(it, m.marksOf(it))
	}
	if it == nil {
		return nil
	}
	if it.ChunkText == "" {
		return m.fetch(it)
	}
	m.preview.loading = false
	key := m.job(it).key
	if p := m.pages.get(key); p != nil {
		m.due = pageKey{}
		if m.preview.page == p && m.preview.look == m.styles {
			return nil
		}
		m.preview.setPage(p, m.styles)
		if m.find.on && m.find.pane == panePreview && len(m.preview.hits) == 0 {
			if hits := m.preview.search(m.find.input.Value()); len(hits) > 0 {
				m.preview.setHits(hits, m.styles)
			}
		}
		if m.preview.tentative && m.formOf(it) == formHTML && m.preview.misses() {
			m.preview.form, m.preview.tentative = formRendered, false
			m.preview.reset()
			return m.follow()
		}
		return m.rested(previewPause)
	}
	if key == m.due {
		return nil
	}
	// A changed width keeps changing while the window is being dragged.
	pause := previewPause
	if m.due.id == key.id && m.due.width != key.width || m.preview.page != nil {
		pause = resizePause
	}
	m.due = key
	return m.rested(pause)
}

// rested renders after a pause, unless another selection begins a new one.
func (m *Model) rested(pause time.Duration) tea.Cmd {
	m.rest++
	return m.opts.After(pause, renderDue{m.rest})
}

// focusedMatch is the match, by similarity, that the preview stands on.
func (m *Model) focusedMatch() int {
	mark, ok := m.preview.focused()
	if !ok || kindOf(mark.Level) != markMatch {
		return -1
	}
	n, err := strconv.Atoi(mark.Label)
	if err != nil {
		return -1
	}
	return n - 1
}

// formOf is the form in which a section is shown: the chosen one if it has it.
// The section of an opened span is shown as it is sent.
func (m *Model) formOf(it *retrieval.Item) form {
	if m.preview.tentative && (!m.opened.cites() || m.opened.item.ChunkID != it.ChunkID) {
		return formRendered
	}
	for _, f := range formsOf(it) {
		if f == m.preview.form {
			return f
		}
	}
	return formRendered
}

func (m *Model) job(it *retrieval.Item) renderJob {
	return jobFor(it, m.formOf(it), textWidth(m.preview.w), m.styles, m.opts.HTMLToMarkdown, m.seed)
}

// renderNow renders the selected section, cancelling an older rendering; if that
// is done already, its neighbours.
func (m *Model) renderNow() tea.Cmd {
	it := m.preview.item
	if it == nil || it.ChunkText == "" {
		return nil
	}
	job := m.job(it)
	if m.pages.get(job.key) != nil {
		return m.prefetch()
	}
	ctx, _ := m.rendering.Begin(m.ctx)
	return renderCmd(ctx, job)
}

// onRendered keeps a finished page, whatever is shown by now: it is right for
// its key.
func (m *Model) onRendered(msg rendered) tea.Cmd {
	if errors.Is(msg.err, context.Canceled) {
		if m.due == msg.key {
			m.due = pageKey{}
		}
		return nil
	}
	if msg.err != nil {
		// A page without a rendering shows the text as it is.
		msg.page = &page{notice: "shown as it is: " + wording.Line(msg.err.Error())}
	}
	m.pages.put(msg.key, msg.page)
	if m.preview.page != nil {
		return m.prefetch()
	}
	return nil
}

// prefetch renders the neighbours of the selection, so that the next key finds
// them ready.
func (m *Model) prefetch() tea.Cmd {
	for _, at := range []int{1, -1} {
		it := m.results.Neighbour(at)
		if it == nil || it.ChunkText == "" {
			continue
		}
		if job := m.job(it); m.pages.get(job.key) == nil {
			ctx, _ := m.rendering.Begin(m.ctx)
			return renderCmd(ctx, job)
		}
	}
	return nil
}

// fetch reads the texts of a section that came without them. Of a passage, the
// section around it is read.
func (m *Model) fetch(it *retrieval.Item) tea.Cmd {
	id := it.SectionID()
	m.preview.loading = true
	if m.reading[id] || m.session.Corpus() == nil {
		return nil
	}
	m.reading[id] = true
	return m.start(m.session.ReadText(id))
}

// onText puts texts into the items that lack them.
func (m *Model) onText(d session.Done) tea.Cmd {
	delete(m.reading, d.ID)
	it := m.preview.item
	if it == nil || it.SectionID() != d.ID {
		return nil
	}
	m.preview.loading = false
	if d.Err != nil {
		it.ChunkText = " " // there is nothing to show: do not ask again
		return m.say("the section could not be read: "+d.Err.Error(), true)
	}
	m.texts.keep(d.Section)
	m.texts.fill(it)
	m.preview.item = nil
	m.showSession(m.selectedID(), m.session.Examine(nil)) // its texts are there now
	m.results.Redraw()
	return nil
}

// marksOf are the matches of a section and the opened span, where it holds it.
func (m *Model) marksOf(it *retrieval.Item) []spans.Span {
	if it == nil {
		return nil
	}
	low, high := m.session.Params().SimilarityFloor, 0.0
	if m.session.Result() != nil {
		for i := range m.session.Result().Items {
			for _, match := range m.session.Result().Items[i].Matches {
				high = max(high, match.Similarity)
			}
		}
	}
	marks := m.wordMarks(it)
	if marks == nil {
		marks = matchMarks(it, max(low, 0), high)
	}
	if c := m.opened; c.cites() && c.item.SourceURL == it.SourceURL && c.span.Start < it.CharEnd && it.CharStart < c.span.End {
		marks = append(marks, spans.Span{
			Start: max(c.span.Start, it.CharStart) - it.CharStart, End: min(c.span.End, it.CharEnd) - it.CharStart,
			Level: spans.Citation, Label: "c",
		})
	}
	return marks
}

// cycleForm shows the section in its next form.
func (m *Model) cycleForm() tea.Cmd {
	it := m.results.Selected()
	if it == nil {
		return nil
	}
	forms := formsOf(it)
	at := 0
	for i, f := range forms {
		if f == m.formOf(it) {
			at = i
		}
	}
	m.preview.form, m.preview.tentative = forms[(at+1)%len(forms)], false
	m.preview.reset()
	return m.say(m.preview.form.String(), false)
}

// marksElsewhere says that the section has marks which this form cannot show.
func (m *Model) marksElsewhere() bool {
	p := &m.preview
	return p.lost > 0 && p.steps() == 0 && m.formOf(p.item) != formRendered
}
