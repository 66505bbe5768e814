package judged

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/testdata"
)

// Asked is a question with the sections of a library that were judged for it.
type Asked struct {
	testdata.Question
	// Grades are the grades of sections by the id of the parent.
	Grades map[string]int
}

// Resolve finds the judged sections of the library's questions. Those that are not
// there, or of which there are several, are reported together as an error beside
// all others.
//
// How a page is cut is no property of its judgments. A heading may share a section
// with its siblings, when all of them are short, and then the section that holds it
// counts; or what stands below it may be cut into several, of which only the one
// with the judged words counts: the others do not hold the answer. Two judgments of
// a question that fall into one section count once, with the better grade.
func (l *Library) Resolve(ctx context.Context) (asked []Asked, err error) {
	questions, err := testdata.Questions()
	if err != nil {
		return nil, err
	}
	pages, err := l.pages(ctx)
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, q := range questions {
		if q.Corpus != l.Name {
			continue
		}
		a := Asked{Question: q, Grades: map[string]int{}}
		for _, answer := range q.Answers {
			found := pages[answer.Page].find(answer)
			if len(found) != 1 {
				problems = append(problems, fmt.Errorf("%s: %d sections are %s %s %q", q.ID, len(found), answer.Page, answer.Section, answer.Quote))
				continue
			}
			id := found[0].ID
			a.Grades[id] = max(a.Grades[id], answer.Grade)
		}
		asked = append(asked, a)
	}
	return asked, errors.Join(problems...)
}

// page holds the sections of a page in their order.
type page []store.Chunk

// pages are the pages of the library by the paths that judgments call them by.
func (l *Library) pages(ctx context.Context) (map[string]page, error) {
	view, err := l.Deps.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	documents, err := view.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return nil, err
	}
	// A page that names a canonical address is known by it, and its file is an alias.
	paths := map[string]string{}
	for i := range documents {
		d := &documents[i]
		for _, address := range append(d.URLAliases, d.SourceURL) {
			if path, ok := strings.CutPrefix(address, "file:"); ok {
				paths[d.ID] = path
			}
		}
	}
	sections, err := view.Parents(ctx, store.Scope{}, store.FieldText, store.Page{})
	if err != nil {
		return nil, err
	}
	pages := map[string]page{}
	for i := range sections {
		path := paths[sections[i].DocumentID]
		pages[path] = append(pages[path], sections[i])
	}
	return pages, nil
}

// find returns the sections of the page that an answer may mean.
func (p page) find(a testdata.Answer) []*store.Chunk {
	var found []*store.Chunk
	anchor, isAnchor := strings.CutPrefix(a.Section, "#")
	for i := range p {
		c := &p[i]
		// The last of the path is the heading under which a section begins, be it its
		// own or that of a section before it that was cut.
		is := a.Section == "" || len(c.HeadingPath) > 0 && c.HeadingPath[len(c.HeadingPath)-1] == a.Section || slices.Contains(headings(c.ChunkText), a.Section)
		if isAnchor {
			is = slices.Contains(c.Anchors, anchor)
		}
		if is && strings.Contains(flat(c.ChunkText), a.Quote) {
			found = append(found, c)
		}
	}
	return found
}

// headings are the headings in a section's markdown, without their markup.
func headings(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		if name := strings.TrimLeft(line, "#"); name != line && strings.HasPrefix(name, " ") {
			list = append(list, strings.NewReplacer("`", "", "\\", "").Replace(strings.TrimSpace(name)))
		}
	}
	return list
}

// flat is a text with its white space collapsed.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
