package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// SectionList names the sections of a corpus, by page.
type SectionList struct {
	// Version is the corpus's when they were read.
	Version int64
	// Sections come by (depth, address, place in the page), each before the headings
	// inside of it.
	Sections []SectionName
	// More is how many sections there are beyond the limit.
	More int
	// Partial says that only these are known, of a corpus that is not there.
	Partial bool `json:",omitempty"`
}

// SectionName is what a section can be found by.
type SectionName struct {
	ChunkID, SourceURL, Title string
	// Headings are those above the section, outermost first; empty for the text
	// of a page without any.
	Headings []string
	// Anchor is the fragment of its heading in the page, without "#".
	Anchor string
	// Within is the section that this is only a heading of, with ChunkID the first
	// passage below it; empty for sections.
	Within string
	// Part is which part of its section it is, from 1, of Parts; 0 for a whole one.
	Part  int `json:",omitempty"`
	Parts int `json:",omitempty"`
	// Opening are the first words of a part, as [Opening] has them: no heading tells it from
	// the others.
	Opening string `json:",omitempty"`
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
		list.Sections = make([]SectionName, 0, len(parents))
		parts, room := partsOf(parents), limit // for headings inside of sections
		opened, err := openings(ctx, v, parts)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(parents, sectionsAtOnce) {
			inside, err := headingsInside(ctx, v, some, &room)
			if err != nil {
				return err
			}
			for i := range some {
				n := NameOf(&some[i])
				n.Part, n.Parts, n.Opening = parts[n.ChunkID].Part, parts[n.ChunkID].Of, opened[n.ChunkID]
				list.Sections = append(list.Sections, n)
				list.Sections = append(list.Sections, inside[some[i].ID]...)
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

// sectionsAtOnce is how many sections are read the passages of at a time.
const sectionsAtOnce = 500

// mostOpened is how many parts of sections are read for their first words. A corpus with more
// has long lists, in which its parts have their numbers alone.
const mostOpened = 2000

// openings are the first words of the parts of sections, by their ids.
func openings(ctx context.Context, v store.View, parts map[string]SectionPart) (map[string]string, error) {
	words := map[string]string{}
	if len(parts) > mostOpened {
		return words, nil
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(parts)), sectionsAtOnce) {
		chunks, err := v.Chunks(ctx, some, store.FieldText)
		if err != nil {
			return nil, err
		}
		for i := range chunks {
			words[chunks[i].ID] = Opening(chunks[i].ChunkText)
		}
	}
	return words, nil
}

// NameOf is what a section can be found by.
func NameOf(c *store.Chunk) SectionName {
	n := SectionName{ChunkID: c.ID, SourceURL: c.SourceURL, Title: c.Title, Headings: c.HeadingPath, Anchor: c.Anchor}
	if len(n.Headings) == 0 && c.SectionHeading != "" {
		n.Headings = []string{c.SectionHeading}
	}
	return n
}

// headingsInside are the headings of passages that are not their section's own, by
// section, each once and at most room of them in all.
func headingsInside(ctx context.Context, v store.View, sections []store.Chunk, room *int) (map[string][]SectionName, error) {
	if *room <= 0 {
		return nil, nil
	}
	ids, own := make([]string, len(sections)), make(map[string]string, len(sections))
	path := func(c *store.Chunk) string { return strings.Join(NameOf(c).Headings, "\n") }
	for i := range sections {
		ids[i], own[sections[i].ID] = sections[i].ID, path(&sections[i])
	}
	passages, err := v.Children(ctx, ids, 0)
	if err != nil {
		return nil, err
	}
	inside := map[string][]SectionName{}
	seen := map[string]bool{}
	for i := range passages {
		c := &passages[i]
		name := path(c)
		key := c.ParentID + "\x00" + name
		if name == "" || name == own[c.ParentID] || seen[key] || *room <= 0 {
			continue
		}
		seen[key] = true
		n := NameOf(c)
		n.Within = c.ParentID
		inside[c.ParentID] = append(inside[c.ParentID], n)
		*room--
	}
	return inside, nil
}
