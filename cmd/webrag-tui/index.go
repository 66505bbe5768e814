package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// indexFlags are the flags of index alone.
type indexFlags struct {
	baseURL                      string
	depth                        int
	meta, tags                   []string
	reembed, prune, htmlChildren bool
}

// newIndex makes and updates corpora.
func newIndex(a *app) *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index PATH...",
		Short: "Make a corpus of pages, or bring one up to date",
		Long: "index reads HTML and markdown files, folders of them, and JSONL of normalised\n" +
			"documents, and keeps their sections, passages and vectors in the corpus. Unchanged\n" +
			"pages are left alone; a changed page replaces only itself. With - it reads one page\n" +
			"or JSONL from standard input.",
		Example: "webrag-tui index docs/\n" +
			"webrag-tui index --corpus work.db --base-url https://docs.example.com/ site/\n" +
			"webrag-tui index --reembed   # anew with the configured model, without the pages",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && !f.reembed {
				return errors.New("index needs a file or folder, for example: webrag-tui index docs/")
			}
			return a.index(cmd.Context(), args, f, cmd.Flags().Changed("depth"))
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.baseURL, "base-url", "", "the `URL` that the given folder stands for")
	fs.IntVar(&f.depth, "depth", 0, "record this link distance from the seed page")
	fs.StringArrayVar(&f.meta, "meta", nil, "record metadata: `key=value` (repeatable)")
	fs.StringArrayVar(&f.tags, "tag", nil, "record a `tag` (repeatable)")
	fs.BoolVar(&f.reembed, "reembed", false, "embed everything anew with the configured model")
	fs.BoolVar(&f.prune, "prune", false, "delete documents of the given folders whose file is gone")
	fs.BoolVar(&f.htmlChildren, "html-children", false, "keep the HTML of children too, not only of sections")
	return cmd
}

func (a *app) index(ctx context.Context, paths []string, f indexFlags, depthGiven bool) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	path, err := corpusPath(c)
	if err != nil {
		return err
	}
	so := source.Options{BaseURL: f.baseURL, Owner: c.Text("corpus.owner"), Tags: f.tags, Stdin: a.in}
	if depthGiven {
		so.Depth = &f.depth
	}
	if so.Metadata, err = metadata(f.meta); err != nil {
		return err
	}
	var set *source.Set
	if len(paths) > 0 {
		// Before anything is made: a wrong path must not leave an empty corpus.
		if set, err = source.Scan(ctx, paths, so); err != nil {
			return err
		}
	}
	emb, err := newEmbedder(c)
	if err != nil {
		return err
	}
	if err := probe(ctx, emb); err != nil {
		return err
	}
	st, err := createCorpus(ctx, path, c.Text("corpus.owner"))
	if err != nil {
		return err
	}
	defer st.Close()
	o, err := indexingOptions(c, emb, st.Info().Meta)
	if err != nil {
		return err
	}
	o.Now = a.now
	o.Reembed, o.HTMLChildren = f.reembed, f.htmlChildren
	if f.prune && set != nil {
		o.Prune = set.Roots()
	}
	report, err := a.runIndex(ctx, st, set, o)
	a.reportIndex(path, set, &report, err)
	if err != nil {
		return indexError(err, path)
	}
	for _, failed := range report.Failed {
		if !isEmptyPage(failed) {
			return errNothing
		}
	}
	return nil
}

// isEmptyPage says that a page failed for want of text only, which is worth a
// line and not an exit code.
func isEmptyPage(err error) bool {
	return errors.Is(err, indexing.ErrNoText) || errors.Is(err, source.ErrEmpty)
}

// indexError says what a mismatch or an interruption means for the corpus.
func indexError(err error, path string) error {
	var mismatch *store.MismatchError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("%w; 'webrag-tui index --reembed --corpus %s' embeds it anew", err, path)
	}
	return err
}

func metadata(pairs []string) (map[string]string, error) {
	m := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("--meta %s: give it as key=value", pair)
		}
		m[key] = value
	}
	return m, nil
}

// indexingOptions are the options that settings decide.
func indexingOptions(c *config.Config, emb embedder.Embedder, corpus store.Meta) (indexing.Options, error) {
	tok, err := newTokenizer(c, emb, corpus)
	if err != nil {
		return indexing.Options{}, err
	}
	return indexing.Options{
		Embedder: emb, Tokenizer: tok,
		ChildTargetTokens: c.Int("indexing.child_target_tokens"),
		ParentMaxTokens:   c.Int("indexing.parent_max_tokens"),
		Children:          indexing.ChildMode(c.Text("indexing.chunk_children")),
	}, nil
}

// runIndex indexes with progress on standard error. Without a set it only embeds
// anew.
func (a *app) runIndex(ctx context.Context, st store.Store, set *source.Set, o indexing.Options) (indexing.Report, error) {
	if !a.quiet {
		bar := newProgressBar(a.err, a.now)
		o.Progress = bar.update
		defer bar.clear()
	}
	if set == nil {
		return indexing.Run(ctx, st, nil, o)
	}
	o.Pages = set.Len()
	return indexing.Run(ctx, st, set.All(ctx), o)
}

// reportIndex says what was done, and page by page what was wrong.
func (a *app) reportIndex(path string, set *source.Set, r *indexing.Report, err error) {
	var skipped []source.Skipped
	if set != nil {
		skipped = set.Skipped()
	}
	if a.json {
		if jsonErr := a.printJSON(indexJSON(path, skipped, r)); jsonErr != nil {
			fmt.Fprintln(a.err, jsonErr)
		}
		return
	}
	for _, failed := range r.Failed {
		fmt.Fprintf(a.err, "! %s\n", offset.Line(failed.Error()))
	}
	if a.quiet {
		return
	}
	for _, line := range skippedWords(skipped) {
		fmt.Fprintf(a.err, "· %s\n", offset.Line(line))
	}
	if err != nil {
		fmt.Fprintln(a.err, "· stopped early; the pages written before stay, and the next run goes on from there")
	}
	fmt.Fprintf(a.out, "%s: %s in %s\n", path, indexWords(r), r.Elapsed.Round(10*time.Millisecond))
}
