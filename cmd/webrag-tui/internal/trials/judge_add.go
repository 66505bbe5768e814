package trials

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

// addFlags say what is judged.
type addFlags struct {
	query, id, source, quote, grade, judge, note string
	tags                                         []string
}

func newJudgeAdd(p *Program) *cobra.Command {
	var f addFlags
	cmd := &cobra.Command{
		Use:   "add SET",
		Short: "Add a query, or judge a page or passage for one",
		Long: "add adds a query to a set, and with --source and --grade what somebody thinks of a page, or\n" +
			"with --quote of a passage of it, as an answer. A set that is not there is made. The page\n" +
			"must be in the corpus, and have the quotation once. Grades go from 0, not relevant, to the\n" +
			"last of the set's scale; skip says that one cannot tell.",
		Example: "webrag-tui judge add docs --query 'how do I retry' --tag howto\n" +
			"webrag-tui judge add docs --query 'how do I retry' --source https://docs.example.com/retries --grade 3\n" +
			"webrag-tui judge add docs --id how-do-i-retry --source https://docs.example.com/limits --quote 'three times at most' --grade 1",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneSet("add", args); err != nil {
				return err
			}
			return p.judgeAdd(cmd.Context(), args[0], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.query, "query", "", "the query, by its `text`; a new one is added")
	fs.StringVar(&f.id, "id", "", "the query, by its `id`, or the id that a new one gets")
	fs.StringSliceVar(&f.tags, "tag", nil, "a `tag` of the query, by which figures are taken (repeatable)")
	fs.StringVar(&f.source, "source", "", "judge this page, by `URL`")
	fs.StringVar(&f.quote, "quote", "", "judge these `words` of the page, and not all of it")
	fs.StringVar(&f.grade, "grade", "", "the `grade`: 0 to 3, or of the set's own scale; skip for cannot tell")
	fs.StringVar(&f.judge, "judge", "", "who judges: a `name` (default: the user's)")
	fs.StringVar(&f.note, "note", "", "a `text` beside the judgment")
	return cmd
}

func (f *addFlags) check() error {
	switch {
	case strings.TrimSpace(f.query) == "" && f.id == "":
		return errors.New("judge add needs a query: --query 'how do I retry', or --id of one that the set has")
	case f.source == "" && (f.quote != "" || f.grade != ""):
		return errors.New("a judgment needs a page: --source URL")
	case f.source != "" && f.grade == "":
		return errors.New("a judgment needs a grade: --grade 0 to 3, or skip")
	}
	return nil
}

func (p *Program) judgeAdd(ctx context.Context, name string, f *addFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	scale, err := p.scaleOf(name)
	if err != nil {
		return err
	}
	grade, err := parseGrade(scale, f.grade)
	if err != nil {
		return err
	}
	judge, err := judgeOf(p, f.judge)
	if err != nil {
		return err
	}
	var key judgment.Key
	var quote string
	var corpus *Corpus
	if f.source != "" {
		if corpus, err = p.Corpus(ctx); err != nil {
			return err
		}
		defer corpus.Close()
		if key, quote, err = keyOf(ctx, corpus, f.source, f.quote); err != nil {
			return err
		}
	}
	set, err := p.openOrNew(name)
	if err == nil && corpus != nil {
		err = p.remember(ctx, set, corpus)
	}
	if err != nil {
		return err
	}
	q, err := addQuery(ctx, set, f)
	if err != nil {
		return err
	}
	words := fmt.Sprintf("query %s of %s", q.ID, set.Name)
	if f.source != "" {
		key.QueryID = q.ID
		r := judgment.Record{Key: key, Quote: quote, Grade: grade, Judge: judge, JudgedAt: p.Now(), Note: f.note}
		if err := set.Append(ctx, r); err != nil {
			return err
		}
		label := "cannot tell"
		if grade >= 0 {
			label = fmt.Sprintf("%d, %s", grade, set.Labels[grade])
		}
		words += ": " + label + ": " + key.SourceURL
		if quote != "" {
			words += " “" + brief(quote, mostTextCells) + "”"
		}
	}
	p.note("%s", words)
	return nil
}

// scaleOf is what is known of a set, or of one that is still to be made.
func (p *Program) scaleOf(name string) (*judgment.About, error) {
	sets, base, err := p.place(name)
	if err != nil {
		return nil, err
	}
	set, _, err := judgment.Open(sets, base)
	if errors.Is(err, judgment.ErrNoSet) {
		return &judgment.About{Name: base, Labels: judgment.Labels()}, nil
	}
	if err != nil {
		return nil, err
	}
	return &set.About, nil
}

// judgeOf is who judges: of a name, or the user.
func judgeOf(p *Program, name string) (judgment.Judge, error) {
	if name != "" {
		return judgeName(name)
	}
	name, err := p.User()
	return judgment.Judge(name), err
}

// judgeName is the name of who judges, if it may be a person's.
func judgeName(name string) (judgment.Judge, error) {
	if err := judgment.CheckPerson(name); err != nil {
		return "", fmt.Errorf("--judge: %w", err)
	}
	return judgment.Judge(name), nil
}

// parseGrade reads a grade of a set's scale.
func parseGrade(set *judgment.About, text string) (judgment.Grade, error) {
	if text == "" || text == "skip" {
		return judgment.CannotTell, nil
	}
	grade, err := strconv.Atoi(text)
	if err != nil || grade < 0 || grade > set.MaxGrade() {
		scale := make([]string, len(set.Labels))
		for i, label := range set.Labels {
			scale[i] = fmt.Sprintf("%d %s", i, label)
		}
		return 0, fmt.Errorf("--grade %s: the grades of %s are %s; skip says that one cannot tell", text, set.Name, strings.Join(scale, ", "))
	}
	return judgment.Grade(grade), nil
}

// addQuery is the query that is meant, which is added if the set has it not.
func addQuery(ctx context.Context, set *judgment.Set, f *addFlags) (judgment.Query, error) {
	q := set.Query(f.id)
	var err error
	if f.id == "" || f.query == "" {
		q, err = findQuery(set, f.id+f.query)
	}
	switch {
	case q == nil && f.query == "":
		return judgment.Query{}, err
	case q == nil:
		return set.AddQuery(ctx, judgment.Query{ID: f.id, Text: f.query, Tags: f.tags})
	case f.query != "" && q.Text != offset.Trimmed(f.query):
		return *q, fmt.Errorf("query %s of %s is %q already; choose another --id", q.ID, set.Name, brief(q.Text, mostTextCells))
	case len(f.tags) == 0:
		return *q, nil
	}
	changed := *q
	changed.Tags = f.tags
	return changed, set.ChangeQuery(ctx, changed)
}

// keyOf is the key of a page of the corpus, or of words that it has once.
func keyOf(ctx context.Context, corpus *Corpus, source, quote string) (key judgment.Key, verbatim string, err error) {
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return key, "", err
	}
	defer view.Close()
	var address string
	var sections []store.Chunk
	err = judgment.InView(view).EachPage(ctx, []string{source}, func(_, page string, of []store.Chunk) error {
		address, sections = page, of
		return nil
	})
	switch {
	case err != nil:
		return key, "", err
	case address == "":
		return key, "", fmt.Errorf("--source: the corpus has no page %s; 'webrag-tui docs list' prints the addresses", source)
	case strings.TrimSpace(quote) == "":
		return judgment.PageKey("", address), "", nil
	}
	found, err := citations.NewPage(sections).Find(ctx, quote)
	switch {
	case err != nil:
		return key, "", err
	case len(found) == 0:
		return key, "", fmt.Errorf("--quote: %s does not say that; quote it as 'webrag-tui cite %s --quote' finds it, or leave it out to judge the whole page", address, address)
	case len(found) > 1:
		places := make([]string, len(found))
		for i, s := range found {
			places[i] = fmt.Sprintf("%d-%d", s.CharStart, s.CharEnd)
		}
		return key, "", fmt.Errorf("--quote: %s has it %s, at %s; quote more of the words around it", address, phrase.Counted(len(found), "time"), someOf(places))
	}
	return judgment.KeyOf("", address, found[0].VerbatimText, found[0].CharStart), strings.TrimSpace(found[0].VerbatimText), nil
}
