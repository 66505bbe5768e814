package trials

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// importFlags say what is read and what it means.
type importFlags struct{ format, queries, scale, address, judge, split string }

// The formats of judgments.
const (
	formatBEIR       = "beir"
	formatQrels      = "qrels"
	formatCSV        = "csv"
	formatJSON       = "json"
	formatOpenSearch = "opensearch"
	formatCranfield  = "cranfield"
)

func newJudgeImport(p *Program) *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import SET PATH",
		Short: "Read queries and judgments of other programs",
		Long: "import reads a folder of BEIR (corpus.jsonl, queries.jsonl, qrels/test.tsv) or of Cranfield's own files, qrels\n" +
			"of TREC, or ratings of Quepid and OpenSearch in CSV or JSON, and adds them to a set, which is\n" +
			"made if need be. Documents become pages of the corpus: an id may be a page's address, as\n" +
			"'webrag-tui run' and 'judge export' write it, the end of one, or a part of one that --address\n" +
			"gives. Those that no page has are counted and named, and left out.",
		Example: "webrag-tui index --corpus scifact.db scifact/corpus.jsonl\n" +
			"webrag-tui judge import scifact scifact/ --corpus scifact.db\n" +
			"webrag-tui judge import docs qrels.txt --queries topics.tsv --address 'https://docs.example.com/{}'\n" +
			"webrag-tui judge import docs ratings.csv --scale '0..1=0,2..5=1,6..8=2,9..10=3'",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("judge import needs a query set and what to read: webrag-tui judge import docs qrels.txt")
			}
			return p.judgeImport(cmd.Context(), args[0], args[1], &f)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", "", "the `format`: beir, qrels, csv, json, opensearch or cranfield (default: by its name and content)")
	fs.StringVar(&f.queries, "queries", "", "the texts of the queries, for qrels: a `FILE` of lines with id and text, a tab between, or of BEIR's JSON")
	fs.StringVar(&f.scale, "scale", "", "what ratings mean: `steps` such as 0..1=0,2..5=1 with commas between")
	fs.StringVar(&f.address, "address", "", "how a page's address is made of a document's id: a `template` with {} in its place, as beir:{}")
	fs.StringVar(&f.judge, "judge", "", "who has judged: a `name` (default: the name of the file or folder)")
	fs.StringVar(&f.split, "split", "", "the `part` of a BEIR collection (default: test, or the only one)")
	return cmd
}

// imported are judgments as a file has them: queries, and grades by query id and
// document id.
type imported struct {
	queries []exchange.Query
	qrels   map[string]map[string]int
}

func (p *Program) judgeImport(ctx context.Context, name, path string, f *importFlags) error {
	if f.address != "" && !strings.Contains(f.address, "{}") {
		return fmt.Errorf("--address %s: it needs {} where the id goes, as in 'https://docs.example.com/{}'", f.address)
	}
	format, err := f.guess(path)
	if err != nil {
		return err
	}
	in, err := f.readJudgments(p, path, format)
	if err != nil {
		return err
	}
	corpus, err := p.Corpus(ctx)
	if err != nil {
		return err
	}
	defer corpus.Close()
	addresses, err := addressesOf(ctx, corpus, f.address)
	if err != nil {
		return err
	}
	targets, err := addresses.targets(ctx, corpus, in.qrels)
	if err != nil {
		return err
	}
	if err := in.check(path, targets); err != nil {
		return err
	}
	if len(in.queries) == 0 {
		if _, err := p.openSet(name); err != nil {
			return fmt.Errorf("%w; to make one of these judgments give the texts of their queries: --queries FILE", err)
		}
	}
	judge, err := judgeName(cmp.Or(f.judge, strings.TrimSuffix(filepath.Base(filepath.Clean(path)), filepath.Ext(path))))
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		set, err := p.openOrNew(name)
		if err == nil {
			err = p.remember(ctx, set, corpus)
		}
		if err == nil {
			err = p.take(ctx, set, in, targets, judge)
		}
		if !errors.Is(err, judgment.ErrIDTaken) || try == mostTries {
			return err
		}
	}
}

// mostTries is how often an import begins anew where another program has added the same
// queries between its reading and its writing; nothing is written before that is seen.
const mostTries = 5

// check refuses what nothing can be imported of, before a set is made for it.
func (in *imported) check(path string, targets map[string]target) error {
	count, most := in.count()
	switch {
	case count == 0:
		return fmt.Errorf("%s: the file has no judgments", path)
	case len(targets) == 0:
		var some []string
		for _, of := range in.qrels {
			some = slices.AppendSeq(some, maps.Keys(of))
		}
		slices.Sort(some)
		return fmt.Errorf("%s: no page of the corpus is meant by any of the documents (%s); --address says how addresses are made of ids, as in 'https://docs.example.com/{}'",
			path, offset.Line(someOf(slices.Compact(some))))
	case most > mostGrade:
		return fmt.Errorf("%s: a grade is %d, and a scale ends at %d; --scale says which grades they stand for, for example --scale '0=0,1..%d=1'", path, most, mostGrade, most)
	}
	return nil
}

// count is how many judgments there are, and most their highest grade.
func (in *imported) count() (count, most int) {
	for _, of := range in.qrels {
		count += len(of)
		for _, grade := range of {
			most = max(most, grade)
		}
	}
	return count, most
}

// guess is the format of a path by its name and its content.
func (f *importFlags) guess(path string) (string, error) {
	known := []string{formatBEIR, formatQrels, formatCSV, formatJSON, formatOpenSearch, formatCranfield}
	switch {
	case f.format == formatOpenSearch:
		return formatJSON, nil
	case slices.Contains(known, f.format):
		return f.format, nil
	case f.format != "":
		return "", fmt.Errorf("--format %s: must be one of %s", f.format, strings.Join(known, ", "))
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("judge import: there is no %s", path)
	case err != nil:
		return "", fmt.Errorf("judge import: %w", err)
	case info.IsDir():
		if _, err := os.Stat(filepath.Join(path, "cranqrel")); err == nil {
			return formatCranfield, nil
		}
		return formatBEIR, nil
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return formatCSV, nil
	case ".json":
		return formatJSON, nil
	}
	return contentFormat(path)
}

// contentFormat tells JSON from qrels by how it begins.
func contentFormat(path string) (string, error) {
	f, err := file.Open(path, mostFile)
	if err != nil {
		return "", fmt.Errorf("judge import: %w", err)
	}
	defer f.Close()
	begin := make([]byte, 512)
	n, _ := io.ReadFull(f, begin) // what cannot be read is said when all of it is
	if text := bytes.TrimLeft(begin[:n], "\uFEFF \t\r\n"); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return formatJSON, nil
	}
	return formatQrels, nil
}

// readJudgments reads one of the formats.
func (f *importFlags) readJudgments(p *Program, path, format string) (in imported, err error) {
	var scale exchange.Scale
	if f.scale != "" {
		if scale, err = exchange.ParseScale(f.scale); err != nil {
			return in, fmt.Errorf("--scale: %w", err)
		}
	}
	switch format {
	case formatBEIR, formatCranfield:
		in, err = f.readCollection(p, path, format, scale)
	case formatCSV:
		return readRatings(p, path, exchange.ReadRatingsCSV, scale)
	case formatJSON:
		return readRatings(p, path, exchange.ReadRatingsJSON, scale)
	default:
		if in.qrels, err = readFile(path, exchange.ReadQrels); err == nil && f.queries != "" {
			in.queries, err = readFile(f.queries, readQueries)
		}
	}
	if err == nil && scale != nil && format != formatCranfield {
		in.qrels, err = scale.Regrade(in.qrels)
	}
	return in, err
}

func (f *importFlags) readCollection(p *Program, path, format string, scale exchange.Scale) (in imported, err error) {
	folder, err := file.OpenFolder(path)
	if err != nil {
		return in, err
	}
	var c *exchange.Collection
	if format == formatBEIR {
		c, err = exchange.ReadCollection(folder, f.split)
	} else {
		if scale == nil {
			scale = exchange.CranfieldBinary()
			p.note("Cranfield's codes are taken as grades by --scale %s; give another one to change it", scale)
		}
		c, err = exchange.ReadCranfield(folder, scale)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return in, fmt.Errorf("%s: %w; a folder of BEIR has corpus.jsonl, queries.jsonl and qrels/test.tsv, one of Cranfield cran.all.1400, cran.qry and cranqrel", path, err)
	}
	if err != nil {
		return in, fmt.Errorf("%s: %w", path, err)
	}
	return imported{c.Queries, c.Qrels}, nil
}

// readRatings reads ratings, whose queries are known by their texts. Without a scale one
// is proposed if they are no grades.
func readRatings(p *Program, path string, read func(io.Reader, string) ([]exchange.QueryRatings, error), scale exchange.Scale) (in imported, err error) {
	ratings, err := readFile(path, read)
	if err != nil {
		return in, err
	}
	if scale == nil {
		if scale, err = exchange.ParseScale("0=0,1=1,2=2,3=3"); err != nil {
			return in, err
		}
		if _, err := scale.Qrels(ratings); err != nil {
			scale = exchange.ProposeScale(ratings, len(judgment.Labels())-1)
			p.Narrate([]retrieval.Notice{{
				Code: "ratings_scaled", Warning: true,
				Text: fmt.Sprintf("the ratings are no grades from 0 to 3 and are taken as these by --scale '%s'; give another one to change it", scale),
			}})
		}
	}
	if in.qrels, err = scale.Qrels(ratings); err != nil {
		return in, fmt.Errorf("%s: %w", path, err)
	}
	for _, r := range ratings {
		in.queries = append(in.queries, exchange.Query{ID: r.Query, Text: r.Query})
	}
	return in, nil
}

// take adds what was read to a set.
func (p *Program) take(ctx context.Context, set *judgment.Set, in imported, targets map[string]target, judge judgment.Judge) error {
	ids, strangers, err := takeQueries(ctx, set, in)
	if err != nil {
		return err
	}
	if err := grow(ctx, set, in, p.note); err != nil {
		return err
	}
	var unknown []string
	known, before, negative := said(set, judge), 0, 0
	count, _ := in.count()
	records := make([]judgment.Record, 0, max(0, count-len(known))) // about
	for _, query := range slices.Sorted(maps.Keys(in.qrels)) {
		if ids[query] == "" {
			continue
		}
		for _, docno := range slices.Sorted(maps.Keys(in.qrels[query])) {
			of, ok := targets[docno]
			if !ok {
				unknown = append(unknown, docno)
				continue
			}
			r := of.record(ids[query])
			if in.qrels[query][docno] < 0 {
				negative++
			}
			r.Grade, r.Judge, r.JudgedAt = max(judgment.Grade(in.qrels[query][docno]), judgment.CannotTell), judge, p.Now()
			if was, ok := known[r.Key]; ok && was == r.Grade {
				before++
				continue
			}
			records = append(records, r)
		}
	}
	if err := set.Append(ctx, records...); err != nil {
		return err
	}
	p.note("%s: %s and %s of %s, and %d that were there already", set.Name, countQueries(len(ids)), phrase.Counted(len(records), "new judgment"), judge, before)
	warn := func(code, format string, args ...any) {
		p.Narrate([]retrieval.Notice{{Code: code, Warning: true, Text: fmt.Sprintf(format, args...)}})
	}
	if negative > 0 {
		p.note("%s below 0: kept as \"cannot tell\", which counts as if nobody had judged", phrase.Counted(negative, "grade"))
	}
	if len(strangers) > 0 {
		warn("unknown_queries", "left out, since they have no text: %s of the judgments (%s); --queries FILE gives the texts", countQueries(len(strangers)), someOf(strangers))
	}
	if len(unknown) > 0 {
		judged := len(unknown)
		slices.Sort(unknown)
		unknown = slices.Compact(unknown)
		warn("unknown_documents", "left out, since no page of the corpus is meant: %s of %s (%s); --address says how addresses are made of ids",
			phrase.Counted(judged, "judgment"), phrase.Counted(len(unknown), "document"), offset.Line(someOf(unknown)))
	}
	if len(records)+before == 0 {
		return fmt.Errorf("judge import: nothing was imported into %s: its queries have no text; --queries FILE gives the texts", set.Name)
	}
	return nil
}

// said are the grades that a judge has given.
func said(set *judgment.Set, judge judgment.Judge) map[judgment.Key]judgment.Grade {
	grades := map[judgment.Key]judgment.Grade{}
	for i := range set.Records {
		if r := &set.Records[i]; r.Judge == judge {
			grades[r.Key] = r.Grade
		}
	}
	return grades
}

// oneSpaced is a text with one space between its words: files of ratings have no more.
func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// idOf matches what a query of a set may be called.
var idOf = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)

// takeQueries adds the queries that have judgments and that the set has not, and returns
// the ids in the set by those in the file. Strangers are judged and have no text.
func takeQueries(ctx context.Context, set *judgment.Set, in imported) (ids map[string]string, strangers []string, err error) {
	ids = map[string]string{}
	byText, byID := map[string]string{}, map[string]*judgment.Query{}
	for i := range set.Queries {
		q := &set.Queries[i]
		byText[oneSpaced(q.Text)], byID[q.ID] = q.ID, q
	}
	var added []judgment.Query
	var of []string // ids in the file of those added
	for _, q := range in.queries {
		known := byID[q.ID]
		text := offset.Trimmed(q.Text)
		switch {
		case in.qrels[q.ID] == nil && q.ID != q.Text: // ratings have queries that are to be judged
		case known != nil && known.Text == text:
			ids[q.ID] = q.ID
		case known != nil:
			return nil, nil, fmt.Errorf("query %s of %s is %q, and in the file %q; import into a set of its own", q.ID, set.Name, brief(known.Text, mostTextCells), brief(text, mostTextCells))
		case byText[oneSpaced(text)] != "" && q.ID == q.Text:
			ids[q.ID] = byText[oneSpaced(text)]
		case idOf.MatchString(q.ID) && q.ID != q.Text:
			added, of = append(added, judgment.Query{ID: q.ID, Text: text}), append(of, q.ID)
		default:
			added, of = append(added, judgment.Query{Text: text}), append(of, q.ID)
		}
	}
	if added, err = set.AddQueries(ctx, added...); err != nil {
		return nil, nil, err
	}
	for i, q := range added {
		ids[of[i]], byID[q.ID] = q.ID, &added[i]
	}
	for query := range in.qrels {
		if ids[query] == "" && byID[query] != nil {
			ids[query] = query
		}
		if ids[query] == "" {
			strangers = append(strangers, query)
		}
	}
	slices.Sort(strangers)
	return ids, strangers, nil
}

// mostGrade is the highest grade that a scale may grow to.
const mostGrade = 10

// grow gives a set the grades that judgments have beyond its scale, and says so, since what the
// best grade means is another thing with it.
func grow(ctx context.Context, set *judgment.Set, in imported, note func(format string, args ...any)) error {
	was := set.MaxGrade()
	_, most := in.count()
	if most <= was {
		return nil
	}
	note("the grades go to %d, and the scale of %s went to %d: it has them now; --scale says which grades they stand for instead", most, set.Name, was)
	return set.Change(ctx, func(a *judgment.About) {
		for grade := len(a.Labels); grade <= most; grade++ {
			a.Labels = append(a.Labels, fmt.Sprintf("grade %d", grade))
		}
	})
}
