package spans

import (
	"charm.land/glamour/v2"
	"charm.land/glamour/v2/ansi"
)

// glamourRender renders with glamour's own pipeline, for comparison.
func glamourRender(text string, theme ansi.StyleConfig, width int) (string, error) {
	r, err := glamour.NewTermRenderer(
		glamour.WithStyles(theme), glamour.WithWordWrap(width),
		glamour.WithInlineTableLinks(true), glamour.WithPreservedNewLines(),
	)
	if err != nil {
		return "", err
	}
	return r.Render(text)
}
