package trials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

func newJudgeExport(p *Program) *cobra.Command {
	var format, out, judge string
	cmd := &cobra.Command{
		Use:   "export SET",
		Short: "Write the judgments of a set for other programs",
		Long: "export writes grades of pages: the grade that a page was given as a whole, or else the best of\n" +
			"its passages. A page's id is its address, percent-encoded, as 'webrag-tui run' writes it. What\n" +
			"somebody could not tell is left out. A folder of BEIR has the texts of all pages, too.",
		Example: "webrag-tui judge export docs --format qrels -o qrels.txt\n" +
			"webrag-tui judge export docs --format beir -o docs-beir/",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneSet("export", args); err != nil {
				return err
			}
			return p.judgeExport(cmd.Context(), args[0], format, out, judge)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&format, "format", formatQrels, "the `format`: qrels of TREC, beir, csv, json (Quepid) or opensearch (default qrels)")
	fs.StringVarP(&out, "output", "o", "", "write into this `FILE`, or for beir folder (default: standard output)")
	fs.StringVar(&judge, "judge", "", "what this `name` judged; people, models or all (default: people, where any has judged)")
	return cmd
}

func (p *Program) judgeExport(ctx context.Context, name, format, out, judge string) error {
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	keep, notices, err := judges(set, judge)
	if err != nil {
		return err
	}
	if set.Origin == judgment.Synthetic { // which no other program's file has a place for
		notices = append(notices, retrieval.Worded(phrase.NoticeSynthetic))
	}
	p.Narrate(notices)
	c := &exchange.Collection{Qrels: qrelsOf(set, keep)}
	for _, q := range set.Queries {
		c.Queries = append(c.Queries, exchange.Query{ID: q.ID, Text: q.Text})
	}
	if format == formatBEIR {
		return p.exportBEIR(ctx, c, out)
	}
	for i := range c.Queries {
		c.Queries[i].Text = oneSpaced(c.Queries[i].Text) // files of ratings name them by it
	}
	var b bytes.Buffer
	switch format {
	case formatQrels:
		err = exchange.WriteQrels(&b, c.Qrels)
	case formatCSV:
		err = exchange.WriteRatingsCSV(&b, c.Ratings())
	case formatJSON:
		err = exchange.WriteQuepidJSON(&b, c.Ratings())
	case formatOpenSearch:
		err = exchange.WriteOpenSearchJSON(&b, set.Name, c.Ratings())
	default:
		err = fmt.Errorf("--format %s: must be one of qrels, beir, csv, json, opensearch", format)
	}
	if err != nil {
		return err
	}
	return p.write(out, b.Bytes())
}

// write writes a file, or without a name to standard output.
func (p *Program) write(name string, raw []byte) error {
	if name == "" || name == "-" {
		_, err := p.Out().Write(raw)
		return err
	}
	if err := file.Replace(name, raw); err != nil {
		return fmt.Errorf("--output: %w", err)
	}
	return nil
}

// qrelsOf are the grades of pages by query.
func qrelsOf(set *judgment.Set, keep judgment.Keep) map[string]map[string]int {
	qrels := map[string]map[string]int{}
	whole := map[judgment.Key]bool{}
	judged := set.Judgments()
	for i := range judged {
		j := &judged[i]
		grade, ok := j.Grade(keep)
		if !ok {
			continue
		}
		page, docno := judgment.PageKey(j.QueryID, j.SourceURL), exchange.Docno(j.SourceURL)
		of := qrels[j.QueryID]
		if of == nil {
			of = map[string]int{}
			qrels[j.QueryID] = of
		}
		before, known := of[docno]
		switch {
		case j.IsPage():
			of[docno], whole[page] = grade, true
		case !whole[page] && (!known || grade > before):
			of[docno] = grade
		}
	}
	return qrels
}

// exportBEIR writes a folder with the texts of all pages.
func (p *Program) exportBEIR(ctx context.Context, c *exchange.Collection, folder string) error {
	if folder == "" || folder == "-" {
		return errors.New("a BEIR collection is a folder: -o FOLDER")
	}
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return err
	}
	defer corpus.Close()
	view, err := corpus.Store.Read(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	docs, err := view.Documents(ctx, store.Scope{}, store.Page{})
	if err != nil {
		return err
	}
	titles := map[string]string{}
	for i := range docs {
		titles[docs[i].SourceURL] = docs[i].Title
	}
	err = judgment.InView(view).EachPage(ctx, slices.Sorted(maps.Keys(titles)), func(_, page string, sections []store.Chunk) error {
		texts := make([]string, len(sections))
		for i := range sections {
			texts[i] = sections[i].ChunkText
		}
		c.Documents = append(c.Documents, exchange.Document{ID: exchange.Docno(page), Title: titles[page], Text: strings.Join(texts, "\n\n")})
		return nil
	})
	if err != nil {
		return err
	}
	return exchange.WriteCollection(folder, c)
}

func newJudgeWatch(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:   "watch SET",
		Short: "Make a query set of the explorer's watch list",
		Long: "watch makes a set of the queries that the explorer watches for the corpus. The page that a query\n" +
			"must return is judged to answer it. The watch list stays as it is.",
		Example: "webrag-tui judge watch docs",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneSet("watch", args); err != nil {
				return err
			}
			return p.judgeWatch(cmd.Context(), args[0])
		},
	}
}

func (p *Program) judgeWatch(ctx context.Context, name string) error {
	list, err := p.Watched()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		p.note("the explorer watches no query of this corpus; * in it begins")
		return p.Short
	}
	sets, base, err := p.place(name)
	if err != nil {
		return err
	}
	user, err := judgeOf(p, "")
	if err != nil {
		return err
	}
	set, err := judgment.CreateExpected(ctx, sets, base, judgment.About{}, list, user, p.Now())
	if err == nil {
		p.note("made %s with %s", set.Folder, countQueries(len(set.Queries)))
	}
	return err
}

func newJudgeAgree(p *Program) *cobra.Command {
	return &cobra.Command{
		Use:   "agree SET",
		Short: "Say how far judges agree, and list what they disagree on",
		Long: "agree prints for each two judges how many texts both have graded, how many of them the same,\n" +
			"and weighted kappa: 1 where they agree throughout, 0 where as much as by chance. Two texts of\n" +
			"which either has half of the other count as one. Then it lists what judges differ on, the\n" +
			"furthest apart first.",
		Example: "webrag-tui judge agree docs",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := oneSet("agree", args); err != nil {
				return err
			}
			return p.judgeAgree(args[0])
		},
	}
}

// agreement is a row of judge agree.
type agreement struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Both int    `json:"both"`
	Same int    `json:"same"`
	// Kappa is nil where it is not defined.
	Kappa *float64 `json:"kappa"`
}

// disagreement is a text that judges differ on.
type disagreement struct {
	Query  string `json:"query"`
	Source string `json:"source_url"`
	Quote  string `json:"quote,omitempty"`
	// Overlaps is the other text, where judges graded two that overlap.
	Overlaps string         `json:"overlaps,omitempty"`
	Grades   map[string]int `json:"grades"`
}

func (p *Program) judgeAgree(name string) error {
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	judged := set.Judgments()
	names := judgment.Judges(judged)
	report := struct {
		Agreements    []agreement    `json:"agreements"`
		Disagreements []disagreement `json:"disagreements"`
	}{[]agreement{}, []disagreement{}}
	for i, a := range names {
		for _, b := range names[i+1:] {
			of := judgment.Agree(judged, a, b)
			row := agreement{A: string(a), B: string(b), Both: of.Both, Same: of.Same}
			if of.Defined {
				row.Kappa = &of.Kappa
			}
			report.Agreements = append(report.Agreements, row)
		}
	}
	for _, d := range judgment.Disagreements(judged, nil) {
		row := disagreement{Query: d.A.QueryID, Source: d.A.SourceURL, Quote: d.A.Quote, Grades: map[string]int{}}
		if d.A != d.B {
			row.Overlaps = d.B.Quote
		}
		for _, text := range d.Texts() {
			for _, o := range text.Opinions {
				if _, own := row.Grades[string(o.Judge)]; o.Grade >= 0 && !own {
					row.Grades[string(o.Judge)] = int(o.Grade)
				}
			}
		}
		report.Disagreements = append(report.Disagreements, row)
	}
	if p.IsJSON() {
		return p.Print(report)
	}
	if len(report.Agreements) == 0 {
		p.note("%s has %s; two are needed to agree", set.Name, phrase.Counted(len(names), "judge"))
		return p.Short
	}
	printer{w: p.Out()}.agreements(report.Agreements, report.Disagreements)
	return nil
}
