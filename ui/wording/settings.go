package wording

import (
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
