package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/spelling"
)

// Kind is the type of a setting's value.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Integer
	Float
	Boolean
	// Choice is one of Setting.Values.
	Choice
)

// Setting describes one setting: where it may be given and what it may be.
type Setting struct {
	// Key is section and name in the config file: "retrieval.context_budget".
	Key string
	// Env is its environment variable, empty for none. LateEnv makes that
	// variable weaker than the config file, for variables that belong to
	// everybody, such as DATABASE_URL.
	Env     string
	LateEnv bool
	// Flag is its own flag without dashes, empty for none.
	Flag string
	// Default is the value when nothing is given; DefaultNote is shown instead
	// where the default depends on the machine or on other settings.
	Default, DefaultNote string
	// Example stands in the .env template where there is no Default.
	Example string
	Kind    Kind
	// Min and Max bound numbers; they are ignored when both are 0.
	Min, Max float64
	// Values are the words that a Choice accepts. One that ends in ":PATH" stands
	// for its beginning with any path in that place.
	Values []string
	// Secret values are never shown. Show returns of another value what may be
	// shown, such as an address without the password in it; nil shows the value
	// unless it looks like an address.
	Secret bool
	Show   func(text string) string
	// WhyNotEmpty is the sentence that refuses a value that is given and blank;
	// without it an empty variable counts as not given.
	WhyNotEmpty string
	// Help is one sentence for the documentation, Unit the unit of numbers.
	Help, Unit string
}

// Check reports why text is not a value of the setting, nil if it is one.
func (s *Setting) Check(text string) error {
	switch s.Kind {
	case Integer:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("not a whole number (%s)", s.Range())
		}
		return s.checkRange(float64(n))
	case Float:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("not a number (%s)", s.Range())
		}
		return s.checkRange(f)
	case Boolean:
		if _, err := strconv.ParseBool(text); err != nil {
			return fmt.Errorf("must be true or false")
		}
	case Choice:
		if !slices.ContainsFunc(s.Values, func(value string) bool { return isChoice(value, text) }) {
			return fmt.Errorf("must be %s%s", s.Range(), DidYouMean(text, s.Values))
		}
	case Text:
	}
	return nil
}

func isChoice(value, text string) bool {
	if beginning, ok := strings.CutSuffix(value, "PATH"); ok && strings.HasSuffix(beginning, ":") {
		return strings.HasPrefix(text, beginning) && text != beginning
	}
	return text == value
}

func (s *Setting) checkRange(f float64) error {
	if s.Min == 0 && s.Max == 0 {
		return nil
	}
	if f > s.Max && s.Max >= math.MaxInt32 {
		return fmt.Errorf("must be at most %s", strconv.FormatFloat(s.Max, 'f', -1, 64))
	}
	if f < s.Min || f > s.Max {
		return fmt.Errorf("must be %s", s.Range())
	}
	return nil
}

// Range says in words what the setting accepts.
func (s *Setting) Range() string {
	switch s.Kind {
	case Boolean:
		return "true or false"
	case Choice:
		if len(s.Values) == 1 {
			return s.Values[0]
		}
		last := len(s.Values) - 1
		return strings.Join(s.Values[:last], ", ") + " or " + s.Values[last]
	case Integer, Float:
		switch {
		case s.Min == 0 && s.Max == 0:
			return "any number"
		case math.IsInf(s.Max, 1) || s.Max >= math.MaxInt32:
			return "at least " + number(s.Min)
		default:
			return "between " + number(s.Min) + " and " + number(s.Max)
		}
	case Text:
	}
	return "text"
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Nearest returns the candidate closest to word by edit distance, if it is close
// enough to be a slip of the fingers. A short word that begins with another letter
// must be closer: "nope" is not "topk".
func Nearest(word string, candidates []string) (string, bool) {
	const short = 4 // bytes
	best, bestDistance := "", len(word)/3+2
	for _, c := range candidates {
		d := spelling.Distance(strings.ToLower(word), strings.ToLower(c))
		if len(word) <= short && d > 1 && !strings.EqualFold(word[:min(1, len(word))], c[:min(1, len(c))]) {
			continue
		}
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best, best != ""
}

// nearestKey is Nearest for keys such as "retrieval.top_k". Where the section is
// one there is, only what follows it is compared: the common part would make any
// two keys look alike.
func nearestKey(key string, keys []string) (string, bool) {
	section, field, _ := strings.Cut(key, ".")
	var fields []string
	for _, k := range keys {
		if s, f, ok := strings.Cut(k, "."); ok && s == section {
			fields = append(fields, f)
		}
	}
	if len(fields) == 0 {
		return Nearest(key, keys)
	}
	near, ok := Nearest(field, fields)
	return section + "." + near, ok
}

// DidYouMean is a hint at the candidate that is nearest to word, to be put behind it:
// " (did you mean \"top_k\"?)", or nothing.
func DidYouMean(word string, candidates []string) string {
	if near, ok := Nearest(word, candidates); ok {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
