package sweep

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/experiment"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Quantity is what is kept of a ranking beside its measures.
type Quantity string

// The quantities: the tokens of the markdown that is returned, how many results that is, and
// how long it takes, in milliseconds: to gather as far as the setting reaches, and to rank.
const (
	Tokens  Quantity = "tokens"
	Results Quantity = "results"
	Latency Quantity = "latency"
)

// Constraint says which settings may be chosen: those whose mean over the queries, or for
// [Latency] whose median, is at most, or at least, a limit.
type Constraint struct {
	// Quantity is [Tokens], [Results] or [Latency]; where it is empty Measure is meant.
	Quantity Quantity
	Measure  evaluation.Measure
	Least    bool
	Limit    float64
}

// ParseConstraint reads one.
//
//	tokens<=3000    results<=10    latency<=50ms    Success@5>=.9
//
// A latency is measured anew in each run, on the machine that it runs on: it is in
// milliseconds, or has a unit.
func ParseConstraint(text string) (Constraint, error) {
	c := Constraint{}
	name, limit, ok := strings.Cut(text, "<=")
	if !ok {
		name, limit, ok = cutLast(text, ">=")
		c.Least = true
	}
	name, limit = strings.TrimSpace(name), strings.TrimSpace(limit)
	if !ok {
		return c, fmt.Errorf("constraint %q: write it as tokens<=3000, results<=10, latency<=50ms or Success@5>=.9", text)
	}
	var err error
	if q := Quantity(strings.ToLower(name)); q == Latency {
		c.Quantity = q
		if number, ok := strings.CutSuffix(limit, "ms"); ok {
			limit = number
		} else if took, err := time.ParseDuration(limit); err == nil {
			limit = strconv.FormatFloat(float64(took)/float64(time.Millisecond), 'f', -1, 64)
		}
	}
	if c.Limit, err = strconv.ParseFloat(limit, 64); err != nil || math.IsNaN(c.Limit) || math.IsInf(c.Limit, 0) {
		return Constraint{}, fmt.Errorf("constraint %q: %q is no number, as 3000 or .9 is", text, limit)
	}
	switch q := Quantity(strings.ToLower(name)); q {
	case Tokens, Results, Latency:
		c.Quantity = q
	default:
		if c.Measure, err = evaluation.ParseMeasure(name); err != nil {
			return Constraint{}, fmt.Errorf("constraint %q: it bounds tokens, results, latency or a measure: %w", text, err)
		}
	}
	return c, nil
}

// cutLast cuts around the last separator: a measure of one's own may have some.
func cutLast(text, by string) (before, after string, ok bool) {
	at := strings.LastIndex(text, by)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(by):], true
}

// String is the constraint as [ParseConstraint] reads it.
func (c Constraint) String() string {
	sign := "<="
	if c.Least {
		sign = ">="
	}
	text := c.name() + sign + phrase.Number(c.Limit)
	if c.Quantity == Latency {
		text += "ms"
	}
	return text
}

func (c *Constraint) name() string {
	if c.Quantity != "" {
		return string(c.Quantity)
	}
	return c.Measure.String()
}

// IsMet says whether a mean is within the limit.
func (c *Constraint) IsMet(mean float64) bool {
	const rounding = 1e-9
	if c.Least {
		return mean >= c.Limit-rounding
	}
	return mean <= c.Limit+rounding
}

// column is where in a row of a [Table] the quantity stands.
func (c *Constraint) column(measures []evaluation.Measure) int {
	switch c.Quantity {
	case Tokens:
		return len(measures) + columnTokens
	case Results:
		return len(measures) + columnReturned
	case Latency:
		return len(measures) + columnMillis
	}
	for i, m := range measures {
		if m.String() == c.Measure.String() {
			return i
		}
	}
	return -1
}

// The columns of a row behind those of the measures. The last one is there where a [Plan] bounds
// latencies, and never in a [Journal].
const (
	columnReturned = iota
	columnTokens
	columnMillis
)

// put writes numbers as a row.
func put(row []float64, n *experiment.Numbers) {
	copy(row, n.Scores)
	extra := row[len(n.Scores):]
	extra[columnReturned], extra[columnTokens] = float64(n.Returned), float64(n.Tokens)
	if len(extra) > columnMillis {
		extra[columnMillis] = float64(n.Took) / float64(time.Millisecond)
	}
}
