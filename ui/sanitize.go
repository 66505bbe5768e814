package ui

import (
	"strings"

	"github.com/webrag/webrag-tui/offset"
)

// oneLine is text of unknown origin as one line that is safe to draw.
func oneLine(s string) string { return strings.TrimSpace(offset.Line(s)) }

// displayText is text of unknown origin, with its lines, that is safe to draw.
func displayText(s string) string { return offset.Display(s).Text }
