package postgres

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/linking"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/checkup"
)

var _ store.Checker = (*Store)(nil)

// Check examines the server, the tables, the vectors with their index, and the
// settings of the server that a search depends on. It only reads. What cannot be
// looked at, for want of a right or of time, is [store.CheckUnknown]; only a
// server that is gone is an error.
func (s *Store) Check(ctx context.Context) ([]store.Check, error) {
	return checkup.Run(ctx, s.db, s.examine, []checkup.Group[*checker]{
		{Name: "server", Look: (*checker).Server},
		{Name: "extension", Look: (*checker).Extension},
		{Name: "checksums", Look: (*checker).checksums},
		{Name: "rights", Look: (*checker).rights},
		{Name: "edges", Look: (*checker).refusedEdges},
		{Name: "vectors", Look: (*checker).vectors},
		{Name: "dimensions", Look: (*checker).Dimensions},
		{Name: "vector index", Look: (*checker).VectorIndex},
		{Name: "keyword index", Look: (*checker).keywords},
		{Name: "dead rows", Look: (*checker).Dead},
		{Name: "statistics", Look: (*checker).Statistics},
		{Name: "planner", Look: (*checker).Planner},
		{Name: "memory", Look: (*checker).Memory},
		{Name: "connections", Look: (*checker).Connections},
	})
}

// checker looks at one group in a view of its own.
type checker struct {
	checkup.Checker

	view   *View
	layout *layout
}

func (s *Store) examine(ctx context.Context) (c *checker, end func(), err error) {
	read, err := s.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, ok := read.(*View)
	if !ok {
		return nil, nil, fmt.Errorf("a view of type %T", read)
	}
	l := v.layout
	return &checker{
		view: v, layout: l,
		Checker: checkup.Checker{Ctx: ctx, Tx: v.reading.Tx(), Table: checkup.Table{
			DB:       s.db,
			Versions: catalog.Server{Version: l.server.version, Vector: l.server.vector, Citus: l.server.citus, Standby: l.server.standby},
			Name:     l.table("chunks"), Schema: l.schema, Column: "embedding", Kind: l.vector.kind, Index: l.index(),
			Vectors: l.table("chunks") + " c WHERE " + searchable, Describe: v.VectorIndex,
		}},
	}, v.reading.End, nil
}

// refusedEdges counts those that readers leave out, because no writer would have written them.
func (c *checker) refusedEdges() error {
	if !c.layout.edges {
		return nil
	}
	var n int64
	err := c.Scan("SELECT count(*) FROM "+c.layout.table("chunk_edges")+" WHERE "+linking.Refused(), nil, &n)
	if err != nil || n == 0 {
		return err
	}
	check := linking.RefusedCheck(n)
	c.Add(check.Name, check.State, check.Found, check.Fix)
	return nil
}

// checksums says whether the server verifies the pages that it reads, which is its
// own to do.
func (c *checker) checksums() error {
	var on string
	if err := c.Scan("SELECT current_setting('data_checksums')", nil, &on); err != nil {
		return err
	}
	if on == "on" {
		c.Add("checksums", store.CheckFine, "the server verifies those of its pages", "")
		return nil
	}
	c.Add("checksums", store.CheckWarning, "the server has none (data_checksums is off), so that damage on its disk may not be noticed",
		"stop the server and run: pg_checksums --enable")
	return nil
}

func (c *checker) rights() error {
	if why := c.layout.readOnly; why != "" {
		c.Add("rights", store.CheckFine, "read-only: "+why, "")
		return nil
	}
	var role string
	if err := c.Scan("SELECT current_user", nil, &role); err != nil {
		return err
	}
	c.Add("rights", store.CheckFine, "role "+catalog.Printable(role)+" may read and write", "")
	return nil
}
