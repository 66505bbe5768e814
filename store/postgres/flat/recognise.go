package flat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
	"github.com/webrag/webrag-tui/store/postgres/internal/db"
)

// Candidate is a table with vectors of a database.
type Candidate struct {
	// Table is its name as [Options] takes it, Label as it stands in a sentence.
	Table, Label string
	// Maker is the program whose table it is by its looks, empty for none known.
	Maker string
	// Rows is the server's estimate, -1 for never counted.
	Rows int64
}

// mostListed is how many tables or collections a list has at most.
const mostListed = 20

// Shown returns the table of a database that [Open] shows without being told which,
// and that a corpus made at the same address would hide; ok is false if there is
// none. A corpus in a schema of its own, which the address chooses by a search_path,
// hides no table of another one: without that the table is shown as before.
func Shown(ctx context.Context, dsn string, conn db.Options) (shown Candidate, ok bool, err error) {
	d, err := db.Open(ctx, dsn, conn)
	if err != nil {
		return Candidate{}, false, err
	}
	defer d.Close()
	tx, err := d.Read(ctx)
	if err != nil {
		return Candidate{}, false, d.Fail(ctx, "open", err)
	}
	// A transaction that only read has nothing to lose.
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	candidates, err := catalog.Candidates(ctx, tx, mostListed+1)
	if err != nil {
		return Candidate{}, false, d.Fail(ctx, "open", err)
	}
	known := known(candidates)
	if len(known) != 1 {
		return Candidate{}, false, nil
	}
	t := &known[0].Table
	var apart bool
	err = tx.QueryRow(ctx, "SELECT coalesce(current_schema(), '') <> $1::text AND EXISTS (SELECT FROM pg_settings WHERE name = 'search_path' AND source <> 'default')", t.Schema).
		Scan(&apart)
	if err != nil {
		return Candidate{}, false, d.Fail(ctx, "open", err)
	}
	return Candidate{Table: t.Quoted(), Label: t.Label(), Maker: known[0].Mapping.Maker, Rows: t.Rows}, !apart, nil
}

// known are the candidates that a program made whose tables are known. A table of
// WebRAG's is a part of a corpus, which is opened as such.
func known(candidates []catalog.Candidate) []catalog.Candidate {
	return slices.DeleteFunc(slices.Clone(candidates), func(c catalog.Candidate) bool {
		return c.Mapping.Maker == "" || c.Mapping.Maker == "WebRAG"
	})
}

func labels(candidates []catalog.Candidate) string {
	var list []string
	for i := range candidates {
		if i == mostListed {
			list = append(list, "…")
			break
		}
		list = append(list, candidates[i].Table.Label())
	}
	return strings.Join(list, ", ")
}

// chooseCollection finds the collection of LangChain's that is meant: its table
// langchain_pg_embedding holds the passages of all.
func (t *table) chooseCollection(ctx context.Context, tx pgx.Tx) error {
	id := t.Column("collection_id")
	collections, ok, err := catalog.Named(ctx, tx, catalog.Quote(t.Schema, "langchain_pg_collection"))
	if err != nil {
		return err
	}
	if id == nil || !id.Is("uuid") || !ok || !collections.MayRead || !collections.Has("uuid", "name") {
		if want := t.mapping.Collection; want != "" {
			return fmt.Errorf("%s has no collections of LangChain, so not %q; leave collection= out", t.Label(), shortened(want))
		}
		return nil
	}
	rows, err := tx.Query(ctx, "SELECT coalesce(c.name::text, ''), array_agg(c.uuid::text ORDER BY c.uuid) FROM "+collections.Quoted()+" c GROUP BY 1 ORDER BY 1")
	if err != nil {
		return err
	}
	var name string
	var ids []string
	var names []string
	byName := map[string][]string{}
	_, err = pgx.ForEachRow(rows, []any{&name, &ids}, func() error {
		names = append(names, name)
		byName[name] = slices.Clone(ids)
		return nil
	})
	if err != nil {
		return err
	}
	want := t.mapping.Collection
	switch {
	case want != "" && byName[want] != nil:
		t.collections = byName[want]
	case want != "" && len(names) > 0:
		return fmt.Errorf("%s has no collection %q; it has %s", t.Label(), shortened(want), named(names))
	case want != "":
		return fmt.Errorf("%s has no collection at all, so not %q", t.Label(), shortened(want))
	case len(names) > 1:
		return fmt.Errorf("%s holds several collections (%s); choose one: --map collection=%s", t.Label(), named(names), quoteWord(catalog.Printable(names[0])))
	case len(names) == 1:
		t.mapping.Collection, t.collections = names[0], byName[names[0]]
	}
	return nil
}

// named lists names that the database keeps.
func named(names []string) string {
	var list []string
	for i, name := range names {
		if i == mostListed {
			list = append(list, "…")
			break
		}
		list = append(list, fmt.Sprintf("%q", shortened(name)))
	}
	return strings.Join(list, ", ")
}
