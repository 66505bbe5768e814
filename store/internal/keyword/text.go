package keyword

import (
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Texts makes the terms of texts that come without, one after the other. Most have
// the headings and the title of the one before, whose terms are not made again. It
// is used by one goroutine.
type Texts struct {
	*store.Analyzer
	last store.Chunk
}

// Of returns the terms of a text, of its headings, by lines, and of its title.
func (t *Texts) Of(text, headings, title string) Fields {
	if t.last.SectionHeading != headings || t.last.Title != title {
		t.last.SectionHeading, t.last.HeadingPath, t.last.Title = headings, []string{headings}, title
		t.Name(&t.last)
	}
	f := Of(&t.last)
	f.Body = []byte(strings.Join(t.Terms(text), " "))
	return f
}
