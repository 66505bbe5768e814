package wording

import (
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Setting is the value of a parameter as [param.Params.Set] reads it, fractions without
// their leading zero.
func Setting(field, value string) string {
	if spec, ok := param.SpecOf(field); ok && spec.Kind == param.KindFloat && !strings.HasPrefix(value, "-") {
		value = phrase.Bare(value)
	}
	return Line(value)
}
