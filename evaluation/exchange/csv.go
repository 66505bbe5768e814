package exchange

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/webrag/webrag-tui/file"
)

// ratingColumns are the columns of a table of ratings, each with the names that
// headings give it in lower case, without spaces and strokes.
var ratingColumns = [3][]string{
	{"query", "querytext", "querystring"},
	{"docid", "documentid", "document", "doc", "id"},
	{"rating", "grade", "score", "relevance", "judgment", "judgement", "gain"},
}

// ReadRatingsCSV reads a table of ratings, which name is called in errors, as Quepid
// (export "basic", app/views/api/v1/export/ratings/show.basic.csv.erb) and OpenSearch's
// Search Relevance Workbench exchange them: query, docid, rating. With a heading the
// columns may stand in any order beside others, and have other known names; without,
// they are three in this order.
//
// A query without a document, as Quepid writes one that was not judged yet, has no
// ratings, and neither has a document with an empty rating. Errors name the line of
// what is no table, of a rating that is no number, and both lines of a document that
// was rated twice for a query.
func ReadRatingsCSV(r io.Reader, name string) ([]QueryRatings, error) {
	plain, err := unmarked(file.Limit(r, name, mostRatingBytes))
	if err != nil {
		return nil, inFile(name, err)
	}
	in := csv.NewReader(plain)
	in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true
	t := table{columns: [3]int{0, 1, 2}}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return t.found.all, nil
		}
		if err == nil {
			line, _ := in.FieldPos(0)
			if err = t.take(fmt.Sprint("line ", line), row); err != nil {
				err = fmt.Errorf("line %d: %w", line, err)
			}
		}
		var syntax *csv.ParseError
		if errors.As(err, &syntax) {
			err = fmt.Errorf("line %d: %w: put a text with commas or quotes in it in quotes, and each quote within twice", syntax.StartLine, syntax.Err)
		}
		if err != nil {
			return nil, inFile(name, err)
		}
	}
}

// table is a table of ratings that is being read.
type table struct {
	columns [3]int // where query, document and rating are
	named   bool   // by a heading
	begun   bool
	found   ratings
}

// take adds a row, which may be the heading.
func (t *table) take(place string, row []string) error {
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	if !t.begun {
		t.begun = true
		if columns, ok := heading(row); ok {
			t.columns, t.named = columns, true
			return nil
		}
		if len(row) == 3 {
			if _, err := parseRating(row[2]); err != nil {
				return fmt.Errorf("%w, or call the columns query,docid,rating if this is their heading", err)
			}
		}
	}
	cell := func(i int) string {
		if at := t.columns[i]; at < len(row) {
			return row[at]
		}
		return ""
	}
	if !t.named && len(row) != 3 {
		return fmt.Errorf("%s between commas, not 3 (query,docid,rating); with a heading of these names there may be others, too", thereAre(len(row)))
	}
	if cell(2) == "" {
		_, err := t.found.query(cell(0))
		return err
	}
	value, err := parseRating(cell(2))
	if err != nil {
		return err
	}
	return t.found.add(place, cell(0), cell(1), value)
}

// heading says where the three columns are, if the row names each of them once.
func heading(row []string) (columns [3]int, ok bool) {
	found := 0
	for at, cell := range row {
		name := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(cell))
		for i, names := range ratingColumns {
			for _, known := range names {
				if name == known {
					columns[i] = at
					found |= 1 << i
				}
			}
		}
	}
	return columns, found == 1<<len(ratingColumns)-1
}

// WriteRatingsCSV writes a table of ratings that [ReadRatingsCSV], Quepid and
// OpenSearch read. A query without ratings is a row of its own, with its text alone.
func WriteRatingsCSV(w io.Writer, queries []QueryRatings) error {
	if err := checkRatings(queries); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	rows := [][]string{{"query", "docid", "rating"}}
	for _, q := range queries {
		if len(q.Ratings) == 0 {
			rows = append(rows, []string{q.Query, "", ""})
		}
		for _, r := range q.Ratings {
			rows = append(rows, []string{q.Query, r.Document, ratingText(r.Value)})
		}
	}
	return out.WriteAll(rows)
}
