// Package paramtest draws parameters for property tests.
package paramtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Draw gives one parameter of p any value that it accepts.
func Draw(t *rapid.T, p param.Params, s param.Spec) param.Params {
	var text string
	switch s.Kind {
	case param.KindEnum:
		text = rapid.SampledFrom(s.Values).Draw(t, s.Field)
	case param.KindBool:
		text = rapid.SampledFrom([]string{"true", "false"}).Draw(t, s.Field)
	case param.KindInt:
		text = fmt.Sprint(rapid.IntRange(int(s.Min), min(int(s.Max), 3000)).Draw(t, s.Field))
	case param.KindFloat:
		text = fmt.Sprint(rapid.Float64Range(s.Min, s.Max).Draw(t, s.Field))
	case param.KindList:
		text = strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"0", "0.5", "0.7", "1"}), 1, 5).Draw(t, s.Field), ",")
	case param.KindSet:
		text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(s.Values), 1, len(s.Values)).Draw(t, s.Field), ",")
	}
	if err := p.Set(s.Field, text); err != nil {
		t.Fatal(err)
	}
	return p
}
