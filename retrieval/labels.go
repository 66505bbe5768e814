package retrieval

import "slices"

// ChunkLabel is what a chunk of the evidence is called.
type ChunkLabel struct {
	ChunkID string
	// Section is the id of the section that holds the chunk, its own if it is one.
	Section          string
	SourceURL, Title string
	// Passage is which one of its section a passage is, from 1; 0 for a section.
	Passage int
	// Heading is the innermost heading above the chunk, HeadingPath all of them.
	Heading     string
	HeadingPath []string
}

// Labels names the chunks of the evidence by their ids, in their order, for what
// the trace lists; an id that the evidence does not have gets no names.
func (ev Evidence) Labels(ids []string) []ChunkLabel {
	x := indexOf(&ev)
	return each(ids, func(id *string) ChunkLabel {
		at, ok := x.rows[*id]
		if !ok {
			return ChunkLabel{ChunkID: *id}
		}
		n, doc, section := ev.namesOf(at), &ev.documents[ev.rows[at].document], *id
		if s := ev.sectionOf(at); s != noRow {
			section = ev.rows[s].id
		}
		passage := 0
		if ev.rows[at].isChild {
			passage = int(ev.rows[at].index) + 1
		}
		return ChunkLabel{
			ChunkID: *id, Section: section, SourceURL: doc.url, Title: doc.title, Passage: passage,
			Heading: n.own(), HeadingPath: slices.Clone(n.path),
		}
	})
}
