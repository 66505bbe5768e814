package trials

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

func newJudge(p *Program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "judge",
		Short: "Make query sets, and judge which pages and passages answer their queries",
		Long: "judge works on query sets: queries with what people judged to answer them. A set is a folder\n" +
			"of plain files, named by its path or by its name below the folder of sets. A judgment is\n" +
			"kept with the address of its page and the words that were judged, so that it outlives a new\n" +
			"index; what is not found any more is called orphaned, kept, and not counted.",
		Example: "webrag-tui judge new docs\n" +
			"webrag-tui judge add docs --query 'how do I retry' --source https://docs.example.com/retries --grade 3\n" +
			"webrag-tui judge import docs scifact/\n" +
			"webrag-tui judge show docs",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	p.SetsFlag(cmd.PersistentFlags())
	cmd.AddCommand(newJudgeList(p), newJudgeShow(p), newJudgeNew(p), newJudgeAdd(p), newJudgeEdit(p), newJudgeImport(p), newJudgeExport(p), newJudgeWatch(p), newJudgeAgree(p), newJudgeGenerate(p), newJudgeGrade(p))
	return cmd
}

// oneSet is a command's only argument.
func oneSet(command string, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("judge %s needs one query set, by name or folder: webrag-tui judge %s docs; 'webrag-tui judge list' lists them", command, command)
	}
	return nil
}

func newJudgeNew(p *Program) *cobra.Command {
	var about judgment.About
	cmd := &cobra.Command{
		Use:     "new SET",
		Short:   "Make a query set without queries",
		Example: "webrag-tui judge new docs --note 'questions of the support desk'",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneSet("new", args); err != nil {
				return err
			}
			set, err := p.newSet(args[0], about)
			if err == nil {
				p.note("made %s", set.Folder)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&about.Notes, "note", "", "a `text` that says what it is")
	cmd.Flags().StringSliceVar(&about.Labels, "grades", nil, "what the grades mean, from 0 up, as `labels` with commas (default: "+strings.Join(judgment.Labels(), ",")+")")
	return cmd
}

// newSet makes a set. Its seed is a random one: it decides in which order a judge sees
// what is to be judged.
func (p *Program) newSet(name string, about judgment.About) (*judgment.Set, error) {
	sets, base, err := p.place(name)
	if err != nil {
		return nil, err
	}
	about.Seed = rand.Uint32()
	return judgment.Create(sets, base, about)
}

// openOrNew opens a set, or makes one where there is none.
func (p *Program) openOrNew(name string) (*judgment.Set, error) {
	sets, base, err := p.place(name)
	if err != nil {
		return nil, err
	}
	if set, _, err := judgment.Open(sets, base); !errors.Is(err, judgment.ErrNoSet) {
		if err != nil {
			return nil, err
		}
		return set, nil
	}
	set, err := p.newSet(name, judgment.About{})
	if errors.Is(err, judgment.ErrSetExists) { // another program has made it meanwhile
		set, _, err = judgment.Open(sets, base)
	}
	return set, err
}

// remember writes into a set that has none which corpus it was made on.
func (p *Program) remember(ctx context.Context, set *judgment.Set, corpus *Corpus) error {
	if set.Corpus.Hash != "" {
		return nil
	}
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	return set.Remember(ctx, corpus.Name, view)
}

func newJudgeList(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the query sets, with what of their judgments is not in the corpus any more",
		Long: "list prints the query sets below the folder of sets. Where the corpus can be opened, it says how\n" +
			"many judgments are orphaned there. It exits with 1 when there is no set.",
		Example: "webrag-tui judge list\nwebrag-tui judge list --sets eval/ --json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.judgeList(cmd.Context()) },
	}
}

// listed is a row of judge list.
type listed struct {
	Name      string           `json:"name"`
	Folder    string           `json:"folder"`
	Synthetic bool             `json:"synthetic,omitempty"`
	Queries   int              `json:"queries"`
	Judged    int              `json:"judgments"`
	Judges    []judgment.Judge `json:"judges"`
	// Orphaned is missing where no corpus could be opened.
	Orphaned *int   `json:"orphaned,omitempty"`
	Problem  string `json:"problem,omitempty"`
}

func (p *Program) judgeList(ctx context.Context) error {
	sets, err := p.Sets()
	if err != nil {
		return err
	}
	names, err := judgment.List(sets)
	if err != nil {
		return err
	}
	corpus, corpusErr := p.Corpus(ctx)
	if corpusErr == nil {
		defer corpus.Close()
	}
	rows := make([]listed, 0, len(names))
	for _, name := range names {
		row, err := list(ctx, sets, name, corpus)
		if err != nil {
			row = listed{Name: name, Problem: err.Error()}
		}
		rows = append(rows, row)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.IsJSON():
		err = p.Print(rows)
	default:
		lines := []string{"set\tqueries\tjudgments\torphaned\tjudges"}
		for i := range rows {
			lines = append(lines, rows[i].line())
		}
		if len(rows) > 0 {
			printer{w: p.Out()}.table(lines)
		}
		if len(rows) > 0 && corpusErr != nil {
			p.note("what is orphaned is not known: %v", corpusErr)
		}
	}
	if err == nil && len(rows) == 0 {
		p.note("there is no query set in %s; 'webrag-tui judge new NAME' makes one", sets)
		return p.Short
	}
	return err
}

func list(ctx context.Context, sets, name string, corpus *Corpus) (listed, error) {
	set, _, err := judgment.Open(sets, name)
	if err != nil {
		return listed{}, err
	}
	judged := set.Judgments()
	row := listed{Name: name, Folder: set.Folder, Synthetic: set.Origin == judgment.Synthetic, Queries: len(set.Queries), Judged: len(judged), Judges: judgment.Judges(judged)}
	if corpus == nil {
		return row, nil
	}
	anchors, err := anchor(ctx, set, corpus)
	if err != nil {
		return row, err
	}
	lost := anchors.Summary.Lost()
	row.Orphaned = &lost
	return row, nil
}

func (l *listed) line() string {
	if l.Problem != "" {
		return offset.Line(l.Name + "\t" + l.Problem)
	}
	orphaned := "?"
	if l.Orphaned != nil {
		orphaned = fmt.Sprint(*l.Orphaned)
	}
	name := l.Name
	if l.Synthetic {
		name = judgment.Synthetic.Mark(name)
	}
	judges := make([]string, len(l.Judges))
	for i, j := range l.Judges {
		judges[i] = string(j)
	}
	return fmt.Sprintf("%s\t%d\t%d\t%s\t%s", name, l.Queries, l.Judged, orphaned, offset.Line(strings.Join(judges, ", ")))
}

// anchor finds the judgments of a set on the pages of a corpus.
func anchor(ctx context.Context, set *judgment.Set, corpus *Corpus) (*judgment.Anchors, error) {
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, err
	}
	defer view.Close()
	return set.Anchor(ctx, judgment.InView(view))
}

func newJudgeShow(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:     "show SET [QUERY]",
		Short:   "Show the queries of a set, or the judgments of one of them",
		Example: "webrag-tui judge show docs\nwebrag-tui judge show docs how-do-i-retry --json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return oneSet("show", args)
			}
			return p.judgeShow(cmd.Context(), args[0], strings.Join(args[1:], " "))
		},
	}
}

// shownQuery is a query of judge show. Verbatim says that it stands in a page that answers
// it, and Orphaned how many of its judgments have lost their text, as far as a corpus is there.
type shownQuery struct {
	ID        string         `json:"id"`
	Text      string         `json:"text"`
	Tags      []string       `json:"tags,omitempty"`
	Judged    int            `json:"judged"`
	Relevant  int            `json:"relevant"`
	Orphaned  int            `json:"orphaned,omitempty"`
	Verbatim  bool           `json:"verbatim,omitempty"`
	Judgments []shownOpinion `json:"judgments,omitempty"`
}

// words are the text of the query, of which at most so many cells, and its tags.
func (q *shownQuery) words(most int) string {
	text := brief(q.Text, most)
	if len(q.Tags) > 0 {
		text += "  [" + offset.Line(strings.Join(q.Tags, ", ")) + "]"
	}
	return text
}

type shownOpinion struct {
	Source string `json:"source_url"`
	Quote  string `json:"quote,omitempty"`
	// Grade is nil for "cannot tell".
	Grade *int   `json:"grade"`
	Label string `json:"label"`
	Judge string `json:"judge"`
	// Orphaned says that the words or the page are not in the corpus.
	Orphaned bool `json:"orphaned,omitempty"`
}

func (p *Program) judgeShow(ctx context.Context, name, query string) error {
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	anchors, verbatim, err := p.onCorpus(ctx, set)
	if err != nil {
		return err
	}
	if query != "" {
		q, err := findQuery(set, query)
		if err != nil {
			return err
		}
		return p.showQuery(set, q, anchors)
	}
	all := set.Judgments()
	rows := make([]shownQuery, len(set.Queries))
	var orphaned []string
	for i := range set.Queries {
		rows[i] = showQuery(set, &set.Queries[i], all, anchors)
		rows[i].Judgments = nil
		rows[i].Verbatim = slices.Contains(verbatim, rows[i].ID)
		if rows[i].Orphaned > 0 {
			orphaned = append(orphaned, rows[i].ID)
		}
	}
	if p.IsJSON() {
		return p.Print(rows)
	}
	lines := []string{"query\tjudged\trelevant\ttext"}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%s", r.ID, r.Judged, r.Relevant, r.words(2*mostTextCells)))
	}
	fmt.Fprintf(p.Out(), "%s%s%s  %s · %s\n", bold, set.Origin.Mark(offset.Line(set.Name)), plain, countQueries(len(rows)), phrase.Counted(len(all), "judgment"))
	printer{w: p.Out()}.table(lines)
	var notices []retrieval.Notice
	if len(orphaned) > 0 {
		notices = append(notices, retrieval.Worded(phrase.NoticeOrphansOf, anchors.Summary.Lost(), len(all), someOf(orphaned)))
	}
	if len(verbatim) > 0 {
		notices = append(notices, retrieval.Worded(phrase.NoticeVerbatim, len(verbatim), countQueries(len(rows)), someOf(verbatim)))
	}
	p.Narrate(notices)
	return nil
}

// onCorpus says where the judgments of a set are, and which of its queries stand in a page
// that answers them; nothing where the corpus cannot be opened.
func (p *Program) onCorpus(ctx context.Context, set *judgment.Set) (*judgment.Anchors, []string, error) {
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return &judgment.Anchors{}, nil, ctx.Err()
	}
	defer corpus.Close()
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer view.Close()
	anchors, err := set.Anchor(ctx, judgment.InView(view))
	if err != nil {
		return nil, nil, err
	}
	verbatim, err := set.Verbatim(ctx, anchors, judgment.InView(view), nil)
	return anchors, verbatim, err
}

// findQuery finds a query by its id or its text.
func findQuery(set *judgment.Set, name string) (*judgment.Query, error) {
	if q := set.Query(name); q != nil {
		return q, nil
	}
	text := offset.Trimmed(name)
	for i := range set.Queries {
		if set.Queries[i].Text == text {
			return &set.Queries[i], nil
		}
	}
	return nil, fmt.Errorf("query set %s has no query %q, neither as id nor as text; 'webrag-tui judge show' lists them", set.Name, brief(name, mostTextCells))
}

func showQuery(set *judgment.Set, q *judgment.Query, all []judgment.Judgment, on *judgment.Anchors) shownQuery {
	row := shownQuery{ID: q.ID, Text: q.Text, Tags: q.Tags}
	lost := map[judgment.Key]bool{}
	for i := range on.Lost {
		if on.Lost[i].QueryID == q.ID {
			lost[on.Lost[i].Key] = true
		}
	}
	row.Orphaned = len(lost)
	for i := range all {
		j := &all[i]
		if j.QueryID != q.ID {
			continue
		}
		row.Judged++
		if grade, ok := j.Grade(nil); ok && grade > 0 {
			row.Relevant++
		}
		for _, o := range j.Opinions {
			s := shownOpinion{Source: j.SourceURL, Quote: j.Quote, Judge: string(o.Judge), Label: "cannot tell", Orphaned: lost[j.Key]}
			if grade := int(o.Grade); o.Grade >= 0 && grade < len(set.Labels) {
				s.Grade, s.Label = &grade, set.Labels[grade]
			}
			row.Judgments = append(row.Judgments, s)
		}
	}
	return row
}

func (p *Program) showQuery(set *judgment.Set, q *judgment.Query, on *judgment.Anchors) error {
	row := showQuery(set, q, set.Judgments(), on)
	if p.IsJSON() {
		return p.Print(row)
	}
	fmt.Fprintf(p.Out(), "%s%s%s  %s\n", bold, row.ID, plain, row.words(4*mostTextCells))
	var lines []string
	for _, o := range row.Judgments {
		grade := "-"
		if o.Grade != nil {
			grade = fmt.Sprint(*o.Grade)
		}
		if o.Orphaned {
			o.Label += ", orphaned"
		}
		lines = append(lines, fmt.Sprintf("%s %s\t%s\t%s\t%s", grade, offset.Line(o.Label), offset.Line(o.Judge), offset.Line(o.Source), brief(o.Quote, 2*mostTextCells)))
	}
	printer{w: p.Out()}.table(lines)
	return nil
}
