package session

import "context"

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
func (r *reading) visit(k Kind, read func(ctx context.Context, r Reader) Done) []Work {
	r.works.end(visits[:]...)
	return r.read(k, read)
}

func (r *reading) read(k Kind, read func(ctx context.Context, r Reader) Done) []Work {
	if r.opened.corpus == nil {
		return nil
	}
	from := r.opened.corpus.Reader
	return []Work{r.works.begin(k, 0, func(ctx context.Context) Done { return read(ctx, from) })}
}

// ReadSection reads a section that somebody goes to.
func (r *reading) ReadSection(id string) []Work {
	return r.visit(KindSection, func(ctx context.Context, r Reader) (d Done) {
		d.Section, d.Err = r.Section(ctx, id)
		return d
	})
}

// ReadSpan reads the section of the page at url that holds the code point at.
func (r *reading) ReadSpan(url string, at int) []Work {
	return r.visit(KindSpan, func(ctx context.Context, r Reader) (d Done) {
		d.Section, d.Err = r.SectionAt(ctx, url, at)
		return d
	})
}

// ReadAddress reads the section that an address means.
func (r *reading) ReadAddress(url string) []Work {
	return r.visit(KindAddress, func(ctx context.Context, r Reader) (d Done) {
		d.Section, d.Err = r.SectionByURL(ctx, url)
		return d
	})
}

// ReadLinks reads the links of a section.
func (r *reading) ReadLinks(id string) []Work {
	return r.visit(KindLinks, func(ctx context.Context, r Reader) (d Done) {
		d.ID = id
		d.Links, d.Err = r.Links(ctx, id)
		return d
	})
}

// ReadOutline reads a page with the texts of its sections.
func (r *reading) ReadOutline(page string) []Work {
	return r.visit(KindOutline, func(ctx context.Context, r Reader) (d Done) {
		if d.Page, d.Err = r.Page(ctx, page); d.Err != nil {
			return d
		}
		ids := make([]string, len(d.Page.Sections))
		for i := range d.Page.Sections {
			ids[i] = d.Page.Sections[i].ID
		}
		d.Sections, d.Err = r.SectionTexts(ctx, ids)
		return d
	})
}

// ReadText reads the texts of a section, beside those of others.
func (r *reading) ReadText(id string) []Work {
	if r.opened.corpus == nil {
		return nil
	}
	from := r.opened.corpus.Reader
	return []Work{r.works.beside(KindText, func(ctx context.Context) (d Done) {
		d.ID = id
		d.Section, d.Err = from.Section(ctx, id)
		return d
	})}
}

// ListSections names at most limit sections, none where the corpus is still of the version
// known.
func (r *reading) ListSections(limit int, known int64) []Work {
	return r.read(KindSections, func(ctx context.Context, r Reader) (d Done) {
		d.List, d.Err = r.Sections(ctx, limit, known)
		return d
	})
}

// ReadPages reads at most n pages, leaving out the first from of them.
func (r *reading) ReadPages(from, n int) []Work {
	return r.read(KindPages, func(ctx context.Context, r Reader) (d Done) {
		d.Pages, d.Err = r.Pages(ctx, from, n)
		return d
	})
}

// ReadPageLinks reads which addresses pages link to.
func (r *reading) ReadPageLinks(ids []string) []Work {
	return r.read(KindPageLinks, func(ctx context.Context, r Reader) (d Done) {
		d.PageLinks, d.Err = r.PageLinks(ctx, ids)
		return d
	})
}

// ReadPage reads a page with its sections, without their texts.
func (r *reading) ReadPage(id string) []Work {
	return r.read(KindPage, func(ctx context.Context, r Reader) (d Done) {
		d.ID = id
		d.Page, d.Err = r.Page(ctx, id)
		return d
	})
}

// ReadPageTexts reads the texts of sections of a page.
func (r *reading) ReadPageTexts(ids []string) []Work {
	return r.read(KindPageTexts, func(ctx context.Context, r Reader) (d Done) {
		d.Sections, d.Err = r.SectionTexts(ctx, ids)
		return d
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
	return []Work{r.works.begin(KindHealth, 0, func(ctx context.Context) Done {
		h, err := health(ctx, query)
		return Done{Query: query, Health: h, Err: err}
	})}
}
