package flat

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/checkup"
)

var _ store.Checker = (*Store)(nil)

// Check examines the server, the table, its vectors with their index, and the
// settings of the server that a search depends on. It only reads. What cannot be
// looked at, for want of a right or of time, is [store.CheckUnknown]; only a
// server that is gone is an error.
func (s *Store) Check(ctx context.Context) ([]store.Check, error) {
	groups := []checkup.Group[*checker]{
		{Name: "server", Look: (*checker).Server},
		{Name: "extension", Look: (*checker).Extension},
		{Name: "rights", Look: (*checker).rights},
		{Name: "rows", Look: (*checker).rows},
		{Name: "dimensions", Look: (*checker).Dimensions},
		{Name: "vector index", Look: (*checker).VectorIndex},
	}
	if s.table.Load().counted {
		// Of a view or of a table elsewhere the server counts nothing.
		groups = append(groups,
			checkup.Group[*checker]{Name: "dead rows", Look: (*checker).Dead},
			checkup.Group[*checker]{Name: "statistics", Look: (*checker).Statistics})
	}
	return checkup.Run(ctx, s.db, s.examine, append(groups,
		checkup.Group[*checker]{Name: "planner", Look: (*checker).Planner},
		checkup.Group[*checker]{Name: "memory", Look: (*checker).Memory},
		checkup.Group[*checker]{Name: "connections", Look: (*checker).Connections}))
}

// checker looks at one group in a view of its own.
type checker struct {
	checkup.Checker

	view *View
}

func (s *Store) examine(ctx context.Context) (c *checker, end func(), err error) {
	v := &View{store: s, table: s.table.Load()}
	if err := v.begin(ctx); err != nil {
		return nil, nil, err
	}
	t := v.table
	column := t.mapping.Embedding.Column
	return &checker{
		view: v,
		Checker: checkup.Checker{Ctx: ctx, Tx: v.reading.Tx(), Table: checkup.Table{
			DB: s.db, Versions: t.server, Name: t.Quoted(), Schema: catalog.Quote(t.Schema), Column: column, Kind: t.kind, Index: t.index(),
			Vectors: t.Quoted() + " WHERE " + catalog.Quote(column) + " IS NOT NULL", Describe: v.VectorIndex,
		}},
	}, v.reading.End, nil
}

func (c *checker) rights() error {
	c.Add("rights", store.CheckFine, "read-only: the table is another program's", "")
	return nil
}

// rows counts those that lack what a search or an answer needs.
func (c *checker) rows() error {
	var p params
	var rows, vectors, texts, sources int
	from := c.view.from(&p)
	err := c.Scan("SELECT count(*), count(*) FILTER (WHERE c.embedding IS NULL), count(*) FILTER (WHERE c.content = ''), "+
		"count(*) FILTER (WHERE coalesce(c.address, '') = '') FROM "+from, p, &rows, &vectors, &texts, &sources)
	if err != nil {
		return err
	}
	c.without("vectors", "vector", "let the program that made the table embed them", rows, vectors)
	c.without("texts", "text", "name the column of texts: --map text=COLUMN", rows, texts)
	c.without("sources", "source", "name where the address of the page is: --map source=COLUMN, or source=COLUMN.KEY", rows, sources)
	return nil
}

// without notes how many of the rows lack something.
func (c *checker) without(name, what, fix string, rows, lack int) {
	switch {
	case rows == 0:
		c.Add(name, store.CheckWarning, "there is no row", "let the program that made the table fill it")
	case lack == 0:
		c.Add(name, store.CheckFine, fmt.Sprintf("each of %d rows has a %s", rows, what), "")
	case lack == rows && name == "vectors":
		c.Add(name, store.CheckBroken, fmt.Sprintf("none of %d rows has a %s", rows, what), fix)
	default:
		c.Add(name, store.CheckWarning, fmt.Sprintf("%d of %d rows have no %s", lack, rows, what), fix)
	}
}
