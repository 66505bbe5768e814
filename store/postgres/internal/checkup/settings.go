package checkup

import (
	"context"
	"fmt"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// dearPage is the random_page_cost from which the planner prefers to read a whole
// table to following an index. It does not count the pages that long vectors are
// kept on.
const dearPage = 2

// Planner looks at the settings that decide whether an index is used, as other
// programs find them: the connections that search have some of their own.
func (c *Checker) Planner() error {
	conn, err := c.DB.Connect(c.Ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(c.Ctx)) }()
	var cost float64
	var mode, ef, database string
	err = conn.QueryRow(c.Ctx, `SELECT current_setting('random_page_cost')::float8, current_setting('plan_cache_mode'),
		coalesce(current_setting('hnsw.ef_search', true), ''), current_database()`).Scan(&cost, &mode, &ef, &database)
	if err != nil {
		return err
	}
	found := fmt.Sprintf("random_page_cost %g, plan_cache_mode %s", cost, catalog.Printable(mode))
	if ef != "" {
		found += ", hnsw.ef_search " + catalog.Printable(ef)
	}
	if cost > dearPage && c.Index.Name != "" {
		c.Add("planner", store.CheckWarning, found+"; at such a cost the planner leaves a vector index for a scan when ef_search is high (searches of this program set their own)",
			fmt.Sprintf("on disks without moving parts: ALTER DATABASE %s SET random_page_cost = 1.1", catalog.Printable(catalog.Quote(database))))
		return nil
	}
	c.Add("planner", store.CheckFine, found, "")
	return nil
}

// Memory holds the server's memory against the size of the index.
func (c *Checker) Memory() error {
	name := c.Index.Name
	if name == "" {
		return nil
	}
	var index, maintenance, shared int64
	err := c.Scan(`SELECT coalesce((SELECT pg_relation_size(i.indexrelid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
			WHERE i.indrelid = to_regclass($1) AND x.relname = $2), 0),
		pg_size_bytes(current_setting('maintenance_work_mem')), pg_size_bytes(current_setting('shared_buffers'))`,
		[]any{c.Name, name}, &index, &maintenance, &shared)
	if err != nil {
		return err
	}
	const mega = 1 << 20
	needs := (index + mega - 1) / mega
	found := fmt.Sprintf("the index has %d MB, shared_buffers %d MB, maintenance_work_mem %d MB", needs, shared/mega, maintenance/mega)
	switch {
	case index > shared:
		c.Add("memory", store.CheckWarning, found+"; an HNSW index that does not fit into memory reads from the disk for each search",
			fmt.Sprintf("raise shared_buffers above %d MB, or halve the index with halfvec", needs))
	case index > maintenance:
		c.Add("memory", store.CheckWarning, found+"; building it anew would take many times as long",
			fmt.Sprintf("before a REINDEX: SET maintenance_work_mem = '%dMB'", needs+needs/4))
	default:
		c.Add("memory", store.CheckFine, found, "")
	}
	return nil
}

// fullShare is the share of used connections that leaves too few.
const fullShare = 0.9

// Connections counts those of the server that are taken.
func (c *Checker) Connections() error {
	var used, most int
	err := c.Scan(`SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity WHERE backend_type = 'client backend'`, nil, &used, &most)
	if err != nil {
		return err
	}
	found := fmt.Sprintf("%d of %d in use", used, most)
	if float64(used) > fullShare*float64(most) {
		c.Add("connections", store.CheckWarning, found, "close some, or put a pooler between; pool_max_conns in the address bounds those of this program")
		return nil
	}
	c.Add("connections", store.CheckFine, found, "")
	return nil
}
