package param

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// unlimited is [Unlimited] as it is set, and noLimit what stands for it where it is read.
var unlimited = strconv.Itoa(Unlimited)

const noLimit = "no limit"

// Shown is a value, in the words of [Params.Get], as a screen shows it: ".300", "40k",
// "off", "sections". It is as exact as the value.
func (s *Spec) Shown(value string) string {
	if word, ok := s.Word(value); ok {
		return word
	}
	switch s.Kind {
	case KindInt:
		if value == unlimited || value == "unlimited" { // as a trace says it
			return noLimit
		}
		if n, err := strconv.Atoi(value); err == nil && n >= 10_000 && n%1000 == 0 {
			return strconv.Itoa(n/1000) + "k"
		}
	case KindBool:
		if value == "true" {
			return "yes"
		}
		return "no"
	case KindFloat:
		f, err := strconv.ParseFloat(value, 64)
		_, decimals, _ := strings.Cut(value, ".")
		if err == nil && s.Step < 1 && len(decimals) <= 3 {
			return phrase.Short(f)
		}
		return phrase.Bare(value)
	case KindList:
		numbers := strings.Split(value, ",")
		for i := range numbers {
			numbers[i] = phrase.Bare(strings.TrimSpace(numbers[i]))
		}
		return strings.Join(numbers, ",")
	}
	return value
}

// Explains is Help as a screen says it: parameters by their names there, and a value that
// stands for something else by its word.
func (s *Spec) Explains() string {
	text := s.Help
	if special, end := s.Special(); end != 0 {
		before, rest, ok := strings.Cut(text, "; "+special+" ")
		switch word := "“" + s.Shown(special) + "” "; {
		case ok && strings.HasPrefix(rest, "is no "): // as the word says
			text = before + "."
		default:
			text = strings.NewReplacer("; "+special+" ", "; "+word, ", "+special+" ", ", "+word).Replace(text)
		}
	}
	return settingNames().Replace(text)
}

// settingNames writes the names of a screen for settings whose names cannot be words.
var settingNames = sync.OnceValue(func() *strings.Replacer {
	specs := slices.DeleteFunc(Specs(), func(s Spec) bool { return !strings.Contains(s.Field, "_") })
	slices.SortFunc(specs, func(a, b Spec) int { return len(b.Field) - len(a.Field) }) // one may begin with another
	var pairs []string
	for _, s := range specs {
		pairs = append(pairs, s.Field, s.Name)
	}
	return strings.NewReplacer(pairs...)
})

// Accepts is [Spec.Range] as a screen says it: a value that stands for something else is
// called by its word. of stands behind the numbers, such as their unit.
func (s *Spec) Accepts(of string) string {
	special, end := s.Special()
	switch {
	case s.Kind == KindBool:
		return "yes or no"
	case s.Kind == KindEnum:
		said := make([]string, len(s.Values))
		for i, value := range s.Values {
			said[i] = s.Shown(value)
		}
		return strings.Join(said[:len(said)-1], ", ") + " or " + said[len(said)-1]
	case end == 0:
		return s.Range() + of
	}
	low, word := s.Min, s.Shown(special)
	if special == phrase.Number(s.Min) && s.Kind == KindInt {
		low++ // what is less than that is the word
	}
	switch {
	case s.Max >= unbounded:
		return "at least " + phrase.Number(low) + of + ", or " + word
	case special == phrase.Number(low):
		return "up to " + phrase.Number(s.Max) + of + ", or " + word
	default:
		return between(low, s.Max) + of + ", or " + word
	}
}

// Shown is a field's value in words where it is a number that stands for something else,
// as "no limit", and otherwise as it is set.
func Shown(field, value string) string {
	switch s := find(field); {
	case s != nil && s.special.word != "" && value == s.special.value:
		return s.special.word
	case value == unlimited:
		return noLimit
	}
	return value
}

// Measured is [Shown] with the unit of a number.
func Measured(field, value string) string {
	shown := Shown(field, value)
	if s := find(field); s == nil || s.Unit == "" || shown != value {
		return shown
	}
	return shown + " " + find(field).Unit
}

// Called is a parameter, for a phrase.
func Called(field string) phrase.Part {
	part := phrase.Part{Kind: phrase.Setting, Text: field, Screen: phrase.Spaced(field)}
	if s := find(field); s != nil {
		part.Screen = s.Name
	}
	return part
}

// Beginning is [Called] at the beginning of a sentence.
func Beginning(field string) phrase.Part {
	part := Called(field)
	part.Text, part.Screen = phrase.Capital(phrase.Spaced(field)), phrase.Capital(part.Screen)
	return part
}

// Given is a parameter's value, for a phrase.
func Given(field, value string) phrase.Part {
	part := phrase.Part{Kind: phrase.Setting, Text: phrase.Bare(Shown(field, value)), Screen: value}
	if s := find(field); s != nil {
		part.Screen = s.Shown(value)
	}
	return part
}

// As is a parameter with a value, for a phrase.
func As(field, value string) phrase.Part {
	return phrase.Part{Kind: phrase.Setting, Text: field + "=" + value, Screen: "“" + Called(field).Screen + ": " + Given(field, value).Screen + "”"}
}
