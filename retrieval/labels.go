package retrieval

import "slices"

// ChunkLabel is what a chunk of the evidence is called.
type ChunkLabel struct {
	ChunkID string
	// Section is the id of the section that holds the chunk, its own if it is one.
	Section          string
	SourceURL, Title string
	// Heading is the innermost heading above the chunk, HeadingPath all of them.
	Heading     string
	HeadingPath []string
}

// Labels names the chunks of the evidence by their ids, in their order, for what
// the trace lists; an id that the evidence does not have gets no names.
func (ev Evidence) Labels(ids []string) []ChunkLabel {
	out := make([]ChunkLabel, len(ids))
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		out[i].ChunkID = id
		at[id] = i
	}
	for i := range ev.rows {
		r := &ev.rows[i]
		to, ok := at[r.id]
		if !ok {
			continue
		}
		n, doc := ev.namesOf(int32(i)), &ev.documents[r.document]
		section := r.id
		if s := ev.sectionOf(int32(i)); s != noRow {
			section = ev.rows[s].id
		}
		out[to] = ChunkLabel{
			ChunkID: r.id, Section: section, SourceURL: doc.url, Title: doc.title,
			Heading: n.own(), HeadingPath: slices.Clone(n.path),
		}
	}
	// An id that was asked for twice has its names twice.
	for i, id := range ids {
		out[i] = out[at[id]]
	}
	return out
}
