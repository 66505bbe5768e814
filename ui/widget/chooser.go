package widget

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"github.com/webrag/webrag-tui/theme"
)

// Choice is a row of a [Chooser].
type Choice struct {
	Value string // what choosing it means
	Title string
	Key   string // shown at the right, and chosen by, where no text is typed
	Off   string // why it cannot be chosen, empty when it can
	Words string // what it is found by beside its title, in small letters
}

// Chooser is a list to choose from, with a line above it that narrows it, if it is
// Typed. The list of bubbles turns pages where this one scrolls, and brings keys and
// help of its own.
type Chooser struct {
	List
	All   []Choice
	Typed bool
	Input Input
	shown []int // indexes into All
}

const (
	// leastReason is the room, in cells, under which no reason is begun.
	leastReason = 8
	// mostChoices is how many rows are shown at once.
	mostChoices = 14
)

// NewChooser is a list of choices, of which the first is selected.
func NewChooser(all []Choice, typed bool) Chooser {
	c := Chooser{All: all, Typed: typed, Input: NewInput()}
	c.Input.Focus()
	c.narrow()
	return c
}

// Type gives a key or a paste to the line that narrows the list, if there is one.
func (c *Chooser) Type(msg tea.Msg) {
	if c.Typed && c.Input.Type(msg) {
		c.narrow()
	}
}

// Chosen is the choice under the cursor, nil where there is none.
func (c *Chooser) Chosen() *Choice {
	if c.At >= len(c.shown) {
		return nil
	}
	return &c.All[c.shown[c.At]]
}

// Click puts the cursor on the choice on a line of the drawing, and says whether
// there is one.
func (c *Chooser) Click(line int) bool {
	if c.Typed {
		line -= 2 // stand above the list
	}
	row, ok := c.RowOf(line)
	if ok {
		c.At = row
	}
	return ok
}

// narrow keeps the choices that match what is typed, best first: those named by it,
// then those of which its words are said.
func (c *Chooser) narrow() {
	c.shown = c.shown[:0]
	titles, typed := make([]string, len(c.All)), c.Input.Value()
	for i := range c.All {
		titles[i] = c.All[i].Title
		if typed == "" {
			c.shown = append(c.shown, i)
		}
	}
	for _, m := range fuzzy.Find(typed, titles) {
		c.shown = append(c.shown, m.Index)
	}
	if typed != "" {
		c.shown = append(c.shown, c.meant(strings.Fields(strings.ToLower(typed)))...)
	}
	c.At, c.Top, c.Total = 0, 0, len(c.shown)
}

// meant are the choices that are not named by what is typed, but of which all its
// words are said; first those whose titles have most of them, and that can be chosen.
func (c *Chooser) meant(words []string) []int {
	var found []int
	inTitle := map[int]int{}
	for i := range c.All {
		ch := &c.All[i]
		if ch.Words == "" || slices.Contains(c.shown, i) || holding(ch.Words, words) < len(words) {
			continue
		}
		found = append(found, i)
		inTitle[i] = 2 * holding(strings.ToLower(ch.Title), words)
		if ch.Off != "" {
			inTitle[i]--
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return inTitle[b] - inTitle[a] })
	return found
}

// holding is how many of the words a text holds.
func holding(text string, words []string) int {
	n := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			n++
		}
	}
	return n
}

// Lines draws the list in w by h cells, as high as all choices need at most: it keeps
// its height while it is narrowed.
func (c *Chooser) Lines(s *theme.Styles, w, h int) []string {
	var lines []string
	if c.Typed {
		lines = append(lines, c.Input.Line(s, w), "")
	}
	c.Resize(max(1, min(len(c.All), mostChoices, h-len(lines))), len(c.shown))
	for i := range c.Height {
		row := c.Top + i
		switch {
		case row < len(c.shown):
			lines = append(lines, c.line(s, &c.All[c.shown[row]], row == c.At, w))
		case row == 0:
			lines = append(lines, Fit(s.Faint.Render("  nothing of that name"), w))
		default:
			lines = append(lines, "")
		}
	}
	return lines
}

func (c *Chooser) line(s *theme.Styles, one *Choice, current bool, w int) string {
	mark, title, right := "  ", s.Text.Render(one.Title), s.KeyName.Render(one.Key)
	if current {
		mark, title = s.Accent.Render(s.Signs.Marker+" "), s.Selected.Render(one.Title)
	}
	if one.Off != "" {
		// The name says what it is; the reason gets what room is left.
		name := ansi.Truncate(one.Title, max(0, w-2), s.Signs.Ellipsis)
		title, right = s.Faint.Render(name), ""
		if left := w - 4 - ansi.StringWidth(name); left >= leastReason {
			right = s.Faint.Render(ansi.Truncate(one.Off, left, s.Signs.Ellipsis))
		}
	}
	return Spread(mark+title, right, w)
}
