package postgres

import (
	"strconv"
	"strings"
)

// params are the parameters of a statement under construction.
type params []any

// add returns the placeholder of a value: "$3".
func (p *params) add(value any) string {
	*p = append(*p, value)
	return "$" + strconv.Itoa(len(*p))
}

// all joins conditions; none is true.
func all(conditions []string) string {
	if len(conditions) == 0 {
		return "true"
	}
	return strings.Join(conditions, " AND ")
}
