package rendering

import (
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/ui/wording"
)

// Heading is a heading of markdown.
type Heading struct {
	Level int // 1 to 6
	Text  string
	At    int // where it begins, in code points
}

// HeadingsIn finds the headings of markdown, those of code left out.
func HeadingsIn(markdown string) []Heading {
	var all []Heading
	fence, at := "", 0
	for line := range strings.Lines(markdown) {
		begins := at
		at += utf8.RuneCountInString(line)
		bare := strings.TrimLeft(line, " ")
		if mark := fenceOf(bare); mark != "" && (fence == "" || mark == fence) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		level := len(bare) - len(strings.TrimLeft(bare, "#"))
		if fence != "" || level == 0 || level > 6 || len(line)-len(bare) > 3 || !strings.HasPrefix(strings.TrimRight(bare[level:], "\r\n")+" ", " ") {
			continue
		}
		text := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(bare[level:]), "#"))
		all = append(all, Heading{Level: level, Text: wording.Line(Placeholder(text)), At: begins})
	}
	return all
}
