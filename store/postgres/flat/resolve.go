package flat

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// complete fills in what a mapping does not name with what the table looks like,
// and checks it against the table's columns. maker is the program whose table it
// is by its looks; sourceKeys are where in the metadata it keeps the source, if
// nothing else was named.
func complete(t *catalog.Table, m Mapping) (full Mapping, maker string, sourceKeys []string, err error) {
	guess := catalog.Guess(t)
	maker = guess.Maker
	fill := func(at *Place, column string) {
		if at.IsZero() && column != "" {
			*at = Place{Column: column}
		}
	}
	fill(&m.Text, guess.Text)
	fill(&m.Embedding, guess.Embedding)
	fill(&m.Metadata, guess.Metadata)
	fill(&m.Title, guess.Title)
	fill(&m.Source, guess.Source)
	// A key tells rows apart for certain, and there is an index of it.
	if len(t.Primary) == 1 {
		fill(&m.ID, t.Primary[0])
	}
	fill(&m.ID, guess.ID)
	if m.Source.IsZero() && m.Metadata.Column == guess.Metadata {
		sourceKeys = guess.SourceKeys
	}
	if maker == "LlamaIndex" {
		// Of nodes without a file or page the document at least is known.
		sourceKeys = append(sourceKeys, "ref_doc_id", "document_id", "doc_id")
	}
	if err := check(t, &m); err != nil {
		return Mapping{}, "", nil, err
	}
	return m, maker, sourceKeys, nil
}

// check says of the places of a mapping which are none of the table's, and spells
// their columns as the table does.
func check(t *catalog.Table, m *Mapping) error {
	for _, p := range m.places() {
		if p.at.IsZero() {
			continue
		}
		c, err := columnOf(t, p.at.Column)
		if err != nil {
			return fmt.Errorf("the mapping of %s: %w", p.name, err)
		}
		p.at.Column = c.Name
		if why := unfit(p.name, p.at, c); why != "" {
			return fmt.Errorf("the mapping of %s: the column %s of %s is of type %s, %s; it has %s",
				p.name, catalog.Printable(c.Name), t.Label(), catalog.Printable(c.Type), why, columns(t))
		}
	}
	const form = "name it: --map text=COLUMN,embedding=COLUMN,source=COLUMN"
	switch {
	case m.Embedding.IsZero():
		return fmt.Errorf("which column of %s has the vectors cannot be told; %s; it has %s", t.Label(), form, columns(t))
	case m.Text.IsZero():
		return fmt.Errorf("which column of %s has the texts cannot be told; %s; it has %s", t.Label(), form, columns(t))
	}
	return nil
}

// columnOf returns the column that a name means: one in other capitals if there is
// just one.
func columnOf(t *catalog.Table, name string) (*catalog.Column, error) {
	if c := t.Column(name); c != nil {
		return c, nil
	}
	var found *catalog.Column
	for i := range t.Columns {
		if c := &t.Columns[i]; strings.EqualFold(c.Name, name) {
			if found != nil {
				return nil, fmt.Errorf("%s has no column %q, and several that differ by capitals; it has %s", t.Label(), name, columns(t))
			}
			found = c
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%s has no column %q; it has %s", t.Label(), name, columns(t))
	}
	return found, nil
}

// unfit says why a column cannot be what a mapping takes it for.
func unfit(name string, at *Place, c *catalog.Column) string {
	isJSON := c.Is("jsonb", "json")
	switch {
	case len(at.Path) > 0 && !isJSON:
		return "which has no keys"
	case len(at.Path) > 0:
		return ""
	}
	switch name {
	case "embedding":
		if !c.IsVector() {
			return "which is not one that is searched by cosine (vector, halfvec)"
		}
	case "metadata":
		if !isJSON {
			return "not json or jsonb"
		}
	case "created":
		if !c.Is("timestamptz", "timestamp", "date") {
			return "not a time (timestamptz, timestamp, date)"
		}
	case "text":
		if !c.Is("text", "varchar", "bpchar", "citext") {
			return "not text"
		}
	default:
		if c.IsVector() || c.Is("bytea", "sparsevec") {
			return "which cannot be read as text"
		}
	}
	return ""
}

// mostColumns is how many columns an error lists.
const mostColumns = 40

// columns lists the columns of a table with their types.
func columns(t *catalog.Table) string {
	var list []string
	for i := range t.Columns {
		if i == mostColumns {
			list = append(list, "…")
			break
		}
		c := &t.Columns[i]
		list = append(list, catalog.Printable(c.Name)+" ("+catalog.Printable(c.Type)+")")
	}
	if len(list) == 0 {
		return "no columns"
	}
	return strings.Join(list, ", ")
}
