package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store/postgres"
)

func newMigrate(a *app) *cobra.Command {
	var o postgres.MigrateOptions
	var half, dry bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Make the tables of a corpus in a PostgreSQL database, or bring them up to date",
		Long: "migrate makes the tables that 'index' would make, or lifts those of an earlier version.\n" +
			"It is for administrators who give the program no right to do so, and for what cannot be\n" +
			"chosen later. Doing it again changes nothing; a database of another program is refused.",
		Example: "webrag-tui migrate --corpus postgres://admin@db.example.com/rag\n" +
			"webrag-tui migrate --corpus postgres://admin@db.example.com/rag --halfvec --dry-run > schema.sql",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if half {
				o.VectorType = "halfvec"
			}
			return a.migrate(cmd.Context(), o, dry)
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&half, "halfvec", false, "keep vectors in half precision: half the size, and up to 4,000 dimensions under an index")
	fs.BoolVar(&o.RowSecurity, "rls", false, "let the server show each connection only the rows of --owner")
	fs.BoolVar(&o.Distributed, "distributed", false, "spread the tables over the servers of a Citus cluster")
	fs.BoolVar(&dry, "dry-run", false, "print the statements and run none")
	return cmd
}

// migrated is the JSON of migrate; the versions of the schema are 0 for none, and
// Changes are what its options did, in sentences.
type migrated struct {
	Corpus  string   `json:"corpus"`
	From    int      `json:"from"`
	To      int      `json:"to"`
	Changes []string `json:"changes"`
	Indexed bool     `json:"indexed"`
}

// planned is the JSON of its dry run.
type planned struct {
	Corpus     string   `json:"corpus"`
	Statements []string `json:"statements"`
}

func (a *app) migrate(ctx context.Context, o postgres.MigrateOptions, dry bool) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	at := corpusPlace(c)
	if !at.isDatabase {
		return errors.New("migrate is for databases; a corpus in a file is brought up to date when it is opened for writing, and --corpus postgres://USER@HOST/DATABASE names a database")
	}
	a.narrate(corpusPlaceNotices(c))
	if err := at.mayMake(ctx); err != nil {
		return err
	}
	o.Conn = at.conn()
	o.Conn.Log = a.log
	if dry {
		return a.printPlan(ctx, at, o)
	}
	if !a.json && !a.quiet {
		var said time.Time
		o.Filled = func(done, total int) {
			if now := time.Now(); done == total || now.Sub(said) >= progress.LineEvery {
				said = now
				a.note("making keyword terms of titles and headings: %d of %d pages", done, total)
			}
		}
		var once sync.Once
		o.Progress = func(int, int) {
			once.Do(func() { a.note("building the index of the vectors; searches compare all of them until it is done") })
		}
	}
	done, err := postgres.Migrate(ctx, at.path, o)
	if err != nil {
		return err
	}
	// The tables are made, whether this role may read them or not.
	if st, err := at.openOwn(ctx, ""); err == nil {
		a.narrate(advice(st.Info()))
		_ = st.Close()
	}
	changes := migrationChanges(&done)
	if a.json {
		return a.printJSON(migrated{Corpus: at.String(), From: done.From, To: done.To, Changes: append([]string{}, changes...), Indexed: done.Indexed})
	}
	switch {
	case done.From == 0:
		changes = slices.Insert(changes, 0, fmt.Sprintf("tables made, schema version %d", done.To))
	case done.From < done.To:
		changes = slices.Insert(changes, 0, fmt.Sprintf("schema lifted from version %d to %d", done.From, done.To))
	case len(changes) == 0:
		changes = []string{fmt.Sprintf("schema version %d, nothing to lift", done.To)}
	}
	fmt.Fprintf(a.out, "%s: %s\n", offset.Line(at.String()), strings.Join(changes, "; "))
	return nil
}

// migrationChanges says what the options of a migration did.
func migrationChanges(done *postgres.Migration) (changes []string) {
	switch {
	case done.Rewritten:
		changes = append(changes, fmt.Sprintf("vectors changed from %s to %s", done.FromVectors, done.ToVectors))
	case done.ToVectors != "":
		changes = append(changes, "vectors will be kept as "+done.ToVectors)
	}
	switch {
	case done.Indexed:
		changes = append(changes, "the index of the vectors was built")
	case done.Rewritten:
		changes = append(changes, "the vectors have no index, so searches compare all of them until the next 'webrag-tui index' builds it")
	}
	if done.RowSecurity {
		changes = append(changes, "row security added")
	}
	if done.Distributed {
		changes = append(changes, "tables spread over the servers of the cluster")
	}
	return changes
}

// printPlan prints what migrating would run, as a script.
func (a *app) printPlan(ctx context.Context, at place, o postgres.MigrateOptions) error {
	statements, err := postgres.Plan(ctx, at.path, o)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(planned{Corpus: at.String(), Statements: append([]string{}, statements...)})
	}
	if len(statements) == 0 {
		a.note("nothing to do: the tables are those of this version")
	}
	for _, s := range statements {
		fmt.Fprintf(a.out, "%s;\n", offset.Display(strings.TrimRight(s, "; \n")).Text)
	}
	return nil
}
