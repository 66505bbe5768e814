package session

import (
	"context"
	"slices"
	"strconv"
)

// reading reads of the corpus what a result does not carry. What was read is in what the
// work brings: whoever shows it keeps it.
type reading struct {
	works  *works
	opened *opened
}

// visits are the kinds of work that lead to another place of the corpus: one takes the
// place of another.
var visits = [...]Kind{KindSection, KindSpan, KindAddress, KindLinks, KindOutline}

// visit begins work that leads to another place of the corpus.
func (r *reading) visit(k Kind, asked Done, read func(ctx context.Context, r Reader, d *Done)) []Work {
	r.works.end(visits[:]...)
	return r.read(k, asked, read)
}

func (r *reading) read(k Kind, asked Done, read func(ctx context.Context, r Reader, d *Done)) []Work {
	if r.opened.corpus == nil {
		return nil
	}
	return []Work{r.works.begin(k, 0, r.reads(asked, read))}
}

func (r *reading) reads(asked Done, read func(ctx context.Context, r Reader, d *Done)) func(context.Context) Done {
	from := r.opened.corpus.Reader
	return r.works.replayable(asked, func(ctx context.Context, d *Done) { read(ctx, from, d) })
}

// ReadSection reads a section that somebody goes to.
func (r *reading) ReadSection(id string) []Work {
	return r.visit(KindSection, Done{Asked: []string{AskedSection, id}}, func(ctx context.Context, r Reader, d *Done) {
		d.Section, d.Err = r.Section(ctx, id)
	})
}

// ReadSpan reads the section of the page at url that holds the code point at.
func (r *reading) ReadSpan(url string, at int) []Work {
	return r.visit(KindSpan, Done{Asked: []string{AskedSpan, url, strconv.Itoa(at)}}, func(ctx context.Context, r Reader, d *Done) {
		d.Section, d.Err = r.SectionAt(ctx, url, at)
	})
}

// ReadAddress reads the section that an address means.
func (r *reading) ReadAddress(url string) []Work {
	return r.visit(KindAddress, Done{Asked: []string{AskedAddress, url}}, func(ctx context.Context, r Reader, d *Done) {
		d.Section, d.Err = r.SectionByURL(ctx, url)
	})
}

// ReadLinks reads the links of a section.
func (r *reading) ReadLinks(id string) []Work {
	return r.visit(KindLinks, Done{ID: id, Asked: []string{AskedLinks, id}}, func(ctx context.Context, r Reader, d *Done) {
		d.Links, d.Err = r.Links(ctx, id)
	})
}

// ReadOutline reads a page with the texts of its sections.
func (r *reading) ReadOutline(page string) []Work {
	return r.visit(KindOutline, Done{Asked: []string{AskedOutline, page}}, func(ctx context.Context, r Reader, d *Done) {
		if d.Page, d.Err = r.Page(ctx, page); d.Err != nil {
			return
		}
		ids := make([]string, len(d.Page.Sections))
		for i := range d.Page.Sections {
			ids[i] = d.Page.Sections[i].ID
		}
		d.Sections, d.Err = r.SectionTexts(ctx, ids)
	})
}

// ReadText reads the texts of a section, beside those of others.
func (r *reading) ReadText(id string) []Work {
	if r.opened.corpus == nil {
		return nil
	}
	return []Work{r.works.beside(KindText, r.reads(Done{ID: id, Asked: []string{AskedSection, id}}, func(ctx context.Context, r Reader, d *Done) {
		d.Section, d.Err = r.Section(ctx, id)
	}))}
}

// ListSections names at most limit sections, none where the corpus is still of the version
// known.
func (r *reading) ListSections(limit int, known int64) []Work {
	asked := Done{Asked: []string{AskedSections, strconv.Itoa(limit), strconv.FormatInt(known, 10)}}
	return r.read(KindSections, asked, func(ctx context.Context, r Reader, d *Done) {
		d.List, d.Err = r.Sections(ctx, limit, known)
	})
}

// ReadPages reads at most n pages, leaving out the first from of them.
func (r *reading) ReadPages(from, n int) []Work {
	return r.read(KindPages, Done{Asked: []string{AskedPages, strconv.Itoa(from), strconv.Itoa(n)}}, func(ctx context.Context, r Reader, d *Done) {
		d.Pages, d.Err = r.Pages(ctx, from, n)
	})
}

// ReadPageLinks reads which addresses pages link to.
func (r *reading) ReadPageLinks(ids []string) []Work {
	return r.read(KindPageLinks, Done{Asked: slices.Concat([]string{AskedPageLinks}, ids)}, func(ctx context.Context, r Reader, d *Done) {
		d.PageLinks, d.Err = r.PageLinks(ctx, ids)
	})
}

// ReadPage reads a page with its sections, without their texts.
func (r *reading) ReadPage(id string) []Work {
	return r.read(KindPage, Done{ID: id, Asked: []string{AskedPage, id}}, func(ctx context.Context, r Reader, d *Done) {
		d.Page, d.Err = r.Page(ctx, id)
	})
}

// ReadPageTexts reads the texts of sections of a page.
func (r *reading) ReadPageTexts(ids []string) []Work {
	return r.read(KindPageTexts, Done{Asked: slices.Concat([]string{AskedTexts}, ids)}, func(ctx context.Context, r Reader, d *Done) {
		d.Sections, d.Err = r.SectionTexts(ctx, ids)
	})
}

// StopVisit gives up going to another place.
func (r *reading) StopVisit() { r.works.end(visits[:]...) }

// StopReading gives up what is being read, of one kind or of several.
func (r *reading) StopReading(all ...Kind) { r.works.end(all...) }

// TestIndex asks the corpus's index of vectors a query in several ways.
func (r *reading) TestIndex(query string) []Work {
	if r.opened.corpus == nil || r.opened.corpus.Health == nil {
		return nil
	}
	health := r.opened.corpus.Health
	return []Work{r.works.begin(KindHealth, 0, r.works.replayable(Done{Query: query, Asked: []string{AskedIndex}}, func(ctx context.Context, d *Done) {
		d.Health, d.Err = health(ctx, query)
	}))}
}
