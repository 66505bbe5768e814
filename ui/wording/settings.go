package wording

import (
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Setting is a value of a parameter as [param.Spec.Shown] says it, and SettingName the
// parameter; what a recording calls a parameter and is none stays as it is.
func Setting(field, value string) string {
	if spec, ok := param.SpecOf(field); ok {
		value = spec.Shown(value)
	}
	return Line(value)
}

// SettingName is what a screen calls a parameter.
func SettingName(field string) string {
	if spec, ok := param.SpecOf(field); ok {
		return spec.Name
	}
	return Line(field)
}
