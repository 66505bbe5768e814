package catalog

import (
	"context"
	"slices"
	"strings"
)

// Mapping says which columns of a table of passages mean what. Empty names are
// columns that it does not have.
type Mapping struct {
	// Maker is the program whose table it is by its looks: "LangChain",
	// "LlamaIndex", "WebRAG"; empty for a guess by the names of columns.
	Maker string
	// ID, Text and Embedding are what a passage needs; without a column for the id
	// the place of a row must do.
	ID, Text, Embedding string
	// Source is the address of the page, Title its title, Metadata an object in JSON.
	Source, Title, Metadata string
	// SourceKeys are the keys of Metadata under which this maker's programs keep the
	// address, the likeliest first.
	SourceKeys []string
}

// IsComplete reports whether the passages can be read and searched.
func (m *Mapping) IsComplete() bool { return m.Text != "" && m.Embedding != "" }

// known are tables that frameworks make, told by columns that they have under
// these names.
func known() []Mapping {
	keys := []string{"source", "source_url", "url", "file_path", "file_name"}
	return []Mapping{
		{Maker: "WebRAG", ID: "id", Text: "chunk_text", Embedding: "embedding", Source: "source_url", Title: "title"},
		// The table langchain_pg_embedding of its vector store, and that of the later
		// one, whose columns can be named otherwise.
		{Maker: "LangChain", ID: "id", Text: "document", Embedding: "embedding", Metadata: "cmetadata", SourceKeys: keys},
		{Maker: "LangChain", ID: "uuid", Text: "document", Embedding: "embedding", Metadata: "cmetadata", SourceKeys: keys},
		{Maker: "LangChain", ID: "langchain_id", Text: "content", Embedding: "embedding", Metadata: "langchain_metadata", SourceKeys: keys},
		// Tables data_NAME; node_id is what its programs call a passage.
		{Maker: "LlamaIndex", ID: "node_id", Text: "text", Embedding: "embedding", Metadata: "metadata_", SourceKeys: []string{"source", "url", "file_path", "file_name"}},
	}
}

// Guess says what the columns of a table mean by their names and types. Text and
// Embedding are empty if no column can be meant: see IsComplete.
func Guess(t *Table) Mapping {
	for _, m := range known() {
		if t.fits(&m) {
			if m.Title != "" && !t.Has(m.Title) {
				m.Title = ""
			}
			return m
		}
	}
	m := Mapping{
		Text:     t.guess(isText, "text", "chunk_text", "content", "page_content", "document", "body", "chunk", "passage", "contents"),
		Source:   t.guess(isText, "source_url", "source", "url", "uri", "link", "path", "file_path", "filename", "file_name"),
		Title:    t.guess(isText, "title", "name", "heading"),
		Metadata: t.guess(isJSON, "metadata", "metadata_", "meta", "cmetadata", "payload"),
	}
	if m.Embedding = t.guess((*Column).IsVector, "embedding", "embeddings", "vector", "vec"); m.Embedding == "" {
		m.Embedding = t.only((*Column).IsVector)
	}
	if m.Text == "" {
		m.Text = t.only(isText)
	}
	switch {
	case len(t.Primary) == 1:
		m.ID = t.Primary[0]
	case t.Has("id"):
		m.ID = "id"
	}
	if m.Metadata != "" {
		m.SourceKeys = []string{"source", "source_url", "url"}
	}
	return m
}

// fits reports whether the table has the columns of a mapping, in types that can
// mean it. A title is not asked for.
func (t *Table) fits(m *Mapping) bool {
	if !t.Has(m.ID) {
		return false
	}
	for name, is := range map[string]func(*Column) bool{m.Text: isText, m.Embedding: (*Column).IsVector, m.Source: isText, m.Metadata: isJSON} {
		if name == "" {
			continue
		}
		if c := t.Column(name); c == nil || !is(c) {
			return false
		}
	}
	return true
}

// guess returns the first of names that is a column of a kind, whatever its case.
func (t *Table) guess(is func(*Column) bool, names ...string) string {
	for _, name := range names {
		i := slices.IndexFunc(t.Columns, func(c Column) bool { return strings.EqualFold(c.Name, name) && is(&c) })
		if i >= 0 {
			return t.Columns[i].Name
		}
	}
	return ""
}

// only returns the column of a kind if there is just one.
func (t *Table) only(is func(*Column) bool) string {
	name := ""
	for i := range t.Columns {
		if c := &t.Columns[i]; is(c) {
			if name != "" {
				return ""
			}
			name = c.Name
		}
	}
	return name
}

func isText(c *Column) bool { return c.Is("text", "varchar", "bpchar", "citext") }
func isJSON(c *Column) bool { return c.Is("jsonb", "json") }

// Candidate is a table of vectors, and what its columns are guessed to mean.
type Candidate struct {
	Table   Table
	Mapping Mapping
}

// Candidates lists the tables with vectors that may be read, those first whose
// passages can be shown without being told what the columns mean, at most limit.
func Candidates(ctx context.Context, q Querier, limit int) ([]Candidate, error) {
	tables, err := WithVectors(ctx, q, limit)
	if err != nil {
		return nil, err
	}
	candidates := make([]Candidate, len(tables))
	for i := range tables {
		candidates[i] = Candidate{Table: tables[i], Mapping: Guess(&tables[i])}
	}
	slices.SortStableFunc(candidates, func(a, b Candidate) int {
		switch {
		case a.Mapping.IsComplete() == b.Mapping.IsComplete():
			return 0
		case a.Mapping.IsComplete():
			return -1
		}
		return 1
	})
	return candidates, nil
}
