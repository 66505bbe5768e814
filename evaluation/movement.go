package evaluation

import "github.com/webrag/webrag-tui/retrieval"

// Movement is how differently two rankings rank many queries, for which nothing needs to be
// judged.
type Movement struct {
	// Queries were compared; Changed of them have not the same items at the same ranks.
	Queries, Changed int
	// Churn and RBO are the means of what [retrieval.Comparison] has by these names. Without
	// queries nothing has moved.
	Churn, RBO float64
}

// MovementOf sums up comparisons, one for each query, all taken at one depth.
func MovementOf(comparisons []retrieval.Comparison) Movement {
	m := Movement{Queries: len(comparisons)}
	if m.Queries == 0 {
		m.RBO = 1
		return m
	}
	for i := range comparisons {
		c := &comparisons[i]
		if len(c.Entered)+len(c.Left)+c.MaxDisplacement > 0 {
			m.Changed++
		}
		m.Churn += c.Churn
		m.RBO += c.RBO
	}
	m.Churn /= float64(m.Queries)
	m.RBO /= float64(m.Queries)
	return m
}
