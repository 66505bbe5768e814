package catalog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Nearest is how a search by cosine finds the vectors of a column.
type Nearest struct {
	// Name is the index that it can use, empty when there is none, and Why says why
	// and what to do.
	Name, Why string
	Method    string // "hnsw" or "ivfflat"
	// Expression must stand in a statement literally for the index to be used;
	// without an index it is the column.
	Expression string
	// QueryType is what the query's vector is cast to: "vector", "halfvec(384)".
	QueryType string
	// Predicate is the index's, to stand in the statement too; empty for a whole
	// index.
	Predicate string
}

// maxIndexed is the most dimensions that an index of type vector takes.
const maxIndexed = 2000

// FindNearest chooses among the indexes of a table the one by which a cosine search
// of a column finds the nearest of all rows that should be found.
//
// dims are those of the vectors, 0 for unknown. covered are the conditions that
// every search states about its rows, as the catalog prints them without casts:
// "chunk_level = 'child'". An index whose predicate demands more would hide rows
// and is not used.
func FindNearest(t *Table, column *Column, dims int, indexes []Index, covered ...string) Nearest {
	exact := Nearest{Expression: Quote(column.Name), QueryType: column.Type}
	fix := makeIndex(t, column, dims, covered)
	exact.Why = fmt.Sprintf("the column %s of %s has no index for a cosine search; make one: %s",
		Printable(column.Name), t.Label(), fix)
	for _, method := range []string{"hnsw", "ivfflat"} {
		for i := range indexes {
			x := &indexes[i]
			if x.Method != method {
				continue
			}
			queryType, ours := indexedType(x.Expression, column, dims)
			if !ours {
				continue
			}
			if why := unusable(t, x, covered, fix); why != "" {
				exact.Why = why
				continue
			}
			return Nearest{Name: x.Name, Method: method, Expression: x.Expression, QueryType: queryType, Predicate: x.Predicate}
		}
	}
	return exact
}

// unusable says why a cosine search cannot rely on an index; empty if it can.
func unusable(t *Table, x *Index, covered []string, fix string) string {
	switch {
	case x.Class != "vector_cosine_ops" && x.Class != "halfvec_cosine_ops":
		return fmt.Sprintf("the index %s serves another distance (%s); make one for cosine: %s",
			Printable(x.Name), Printable(x.Class), fix)
	case !x.Valid:
		return fmt.Sprintf("the index %s is invalid, because its building was not finished; build it anew: REINDEX INDEX CONCURRENTLY %s",
			Printable(x.Name), Printable(Quote(t.Schema, x.Name)))
	case !covers(x.Predicate, covered):
		return fmt.Sprintf("the index %s holds only the rows with %s, and a search by it would miss the others; make a larger one: %s",
			Printable(x.Name), Printable(x.Predicate), fix)
	}
	return ""
}

var castIndex = regexp.MustCompile(`^\((.+)::(?:[a-z_"]+\.)?(vector|halfvec)\((\d+)\)\)$`)

// indexedType returns the type in which an index compares vectors of a column, and
// whether it is on that column at all.
func indexedType(expression string, column *Column, dims int) (string, bool) {
	// The server quotes fewer names than Quote does.
	is := func(s string) bool { return s == column.Name || s == Quote(column.Name) }
	if is(expression) {
		return column.Type, true
	}
	m := castIndex.FindStringSubmatch(expression)
	if m == nil || !is(m[1]) {
		return "", false
	}
	// An index of other dimensions holds no row of ours.
	if dims != 0 && m[3] != strconv.Itoa(dims) {
		return "", false
	}
	return m[2] + "(" + m[3] + ")", true
}

var (
	// casts of texts say nothing about which rows a condition holds for.
	casts = regexp.MustCompile(`::(?:text|character varying|varchar)(?:\(\d+\))?`)
	// named is a name in parentheses, as a cast leaves it.
	named = regexp.MustCompile(`\(("?[\w ]+"?)\)`)
)

// covers reports whether a predicate holds for every row that all the conditions
// hold for: whether it is some of them, joined by AND.
func covers(predicate string, conditions []string) bool {
	if predicate == "" {
		return true
	}
	known := make(map[string]bool, len(conditions))
	for _, c := range conditions {
		known[plain(c)] = true
	}
	for part := range strings.SplitSeq(plain(predicate), " AND ") {
		if !known[strings.Trim(part, "() ")] {
			return false
		}
	}
	return true
}

// plain is a condition as two are compared: without casts and what they leave, and
// without the quotes that the catalog has only where it must.
func plain(condition string) string {
	return strings.ReplaceAll(named.ReplaceAllString(casts.ReplaceAllString(condition, ""), "$1"), `"`, "")
}

// makeIndex is the statement that makes the index that is missing.
func makeIndex(t *Table, column *Column, dims int, covered []string) string {
	expression, class := Quote(column.Name), column.Type+"_cosine_ops"
	switch {
	case dims > maxIndexed && column.Type == "vector":
		expression, class = fmt.Sprintf("(%s::halfvec(%d))", expression, dims), "halfvec_cosine_ops"
	case column.Dims == 0 && dims > 0:
		// An index must know how long the vectors are.
		expression = fmt.Sprintf("(%s::%s(%d))", expression, column.Type, dims)
	}
	where := ""
	if len(covered) > 0 {
		where = " WHERE " + strings.Join(covered, " AND ")
	}
	return Printable(fmt.Sprintf("CREATE INDEX CONCURRENTLY ON %s USING hnsw (%s %s)%s", t.Quoted(), expression, class, where))
}
