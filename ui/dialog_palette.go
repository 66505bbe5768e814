package ui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
)

// choice is a line of a list to choose from.
type choice struct {
	value string // what choosing it means
	title string
	key   string // shown at the right, and chosen by, where no text is typed
	off   string // why it cannot be chosen, empty when it can
	words string // what it is found by beside its title, in small letters
}

// chooser is a list to choose from, narrowed by typing (the palette) or by one
// key (a menu).
type chooser struct {
	widget.List
	title  string
	action bool // values are IDs of actions
	// then is done with the value that was chosen.
	then  func(m *Model, value string) tea.Cmd
	input *textinput.Model
	all   []choice
	shown []int // indexes into all
	first int   // row of the first choice in the box, at the last drawing
	wide  int   // in cells, 0 for the usual
}

// leastReason is the room, in cells, under which no reason is begun.
const leastReason = 8

// maxChoices is how many lines of a list are shown at once.
const maxChoices = 14

func newChooser(title string, all []choice, typed bool) *chooser {
	c := &chooser{title: title, all: all}
	if typed {
		in := newInput()
		in.Focus()
		c.input = &in
	}
	c.narrow()
	return c
}

// narrow keeps the choices that match what is typed, best first.
func (c *chooser) narrow() {
	c.shown = c.shown[:0]
	if typed := c.typed(); typed == "" {
		for i := range c.all {
			c.shown = append(c.shown, i)
		}
	} else {
		titles := make([]string, len(c.all))
		for i := range c.all {
			titles[i] = c.all[i].title
		}
		for _, m := range fuzzy.Find(typed, titles) {
			c.shown = append(c.shown, m.Index)
		}
		c.shown = append(c.shown, c.meant(strings.Fields(strings.ToLower(typed)))...)
	}
	c.At, c.Total = 0, len(c.shown)
}

// typed is what the choices are narrowed by.
func (c *chooser) typed() string {
	if c.input == nil {
		return ""
	}
	return c.input.Value()
}

// meant are the choices that are not named by what is typed, but of which all its
// words are said; first those whose titles have most of them, and that can be chosen.
func (c *chooser) meant(words []string) []int {
	var found []int
	inTitle := map[int]int{}
	for i := range c.all {
		ch := &c.all[i]
		if ch.words == "" || slices.Contains(c.shown, i) || holding(ch.words, words) < len(words) {
			continue
		}
		found = append(found, i)
		inTitle[i] = 2 * holding(strings.ToLower(ch.title), words)
		if ch.off != "" {
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

func (c *chooser) handle(msg tea.Msg) verdict {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		c.Go(c.At + wheelVerb(msg).Rows(0))
		return verdict{}
	case tea.MouseClickMsg:
		if row, ok := c.RowOf(msg.Y - c.first); ok {
			c.At = row
			return c.choose(c.shown[row])
		}
		return verdict{}
	case tea.KeyPressMsg:
		switch key := msg.String(); key {
		case "esc":
			return verdict{closed: true}
		case "enter":
			if c.At < len(c.shown) {
				return c.choose(c.shown[c.At])
			}
			return verdict{}
		default:
			if v := motionsTyped[key]; v != 0 {
				c.Go(c.At + v.Rows(0))
				return verdict{}
			}
			if c.input == nil {
				return c.byKey(key)
			}
		}
	}
	if c.input != nil {
		before := c.input.Value()
		*c.input, _ = c.input.Update(msg)
		if c.input.Value() != before {
			c.narrow()
		}
	}
	return verdict{}
}

func (c *chooser) byKey(key string) verdict {
	switch key {
	case "q":
		return verdict{closed: true}
	case "j", "k":
		c.Go(c.At + motions[key].Rows(0))
	}
	for i := range c.all {
		if c.all[i].key == key {
			return c.choose(i)
		}
	}
	return verdict{}
}

func (c *chooser) choose(i int) verdict {
	if c.action {
		return verdict{closed: true, action: c.all[i].value}
	}
	if c.all[i].off != "" {
		return verdict{}
	}
	return verdict{closed: true, then: given(c.then, c.all[i].value)}
}

// given is what is to be done with a value that was chosen or typed.
func given(then func(*Model, string) tea.Cmd, value string) func(*Model) tea.Cmd {
	if then == nil {
		return nil
	}
	return func(m *Model) tea.Cmd { return then(m, value) }
}

func (c *chooser) view(s *theme.Styles, w, h int) []string {
	w = dialogWidth(cmp.Or(c.wide, 64), w)
	var lines []string
	if c.input != nil {
		c.input.SetWidth(max(1, w-8))
		lines = append(lines, s.Accent.Render(s.Signs.Prompt+" ")+c.input.View(), "")
	}
	c.Resize(max(1, min(len(c.all), maxChoices, h-4-len(lines))), len(c.shown))
	c.first = len(lines) + 1
	for i := c.Top; i < c.Top+c.Height; i++ {
		if i >= len(c.shown) {
			line := ""
			if len(c.shown) == 0 && i == 0 {
				line = s.Faint.Render("  nothing of that name")
			}
			lines = append(lines, line)
			continue
		}
		ch := c.all[c.shown[i]]
		mark, title, right := "  ", s.Text.Render(ch.title), s.KeyName.Render(ch.key)
		if ch.off != "" {
			// The name says what it is; the reason gets what room is left.
			name := ansi.Truncate(ch.title, max(0, w-6), s.Signs.Ellipsis)
			title, right = s.Faint.Render(name), ""
			if left := w - 6 - ansi.StringWidth(name) - 2; left >= leastReason {
				right = s.Faint.Render(ansi.Truncate(ch.off, left, s.Signs.Ellipsis))
			}
		}
		if i == c.At {
			mark = s.Accent.Render(s.Signs.Marker + " ")
			if ch.off == "" {
				title = s.Selected.Render(ch.title)
			}
		}
		lines = append(lines, spread(mark+title, right, w-4))
	}
	return box(s, c.title, lines, "enter choose   esc close", w)
}

func (c *chooser) cursor() *tea.Cursor {
	if c.input == nil {
		return nil
	}
	return shifted(c.input.Cursor(), 4, 1)
}

// prompt asks for one line of text.
type prompt struct {
	title, label string
	// then is done with the text that was typed.
	then  func(m *Model, text string) tea.Cmd
	input textinput.Model
	// check says what is wrong with the text, nil when nothing is.
	check func(string) error
	wrong string
	// verb is what enter does.
	verb string
	// stays keeps the prompt open until whoever acts on the text has said how it
	// went, with [Model.answerPrompt]; doing says what is being done meanwhile.
	stays bool
	doing string
}

func newPrompt(title, label, value string, check func(string) error, then func(m *Model, text string) tea.Cmd) *prompt {
	in := newInput()
	in.SetValue(value)
	in.CursorEnd()
	in.Focus()
	return &prompt{title: title, label: label, input: in, check: check, then: then, verb: "open"}
}

func (p *prompt) handle(msg tea.Msg) verdict {
	if key, ok := msg.(tea.KeyPressMsg); ok {
		switch key.String() {
		case "esc":
			return verdict{closed: true}
		case "enter":
			if p.doing != "" {
				return verdict{}
			}
			if err := p.check(p.input.Value()); err != nil {
				p.wrong = err.Error()
				return verdict{}
			}
			if p.stays {
				p.wrong, p.doing = "", "one moment"
			}
			return verdict{closed: !p.stays, then: given(p.then, p.input.Value())}
		}
	}
	if p.doing != "" {
		return verdict{}
	}
	p.wrong = ""
	p.input, _ = p.input.Update(msg)
	return verdict{}
}

func (p *prompt) view(s *theme.Styles, w, _ int) []string {
	w = dialogWidth(72, w)
	p.input.SetWidth(max(1, w-8))
	lines := []string{s.Accent.Render(s.Signs.Prompt+" ") + p.input.View(), ""}
	switch {
	case p.doing != "":
		lines = append(lines, s.Faint.Render(p.doing+" "+s.Signs.Ellipsis))
	case p.wrong != "":
		for i, l := range wrapped(oneLine(p.wrong), w-6) {
			sign := "  "
			if i == 0 {
				sign = s.Failure.Render("! ")
			}
			lines = append(lines, sign+l)
		}
	default:
		lines = append(lines, s.Faint.Render(p.label))
	}
	return box(s, p.title, lines, "enter "+p.verb+"   esc close", w)
}

// answerPrompt ends what a prompt that stays has begun: without an error it is
// closed, otherwise what was typed can be mended. It does nothing where the prompt
// was left.
func (m *Model) answerPrompt(p *prompt, err error) {
	at := slices.IndexFunc(m.dialogs, func(d dialog) bool { return d == dialog(p) })
	if p == nil || at < 0 {
		return
	}
	p.doing = ""
	if err == nil {
		m.dialogs = slices.Delete(m.dialogs, at, at+1)
		return
	}
	p.wrong = firstLine(err)
}

// isOpen says that a prompt was not left.
func (m *Model) isOpen(p *prompt) bool {
	return slices.ContainsFunc(m.dialogs, func(d dialog) bool { return d == dialog(p) })
}

func (p *prompt) cursor() *tea.Cursor { return shifted(p.input.Cursor(), 4, 1) }

// newInput is a line of text with the terminal's own cursor, which input methods
// need.
func newInput() textinput.Model {
	in := textinput.New()
	in.Prompt = ""
	in.SetVirtualCursor(false)
	// The library's colours are not the theme's.
	st := in.Styles()
	for _, state := range []*textinput.StyleState{&st.Focused, &st.Blurred} {
		*state = textinput.StyleState{Placeholder: lipgloss.NewStyle().Faint(true)}
	}
	in.SetStyles(st)
	return in
}

// shifted moves a cursor.
func shifted(c *tea.Cursor, x, y int) *tea.Cursor {
	if c != nil {
		c.X += x
		c.Y += y
	}
	return c
}
