package ui

import (
	"container/list"
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// form is how a section is shown.
type form uint8

const (
	// formRendered shows the markdown rendered. It is the first form of every
	// section, whatever its surface: matches are ranges of the markdown, so none
	// is missing here.
	formRendered form = iota
	// formHTML shows the HTML rendered, where that is the selected surface.
	formHTML
	formSource
	formHTMLSource
)

func (f form) String() string {
	return [...]string{"rendered", "HTML surface", "markdown source", "HTML source"}[f]
}

// formsOf lists the forms that a section has.
func formsOf(it *retrieval.Item) []form {
	forms := []form{formRendered}
	if sentAsHTML(it) {
		forms = append(forms, formHTML)
	}
	forms = append(forms, formSource)
	if it.HTMLText != "" {
		forms = append(forms, formHTMLSource)
	}
	return forms
}

// sentAsHTML says that the model gets a section as HTML.
func sentAsHTML(it *retrieval.Item) bool {
	return it.Surface == retrieval.SurfaceHTML && it.HTMLText != ""
}

// pageKey tells finished pages apart.
type pageKey struct {
	id    string
	text  uint64 // hash of the texts: a page may be indexed anew meanwhile
	form  form
	html  bool // the text is HTML that was converted
	sent  bool // the model gets the section as HTML
	width int
	theme string
}

// page is a section made ready to be shown. It is immutable.
type page struct {
	// rendering is nil when the text could not be rendered.
	rendering *spans.Rendering
	// marked says that ranges of the section's text can be found in the
	// rendering: it was made of that text, or aligned says where they are.
	marked  bool
	aligned *spans.Alignment
	// notice says what the reader should know about this form, empty mostly;
	// quiet marks one that is no warning.
	notice string
	quiet  bool
}

// renderJob is all that a rendering needs.
type renderJob struct {
	key     pageKey
	text    string
	own     string // what marks are ranges of
	page    string // address of the page, for relative links
	convert func(string) (string, error)
	styles  *theme.Styles
}

// jobFor prepares the rendering of a section in a form.
func jobFor(it *retrieval.Item, f form, width int, s *theme.Styles, convert func(string) (string, error), seed maphash.Seed) renderJob {
	job := renderJob{styles: s, convert: convert, text: it.ChunkText, own: it.ChunkText, page: it.SourceURL}
	html := f == formHTML && convert != nil
	if html || f == formHTMLSource {
		job.text = it.HTMLText
	}
	hash := maphash.String(seed, job.text)
	if html {
		hash ^= maphash.String(seed, job.own)
	}
	job.key = pageKey{
		id: it.ChunkID, text: hash, form: f, html: html, sent: sentAsHTML(it),
		width: max(width, spans.MinWidth), theme: s.Key,
	}
	return job
}

// run renders. What goes wrong, a panic of the renderer included, is an error:
// the pane then shows the text as it is.
func (j renderJob) run(ctx context.Context) (p *page, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("render section %s: %v", j.key.id, r)
		}
	}()
	p = &page{marked: true}
	text := j.text
	if j.key.html {
		if text, err = j.convert(j.text); err != nil {
			return &page{notice: "shown as markdown: " + wording.Line(err.Error())}, nil
		}
	}
	switch j.key.form {
	case formSource, formHTMLSource:
		p.rendering = spans.Source(text, j.key.width)
	default:
		p.rendering, err = spans.Render(ctx, text, spans.Options{
			Width: j.key.width, Theme: j.styles.Markdown, Base: j.page, PlainTeX: true,
		})
		if err != nil {
			return nil, fmt.Errorf("render section %s: %w", j.key.id, err)
		}
	}
	if j.key.html {
		p.aligned = spans.Align(j.own, text)
		p.marked = p.aligned.Holds()
	}
	switch {
	case j.key.form == formHTMLSource:
		p.marked, p.quiet, p.notice = false, true, "{mark.next} goes to the marks, in the markdown"
	case p.rendering.Truncated() > 0:
		p.notice = "too long to be rendered whole: " + wording.Plural(p.rendering.Truncated(), "character") + " are left out"
		if j.key.form != formSource {
			p.notice += "; {preview.mode} shows the source"
		}
	case p.rendering.Approximate():
		p.notice = "marks are approximate here"
	case j.key.html:
		p.quiet, p.notice = true, "as the model reads it"
	case j.key.sent && j.key.form == formRendered && j.convert != nil:
		p.quiet, p.notice = true, "sent to the model as HTML · {preview.mode} shows it"
	}
	return p, nil
}

// place finds marks of the section in the rendering; those that have no place in
// it are left out.
func (p *page) place(marks []spans.Span) []spans.Span {
	switch {
	case !p.marked:
		return nil
	case p.aligned == nil:
		return slices.Clone(marks)
	}
	placed := make([]spans.Span, 0, len(marks))
	for _, m := range marks {
		if start, end, ok := p.aligned.Place(m.Start, m.End); ok {
			m.Start, m.End = start, end
			placed = append(placed, m)
		}
	}
	return placed
}

// origin returns the code points of the section's text that a span of the
// rendering stands for.
func (p *page) origin(s spans.Span) (start, end int, ok bool) {
	switch {
	case !p.marked:
		return 0, 0, false
	case p.aligned == nil:
		return s.Start, s.End, true
	}
	return p.aligned.Inverse().Place(s.Start, s.End)
}

// pageCache keeps the pages used last.
type pageCache struct {
	size  int
	order *list.List // of *cached, last used first
	pages map[pageKey]*list.Element
}

type cached struct {
	key  pageKey
	page *page
}

func newPageCache(size int) *pageCache {
	return &pageCache{size: size, order: list.New(), pages: map[pageKey]*list.Element{}}
}

// get returns a page, or nil.
func (c *pageCache) get(k pageKey) *page {
	e := c.pages[k]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).page //nolint:forcetypeassert // put alone fills the list
}

func (c *pageCache) put(k pageKey, p *page) {
	if e := c.pages[k]; e != nil {
		c.order.Remove(e)
	}
	c.pages[k] = c.order.PushFront(&cached{k, p})
	for c.order.Len() > c.size {
		last := c.order.Back()
		delete(c.pages, c.order.Remove(last).(*cached).key) //nolint:forcetypeassert // as above
	}
}
