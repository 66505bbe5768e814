package exchange

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Grades of qrels are from -worst to worst.
const worst = 127

// ReadQrels reads judgments in the form of TREC, which name is called in errors: lines
// of query id, iteration, document id and grade with white space between. Lines that
// begin with # and blank ones are skipped, and the iteration is ignored, all as by
// trec_eval (get_qrels.c); Windows line ends and a byte order mark do no harm.
//
// Errors name the line of what has not four columns, of a grade that is no whole
// number from -127 to 127, of ids that no other program could read, and both lines of
// a document that was judged twice for a query.
func ReadQrels(r io.Reader, name string) (map[string]map[string]int, error) {
	found := pairs{}
	err := eachLine(r, name, ofRows, func(n int, line []byte) error {
		if isComment(line) {
			return nil
		}
		var column [4][]byte
		if count := columns(line, column[:]); count != len(column) {
			return fmt.Errorf("%s, not 4 (query id, iteration, document id, grade): a line has one judgment, and ids have no spaces", thereAre(count))
		}
		return found.take(n, column[0], column[2], column[3])
	})
	if err != nil {
		return nil, err
	}
	return found.qrels(), nil
}

// WriteQrels writes judgments in the form that [ReadQrels] reads, by query id and
// document id in the order of their bytes, with 0 for the iteration. It refuses what
// would not be read as it was written: ids with spaces or control characters, query
// ids that begin with #, and grades beyond 127.
func WriteQrels(w io.Writer, qrels map[string]map[string]int) error {
	return writeGrades(w, qrels, " 0 ", checkQuery, checkColumn[string])
}

// writeGrades writes lines of query id, document id and grade. Between the ids is sep,
// and before the grade the character that sep ends with.
func writeGrades(w io.Writer, qrels map[string]map[string]int, sep string, checkQuery, checkDocument func(kind, id string) error) error {
	out := bufio.NewWriter(w)
	for _, query := range slices.Sorted(maps.Keys(qrels)) {
		if err := checkQuery("query id", query); err != nil {
			return err
		}
		for _, document := range slices.Sorted(maps.Keys(qrels[query])) {
			grade := qrels[query][document]
			err := checkDocument("document id", document)
			if err == nil {
				err = checkGrade(grade)
			}
			if err != nil {
				return fmt.Errorf("query %.60q, document %.60q: %w", query, document, err)
			}
			fmt.Fprintf(out, "%s%s%s%c%d\n", query, sep, document, sep[len(sep)-1], grade)
		}
	}
	return out.Flush()
}

// checkQuery says what is wrong with a query id that a line of a TREC file is to
// begin with.
func checkQuery(kind, id string) error {
	if strings.HasPrefix(id, "#") {
		return fmt.Errorf("the %s %.60q begins with #, and its lines would be skipped as comments: give it another one", kind, id)
	}
	return checkColumn(kind, id)
}

func checkGrade(grade int) error {
	if grade < -worst || grade > worst {
		return fmt.Errorf("the grade %d is not from -%d to %d: map it to one that is", grade, worst, worst)
	}
	return nil
}

// pairs gathers grades by query and document. A value is the grade in its lowest 8
// bits and the line that it comes from above them, as no second table of lines is
// needed then to name the first of two that judge the same.
type pairs struct {
	grades map[string]map[string]int
	query  string // that of the last line, as those of a query mostly follow each other
	of     map[string]int
}

func packed(line, grade int) int { return int(uint32(line)<<8 | uint32(uint8(int8(grade)))) }

func unpacked(v int) (line, grade int) { return int(uint32(v) >> 8), int(int8(uint8(v))) }

// take adds the columns of a line of TREC.
func (p *pairs) take(line int, query, document, rel []byte) error {
	grade, err := gradeOf(rel)
	if err != nil {
		return err
	}
	if string(query) != p.query {
		if err := checkColumn("query id", query); err != nil {
			return err
		}
	}
	if err := checkColumn("document id", document); err != nil {
		return err
	}
	if first, _, ok := p.add(line, query, document, grade); !ok {
		return fmt.Errorf("document %.60q was judged for query %.60q in line %d: keep one of the two", document, query, first)
	}
	return nil
}

// add puts a grade in, or says which grade the pair has already, and from which line.
func (p *pairs) add(line int, query, document []byte, grade int) (first, before int, ok bool) {
	if p.of == nil || string(query) != p.query {
		p.query = string(query)
		if p.grades == nil {
			p.grades = map[string]map[string]int{}
		}
		if p.grades[p.query] == nil {
			p.grades[p.query] = map[string]int{}
		}
		p.of = p.grades[p.query]
	}
	if v, ok := p.of[string(document)]; ok {
		first, before = unpacked(v)
		return first, before, false
	}
	p.of[string(document)] = packed(line, grade)
	return 0, 0, true
}

// qrels are the grades alone.
func (p *pairs) qrels() map[string]map[string]int {
	for _, of := range p.grades {
		for document, v := range of {
			_, of[document] = unpacked(v)
		}
	}
	if p.grades == nil {
		return map[string]map[string]int{}
	}
	return p.grades
}

// gradeOf reads a grade.
func gradeOf(text []byte) (int, error) {
	grade, err := strconv.Atoi(string(text))
	if err != nil || checkGrade(grade) != nil {
		return 0, fmt.Errorf("the grade %.60q is no whole number from -%d to %d: put such a number in its place", text, worst, worst)
	}
	return grade, nil
}
