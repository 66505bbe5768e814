package rendering

import (
	"context"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/spans"
	"github.com/webrag/webrag-tui/ui/wording"
)

// Section is a section made ready to be shown. It is immutable.
type Section struct {
	// Rendering is nil when the text could not be rendered.
	Rendering *spans.Rendering
	// Notice says what the reader should know about this form, empty mostly. It may
	// name keys by actions. Quiet marks one that is no warning.
	Notice string
	Quiet  bool

	// marked says that ranges of the section's text can be found in the
	// rendering: it was made of that text, or aligned says where they are.
	marked  bool
	aligned *spans.Alignment
}

// Key tells sections that are ready apart: by their texts, form, width and theme.
type Key struct {
	id    string
	text  uint64 // hash of the texts: a page may be indexed anew meanwhile
	form  Form
	html  bool // the text is HTML that was converted
	sent  bool // the model gets the section as HTML
	width int
	theme string
}

// String is what a log says of it.
func (k Key) String() string { return fmt.Sprintf("%s %s at %d", k.id, k.form, k.width) }

// IsResized reports that another key is of the same section for another width.
func (k Key) IsResized(o Key) bool { return k.id == o.id && k.width != o.width }

// Job is the rendering of a section in one form, with all that it depends on.
type Job struct {
	Key     Key
	text    string
	own     string // what marks are ranges of
	page    string // address of the page, for relative links
	convert func(string) (string, error)
	styles  *theme.Styles
}

// Run renders, which may take a while; it can be called from any goroutine. What goes
// wrong, a panic of the renderer included, is an error, ctx's own among them: the text can
// then be shown as it is.
func (j Job) Run(ctx context.Context) (s *Section, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, fmt.Errorf("render section %s: %v", j.Key.id, r)
		}
	}()
	s = &Section{marked: true}
	text := j.text
	if j.Key.html {
		if text, err = j.convert(j.text); err != nil {
			return &Section{Notice: "shown as markdown: " + wording.Line(err.Error())}, nil
		}
	}
	switch j.Key.form {
	case Source, HTMLSource:
		s.Rendering = spans.Source(text, j.Key.width)
	default:
		s.Rendering, err = spans.Render(ctx, text, spans.Options{
			Width: j.Key.width, Theme: j.styles.Markdown, Base: j.page, PlainTeX: true,
		})
		if err != nil {
			return nil, fmt.Errorf("render section %s: %w", j.Key.id, err)
		}
	}
	if j.Key.html {
		s.aligned = spans.Align(j.own, text)
		s.marked = s.aligned.Holds()
	}
	switch {
	case j.Key.form == HTMLSource:
		s.marked, s.Quiet, s.Notice = false, true, "{mark.next} goes to the marks, in the markdown"
		if j.Key.sent {
			s.Notice = asSent + " · {mark.next} goes to the marks"
		}
	case s.Rendering.Truncated() > 0:
		s.Notice = "too long to be rendered whole: " + wording.Plural(s.Rendering.Truncated(), "character") + " are left out"
		if j.Key.form != Source {
			s.Notice += "; {preview.mode} shows the source"
		}
	case s.Rendering.Approximate():
		s.Notice = "marks are approximate here"
	case j.Key.form == Source && !j.Key.sent:
		s.Quiet, s.Notice = true, asSent
	case j.Key.sent && j.Key.form == Rendered:
		s.Quiet, s.Notice = true, "sent to the model as HTML · {preview.mode} shows it"
	}
	return s, nil
}

// asSent is said of the text that a model gets, and of no other.
const asSent = "as the model reads it"

// IsAligned reports that it was made of another text than the one that marks are ranges
// of, so that some may have no place in it.
func (s *Section) IsAligned() bool { return s.aligned != nil }

// Place finds marks, in code points of the section's text, in the rendering; those that
// have no place in it are left out.
func (s *Section) Place(marks []spans.Span) []spans.Span {
	switch {
	case !s.marked:
		return nil
	case s.aligned == nil:
		return slices.Clone(marks)
	}
	placed := make([]spans.Span, 0, len(marks))
	for _, m := range marks {
		if start, end, ok := s.aligned.Place(m.Start, m.End); ok {
			m.Start, m.End = start, end
			placed = append(placed, m)
		}
	}
	return placed
}

// Origin returns the code points of the section's text that a span of the
// rendering stands for.
func (s *Section) Origin(m spans.Span) (start, end int, ok bool) {
	switch {
	case !s.marked:
		return 0, 0, false
	case s.aligned == nil:
		return m.Start, m.End, true
	}
	return s.aligned.Inverse().Place(m.Start, m.End)
}

// LineOf is the line that shows a code point of the section's text, 0 where none does.
func (s *Section) LineOf(at int) int {
	if at <= 0 || s.Rendering == nil {
		return 0
	}
	placed := s.Place([]spans.Span{{Start: at, End: at + 1}})
	if len(placed) == 0 {
		return 0
	}
	return s.Rendering.LineOf(placed[0].Start)
}
