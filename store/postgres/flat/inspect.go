package flat

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// errTable reports a table that cannot be shown as a corpus.
var errTable = store.ErrNotCorpus

// inspect finds out what the table of a name is, and whether the mapping fits it.
func inspect(ctx context.Context, tx pgx.Tx, name string, m Mapping) (*table, error) {
	server, err := catalog.ReadServer(ctx, tx)
	if err != nil {
		return nil, err
	}
	if server.Vector == "" {
		return nil, fmt.Errorf("%w: the database has no extension vector, so no table in it can have vectors", errTable)
	}
	if !server.VectorVisible {
		return nil, fmt.Errorf("%w: the extension vector is in the schema %s, which is not on the search path; add it to the address: search_path=public,%s",
			errTable, catalog.Printable(server.VectorSchema), catalog.Printable(catalog.Quote(server.VectorSchema)))
	}
	found, err := find(ctx, tx, name)
	if err != nil {
		return nil, err
	}
	if !found.MayRead {
		return nil, fmt.Errorf("this role may not read the table %s; its owner can allow it: GRANT SELECT ON %s TO %s",
			found.Label(), catalog.Printable(found.Quoted()), catalog.Printable(catalog.Quote(server.Role)))
	}
	t := &table{Table: found, server: server, missing: map[store.Capability]string{}}
	if t.mapping, t.maker, t.sourceKeys, err = complete(&t.Table, m); err != nil {
		return nil, err
	}
	if err := t.chooseCollection(ctx, tx); err != nil {
		return nil, err
	}
	if err := t.readKind(ctx, tx); err != nil {
		return nil, err
	}
	if err := t.chooseID(ctx, tx); err != nil {
		return nil, err
	}
	if err := t.readVectors(ctx, tx); err != nil {
		return nil, err
	}
	t.describe()
	t.mark, err = readMark(ctx, tx, t.OID)
	return t, err
}

// find returns the table of a name; without one the only one whose maker is known.
func find(ctx context.Context, q catalog.Querier, name string) (catalog.Table, error) {
	if name != "" {
		t, ok, err := catalog.Named(ctx, q, name)
		switch {
		case err != nil:
			return catalog.Table{}, err
		case ok:
			return t, nil
		}
	}
	candidates, err := catalog.Candidates(ctx, q, mostListed+1)
	if err != nil {
		return catalog.Table{}, err
	}
	known := known(candidates)
	if name == "" && len(known) == 1 {
		return known[0].Table, nil
	}
	has := "it has no table with vectors"
	if len(candidates) > 0 {
		has = "the tables with vectors are " + labels(candidates)
	}
	if name == "" {
		return catalog.Table{}, fmt.Errorf("%w: which table is meant cannot be told; name it with --table: %s", errTable, has)
	}
	return catalog.Table{}, fmt.Errorf("%w: the database has no table %s; %s", errTable, catalog.Printable(name), has)
}

// readKind finds out whether the server counts the changes of the table, and
// whether the place of a row tells it apart.
func (t *table) readKind(ctx context.Context, tx pgx.Tx) error {
	var kind string
	err := tx.QueryRow(ctx, "SELECT relkind::text, relkind IN ('r', 'm', 'p') AND current_setting('track_counts')::bool AND NOT pg_is_in_recovery() FROM pg_class WHERE oid = $1", t.OID).
		Scan(&kind, &t.counted)
	if err != nil {
		return err
	}
	if !t.mapping.ID.IsZero() {
		return nil
	}
	if kind != "r" && kind != "m" {
		return fmt.Errorf("%s has no key that tells its rows apart; name a column that does: --map id=COLUMN; it has %s", t.Label(), columns(&t.Table))
	}
	t.warnings = append(t.warnings, fmt.Sprintf("%s has no key: its passages are named by where they lie in the table, which changes when that is rewritten; name a column that tells them apart: --map id=COLUMN", t.Label()))
	return nil
}

// checkedIDs is in how many rows a column is looked at for ids that repeat.
const checkedIDs = 200_000

// chooseID settles the column of ids. One without an index that forbids it may
// repeat an id, and then it is none.
func (t *table) chooseID(ctx context.Context, tx pgx.Tx) error {
	if t.mapping.ID.IsZero() {
		t.id = newID(&catalog.Column{Name: placeColumn, Type: "tid", NotNull: true})
		return nil
	}
	c := t.Column(t.mapping.ID.Column)
	t.id = newID(c)
	var unique bool
	err := tx.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
			WHERE i.indrelid = $1 AND i.indisunique AND i.indisvalid AND i.indnkeyatts = 1 AND i.indpred IS NULL AND a.attname = $2)`,
		t.OID, c.Name).Scan(&unique)
	if err != nil || unique {
		return err
	}
	name := "t." + catalog.Quote(c.Name)
	// What repeats in one of LangChain's collections is another passage in the next.
	var p params
	var repeated string
	err = tx.QueryRow(ctx, "SELECT s.id FROM (SELECT "+name+"::text AS id FROM "+t.Quoted()+" t WHERE "+all(t.mine(&p, ""))+
		" LIMIT "+strconv.Itoa(checkedIDs)+") s GROUP BY s.id HAVING count(*) > 1 LIMIT 1", p...).Scan(&repeated)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("the column %s of %s does not tell its rows apart: several have %q; name another with --map id=COLUMN; it has %s",
		catalog.Printable(c.Name), t.Label(), shortened(repeated), columns(&t.Table))
}

// shortened makes a value of the table fit for a sentence.
func shortened(s string) string {
	const most = 60
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// sampledRows is how many rows are looked at to find out what nothing declares.
const sampledRows = 1000

// readVectors finds out about the vectors and their index.
func (t *table) readVectors(ctx context.Context, tx pgx.Tx) error {
	c := t.Column(t.mapping.Embedding.Column)
	t.kind, t.dims, t.declared = c.Type, c.Dims, c.Dims > 0
	name := "t." + catalog.Quote(c.Name)
	var p params
	rows, err := tx.Query(ctx, "SELECT coalesce(vector_dims(s.v), 0), count(*) FROM (SELECT "+name+" AS v FROM "+t.Quoted()+" t WHERE "+
		all(t.mine(&p, ""))+" LIMIT "+strconv.Itoa(sampledRows)+") s GROUP BY 1 ORDER BY 1", p...)
	if err != nil {
		return err
	}
	var all, without, dims, n int
	var lengths []string
	_, err = pgx.ForEachRow(rows, []any{&dims, &n}, func() error {
		all += n
		if dims == 0 {
			without = n
			return nil
		}
		lengths = append(lengths, strconv.Itoa(dims))
		t.dims = dims
		return nil
	})
	if err != nil {
		return err
	}
	if len(lengths) > 1 {
		return fmt.Errorf("the vectors of %s have different dimensions (%s), so they are of several models, and no query fits them all; make a view of those of one model, and name that with --table",
			t.Label(), strings.Join(lengths, ", "))
	}
	t.warnSample(all, without)
	indexes, err := catalog.Indexes(ctx, tx, t.OID)
	if err != nil {
		return err
	}
	t.nearest = catalog.FindNearest(&t.Table, c, t.dims, indexes, t.stated(c)...)
	if why := catalog.TooOld(t.server.Vector); why != "" && t.nearest.Name != "" {
		t.nearest = catalog.Nearest{Expression: catalog.Quote(c.Name), QueryType: c.Type, Why: why}
	}
	return nil
}

// stated are the conditions that every search of vectors states, as the catalog
// would print them.
func (t *table) stated(c *catalog.Column) []string {
	name := catalog.Quote(c.Name)
	conditions := []string{name + " IS NOT NULL"}
	if !t.declared && t.dims > 0 {
		conditions = append(conditions, "vector_dims("+name+") = "+strconv.Itoa(t.dims))
	}
	return conditions
}

// warnSample warns of rows without a vector, of which it was looked at some.
func (t *table) warnSample(rows, without int) {
	of := strconv.Itoa(rows) + " rows"
	if rows == sampledRows {
		of = "the first " + of
	}
	switch {
	case rows == 0:
		t.warnings = append(t.warnings, "there is no row in "+t.Label()+" yet")
	case without == rows:
		t.warnings = append(t.warnings, "none of "+of+" has a vector, so nothing can be found by meaning")
	case without > 0:
		t.warnings = append(t.warnings, fmt.Sprintf("%d of %s have no vector, and cannot be found by meaning", without, of))
	}
}

// describe says what the table lacks of a corpus.
func (t *table) describe() {
	t.missing[store.CapKeyword] = "this table has no index of words"
	t.missing[store.CapSections] = "a row of this table is a passage, and nothing says which section it is of"
	t.missing[store.CapEdges] = "this table has no edges"
	t.missing[store.CapLinks] = "this table keeps no links"
	t.missing[store.CapDeletion] = "a row of this table that was deleted is gone"
	if t.mapping.Owner.IsZero() {
		t.missing[store.CapOwners] = "no column of this table was named as the owner's (--map owner=COLUMN): everybody sees every row"
	}
	if t.nearest.Name == "" {
		t.missing[store.CapApprox] = t.nearest.Why
	}
}
