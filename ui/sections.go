package ui

import (
	"context"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

// SectionList names the sections of a corpus, by page.
type SectionList struct {
	// Version is the corpus's when they were read.
	Version int64
	// Sections come by (depth, address, place in the page).
	Sections []SectionName
	// More is how many sections there are beyond the limit.
	More int
}

// SectionName is what a section can be found by.
type SectionName struct {
	ChunkID, SourceURL, Title string
	// Headings are those above the section, outermost first; empty for the text
	// of a page without any.
	Headings []string
	// Anchor is the fragment of its heading in the page, without "#".
	Anchor string
}

func (r reader) Sections(ctx context.Context, limit int, known int64) (list SectionList, err error) {
	err = r.view(ctx, func(v store.View) error {
		list.Version = v.Version()
		if list.Version == known {
			return nil
		}
		parents, err := v.Parents(ctx, store.Scope{}, 0, store.Page{Limit: limit})
		if err != nil {
			return err
		}
		list.Sections = make([]SectionName, len(parents))
		for i := range parents {
			p := &parents[i]
			list.Sections[i] = SectionName{ChunkID: p.ID, SourceURL: p.SourceURL, Title: p.Title, Headings: p.HeadingPath, Anchor: p.Anchor}
			if len(p.HeadingPath) == 0 && p.SectionHeading != "" {
				list.Sections[i].Headings = []string{p.SectionHeading}
			}
		}
		if len(parents) < limit {
			return nil
		}
		stats, err := v.Stats(ctx, store.Scope{})
		list.More = max(0, stats.Parents-len(parents))
		return err
	})
	return list, err
}

// way is the way to the section, as [trail] has it.
func (n *SectionName) way(t tails) string {
	return trail(&retrieval.Item{SourceURL: n.SourceURL, Title: n.Title, HeadingPath: n.Headings}, t)
}
