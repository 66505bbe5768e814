package wording

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// Setting is a value of a parameter as [param.Spec.Shown] says it, and SettingName the
// parameter; what a trace says that is none stays as it is.
func Setting(field, value string) string {
	if spec, ok := param.SpecOf(field); ok {
		value = spec.Shown(value)
	}
	return Line(value)
}

// SettingName is what a screen calls a parameter, or another key of a trace.
func SettingName(field string) string {
	switch spec, ok := param.SpecOf(field); {
	case ok:
		return spec.Name
	case field == "rows per arm":
		return "rows of each search"
	}
	return Line(field)
}

// changesTold is how many parameters are named one by one.
const changesTold = 2

// Differences name the parameters in which two sets differ, with their values in
// the second, each as said puts it.
func Differences(before, after param.Params, said string) string {
	var parts []string
	n := 0
	for _, s := range param.Specs() {
		value := after.Get(s.Field)
		if value == before.Get(s.Field) {
			continue
		}
		if n++; n <= changesTold {
			parts = append(parts, fmt.Sprintf(said, s.Name, s.Shown(Line(value))))
		}
	}
	if n > changesTold {
		parts = append(parts, Plural(n-changesTold, "parameter")+" more")
	}
	return strings.Join(parts, ", ")
}
