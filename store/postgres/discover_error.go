package postgres

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// mostNamed is how many tables an error lists.
const mostNamed = 5

// notCorpus says what a database has instead of a corpus, and what can be done.
func notCorpus(ctx context.Context, tx pgx.Tx, s catalog.Server, tables []catalog.Table, address string) error {
	candidates, err := catalog.Candidates(ctx, tx, mostNamed+1)
	if err != nil {
		return err
	}
	vectors := make([]catalog.Table, len(candidates))
	for i := range candidates {
		vectors[i] = candidates[i].Table
	}
	has := labels(tables)
	found := "it has no tables of a corpus"
	if has != "" {
		found = "it has " + has + ", but not as a corpus has them"
		if lacks := lacksOf(tables); len(lacks) > 0 {
			found += " (" + strings.Join(lacks[:min(len(lacks), mostNamed)], ", ") + ")"
		}
	}
	var ways []string
	for i := range vectors {
		if t := &vectors[i]; t.Name == "chunks" && !t.OnPath {
			ways = append(ways, fmt.Sprintf("if its corpus is in the schema %s, add it to the address: %s",
				catalog.Printable(t.Schema), pathParameter(t.Schema, s.VectorSchema)))
			break
		}
	}
	if vectors = withoutOwn(vectors); len(vectors) > 0 {
		ways = append(ways, "to look at a table with vectors, name it with --table: "+labels(vectors))
	}
	index := "index into it: webrag-tui index PATH --corpus " + address
	makes, err := s.MayCreateVector(ctx, tx)
	switch {
	case err != nil:
		return err
	case s.Vector == "" && makes:
		ways = append(ways, "to make a corpus, "+index+" (which also creates the extension vector)")
	case s.Vector == "":
		ways = append(ways, "to make a corpus, let somebody who may add the extension run CREATE EXTENSION vector, then "+index)
	case has == "":
		ways = append(ways, "to make a corpus, "+index)
	default:
		ways = append(ways, "to make a corpus, index into another database or schema")
	}
	return fmt.Errorf("%w: %s; %s", store.ErrNotCorpus, found, strings.Join(ways, "; "))
}

// pathParameter is the parameter of an address that puts a schema on the search
// path, and behind it that of the extension, as it is written in a URL.
func pathParameter(schemas ...string) string {
	var names []string
	for _, s := range schemas {
		if s == "" || slices.Contains(names, s) {
			continue
		}
		names = append(names, s)
	}
	for i, s := range names {
		if !plainName.MatchString(s) {
			names[i] = url.QueryEscape(catalog.Quote(s))
		}
	}
	return "search_path=" + strings.Join(names, ",")
}

// plainName is a name that means itself without quotes.
var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// withoutOwn leaves out tables of a corpus of ours, which --table is not for.
func withoutOwn(tables []catalog.Table) []catalog.Table {
	ours := map[string]bool{}
	for i := range tables {
		ours[tables[i].Schema] = ours[tables[i].Schema] || tables[i].Name == "staged_vectors"
	}
	return slices.DeleteFunc(tables, func(t catalog.Table) bool {
		return ours[t.Schema] && (t.Name == "staged_vectors" || t.Name == "chunks")
	})
}

// lacksOf says what the first tables called documents and chunks lack, and which
// one there is none of.
func lacksOf(tables []catalog.Table) []string {
	found := map[string]*catalog.Table{}
	for i := range tables {
		if t := &tables[i]; found[t.Name] == nil {
			found[t.Name] = t
		}
	}
	if found["corpus_meta"] != nil {
		return absent(found, ownTables())
	}
	if lacks := absent(found, []string{"documents", "chunks"}); len(lacks) > 0 {
		return lacks
	}
	if found["documents"].Schema != found["chunks"].Schema {
		return []string{"they are in different schemas"}
	}
	return lacksOfWebRAG(found["documents"], found["chunks"])
}

func absent(found map[string]*catalog.Table, names []string) []string {
	var lacks []string
	for _, name := range names {
		if found[name] == nil {
			lacks = append(lacks, "no "+name)
		}
	}
	return lacks
}

func labels(tables []catalog.Table) string {
	var names []string
	for i := range tables {
		if i == mostNamed {
			names = append(names, "...")
			break
		}
		names = append(names, tables[i].Label())
	}
	return strings.Join(names, ", ")
}
