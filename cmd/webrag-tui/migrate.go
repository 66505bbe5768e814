package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store/postgres"
)

// newMigrate makes the tables of a corpus in a database, or brings them up to
// date.
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

// migrated is the JSON of migrate; the versions of the schema are 0 for none.
type migrated struct {
	Corpus string `json:"corpus"`
	From   int    `json:"from"`
	To     int    `json:"to"`
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
	if err := at.mayMake(ctx); err != nil {
		return err
	}
	o.Conn.Log = a.log
	if dry {
		return a.printPlan(ctx, at, o)
	}
	from, to, err := postgres.Migrate(ctx, at.path, o)
	if err != nil {
		return err
	}
	// The tables are made, whether this role may read them or not.
	if st, err := at.openOwn(ctx, ""); err == nil {
		if !a.quiet {
			a.narrate(advice(st.Info()))
		}
		_ = st.Close()
	}
	if a.json {
		return a.printJSON(migrated{Corpus: at.String(), From: from, To: to})
	}
	words := fmt.Sprintf("schema version %d, nothing to lift", to)
	switch {
	case from == 0:
		words = fmt.Sprintf("tables made, schema version %d", to)
	case from < to:
		words = fmt.Sprintf("schema lifted from version %d to %d", from, to)
	}
	fmt.Fprintf(a.out, "%s: %s\n", offset.Line(at.String()), words)
	return nil
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
	if len(statements) == 0 && !a.quiet {
		fmt.Fprintln(a.err, "· nothing to do: the tables are those of this version")
	}
	for _, s := range statements {
		fmt.Fprintf(a.out, "%s;\n", offset.Display(strings.TrimRight(s, "; \n")).Text)
	}
	return nil
}
