package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/scoping"
	"github.com/webrag/webrag-tui/store"
)

func newDocs(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "List, show, delete and restore the documents of a corpus",
		Long: "docs works on whole documents: the pages of a corpus. A document is named by its address,\n" +
			"as 'docs list' prints it, or by its id, which 'docs list --json' and 'docs show' print.",
		Example: "webrag-tui docs list --tag draft\n" +
			"webrag-tui docs show https://docs.example.com/trees\n" +
			"webrag-tui docs delete https://docs.example.com/old\n" +
			"webrag-tui docs restore https://docs.example.com/old",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDocsList(a), newDocsShow(a), newDocsDelete(a), newDocsRestore(a))
	return cmd
}

func newDocsList(a *app) *cobra.Command {
	var f scopeFlags
	var deleted bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the documents, all or those of a scope",
		Long: "list prints the documents by depth and address. It exits with 1 when there is none.\n" +
			"With --deleted it prints those that 'docs delete' hid, which no scope chooses among.",
		Example: "webrag-tui docs list\n" +
			"webrag-tui docs list --module trees --json | jq -r '.[].id'\n" +
			"webrag-tui docs list --deleted",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.docsList(cmd.Context(), &f, deleted) },
	}
	f.register(cmd.Flags())
	cmd.Flags().BoolVar(&deleted, "deleted", false, "list the deleted documents instead")
	return cmd
}

func newDocsShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID|URL",
		Short:   "Show all that is known about a document, and its sections",
		Example: "webrag-tui docs show file:docs/trees.md",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("docs show needs one document, by address or id; 'webrag-tui docs list' prints the addresses")
			}
			return a.docsShow(cmd.Context(), args[0])
		},
	}
}

func newDocsDelete(a *app) *cobra.Command {
	var forever bool
	cmd := &cobra.Command{
		Use:   "delete ID|URL...",
		Short: "Delete documents so that they can be restored, or forever",
		Long: "delete hides documents from every search, list and graph until 'docs restore' brings\n" +
			"them back as they were; so does indexing their page again. With --forever it removes\n" +
			"them with all that belongs to them, and asks nothing.",
		Example: "webrag-tui docs delete file:docs/old.md\n" +
			"webrag-tui docs delete --forever file:docs/secret.md",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if forever {
				return a.docsChange(cmd.Context(), args, removeForever)
			}
			return a.docsChange(cmd.Context(), args, hide)
		},
	}
	cmd.Flags().BoolVar(&forever, "forever", false, "remove them; nothing brings them back")
	return cmd
}

func newDocsRestore(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "restore ID|URL...",
		Short:   "Bring deleted documents back as they were",
		Example: "webrag-tui docs restore file:docs/old.md",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.docsChange(cmd.Context(), args, restore)
		},
	}
}

func (a *app) docsList(ctx context.Context, f *scopeFlags, deleted bool) error {
	scope, err := f.scope()
	if err != nil {
		return err
	}
	if deleted && !scope.IsZero() {
		return errors.New("--deleted lists all deleted documents; it goes with no flag that chooses among them")
	}
	v, err := a.openView(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	var docs []store.Document
	if deleted {
		docs, err = v.Deleted(ctx)
	} else {
		docs, err = v.Documents(ctx, scope, store.Page{})
	}
	if err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(eachOf(docs, encodeDocument))
	} else {
		p := printer{w: a.output(), approx: embedder.IsApproximate(v.Meta().Tokenizer)}
		p.documents(docs)
	}
	if err == nil && !a.quiet {
		err = a.explainDocuments(ctx, v, scope, len(docs) == 0, deleted)
	}
	return orNothing(err, len(docs) == 0)
}

// explainDocuments says why a list is empty, and which values of the flags chose
// nothing where others did.
func (a *app) explainDocuments(ctx context.Context, v *corpusView, scope store.Scope, isEmpty, deleted bool) error {
	if deleted {
		if why := v.lacks(store.CapDeletion); isEmpty && why != "" {
			a.note("no document is deleted: %s", why)
		} else if isEmpty {
			fmt.Fprintln(a.err, "no document is deleted")
		}
		return nil
	}
	report, err := scoping.Count(ctx, v, scope)
	if err != nil {
		return err
	}
	switch {
	case report.Documents == 0 && v.config.Text("corpus.owner") != "":
		a.note("%s", noOwner(v.config))
		return nil
	case report.Documents == 0:
		fmt.Fprintln(a.err, "the corpus has no document")
		return nil
	case isEmpty:
		a.note("%s", report)
	}
	for _, note := range report.Notes() {
		a.note("%s", note)
	}
	return nil
}

func (a *app) docsShow(ctx context.Context, ref string) error {
	v, err := a.openView(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	found, err := a.findDocuments(ctx, v, []string{ref}, false)
	if err != nil {
		return err
	}
	d := documentDetails{Document: found[0]}
	if d.DeletedAt.IsZero() {
		if err := d.read(ctx, v); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(encodeDetails(&d))
	}
	p := printer{w: a.output(), approx: embedder.IsApproximate(v.Meta().Tokenizer)}
	p.details(&d)
	return nil
}

// change is what is done to documents.
type change struct {
	// done is what messages say was done, key what the JSON calls it.
	done, key string
	// ofDeleted says that it is done to deleted documents. unless is what is said of a
	// document that is not in the wanted state; empty: any will do.
	ofDeleted bool
	unless    string
	do        func(w store.Writer, ctx context.Context, ids ...string) (int, error)
	// undo is the command that takes it back, list the flag that lists what can be
	// named; both may be "".
	undo, list string
	// isLoose accepts aliases of an address, since a wrong match is harmless.
	isLoose bool
}

// What the commands do, each of which asks for one of these.
var (
	hide = change{
		done: "deleted", key: "deleted", unless: "is deleted already", do: store.Writer.SoftDelete, undo: "restore",
	}
	restore = change{
		done: "restored", key: "restored", ofDeleted: true, unless: "is not deleted", do: store.Writer.Restore,
		list: " --deleted", isLoose: true,
	}
	removeForever = change{done: "removed forever", key: "removed", do: store.Writer.Delete}
)

// docsChange does something to all documents that are named, or to none when one
// of them is unknown.
func (a *app) docsChange(ctx context.Context, refs []string, ch change) error {
	if len(refs) == 0 {
		return fmt.Errorf("give the documents, by address or id; 'webrag-tui docs list%s' prints the addresses", ch.list)
	}
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	a.narrate(corpusPlaceNotices(c))
	st, err := openCorpus(ctx, c)
	if err != nil {
		return err
	}
	defer st.Close()
	w, err := st.Write(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	v, err := w.View(ctx)
	if err != nil {
		return err
	}
	found, err := a.findDocuments(ctx, v, refs, !ch.isLoose)
	if err = cmp.Or(err, v.Close()); err != nil {
		return err
	}
	var ids []string
	report := map[string][]namedDocument{ch.key: {}, "unchanged": {}}
	for i := range found {
		d := &found[i]
		if ch.unless != "" && d.DeletedAt.IsZero() == ch.ofDeleted {
			report["unchanged"] = append(report["unchanged"], namedDocument{d.ID, d.SourceURL})
			if !a.json {
				a.note("%s %s", offset.Line(d.SourceURL), ch.unless)
			}
			continue
		}
		ids = append(ids, d.ID)
		report[ch.key] = append(report[ch.key], namedDocument{d.ID, d.SourceURL})
	}
	if len(ids) > 0 {
		n, err := ch.do(w, ctx, ids...)
		if err != nil {
			return err
		}
		if n != len(ids) {
			return fmt.Errorf("%d of %s were %s: the others belong to somebody else", n, plural(len(ids), "document"), ch.done)
		}
	}
	return orNothing(a.reportChange(c, report, ch), len(ids) == 0)
}

// namedDocument names a document in JSON.
type namedDocument struct {
	ID        string `json:"id"`
	SourceURL string `json:"source_url"`
}

func (a *app) reportChange(c *config.Config, report map[string][]namedDocument, ch change) error {
	if a.json {
		return a.printJSON(report)
	}
	done := report[ch.key]
	for _, d := range done {
		fmt.Fprintf(a.out, "%s %s\n", ch.done, offset.Line(d.SourceURL))
	}
	if ch.undo == "" || len(done) == 0 || a.quiet {
		return nil
	}
	const most = 3 // addresses make a long line
	line := []string{"webrag-tui", "docs", ch.undo}
	for _, d := range done[:min(most, len(done))] {
		line = append(line, d.SourceURL)
	}
	if v := c.Value("corpus.owner"); v.Origin.Source == config.Flag {
		line = append(line, "--owner", v.Text)
	}
	for i := range line {
		line[i] = file.ShellWord(line[i])
	}
	if v := c.Value("corpus.path"); v.Origin.Source == config.Flag {
		line = append(line, "--corpus", placeOf(v.Text).argument())
	}
	what := "brings it back"
	switch n := len(done); {
	case n > most:
		what = fmt.Sprintf("brings the first %d back; 'webrag-tui docs list --deleted' lists all", most)
	case n > 1:
		what = "brings them back"
	}
	a.note("%s   # %s", strings.Join(line, " "), what)
	return nil
}
