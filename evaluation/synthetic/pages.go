package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// pagesAtOnce is how many pages are looked at together, rowsAtOnce how many are listed.
const (
	pagesAtOnce = 200
	rowsAtOnce  = 1000
)

// place is where a question leads to, before its text is read.
type place struct {
	page string // its address
	// parent and child are the passage under a heading; without parent it is where a
	// link with this anchor arrives.
	parent string
	child  int
	anchor string
}

// candidate is a text that could be a question.
type candidate struct {
	text   string
	kind   Kind
	places []place
	common bool
}

// gathering goes through the pages of a corpus.
type gathering struct {
	view   store.View
	o      Options
	report Report
	// all are the candidates by their terms, so that "Depth decay" and "depth decays"
	// are one.
	all   map[string]*candidate
	order []*candidate
	// address are the pages by the keys of their addresses, for links.
	address map[string]string
}

// FromPages makes questions from the titles, headings and links of a corpus. It keeps
// the texts that could be questions in memory and those of the pages not, and looks at the
// first 100,000 pages.
func FromPages(ctx context.Context, v store.View, o Options) ([]Question, Report, error) {
	g := &gathering{view: v, o: o.withDefaults(), all: map[string]*candidate{}, address: map[string]string{}}
	for _, kind := range g.o.Kinds {
		if !slices.Contains(Kinds(), kind) {
			return nil, Report{}, fmt.Errorf("questions are not made from a %q; it is one of %q", kind, Kinds())
		}
		g.report.Kinds = append(g.report.Kinds, KindCount{Kind: kind})
	}
	documents, err := g.documents(ctx)
	if err != nil {
		return nil, Report{}, fmt.Errorf("make questions: %w", err)
	}
	// In this order: what is a title and a heading, too, counts as a title.
	for _, kind := range Kinds() {
		if !slices.Contains(g.o.Kinds, kind) {
			continue
		}
		if err := g.gather(ctx, kind, documents); err != nil {
			return nil, Report{}, fmt.Errorf("make questions of each %s: %w", kind, err)
		}
	}
	made, err := g.resolve(ctx, g.sample())
	if err != nil {
		return nil, Report{}, fmt.Errorf("make questions: %w", err)
	}
	g.report.count(made)
	return made, g.report, nil
}

// documents lists the pages, without what questions do not need.
func (g *gathering) documents(ctx context.Context) ([]store.Document, error) {
	stats, err := g.view.Stats(ctx, store.Scope{})
	if err != nil {
		return nil, err
	}
	g.report.Of = stats.Documents
	var list []store.Document
	for len(list) < mostPages {
		rows, err := g.view.Documents(ctx, store.Scope{}, store.Page{Offset: len(list), Limit: rowsAtOnce})
		if err != nil {
			return nil, err
		}
		for i := range rows {
			d := &rows[i]
			for _, own := range append([]string{d.SourceURL, d.URL}, d.URLAliases...) {
				if key := store.PageKey(own); own != "" && g.address[key] == "" {
					g.address[key] = d.SourceURL
				}
			}
			list = append(list, store.Document{ID: d.ID, SourceURL: d.SourceURL, Title: d.Title})
		}
		if len(rows) < rowsAtOnce {
			break
		}
	}
	g.report.Pages = len(list)
	return list, nil
}

// gather offers all texts of one kind.
func (g *gathering) gather(ctx context.Context, kind Kind, documents []store.Document) error {
	seen := 0
	for some := range slices.Chunk(documents, pagesAtOnce) {
		var err error
		switch kind {
		case Title:
			for i := range some {
				g.offer(Title, some[i].Title, place{page: some[i].SourceURL})
			}
		case Heading:
			err = g.headings(ctx, some)
		case Link:
			err = g.links(ctx, some)
		}
		if err != nil {
			return err
		}
		seen += len(some)
		g.o.Progress(seen, len(documents))
	}
	return nil
}

// headings offers the innermost heading of each passage that begins under it.
func (g *gathering) headings(ctx context.Context, documents []store.Document) error {
	return eachPassage(ctx, g.view, documents, 0, func(c, before *store.Chunk) {
		n := len(c.HeadingPath)
		if n == 0 || before != nil && slices.Equal(before.HeadingPath, c.HeadingPath) {
			return
		}
		g.offer(Heading, c.HeadingPath[n-1], place{page: c.SourceURL, parent: c.ParentID, child: c.Index})
	})
}

// eachPassage calls each with the passages of pages in their order, and with the one
// before it on its page.
func eachPassage(ctx context.Context, v store.View, documents []store.Document, fields store.Fields, each func(c, before *store.Chunk)) error {
	ids := make([]string, len(documents))
	for i := range documents {
		ids[i] = documents[i].ID
	}
	parents, err := v.Parents(ctx, store.Scope{DocumentIDs: ids}, 0, store.Page{})
	if err != nil {
		return err
	}
	at := make(map[string]int, len(parents))
	ids = make([]string, len(parents))
	for i := range parents {
		ids[i], at[parents[i].ID] = parents[i].ID, i
	}
	children, err := v.Children(ctx, ids, fields)
	if err != nil {
		return err
	}
	slices.SortStableFunc(children, func(a, b store.Chunk) int {
		return cmp.Or(cmp.Compare(at[a.ParentID], at[b.ParentID]), cmp.Compare(a.Index, b.Index))
	})
	for i := range children {
		var before *store.Chunk
		if i > 0 && children[i-1].DocumentID == children[i].DocumentID {
			before = &children[i-1]
		}
		each(&children[i], before)
	}
	return nil
}

// links offers the texts of the links that lead from each page to another.
func (g *gathering) links(ctx context.Context, documents []store.Document) error {
	for i := range documents {
		links, err := g.view.Links(ctx, documents[i].ID)
		if err != nil {
			return err
		}
		for _, l := range links {
			page := g.address[store.PageKey(l.TargetURL)]
			if page == "" || page == documents[i].SourceURL || strings.Contains(l.Text, "://") {
				continue
			}
			g.offer(Link, l.Text, place{page: page, anchor: l.Anchor})
		}
	}
	return nil
}

// offer takes a text as a candidate, if it says something.
func (g *gathering) offer(kind Kind, text string, to place) {
	text = strings.Join(strings.Fields(offset.Line(text)), " ")
	if utf8.RuneCountInString(text) > mostText {
		g.report.Long++
		return
	}
	terms := store.Terms(text)
	if len(terms) == 0 || kind != Title && len(terms) < leastTerms {
		g.report.Short++
		return
	}
	key := strings.Join(terms, " ")
	c := g.all[key]
	if c == nil {
		c = &candidate{text: text, kind: kind}
		g.all[key] = c
		g.order = append(g.order, c)
	}
	switch {
	case c.common || slices.ContainsFunc(c.places, func(p place) bool { return p.page == to.page }):
	case len(c.places) == mostTargets:
		c.common, c.places = true, nil
	default:
		c.places = append(c.places, to)
	}
}

// sample takes candidates of all kinds in turns.
func (g *gathering) sample() []*candidate {
	byKind := map[Kind][]*candidate{}
	for _, c := range g.order {
		if c.common {
			g.report.Common++
			continue
		}
		byKind[c.kind] = append(byKind[c.kind], c)
	}
	for i := range g.report.Kinds {
		k := &g.report.Kinds[i]
		k.Found = len(byKind[k.Kind])
		slices.SortFunc(byKind[k.Kind], func(a, b *candidate) int {
			return cmp.Or(cmp.Compare(turn(g.o.Seed, a.text), turn(g.o.Seed, b.text)), strings.Compare(a.text, b.text))
		})
	}
	var taken []*candidate
	for n := 0; len(taken) < g.o.Count; n++ {
		before := len(taken)
		for _, k := range g.report.Kinds {
			if of := byKind[k.Kind]; n < len(of) && len(taken) < g.o.Count {
				taken = append(taken, of[n])
			}
		}
		if len(taken) == before {
			break
		}
	}
	return taken
}
