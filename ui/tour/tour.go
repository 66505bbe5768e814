// Package tour reads scripts of tours, which say what the explorer is to show by itself, and
// plays them.
//
// A script has one step per line. Blank lines, and lines that begin with #, mean
// nothing:
//
//	# the floor
//	caption "Nothing below the floor comes back."
//	type how far does the crawler go
//	key enter
//	set similarity_floor .25
//	wait 1.5s
package tour

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/retrieval/param"
)

// Verb says what a step does.
type Verb string

// The verbs.
const (
	// Caption shows a text under the screen until the next one; empty takes it
	// away.
	Caption Verb = "caption"
	// Type types a text letter by letter: into what takes text, else into the
	// query line.
	Type Verb = "type"
	// Key presses keys, Run runs an action by its ID, whatever its key is.
	Key Verb = "key"
	Run Verb = "run"
	// Set moves a parameter to a value along its track, Apply sets several at once.
	Set   Verb = "set"
	Apply Verb = "apply"
	// View shows a view or a pane, Select selects what is called so.
	View   Verb = "view"
	Select Verb = "select"
	// Wait lets time pass, Pause waits for the space bar.
	Wait  Verb = "wait"
	Pause Verb = "pause"
)

// Step is one step of a tour.
type Step struct {
	Verb Verb
	// Line is its line in the script, from 1.
	Line int
	// Text is what Caption shows, Type types, Run runs and Select selects; of Apply the
	// preset to start from first, empty for none.
	Text string
	// Keys are those that Key presses, as in "ctrl+p".
	Keys []string
	// Values are what Set (one) and Apply give to parameters.
	Values []Value
	// View counts the views from 1; Pane names a pane of the first one.
	View int
	Pane string
	// Wait is the time of Wait.
	Wait time.Duration
}

// Value is a parameter and what it is set to, as [param.Params.Set] reads it.
type Value struct{ Field, Text string }

// Script is a tour.
type Script struct {
	Steps []Step
	// Stays leaves on the screen what the last step has shown, as a recording that is
	// played does. Other tours leave everything as it was before them.
	Stays bool
}

// captions is how many texts the first n steps show.
func (s *Script) captions(n int) int {
	shown := 0
	for i := range s.Steps[:n] {
		if s.Steps[i].Verb == Caption && s.Steps[i].Text != "" {
			shown++
		}
	}
	return shown
}

// Bounds of a script: what is longer is no tour.
const (
	// MostBytes bounds a script, MostSteps its steps.
	MostBytes = 1 << 20
	MostSteps = 5000
	// MostWait bounds one wait.
	MostWait = 10 * time.Minute
	// mostViews is how many views there can be: each has a digit. Whether there are so
	// many, the explorer says.
	mostViews = 9

	mostText = 2000 // characters of one step
)

// Error is a line that is no step.
type Error struct {
	Line int
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// form is how a verb is written.
type form struct {
	verb  Verb
	usage string
	read  func(s *Step, rest string) (why string)
}

func forms() []form {
	return []form{
		{Caption, `caption "TEXT"`, readQuoted(true)},
		{Type, "type TEXT", readText},
		{Key, "key NAME …", readKeys},
		{"press", "press NAME …", readKeys},
		{Run, "run ACTION", readAction},
		{Set, "set FIELD VALUE", readSet},
		{Apply, "apply FIELD=VALUE …", readApply},
		{View, "view NUMBER or PANE", readView},
		{Select, `select "TEXT"`, readQuoted(false)},
		{Wait, "wait DURATION, as in 1.5s", readWait},
		{Pause, "pause", readNothing},
	}
}

// Parse reads a script. The error of a line is an [Error], and says what would be
// a step.
func Parse(r io.Reader) (Script, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return Script{}, fmt.Errorf("read the tour: %w", err)
	}
	if len(raw) > MostBytes {
		return Script{}, fmt.Errorf("the tour is longer than %d kB", MostBytes>>10)
	}
	if !utf8.Valid(raw) {
		return Script{}, fmt.Errorf("the tour is no text in UTF-8")
	}
	var script Script
	n := 0
	for text := range strings.Lines(string(raw)) {
		n++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		if len(script.Steps) == MostSteps {
			return Script{}, &Error{n, fmt.Sprintf("a tour has at most %d steps", MostSteps)}
		}
		step, why := parseStep(text)
		if why != "" {
			return Script{}, &Error{n, why}
		}
		step.Line = n
		script.Steps = append(script.Steps, step)
	}
	if len(script.Steps) == 0 {
		return Script{}, fmt.Errorf("the tour has no step: write one per line, as in: %s", forms()[0].usage)
	}
	return script, nil
}

func parseStep(text string) (Step, string) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if utf8.RuneCountInString(rest) > mostText {
		return Step{}, fmt.Sprintf("a step has at most %d characters", mostText)
	}
	if i := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsPrint(r) && r != '\t' }); i >= 0 {
		return Step{}, "a step has printable characters only"
	}
	var words []string
	for _, f := range forms() {
		if string(f.verb) != strings.ToLower(word) {
			words = append(words, string(f.verb))
			continue
		}
		s := Step{Verb: f.verb}
		if s.Verb == "press" {
			s.Verb = Key
		}
		if why := f.read(&s, rest); why != "" {
			return Step{}, why + "; write: " + f.usage
		}
		return s, ""
	}
	why := fmt.Sprintf("%s is no step; there are %s", strconv.Quote(cut(word)), strings.Join(words, ", "))
	if near, ok := config.Nearest(word, words); ok {
		why += fmt.Sprintf(" (did you mean %q?)", near)
	}
	return Step{}, why
}

// cut shortens a word for a message.
func cut(word string) string {
	const most = 40
	if r := []rune(word); len(r) > most {
		return string(r[:most]) + "…"
	}
	return word
}

func readNothing(_ *Step, rest string) string {
	if rest != "" {
		return "nothing follows it"
	}
	return ""
}

func readText(s *Step, rest string) string {
	s.Text = strings.Join(strings.Fields(rest), " ")
	if s.Text == "" {
		return "there is no text"
	}
	return ""
}

// readQuoted reads a text with or without quotation marks.
func readQuoted(mayBeEmpty bool) func(*Step, string) string {
	return func(s *Step, rest string) string {
		if strings.HasPrefix(rest, `"`) {
			text, err := strconv.Unquote(rest)
			if err != nil {
				return `the text does not end with a quotation mark, or holds one without \ before it`
			}
			rest = text
		} else if rest == "" {
			return "there is no text"
		}
		s.Text = strings.Join(strings.Fields(rest), " ")
		if s.Text == "" && !mayBeEmpty {
			return "there is no text"
		}
		return ""
	}
}

func readAction(s *Step, rest string) string {
	if rest == "" || strings.ContainsAny(rest, " \t") {
		return "there is no action"
	}
	s.Text = rest
	return ""
}

func readKeys(s *Step, rest string) string {
	s.Keys = strings.Fields(rest)
	if len(s.Keys) == 0 {
		return "there is no key"
	}
	for _, k := range s.Keys {
		if !IsKey(k) {
			why := strconv.Quote(cut(k)) + " is no key"
			if near, ok := config.Nearest(k, slices.Sorted(maps.Keys(keyCodes))); ok {
				why += fmt.Sprintf(" (did you mean %q?)", near)
			}
			return why
		}
	}
	return ""
}

// IsKey reports whether a name is that of a key: a character, or one of enter,
// esc, tab, space, backspace, delete, up, down, left, right, home, end, pgup and
// pgdown, with ctrl+ or shift+ before it.
func IsKey(name string) bool {
	for {
		rest, ok := strings.CutPrefix(name, "ctrl+")
		if !ok {
			rest, ok = strings.CutPrefix(name, "shift+")
		}
		if !ok {
			break
		}
		name = rest
	}
	if keyCodes[name] != 0 {
		return true
	}
	r, size := utf8.DecodeRuneInString(name)
	return size > 0 && size == len(name) && unicode.IsGraphic(r) && r != ' '
}

func readSet(s *Step, rest string) string {
	field, value, _ := strings.Cut(rest, " ")
	v, why := valueOf(field, value)
	s.Values = []Value{v}
	return why
}

func readApply(s *Step, rest string) string {
	for _, pair := range strings.Fields(rest) {
		field, value, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Sprintf("%s has no =", strconv.Quote(cut(pair)))
		}
		v, why := valueOf(field, value)
		if why != "" {
			return why
		}
		s.Values = append(s.Values, v)
	}
	if len(s.Values) == 0 {
		return "there is no parameter"
	}
	return ""
}

// valueOf checks a parameter's value.
func valueOf(field, text string) (v Value, why string) {
	v = Value{field, strings.TrimSpace(text)}
	p, _ := param.Preset("webrag")
	switch {
	case field == "":
		return v, "there is no parameter"
	case v.Text == "":
		return v, cut(field) + " gets no value"
	}
	if err := p.Set(field, v.Text); err != nil {
		return v, err.Error()
	}
	return v, ""
}

// panes are those of the first view, by name.
func panes() []string { return []string{"results", "preview", "score", "tune"} }

func readView(s *Step, rest string) string {
	if slices.Contains(panes(), strings.ToLower(rest)) {
		s.View, s.Pane = 1, strings.ToLower(rest)
		return ""
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 || n > mostViews {
		return "a view is a digit from 1, a pane of the first one of " + strings.Join(panes(), ", ")
	}
	s.View = n
	return ""
}

func readWait(s *Step, rest string) string {
	d, err := time.ParseDuration(rest)
	if err != nil {
		return strconv.Quote(cut(rest)) + " is no duration"
	}
	if d <= 0 || d > MostWait {
		return fmt.Sprintf("a wait is more than nothing and at most %v", MostWait)
	}
	s.Wait = d
	return ""
}

// String is the step as a script has it.
func (s Step) String() string {
	switch s.Verb {
	case Caption, Select:
		return string(s.Verb) + " " + strconv.Quote(s.Text)
	case Type, Run:
		return string(s.Verb) + " " + s.Text
	case Key:
		return "key " + strings.Join(s.Keys, " ")
	case Set:
		return "set " + s.Values[0].Field + " " + s.Values[0].Text
	case Apply:
		text := "apply"
		for _, v := range s.Values {
			text += " " + v.Field + "=" + v.Text
		}
		return text
	case View:
		if s.Pane != "" {
			return "view " + s.Pane
		}
		return "view " + strconv.Itoa(s.View)
	case Wait:
		return "wait " + s.Wait.String()
	default:
		return string(s.Verb)
	}
}
