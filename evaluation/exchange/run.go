package exchange

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Run is what a system returned for queries.
type Run struct {
	// Tag names the system.
	Tag string
	// Rankings are one for each query.
	Rankings []Ranking
}

// ByQuery are the rankings by query id.
func (r *Run) ByQuery() map[string][]string {
	all := make(map[string][]string, len(r.Rankings))
	for _, ranking := range r.Rankings {
		all[ranking.Query] = ranking.Documents
	}
	return all
}

// Ranking is what was returned for a query: the ids of documents from rank 1 on, each
// once.
type Ranking struct {
	Query     string
	Documents []string
}

// retrieved is a line of a run.
type retrieved struct {
	document string
	score    float64
	line     int
}

// ReadRun reads a run in the form of TREC, which name is called in errors: lines of
// query id, Q0, document id, rank, score and tag with white space between. Queries come
// in the order in which the file names them first.
//
// The rank is ignored, as by trec_eval (form_res_rels.c), unless a line has more columns and
// it is no number, as where an id has spaces in it: documents stand by score, the
// highest first, and those of the same score by id, the last in the order of bytes
// first. What follows the tag is ignored, too, and so are comments and blank lines; the
// tag is that of the last line. Errors name the line of what has fewer columns, of a
// score that is no finite number, and both lines of a document that a query has twice.
func ReadRun(r io.Reader, name string) (*Run, error) {
	read := runReader{at: map[string]int{}}
	if err := eachLine(r, name, ofRows, read.take); err != nil {
		return nil, err
	}
	run := &Run{Tag: read.tag}
	if len(read.queries) > 0 {
		if err := checkTag(run.Tag); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for i, query := range read.queries {
		documents, err := ranked(read.lists[i])
		if err != nil {
			return nil, fmt.Errorf("%s: query %.60q: %w", name, query, err)
		}
		run.Rankings = append(run.Rankings, Ranking{query, documents})
	}
	return run, nil
}

// runReader gathers the lines of a run by query.
type runReader struct {
	tag     string
	queries []string
	lists   [][]retrieved  // by the same index
	at      map[string]int // the index
	now     int            // that of the last line, as those of a query mostly follow each other
}

// take adds a line.
func (r *runReader) take(n int, line []byte) error {
	if isComment(line) {
		return nil
	}
	var column [6][]byte
	count := columns(line, column[:])
	if count < len(column) {
		return fmt.Errorf("%s, not 6 (query id, Q0, document id, rank, score, tag): a line has one document, and ids have no spaces", thereAre(count))
	}
	if count > len(column) && !isWhole(column[3]) {
		return fmt.Errorf("%s, not 6 (query id, Q0, document id, rank, score, tag), and the rank %.60q is no whole number: ids have no spaces", thereAre(count), column[3])
	}
	if err := r.turnTo(column[0]); err != nil {
		return err
	}
	if err := checkColumn("document id", column[2]); err != nil {
		return err
	}
	score, err := strconv.ParseFloat(string(column[4]), 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return fmt.Errorf("the score %.60q is no finite number, by which documents are ranked: put one in its place", column[4])
	}
	if r.tag != string(column[5]) {
		r.tag = string(column[5])
	}
	r.lists[r.now] = append(r.lists[r.now], retrieved{string(column[2]), score, n})
	return nil
}

func isWhole(column []byte) bool {
	_, err := strconv.Atoi(string(column))
	return err == nil
}

// turnTo makes a query the one to which documents are added.
func (r *runReader) turnTo(query []byte) error {
	if len(r.queries) > 0 && r.queries[r.now] == string(query) {
		return nil
	}
	if err := checkColumn("query id", query); err != nil {
		return err
	}
	at, known := r.at[string(query)]
	if !known {
		at = len(r.queries)
		r.at[string(query)] = at
		r.queries, r.lists = append(r.queries, string(query)), append(r.lists, nil)
	}
	r.now = at
	return nil
}

// ranked are the documents of a query by score, ties by id, both descending.
func ranked(list []retrieved) ([]string, error) {
	slices.SortFunc(list, func(a, b retrieved) int {
		return cmp.Or(cmp.Compare(b.document, a.document), cmp.Compare(a.line, b.line))
	})
	for i := 1; i < len(list); i++ {
		if list[i].document == list[i-1].document {
			return nil, fmt.Errorf("document %.60q was returned in line %d and again in line %d: keep one of the two", list[i].document, list[i-1].line, list[i].line)
		}
	}
	slices.SortStableFunc(list, func(a, b retrieved) int { return cmp.Compare(b.score, a.score) })
	documents := make([]string, len(list))
	for i, d := range list {
		documents[i] = d.document
	}
	return documents, nil
}

// WriteRun writes a run in the form that [ReadRun] reads. Its scores are not those of
// the system, by which trec_eval might order the documents differently: of N documents
// the one at rank i has N - i + 1, so that every program sees them in the order in
// which they were shown. It refuses ids and tags that would not be read as they were
// written, a query twice, and a document twice for a query.
func WriteRun(w io.Writer, run *Run) error {
	if err := checkTag(run.Tag); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	queries := map[string]bool{}
	for _, ranking := range run.Rankings {
		if err := checkQuery("query id", ranking.Query); err != nil {
			return err
		}
		if queries[ranking.Query] {
			return fmt.Errorf("query %.60q has two rankings: keep one of the two", ranking.Query)
		}
		queries[ranking.Query] = true
		if err := writeRanking(out, ranking, run.Tag); err != nil {
			return err
		}
	}
	return out.Flush()
}

func writeRanking(out *bufio.Writer, ranking Ranking, tag string) error {
	seen := make(map[string]bool, len(ranking.Documents))
	for i, document := range ranking.Documents {
		if err := checkColumn("document id", document); err != nil {
			return fmt.Errorf("query %.60q: %w", ranking.Query, err)
		}
		if seen[document] {
			return fmt.Errorf("query %.60q has document %.60q twice: keep the first, as where chunks stand for their page", ranking.Query, document)
		}
		seen[document] = true
		fmt.Fprintf(out, "%s Q0 %s %d %d %s\n", ranking.Query, document, i+1, len(ranking.Documents)-i, tag)
	}
	return nil
}

func checkTag(tag string) error {
	if tag == "" {
		return errors.New("the run has no tag: name what made it, as \"webrag\"")
	}
	if strings.ContainsFunc(tag, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return fmt.Errorf("the tag %.60q has a space or a control character in it: a tag is one word", tag)
	}
	return nil
}
