package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/self"
	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// indexFlags are the flags of index alone.
type indexFlags struct {
	baseURL, sourceType          string
	depth                        string
	meta, tags                   []string
	reembed, prune, htmlChildren bool
}

func newIndex(a *app) *cobra.Command {
	var f indexFlags
	cmd := &cobra.Command{
		Use:   "index PATH...",
		Short: "Make a corpus of pages, or bring one up to date",
		Long: "index reads HTML and markdown files, folders of them, and JSONL of normalised\n" +
			"documents, and keeps their sections, passages and vectors in the corpus. Unchanged\n" +
			"pages are left alone; a changed page replaces only itself. With - it reads one page\n" +
			"or JSONL from standard input.\n\n" +
			"A page's own words about itself are kept: its tags and any other line of its front\n" +
			"matter, <meta name=\"webrag:KEY\">, or the fields of its JSON. --meta and --tag add to\n" +
			"them for all pages of the run and win over them; a later run without them takes them\n" +
			"away again.",
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
	fs.StringVar(&f.depth, "depth", "", "record this link `distance` from the seed page, at least 0")
	fs.StringArrayVar(&f.meta, "meta", nil, "record metadata: `key=value` (repeatable)")
	fs.StringArrayVar(&f.tags, "tag", nil, "record a `tag` (repeatable)")
	fs.StringVar(&f.sourceType, "source-type", "", "record where the pages come from: `type` "+strings.Join(source.SourceTypes(), ", ")+" (default: from the input)")
	fs.BoolVar(&f.reembed, "reembed", false, "embed everything anew with the configured model")
	fs.BoolVar(&f.prune, "prune", false, "delete documents of the given folders whose file is gone")
	fs.BoolVar(&f.htmlChildren, "html-children", false, "keep the HTML of passages too, not only of sections")
	return cmd
}

func (a *app) index(ctx context.Context, paths []string, f indexFlags, depthGiven bool) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	at := corpusPlace(c)
	so, err := sourceOptions(f, depthGiven)
	if err != nil {
		return err
	}
	so.Owner, so.Stdin = c.Text("corpus.owner"), readUntil(ctx, a.in)
	if err := source.CheckOwner(so.Owner); err != nil {
		return fmt.Errorf("%s: %w", c.Value("corpus.owner").Origin, err)
	}
	a.narrate(sendNotices(c))
	exists, err := at.check(ctx)
	if err != nil {
		return err
	}
	var set *source.Set
	o := indexing.Options{Reembed: f.reembed, HTMLChildren: f.htmlChildren}
	if len(paths) > 0 {
		if set, err = source.Scan(ctx, paths, so); err != nil {
			return err
		}
		if f.prune {
			o.Prune = set.Roots()
		}
	} else if !exists {
		return at.missing()
	}
	bar := progress.NewBar(a.process.err, func() int { return columns(a.process.err) }, a.now)
	if !a.quiet {
		o.Progress = func(g indexing.Progress) { bar.Update(func() progress.Shown { return progress.OfIndexing(g) }) }
	}
	report, err := a.fill(ctx, c, at, exists, set, o, func(corpus store.Info) { a.narrate(advice(corpus)) })
	bar.Clear()
	if errors.Is(err, errNoPage) {
		return a.reportNothing(at, paths, set, &report)
	}
	a.reportIndex(at, set, &report, err)
	return orNothing(err, slices.ContainsFunc(report.Failed, func(failed *source.PageError) bool { return !isEmptyPage(failed) }))
}

// errNoPage says that nothing was to be indexed.
var errNoPage = errors.New("no page found")

// noPageIn says so to a person.
func noPageIn(paths ...string) error {
	return fmt.Errorf("%w in %s; pages are .html, .md and .jsonl files", errNoPage, strings.Join(paths, ", "))
}

// fill indexes the pages of a set into a corpus, or without a set only embeds it anew.
// All that can go wrong comes before the corpus is made, so that a mistake does not
// leave an empty one; opened hears of it once it is there. [errNoPage] comes with a
// report of the pages that could not be read.
func (a *app) fill(ctx context.Context, c *config.Config, at place, exists bool, set *source.Set, o indexing.Options, opened func(store.Info)) (report indexing.Report, err error) {
	emb, err := newEmbedder(c)
	if err != nil {
		return report, err
	}
	if err := mustAnswer(ctx, emb); err != nil {
		return report, err
	}
	var pages pageSeq
	if set != nil {
		pages, o.Pages = set.Pages(ctx), set.Len()
	}
	if !exists {
		first, stop, failed, err := untilFirst(ctx, pages)
		defer stop()
		switch {
		case err != nil:
			return report, err
		case first == nil:
			return indexing.Report{Pages: len(failed), Failed: failed}, errNoPage
		}
		pages = first
	}
	st, err := at.create(ctx, c.Text("corpus.owner"), set == nil || !set.IsFew())
	if err != nil {
		return report, err
	}
	defer st.Close()
	info := st.Info()
	opened(info)
	if !o.Reembed {
		adopt(emb, info.Meta)
	}
	if o.Tokenizer, err = newTokenizer(c, emb, info.Meta); err != nil {
		return report, err
	}
	o.Embedder, o.Log, o.Now = emb, a.log, a.now
	o.ChildTargetTokens, o.ParentMaxTokens = c.Int("indexing.child_target_tokens"), c.Int("indexing.parent_max_tokens")
	o.Children = indexing.ChildMode(c.Text("indexing.chunk_children"))
	o.Program = self.Build()
	report, err = indexing.RunPages(ctx, st, pages, o)
	a.log.Debug("indexed", "corpus", at.String(), "embedder", emb.Info().ID, "pages", report.Pages, "added", report.Added,
		"updated", report.Updated, "deleted", report.Deleted, "failed", len(report.Failed), "elapsed", report.Elapsed)
	var mismatch *store.MismatchError
	switch {
	case errors.As(err, &mismatch):
		err = fmt.Errorf("%w; select the embedder that made it, or embed it anew: webrag-tui index --reembed --corpus %s", err, file.ShellWord(at.String()))
	case err == nil && set != nil && report.Pages == 0 && !report.Wrote():
		err = errNoPage
	}
	return report, err
}

// pageSeq are pages with what was wrong with some of them.
type pageSeq = iter.Seq2[source.Page, error]

// untilFirst reads pages up to the first that can be read, so that a corpus is
// not made for nothing. It returns all of them again, with those that follow, to
// be read once; stop ends that early. Without a readable page again is nil, and
// failed has what was wrong.
func untilFirst(ctx context.Context, pages pageSeq) (again pageSeq, stop func(), failed []*source.PageError, err error) {
	next, stop := iter.Pull2(pages)
	for {
		first, err, ok := next()
		if ok && err == nil {
			first, err = readNow(first)
		}
		var page *source.PageError
		switch {
		case ctx.Err() != nil:
			return nil, stop, failed, ctx.Err()
		case !ok:
			return nil, stop, failed, nil
		case errors.As(err, &page):
			failed = append(failed, page)
			continue
		case err != nil:
			return nil, stop, failed, fmt.Errorf("read pages: %w", err)
		}
		return func(yield func(source.Page, error) bool) {
			defer stop()
			for _, err := range failed {
				if !yield(source.Page{}, err) {
					return
				}
			}
			for ok := true; ok; first, err, ok = next() {
				if !yield(first, err) {
					return
				}
			}
		}, stop, failed, nil
	}
}

// readNow is a page that was read.
func readNow(p source.Page) (source.Page, error) {
	doc, err := p.Read()
	p.Read = func() (source.NormalizedDocument, error) { return doc, nil }
	return p, err
}

// sourceOptions are what the flags say about the pages.
func sourceOptions(f indexFlags, depthGiven bool) (source.Options, error) {
	o := source.Options{BaseURL: f.baseURL}
	if depthGiven {
		depth, err := parseDepth("depth", f.depth)
		if err != nil {
			return o, err
		}
		o.Depth = &depth
	}
	if f.baseURL != "" {
		u, err := url.Parse(f.baseURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
			return o, fmt.Errorf("--base-url %s: give an address of the web, such as https://docs.example.com/", f.baseURL)
		}
	}
	var err error
	if o.Metadata, err = source.ParseMetadata(f.meta); err != nil {
		return o, fmt.Errorf("--meta %w", err)
	}
	if o.Tags, err = source.ParseTags(f.tags); err != nil {
		return o, fmt.Errorf("--tag: %w", err)
	}
	if f.sourceType != "" {
		if o.SourceType, err = source.ParseSourceType(f.sourceType); err != nil {
			return o, fmt.Errorf("--source-type: %w", err)
		}
	}
	return o, nil
}

// isEmptyPage says that a page failed for want of text only, which is worth a
// line and not an exit code.
func isEmptyPage(err error) bool {
	return errors.Is(err, indexing.ErrNoText) || errors.Is(err, source.ErrEmpty)
}

// reportNothing says that there was no page to index.
func (a *app) reportNothing(at place, paths []string, set *source.Set, r *indexing.Report) error {
	a.reportPages(set, r)
	if a.json {
		if err := a.printJSON(indexJSON(at.String(), set.Skipped(), r)); err != nil {
			return err
		}
	}
	if len(r.Failed) == 0 {
		tell(a.err, noPageIn(paths...))
	}
	return errNothing
}

// reportIndex says what was done, and page by page what was wrong. A run that
// failed before it read a page has nothing to report.
func (a *app) reportIndex(at place, set *source.Set, r *indexing.Report, err error) {
	if err != nil && r.Pages == 0 && !r.Wrote() {
		return
	}
	a.reportPages(set, r)
	if err != nil {
		a.note("stopped early, with %s written; the next run goes on from there", plural(r.Added+r.Updated, "page"))
	}
	if embedder.IsApproximate(r.Tokenizer) && !a.json {
		a.note("token counts are estimates (≈) by %s; EMBEDDING_TOKENIZER=hf:PATH with the model's tokenizer.json makes them exact in a new corpus", r.Tokenizer)
	}
	if !a.json {
		fmt.Fprintf(a.out, "%s: %s in %s\n", offset.Line(at.String()), indexWords(r), r.Elapsed.Round(10*time.Millisecond))
		return
	}
	var skipped []source.Skipped
	if set != nil {
		skipped = set.Skipped()
	}
	if err := a.printJSON(indexJSON(at.String(), skipped, r)); err != nil {
		tell(a.err, err)
	}
}

// reportPages names the pages that failed and, for a person, those left out.
// JSON has both.
func (a *app) reportPages(set *source.Set, r *indexing.Report) {
	if a.json {
		return
	}
	for _, failed := range r.Failed {
		fmt.Fprintf(a.err, "! %s\n", offset.Line(failed.Error()))
	}
	if n := len(r.Replaced); n > 0 {
		fmt.Fprintf(a.err, "! %s took the address of a page from another folder (%s is now %s): --base-url tells folders apart\n",
			plural(n, "page"), offset.Line(r.Replaced[0].SourceURL), offset.Line(r.Replaced[0].Path))
	}
	if n := len(r.Overtaken); n > 0 {
		fmt.Fprintf(a.err, "! %s took the address of a page from a folder (%s is now %s); index the folder again to have its page back\n",
			plural(n, "page"), offset.Line(r.Overtaken[0].SourceURL), offset.Line(r.Overtaken[0].Path))
	}
	if n := len(r.Elsewhere); n > 0 {
		fmt.Fprintf(a.err, "! %s on another host than --base-url by the page's own word (%s is %s)\n",
			plural(n, "page"), offset.Line(r.Elsewhere[0].Path), offset.Line(r.Elsewhere[0].SourceURL))
	}
	if n := len(r.Claimed); n > 0 {
		fmt.Fprintf(a.err, "! left out %s to addresses that are other pages' own (%s claims %s)\n",
			plural(n, "claim"), offset.Line(r.Claimed[0].Path), offset.Line(r.Claimed[0].Address))
	}
	if set != nil {
		if words := outsideWords(set.Outside()); words != "" {
			fmt.Fprintf(a.err, "! %s\n", offset.Line(words))
		}
	}
	if set == nil {
		return
	}
	if n := len(r.Copies); n > 0 {
		first := &r.Copies[0]
		a.note("left out %s with the text and address of another one (%s is %s, which was kept)", plural(n, "page"), offset.Line(first.Path), offset.Line(first.First))
	}
	if words := unmatchedWords(r.Unmatched); words != "" {
		a.note("%s", words)
	}
	for _, line := range skippedWords(set.Skipped()) {
		a.note("%s", line)
	}
}
