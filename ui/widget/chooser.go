package widget

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

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
	About string // a sentence on it, shown while the cursor stands on it
	Words string // other names that it is found by, beside its title and what is said about it
}

// Chooser is a list to choose from, with a line above it that narrows it, if it is
// Typed. The list of bubbles turns pages where this one scrolls, and brings keys and
// help of its own.
type Chooser struct {
	List
	All   []Choice
	Typed bool
	Input Input
	// None is said where no name has the words that were typed; where it is empty, names
	// are found that have only their letters, too.
	None  string
	shown []int // indexes into All
}

const (
	// mostChoices is how many rows are shown at once.
	mostChoices = 14
	// mostReason is the longest reason, in cells, that stands in a row; a longer one is
	// said below the list.
	mostReason = 34
)

// NewChooser is a list of choices, of which the first is selected.
func NewChooser(all []Choice, typed bool) Chooser {
	c := Chooser{All: all, Typed: typed, Input: NewInput()}
	c.Input.Focus()
	c.narrow()
	return c
}

// Add lists more choices. The cursor stays on its choice.
func (c *Chooser) Add(more []Choice) {
	was := -1
	if c.At < len(c.shown) {
		was = c.shown[c.At]
	}
	c.All = append(c.All, more...)
	c.narrow()
	c.Go(max(0, slices.Index(c.shown, was)))
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

// narrow keeps the choices that match what is typed, best first: of those that match
// alike the ones that can be chosen, and of these the ones that begin with it.
func (c *Chooser) narrow() {
	c.shown = c.shown[:0]
	typed := strings.FieldsFunc(strings.ToLower(c.Input.Value()), isNoPartOfAWord)
	near := make([]closeness, len(c.All))
	for i := range c.All {
		if near[i] = c.All[i].closeTo(typed); near[i] != apart {
			c.shown = append(c.shown, i)
		}
	}
	slices.SortStableFunc(c.shown, func(a, b int) int {
		if near[a] != near[b] || len(typed) == 0 {
			return int(near[a]) - int(near[b])
		}
		return cmp.Or(min(1, len(c.All[a].Off))-min(1, len(c.All[b].Off)), c.All[a].place(typed[0])-c.All[b].place(typed[0]))
	})
	if len(c.shown) == 0 && c.None == "" {
		titles := make([]string, len(c.All))
		for i := range c.All {
			titles[i] = c.All[i].Title
		}
		for _, m := range fuzzy.Find(c.Input.Value(), titles) {
			c.shown = append(c.shown, m.Index)
		}
	}
	c.At, c.Top, c.Total = 0, 0, len(c.shown)
}

// closeness is how well a choice matches words, the best first.
type closeness int

const (
	named  closeness = iota // they are words of its title
	called                  // they are words of other names of it
	begun                   // words of its title begin with them
	meant                   // so do other names of it
	said                    // so do words of what is said about it
	within                  // they are parts of words of its title
	apart                   // it does not match
)

// closeTo is how well the choice matches all of some words in small letters.
func (c *Choice) closeTo(words []string) closeness {
	worst := named
	title := strings.ToLower(c.Title)
	for _, w := range words {
		is, begins := beginsWith(title, w)
		isCalled, isMeant := beginsWith(strings.ToLower(c.Words), w)
		switch {
		case is:
		case isCalled:
			worst = max(worst, called)
		case begins:
			worst = max(worst, begun)
		case isMeant:
			worst = max(worst, meant)
		case holds(c.About, w):
			worst = max(worst, said)
		case strings.Contains(title, w):
			worst = max(worst, within)
		default:
			return apart
		}
	}
	return worst
}

// place is 0 where a word begins the title, or what follows its area, as in "Corpus: Index
// a folder"; 1 where it stands elsewhere.
func (c *Choice) place(word string) int {
	title := strings.ToLower(c.Title)
	_, name, _ := strings.Cut(title, ": ")
	if strings.HasPrefix(title, word) || strings.HasPrefix(name, word) {
		return 0
	}
	return 1
}

// holds says that a word of a text is, or begins with, one in small letters.
func holds(text, word string) bool {
	is, begins := beginsWith(strings.ToLower(text), word)
	return is || begins
}

// isNoPartOfAWord divides words: A/B is two.
func isNoPartOfAWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// beginsWith says that a text has a word, or one that begins with it.
func beginsWith(text, word string) (is, begins bool) {
	for part := range strings.FieldsFuncSeq(text, isNoPartOfAWord) {
		is = is || part == word
		begins = begins || strings.HasPrefix(part, word)
	}
	return is, begins
}

// Lines draws the list in w by h cells, as high as all choices need at most: it keeps
// its height while it is narrowed. What a row has no room for stands below the list while
// the cursor is on it.
func (c *Chooser) Lines(s *theme.Styles, w, h int) []string {
	var lines []string
	if c.Typed {
		lines = append(lines, c.Input.Line(s, w), "")
	}
	foot := c.footHeight(w, h-len(lines))
	c.Resize(max(1, min(len(c.All), mostChoices, h-len(lines)-foot)), len(c.shown))
	for i := range c.Height {
		row := c.Top + i
		switch {
		case row < len(c.shown):
			lines = append(lines, c.line(s, &c.All[c.shown[row]], row == c.At, w))
		case row == 0:
			lines = append(lines, Fit(s.Faint.Render("  "+cmp.Or(c.None, "nothing of that name")), w))
		default:
			lines = append(lines, "")
		}
	}
	return append(lines, c.foot(s, w, foot)...)
}

// leastRows is how many rows a list keeps before something is said below it.
const leastRows = 3

// footHeight is how many of h lines what is said of the choice under the cursor has,
// with an empty one above it; 0 where there is nothing to say of any.
func (c *Chooser) footHeight(w, h int) int {
	longest := ""
	for i := range c.All {
		one := &c.All[i]
		for _, text := range []string{one.About, one.Off, one.rest(w)} {
			if len(text) > len(longest) {
				longest = text
			}
		}
	}
	if longest == "" {
		return 0
	}
	const wide = 66 // cells from which two lines are usually enough
	usual := 1 + 2
	if w < wide {
		usual++
	}
	free := h - min(leastRows, len(c.All))
	if free < usual {
		return 0
	}
	return min(free, max(usual, min(usual+1, 1+len(Wrapped("! "+longest, w-2)))))
}

// foot says in h lines what the choice under the cursor is, or why it cannot be chosen.
func (c *Chooser) foot(s *theme.Styles, w, h int) []string {
	if h == 0 {
		return nil
	}
	lines := make([]string, h)
	one := c.Chosen()
	if one == nil {
		return lines
	}
	text, style := cmp.Or(one.About, one.rest(w)), s.Faint
	if one.Off != "" && !one.saysWhyNot(w) {
		text, style = "! "+one.Off, s.Warning
	}
	wrapped := Wrapped(text, w-2)
	if len(wrapped) > h-1 {
		wrapped[h-2] = CutAtWord(wrapped[h-2]+" "+wrapped[h-1], w-2)
	}
	for i, l := range wrapped[:min(len(wrapped), h-1)] {
		lines[i+1] = "  " + style.Render(l)
	}
	return lines
}

// saysWhyNot says that its row of w cells has room for why it cannot be chosen.
func (c *Choice) saysWhyNot(w int) bool {
	return ansi.StringWidth(c.Off) <= mostReason && ansi.StringWidth(c.Off)+ansi.StringWidth(c.Title)+4 <= w
}

// rest is what a row of w cells cuts, whole: what stands beside the name, or the name;
// empty where there is room for all.
func (c *Choice) rest(w int) string {
	if ansi.StringWidth(c.Title) <= w-2 {
		return ""
	}
	name, note, _ := strings.Cut(c.Title, "  ")
	return cmp.Or(strings.TrimSpace(note), name)
}

func (c *Chooser) line(s *theme.Styles, one *Choice, current bool, w int) string {
	mark, style, right := "  ", s.Text, s.KeyName.Render(one.Key)
	if one.Off != "" {
		style, right = s.Faint, s.Faint.Render(one.Key)
		if one.saysWhyNot(w) {
			right = s.Faint.Render(one.Off)
		}
	}
	if current {
		mark = s.Accent.Render(s.Signs.Marker + " ")
		if one.Off == "" {
			style = s.Selected
		}
	}
	return Spread(mark+style.Render(ansi.Truncate(one.Title, max(0, w-2), s.Signs.Ellipsis)), right, w)
}
