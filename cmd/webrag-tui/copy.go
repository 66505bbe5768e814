package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/transfer"
)

func newCopy(a *app) *cobra.Command {
	var from, to string
	cmd := &cobra.Command{
		Use:   "copy --from CORPUS --to CORPUS",
		Short: "Copy a corpus into another file or database, and verify the copy",
		Long: "copy writes the documents of one corpus into another, which is made if need be: a file, or\n" +
			"a PostgreSQL database. Ids, texts, offsets, vectors, links and edges stay as they are, but\n" +
			"vectors are rounded where the target keeps half precision. Deleted documents are left out,\n" +
			"and with --owner those of others; what the target has beside them stays. A database of\n" +
			"another program is read and never written; what it lacks, such as keyword terms, is made\n" +
			"in the copy. Then both are read and compared. A copy that was broken off goes on where it\n" +
			"stopped.\n\n" +
			"It exits with 1 when the copy differs.",
		Example: "webrag-tui copy --from corpus.db --to postgres://app@db.example.com/rag\n" +
			"webrag-tui copy --from postgres://reader@db.example.com/webrag --to mine.db",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.copyCorpus(cmd.Context(), from, to) },
	}
	cmd.Flags().StringVar(&from, "from", "", "the `corpus` to read: a file, or the address of a database")
	cmd.Flags().StringVar(&to, "to", "", "the `corpus` to write: a file, or the address of a database")
	return cmd
}

func (a *app) copyCorpus(ctx context.Context, from, to string) (err error) {
	if from == "" || to == "" {
		return errors.New("copy needs --from and --to: a file or the address of a database each")
	}
	if from == to {
		return errors.New("--from and --to are the same corpus")
	}
	if isSameFile(placeOf(from), placeOf(to)) {
		return fmt.Errorf("--from and --to are the same corpus: %s and %s are one file; give another --to", from, to)
	}
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	owner := c.Text("corpus.owner")
	source, err := placeOf(from).within(c).open(ctx, owner)
	if err != nil {
		return err
	}
	defer source.Close()
	if err := placeOf(to).mayMake(ctx); err != nil {
		return err
	}
	target, err := placeOf(to).create(ctx, owner, true)
	if err != nil {
		return err
	}
	defer target.Close()
	now, release, err := transfer.Hold(ctx, source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	report, err := transfer.Copy(ctx, now, target, transfer.Options{Progress: a.countPages("copied")})
	if err != nil {
		return err
	}
	verr := transfer.Verify(ctx, now, target, transfer.Options{Progress: a.countPages("verified")})
	var differs *transfer.DifferenceError
	if verr != nil && !errors.As(verr, &differs) {
		return verr
	}
	if err := a.reportCopy(placeOf(to), source.Info(), &report, differs, isHalf(ctx, target) && !isHalf(ctx, source)); err != nil {
		return err
	}
	if err := a.reportOthers(ctx, target, report.Documents); err != nil {
		return err
	}
	return orNothing(nil, differs != nil)
}

// isSameFile reports whether two places are one file, by whatever paths or links.
func isSameFile(a, b place) bool {
	if a.isDatabase || b.isDatabase {
		return false
	}
	one, err := os.Stat(a.path)
	if err != nil {
		return false
	}
	other, err := os.Stat(b.path)
	return err == nil && os.SameFile(one, other)
}

// countPages narrates on one line of a terminal, and elsewhere in lines now and
// then.
func (a *app) countPages(verb string) func(done, total int) {
	if a.quiet {
		return nil
	}
	drawn := a.now()
	if columns(a.process.err) == 0 {
		return func(done, total int) {
			if now := a.now(); now.Sub(drawn) >= progress.LineEvery {
				drawn = now
				fmt.Fprintf(a.err, "%s %d of %d pages\n", verb, done, total)
			}
		}
	}
	return func(done, total int) {
		if now := a.now(); done == total || now.Sub(drawn) >= progress.RedrawEvery {
			drawn = now
			fmt.Fprintf(a.process.err, "\r%s %d of %d pages", verb, done, total)
			if done == total {
				fmt.Fprintln(a.err)
			}
		}
	}
}

// isHalf reports whether a corpus has an index of vectors of half precision.
func isHalf(ctx context.Context, st store.Store) bool {
	v, err := st.Read(ctx)
	if err != nil {
		return false
	}
	defer v.Close()
	health, ok := v.(store.IndexHealth)
	if !ok {
		return false
	}
	index, err := health.VectorIndex(ctx)
	return err == nil && index.Type == "halfvec"
}

// reportOthers says how many pages the target has beside those of the source.
func (a *app) reportOthers(ctx context.Context, target store.Store, copied int) (err error) {
	if a.quiet || a.json {
		return nil
	}
	v, err := target.Read(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	stats, err := v.Stats(ctx, store.Scope{})
	if n := stats.Documents - copied; err == nil && n > 0 {
		a.note("they stand beside %s that the target had", plural(n, "other page"))
	}
	return err
}

// copyReport is the JSON of copy.
type copyReport struct {
	From         string `json:"from"`
	To           string `json:"to"`
	Documents    int    `json:"documents"`
	Written      int    `json:"written"`
	Chunks       int    `json:"chunks"`
	Edges        int    `json:"imported_edges"`
	MissingEdges int    `json:"missing_edges"`
	Sections     int    `json:"sections_made"`
	Deleted      int    `json:"deleted_left_out"`
	Verified     bool   `json:"verified"`
	Difference   string `json:"difference,omitempty"`
}

func (a *app) reportCopy(to place, from store.Info, r *transfer.Report, differs *transfer.DifferenceError, rounded bool) error {
	if a.json {
		out := copyReport{
			From: from.Location, To: to.String(), Documents: r.Documents, Written: r.Written, Chunks: r.Chunks, Edges: r.Edges,
			MissingEdges: r.MissingEdges, Sections: r.Orphans, Deleted: r.Deleted, Verified: differs == nil,
		}
		if differs != nil {
			out.Difference = differs.Error()
		}
		return a.printJSON(out)
	}
	fmt.Fprintf(a.out, "%s: %s with %s, %d of them written\n", offset.Line(to.String()), plural(r.Documents, "page"), plural(r.Chunks, "chunk"), r.Written)
	for _, line := range []struct {
		n         int
		one, many string
	}{
		{r.Edges, "imported edge was copied", "imported edges were copied"},
		{r.MissingEdges, "imported edge was left out: it leads to what was not copied", "imported edges were left out: they lead to what was not copied"},
		{r.Orphans, "passage without a section was given one of its own", "passages without a section were given one of their own"},
		{r.Deleted, "deleted page was left out", "deleted pages were left out"},
	} {
		switch line.n {
		case 0:
		case 1:
			a.note("1 %s", line.one)
		default:
			a.note("%d %s", line.n, line.many)
		}
	}
	if differs != nil {
		fmt.Fprintf(a.err, "! the copy is not the same: %s\n", offset.Line(differs.Error()))
		return nil
	}
	if rounded {
		a.note("every page, chunk, link and edge that was copied was read back and is the same, every vector to half precision")
	} else {
		a.note("every page, chunk, vector, link and edge that was copied was read back and is the same")
	}
	return nil
}
