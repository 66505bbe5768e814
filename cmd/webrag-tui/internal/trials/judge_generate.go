package trials

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/cmd/webrag-tui/internal/progress"
	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/synthetic"
	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// generateFlags say what questions are made of.
type generateFlags struct {
	from  []string
	count int
	seed  uint32
	yes   bool
}

// What questions are made of, as --from has it.
var sources = map[string]synthetic.Kind{"titles": synthetic.Title, "headings": synthetic.Heading, "links": synthetic.Link}

const fromModel = "model"

func newJudgeGenerate(p *Program) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:   "generate SET",
		Short: "Make a query set from the corpus: of titles, headings and links, or by a language model",
		Long: "generate makes a set of questions that are each answered by what they were made of: a page's\n" +
			"title, a heading that few pages have, the text of a link, or a passage that a language model was\n" +
			"given (LLM_BASE_URL, LLM_MODEL). They are marked as synthetic: they are easier than what\n" +
			"people ask, and many stand verbatim in their page, which is counted. By a model it first says\n" +
			"what that costs, and asks it with --yes.",
		Example: "webrag-tui judge generate known-items --count 200\n" +
			"webrag-tui judge generate links --from links --seed 2\n" +
			"webrag-tui judge generate asked --from model --count 50 --yes",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneSet("generate", args); err != nil {
				return err
			}
			return p.judgeGenerate(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringSliceVar(&f.from, "from", []string{"titles", "headings", "links"}, "`what` questions are made of: titles, headings and links with commas between, or model")
	fs.IntVar(&f.count, "count", 100, "make at most `n` questions")
	fs.Uint32Var(&f.seed, "seed", 1, "a `number` that decides which questions of all possible ones")
	fs.BoolVar(&f.yes, "yes", false, "ask the language model; without, only say what it costs")
	return cmd
}

// kinds are what --from names; isModel says that it names the model.
func (f *generateFlags) kinds() (kinds []synthetic.Kind, isModel bool, err error) {
	if len(f.from) == 1 && f.from[0] == fromModel {
		return nil, true, nil
	}
	for _, name := range f.from {
		kind, ok := sources[name]
		if !ok {
			return nil, false, fmt.Errorf("--from %s: must be titles, headings and links with commas between, or model alone", strings.Join(f.from, ","))
		}
		kinds = append(kinds, kind)
	}
	return kinds, false, nil
}

func (p *Program) judgeGenerate(ctx context.Context, name string, f *generateFlags) error {
	kinds, isModel, err := f.kinds()
	if err != nil {
		return err
	}
	if f.count < 1 || f.count > mostGenerated {
		return fmt.Errorf("--count %d: must be 1 to %d", f.count, mostGenerated)
	}
	sets, base, err := p.place(name)
	if err != nil {
		return err
	}
	if isSetHere(filepath.Join(sets, base)) {
		return fmt.Errorf("query set %s: %w; choose another one", base, judgment.ErrSetExists)
	}
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return err
	}
	defer corpus.Close()
	made, report, err := p.questions(ctx, corpus, kinds, isModel, f)
	switch {
	case len(made) == 0 && (err != nil || isModel && !f.yes):
		return err
	case len(made) == 0:
		p.note("no question could be made of %s", offset.Line(corpus.Name))
		return p.Short
	}
	set, saved := synthetic.Save(ctx, sets, base, judgment.About{Seed: f.seed}, made, p.Now())
	if saved == nil {
		saved = p.remember(ctx, set, corpus)
	}
	if saved != nil {
		return errors.Join(err, saved)
	}
	p.tellMade(set, len(made), &report)
	return err
}

// mostGenerated is how many questions are made at once.
const mostGenerated = 10_000

// questions makes them. By a model there are none where it must not be asked yet.
func (p *Program) questions(ctx context.Context, corpus *Corpus, kinds []synthetic.Kind, isModel bool, f *generateFlags) ([]synthetic.Question, synthetic.Report, error) {
	bar := p.Bar()
	defer bar.Clear()
	if !isModel {
		view, err := corpus.Store.Read(ctx)
		if err != nil {
			return nil, synthetic.Report{}, err
		}
		defer view.Close()
		return synthetic.FromPages(ctx, view, synthetic.Options{Kinds: kinds, Count: f.count, Seed: f.seed, Progress: shown(bar, "page")})
	}
	chat, count, err := p.model()
	if err != nil {
		return nil, synthetic.Report{}, err
	}
	plan, err := synthetic.NewPlan(ctx, corpus.Store, synthetic.ModelOptions{Count: f.count, Seed: f.seed, CountTokens: count, Progress: shown(bar, "passage")})
	if err != nil {
		return nil, synthetic.Report{}, err
	}
	if !p.tellCost(chat, plan.Cost, f.yes) {
		return nil, synthetic.Report{}, nil
	}
	return plan.Ask(ctx, chat)
}

// tellMade says what a set was made of.
func (p *Program) tellMade(set *judgment.Set, n int, r *synthetic.Report) {
	var parts []string
	for _, k := range r.Kinds {
		parts = append(parts, fmt.Sprintf("%s %d of %d, %d verbatim", k.Kind, k.Taken, k.Found, k.Verbatim))
	}
	p.note("made %s with %s (%s)", set.Folder, countQueries(n), strings.Join(parts, "; "))
	if r.Asked > 0 {
		p.note("the model was given %s: %d it refused, %d answers were no question, %d it had asked before", phrase.Counted(r.Asked, "passage"), r.Refused, r.Unusable, r.Repeated)
	}
	if r.Pages < r.Of {
		p.note("only the first %d of %d pages were looked at", r.Pages, r.Of)
	}
	p.note("%d of %d stand verbatim in their page, which any search by words finds; %d share their page with another", r.Verbatim, n, r.Shared)
}

// model is the configured language model, and what counts tokens for it.
func (p *Program) model() (llm.Completer, func(string) int, error) {
	chat, err := p.Model()
	if err != nil {
		return nil, nil, err
	}
	if chat == nil {
		return nil, nil, errors.New("no language model is configured; set LLM_BASE_URL and LLM_MODEL")
	}
	tok, err := embedder.NewTokenizer("cl100k_base")
	if err != nil {
		return nil, nil, err
	}
	return chat, tok.Count, nil
}

// tellCost says what a model costs, and reports whether it is to be asked.
func (p *Program) tellCost(chat llm.Completer, c llm.Cost, yes bool) bool {
	words := fmt.Sprintf("%s to %s: about %d tokens in, about %d out (at most %d)",
		phrase.Counted(c.Questions, "question"), offset.Line(chat.Model()), c.PromptTokens, c.AnswerTokens, c.AnswerTokensAtMost)
	if !yes && c.Questions > 0 {
		words += "; nothing was sent, --yes asks"
	}
	p.note("%s", words)
	return yes
}

// shown draws how far some work is, in things of a kind.
func shown(bar *progress.Bar, thing string) func(done, of int) {
	return func(done, of int) {
		bar.Update(func() progress.Shown {
			return progress.Shown{Words: []string{fmt.Sprintf("%d of %s", done, phrase.Counted(of, thing))}, Done: done, Total: of}
		})
	}
}
