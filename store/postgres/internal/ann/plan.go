package ann

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/jackc/pgx/v5"

	"github.com/webrag/webrag-tui/store"
)

// queueRows adds a search to a batch.
func queueRows(b *pgx.Batch, q Statement, into *vectorRows) {
	b.Queue(q.SQL, q.Args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = readRows(rows)
		return err
	})
}

// queueNumber adds a query of one number.
func queueNumber(b *pgx.Batch, q Statement, into *int) {
	b.Queue(q.SQL, q.Args...).QueryRow(func(row pgx.Row) error { return row.Scan(into) })
}

// QueuePlan adds the plan of a search, made with the same settings and values.
func (x *Index) QueuePlan(b *pgx.Batch, q Statement, asked *store.Asked) {
	b.Queue("EXPLAIN "+q.SQL, q.Args...).Query(func(rows pgx.Rows) error {
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		asked.Used = x.used(lines)
		asked.Plan = make([]string, len(lines))
		for i, line := range lines {
			asked.Plan[i] = planLine(line)
		}
		return nil
	})
}

// scanned is a plan's node that reads an index in its order.
var scanned = regexp.MustCompile(`Index (?:Only )?Scan using ("(?:[^"]|"")+"|\S+)`)

// used is the index of vectors that a plan reads, empty for none. On a
// cluster it bears the number of a shard behind its name.
func (x *Index) used(plan []string) string {
	want := x.Name
	if want == "" {
		return ""
	}
	for _, line := range plan {
		m := scanned.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := m[1]
		if strings.HasPrefix(name, `"`) {
			name = strings.ReplaceAll(name[1:len(name)-1], `""`, `"`)
		}
		shard, ofShard := strings.CutPrefix(name, want+"_")
		if name == want || x.Distributed && ofShard && strings.Trim(shard, "0123456789") == "" {
			return name
		}
	}
	return ""
}

// mostPlanRunes bounds a line of a plan: the list of a scope can be long.
const mostPlanRunes = 300

// vectorLiteral is the query's vector in a plan.
var vectorLiteral = regexp.MustCompile(`'\[[-+0-9.e,]*\]'`)

// planLine makes a line of a plan fit to be shown. It holds values of the scope
// and names of the database.
func planLine(line string) string {
	line = vectorLiteral.ReplaceAllString(line, "'[…]'")
	line = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, line)
	if runes := []rune(line); len(runes) > mostPlanRunes {
		line = string(runes[:mostPlanRunes]) + "…"
	}
	return line
}
