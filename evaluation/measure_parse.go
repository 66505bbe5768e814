package evaluation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/spelling"
)

// mostGrade is the best grade there is, as in files of judgments.
const mostGrade = 127

// mostText is how many bytes the text of a measure may have.
const mostText = 1000

// ParseMeasure reads a measure as ir_measures writes it: a name, arguments in brackets,
// and @ with the depth of the cut, 1 to [MostDepth].
//
//	nDCG@10   nDCG   nDCG(dcg='exp-log2')@10   P(rel=2)@5   AP(rel=2)   RBP(p=0.8)
//
// rel is from 1 to 127 and p between 0 and 1. Case does not matter; MAP, MRR, Precision
// and Recall are other names of AP, RR, P and R. P, R, Success and Judged need their k.
//
// A measure of one's own is "expr:NAME=EXPRESSION" or "expr:NAME@k=EXPRESSION", where NAME has
// letters, digits, "-" and "_". The expression is one of expr-lang, without what could
// make it run long, over the ranking, cut at k, or at 1,000 without one:
//
//	results  by rank, each with .rank from 1, .grade (0 if it was not judged) and .judged
//	grades   the grades alone
//	pool     the grades above 0 of all that was judged, the best first, at most 1,000
//	ideal    the pool as results would be that rank it best, cut at k
//	k        the cut, or the number of results without one
//
// so that this is nDCG@10:
//
//	expr:mine@10=sum(results, .grade / log2(.rank + 1)) / sum(ideal, .grade / log2(.rank + 1))
//
// It may use the operators, the functions abs, all, any, ceil, count, exp, filter, float,
// floor, int, len, log, log2, map, max, mean, median, min, none, one, round, sort, sqrt,
// sum and take, and slices such as grades[:3]. What stands in the brackets of sum and its like
// cannot name a list again. It must have a value for an empty ranking, too; what is no
// number, as 0/0 is, counts 0.
//
// Errors say what is wrong and what there is instead.
func ParseMeasure(text string) (Measure, error) {
	if len(text) > mostText {
		return Measure{}, fmt.Errorf("measure %q…: it has %d bytes, and may have %d", text[:20], len(text), mostText)
	}
	m, err := parseMeasure(strings.TrimSpace(text))
	if err != nil {
		return Measure{}, fmt.Errorf("measure %q: %w", text, err)
	}
	return m, nil
}

// MustMeasure is [ParseMeasure] for a text of the program's own; it panics on an error.
func MustMeasure(text string) Measure {
	m, err := ParseMeasure(text)
	if err != nil {
		panic(err)
	}
	return m
}

func parseMeasure(text string) (Measure, error) {
	if own, ok := strings.CutPrefix(text, ownPrefix); ok {
		return parseOwn(own)
	}
	head, cut, hasCut := cutLast(text, "@")
	name, arguments, hasArguments := strings.Cut(head, "(")
	row, err := rowOf(strings.TrimSpace(name))
	if err != nil {
		return Measure{}, err
	}
	m := Measure{kind: row.kind, rel: defaultRel}
	if row.kind == rankBiasedPrecision {
		m.persistence = defaultPersistence
	}
	if hasArguments {
		arguments, closed := strings.CutSuffix(strings.TrimSpace(arguments), ")")
		if !closed {
			return Measure{}, fmt.Errorf("after the bracket of %s there must be another that closes it, and then nothing or @k", row.name)
		}
		if err := m.setArguments(&row, arguments); err != nil {
			return Measure{}, err
		}
	}
	switch {
	case hasCut:
		m.k, err = parseDepth(cut)
	case row.cut:
		err = fmt.Errorf("%s needs the number of results that it looks at: %s@10", row.name, row.name)
	}
	return m, err
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if at := strings.LastIndex(s, sep); at >= 0 {
		return s[:at], s[at+len(sep):], true
	}
	return s, "", false
}

func parseDepth(text string) (int, error) { return whole("the k after @", text, MostDepth) }

// whole reads a number from 1 to most.
func whole(name, text string, most int) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%s must be a whole number from 1 to %d, and is %q", name, most, text)
	}
	return n, nil
}

// rowOf finds a measure by one of its names.
func rowOf(name string) (measureRow, error) {
	var names []string
	nearest, least := "", len(name)/2+2
	for _, row := range measureTable() {
		names = append(names, row.name)
		for _, known := range []string{row.name, row.also} {
			if strings.EqualFold(known, name) && known != "" {
				return row, nil
			}
			if d := spelling.Distance(strings.ToLower(name), strings.ToLower(known)); known != "" && d < least {
				nearest, least = row.name, d
			}
		}
	}
	meant := ""
	if nearest != "" && name != "" {
		meant = fmt.Sprintf(" (did you mean %s?)", nearest)
	}
	return measureRow{}, fmt.Errorf("there is no measure %q%s: there are %s, and %sNAME=… for one of your own", name, meant, strings.Join(names, ", "), ownPrefix)
}

// setArguments reads what stands between the brackets.
func (m *Measure) setArguments(row *measureRow, text string) error {
	var seen []string
	for argument := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(argument) == "" && text == "" {
			return nil
		}
		name, value, ok := strings.Cut(argument, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case len(row.arguments) == 0:
			return fmt.Errorf("%s takes no arguments, and has %q", row.name, strings.TrimSpace(argument))
		case !ok:
			return fmt.Errorf("the argument %q has no value: write %s=VALUE", name, row.arguments[0])
		case !slices.Contains(row.arguments, name):
			return fmt.Errorf("%s takes %s, and no %q", row.name, strings.Join(row.arguments, " and "), name)
		case slices.Contains(seen, name):
			return fmt.Errorf("%s is given twice", name)
		}
		seen = append(seen, name)
		if err := m.setArgument(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (m *Measure) setArgument(name, value string) (err error) {
	switch name {
	case "rel":
		m.rel, err = whole("rel, the least grade that counts,", value, mostGrade)
	case "p":
		m.persistence, err = strconv.ParseFloat(value, 64)
		if err != nil || !(m.persistence > 0 && m.persistence < 1) {
			return fmt.Errorf("p must be a number between 0 and 1, and is %q", value)
		}
	case "dcg":
		switch strings.Trim(value, `'"`) {
		case "log2":
			m.exponential = false
		case "exp-log2":
			m.exponential = true
		default:
			return fmt.Errorf("dcg must be 'log2' or 'exp-log2', and is %s", value)
		}
	}
	return err
}
