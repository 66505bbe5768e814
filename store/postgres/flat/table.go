package flat

import (
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/ann"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// table is what a table turned out to be. Everything that reads makes its
// statements from it.
type table struct {
	catalog.Table
	// maker is the program whose table it is by its looks, empty for none known.
	maker   string
	mapping Mapping
	id      idColumn
	// sourceKeys are the keys of the metadata under which the source may be, where
	// no mapping names it; collections are the ids of the one that was chosen, nil
	// for no choice.
	sourceKeys  []string
	collections []string
	// dims and kind are those of the vectors: 0 while there is none, "vector" or
	// "halfvec". declared says that all rows have as many.
	dims     int
	kind     string
	declared bool
	nearest  catalog.Nearest
	server   catalog.Server
	// counted says that the server counts what is changed in the table.
	counted bool
	// mark tells whether the table is still the one that was found (markSQL).
	mark     string
	missing  map[store.Capability]string
	warnings []string
}

// unsourced is the source of rows that name none: they are one document.
func (t *table) unsourced() string {
	if t.mapping.Source.IsZero() && len(t.sourceKeys) == 0 {
		return t.Label()
	}
	return "(no source)"
}

// index is the index as a search wants it.
func (t *table) index() ann.Index {
	return ann.Index{
		Name: t.nearest.Name, Why: t.nearest.Why, Method: t.nearest.Method,
		Distributed: t.server.Citus != "",
	}
}

// title names the table where several can be meant.
func (t *table) title() string {
	name := catalog.Printable(t.Name)
	if t.mapping.Collection != "" {
		name += " (" + catalog.Printable(t.mapping.Collection) + ")"
	}
	return name
}
