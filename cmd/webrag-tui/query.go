package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wire"
	"github.com/webrag/webrag-tui/store"
)

// queryFlags are the flags of query alone.
type queryFlags struct {
	scopeFlags
	explain, withEmbedding bool
	text, plan             bool
	top                    int
	prompt                 promptFlags
}

func newQuery(a *app) *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query TEXT|-",
		Short: "Ask a corpus and print what comes back",
		Long: "query asks a corpus and prints the sections that come back, grouped by page.\n" +
			"With - it reads queries from standard input, one a line, and prints a line of\n" +
			"JSON for each, which names its query. It exits with 1 when\n" +
			"nothing was found.",
		Example: "webrag-tui query 'what is a decorator'\n" +
			"webrag-tui query --json 'gradient boosting' | jq '.chunks[0]'\n" +
			"webrag-tui query --top 5 --explain --set " + exampleSetting + " 'depth decay'\n" +
			"webrag-tui query - < questions.txt",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("query needs a text: webrag-tui query 'what is a decorator', or - to read queries from standard input")
			}
			if f.top < 0 {
				return fmt.Errorf("--top %d: must be at least 0", f.top)
			}
			return a.query(cmd.Context(), strings.Join(args, " "), f)
		},
	}
	fs := cmd.Flags()
	a.retrievalFlags(fs)
	f.register(fs)
	fs.BoolVar(&f.explain, "explain", false, "take every score apart")
	fs.BoolVar(&f.plan, "plan", false, "ask a database for the plan of the vector search, for the trace")
	fs.IntVar(&f.top, "top", 0, "print only the best `n` results, 0 for all; the JSON has all of them")
	fs.BoolVar(&f.text, "text", false, "print the whole text of each section")
	fs.BoolVar(&f.withEmbedding, "with-embedding", false, "add the query's vector to the JSON")
	f.prompt.register(fs)
	f.prompt.registerShape(fs)
	return cmd
}

func (a *app) query(ctx context.Context, text string, f queryFlags) error {
	// Many answers are for a program to read.
	a.json = a.json || text == "-"
	q, err := a.newAsker(ctx, text, f)
	if err != nil {
		return err
	}
	defer q.close()
	if text != "-" {
		return q.ask(ctx, text)
	}
	return q.askEach(ctx, readUntil(ctx, a.in))
}

// asker asks several queries of one corpus, or of one selected passage.
type asker struct {
	app    *app
	flags  queryFlags
	params param.Params
	deps   retrieval.Deps
	scope  store.Scope
	config *config.Config
	// opened are notices on the corpus, for the first result alone.
	opened []retrieval.Notice
	// isLoaded says that the store has read its vectors.
	isLoaded bool
	size     corpusSize
	// passage is what to ask about in place of a corpus; nil for a corpus.
	passage *retrieval.Request
	encode  wire.Options
	shape   wire.Shape
}

// newAsker opens what the flags ask about. A selected passage opens nothing else.
func (a *app) newAsker(ctx context.Context, text string, f queryFlags) (*asker, error) {
	q := &asker{app: a, flags: f}
	if err := f.prompt.check(text); err != nil {
		return nil, err
	}
	var err error
	if q.shape, err = wire.ParseShape(f.prompt.shape); err != nil {
		return nil, fmt.Errorf("--shape: %w", err)
	}
	if q.shape != wire.ShapeOwn {
		a.json = true
	}
	if f.prompt.isSelection {
		return q, q.openPassage(ctx)
	}
	return q, q.openCorpus(ctx)
}

func (q *asker) openCorpus(ctx context.Context) error {
	var err error
	if q.scope, err = q.flags.scope(); err != nil {
		return err
	}
	c, from, params, err := retrievalBasis(q.app.loadConfig)
	if err != nil {
		return err
	}
	q.app.narrate(sendNotices(c, params.Reranker))
	emb, err := newEmbedder(c)
	if err != nil {
		return err
	}
	scorers, err := newScorers(c)
	if err != nil {
		return err
	}
	st, err := openCorpus(ctx, c)
	if err != nil {
		return err
	}
	if st.Info().Foreign && from.why != "" {
		// Another program's vectors are of a model, whatever is configured here.
		if from, err = basisFor(c, false); err == nil {
			params, err = retrievalParams(c, from.profile.Params)
		}
		if err != nil {
			return errors.Join(err, st.Close())
		}
	}
	q.params, q.config = params, c
	q.encode = q.encodeOptions(c, from.profile.Preset)
	q.deps = retrieval.Deps{Store: st, Scorers: scorers, Log: q.app.log, Now: q.app.now}
	q.encode.ApproxTokens = embedder.IsApproximate(st.Info().Meta.Tokenizer)
	if q.deps.Embedder, q.opened, err = forQueries(ctx, emb, st); err != nil {
		q.close()
		return err
	}
	q.opened = append(q.opened, from.notices()...)
	return nil
}

// close ends what newAsker opened.
func (q *asker) close() {
	if q.deps.Store != nil {
		q.deps.Store.Close()
	}
}

// result answers one query.
func (q *asker) result(ctx context.Context, text string) (retrieval.Result, error) {
	if q.passage != nil {
		request := *q.passage
		request.Question = text
		return retrieval.Select(request)
	}
	if strings.TrimSpace(text) != "" {
		if err := q.load(ctx); err != nil {
			return retrieval.Result{}, err
		}
	}
	res, err := retrieval.Retrieve(ctx, q.deps, retrieval.Query{Text: text, Scope: q.scope, Plan: q.flags.plan}, q.params,
		retrieval.Options{Trace: true, Explain: q.flags.explain || q.app.json})
	if err != nil {
		return res, err
	}
	res.Notices, q.opened = append(q.opened, res.Notices...), nil
	if q.size, err = sizeOf(ctx, q.deps.Store, q.scope); err != nil {
		return res, err
	}
	// A blank query counts nothing, and the corpus is there all the same.
	res.Stats.TotalDocuments, res.Stats.TotalParentChunks, res.Stats.TotalTokens = q.size.scope.Documents, q.size.scope.Parents, q.size.scope.Tokens
	if q.size.all.Documents == 0 {
		explainOwner(q.config, res.Notices)
		return res, nil
	}
	return res, explainScope(ctx, q.deps.Store, q.scope, &res)
}

// load reads what the first search would have to, so that the time of a query is
// that of the query.
func (q *asker) load(ctx context.Context) error {
	warm, ok := q.deps.Store.(store.Preloader)
	if !ok || q.isLoaded {
		return nil
	}
	start := q.app.now()
	if err := warm.Load(ctx, func(int, int) {}); err != nil {
		return err
	}
	q.isLoaded = true
	q.app.log.Debug("loaded", "corpus", q.deps.Store.Info().Name, "elapsed", q.app.now().Sub(start))
	return nil
}

// ask runs one query and prints its result.
func (q *asker) ask(ctx context.Context, text string) error {
	res, err := q.result(ctx, text)
	if err != nil {
		return err
	}
	if q.app.json {
		q.encode.Indent = true
		err = q.app.printEncoded(wire.EncodeShape(res, q.shape, q.encode))
	} else {
		q.print(&res)
	}
	return orNothing(err, res.IsEmpty())
}

// print writes a result for people.
func (q *asker) print(res *retrieval.Result) {
	grounded := res.Ground(q.encode.Policy)
	q.app.narrate(res.Notices)
	if q.flags.prompt.ground {
		q.app.narrate(forgeries(grounded.Placed, q.passage != nil))
	}
	p := printer{w: q.app.output(), explain: q.flags.explain, search: q.flags.explain || q.flags.plan, text: q.flags.text, top: q.flags.top, approx: q.encode.ApproxTokens}
	if q.passage != nil {
		p.passage(res, q.encode.Links)
	} else {
		p.result(q.deps.Store.Info().Name, q.size, res)
	}
	if q.flags.prompt.ground {
		p.prompt(grounded)
	}
}

// askLine runs one query of many and prints its answer as a line of JSON. That a
// blank line is no question is an answer, too.
func (q *asker) askLine(ctx context.Context, from wire.Line) error {
	res, err := q.result(ctx, from.Query)
	var raw []byte
	switch {
	case errors.Is(err, retrieval.ErrBlankQuery), errors.Is(err, retrieval.ErrBlankQuestion):
		raw, err = wire.EncodeLineError(from, err)
	case err != nil:
		return err
	default:
		raw, err = wire.EncodeLine(res, from, q.shape, q.encode)
	}
	return orNothing(q.app.printEncoded(raw, err), res.IsEmpty() && from.Query != "")
}

// askEach runs one query a line. It goes on after a query that finds nothing and
// reports it in the exit code.
func (q *asker) askEach(ctx context.Context, in io.Reader) error {
	var last error
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestQuery)
	number, asked := 0, 0
	for lines.Scan() {
		number++
		text := strings.TrimSpace(lines.Text())
		if text != "" {
			asked++
		}
		switch err := q.askLine(ctx, wire.Line{Number: number, Query: text}); {
		case err == nil:
		case exitCode(err) == exitNothing:
			last = err
		default:
			return err
		}
	}
	if asked == 0 && lines.Err() == nil {
		q.app.note("standard input has no query; write one a line")
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return fmt.Errorf("line %d of standard input is longer than %d MB, which is no query: put each query on a line of its own", number+1, longestQuery>>20)
	} else if err != nil {
		return fmt.Errorf("read queries from standard input: %w", err)
	}
	return last
}

// longestQuery is the most bytes of a line that is taken for a query.
const longestQuery = 16 << 20
