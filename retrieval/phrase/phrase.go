package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind says what a part of a phrase is, so that whoever shows it can write numbers
// as it writes them elsewhere and make safe what others wrote.
type Kind uint8

const (
	// Text is this program's own words.
	Text Kind = iota
	// Count is a whole number: a rank, rows, tokens.
	Count
	// Score is a cosine or another score.
	Score
	// Name is what others wrote: a heading, a stage, an address. It may hold
	// anything.
	Name
	// Title is the heading of a section that others wrote, or nothing where it has
	// none.
	Title
	// Sign is an arrow or a line, for which there may be another one.
	Sign
	// Setting is a parameter or its value: as it is set in Text, as a screen calls it in
	// Screen.
	Setting
)

// Part is a piece of a phrase: words in Text, or a Number.
type Part struct {
	Kind         Kind
	Text, Screen string
	Number       float64
	// ID is the chunk that a name is that of, empty for another name.
	ID string
}

// Phrase is a sentence or a piece of one. Nobody needs to look for the numbers in
// its text.
type Phrase []Part

// String writes counts in full and scores as [Short], settings as they are set and names
// as they are.
func (p Phrase) String() string {
	return p.Words(func(part Part) string {
		switch part.Kind {
		case Count:
			return strconv.Itoa(int(part.Number))
		case Score:
			return Short(part.Number)
		default:
			return part.Text
		}
	})
}

// OnScreen is as String, with settings as a screen calls them.
func (p Phrase) OnScreen() string {
	shown := make(Phrase, len(p))
	for i, part := range p {
		if part.Kind == Setting {
			part.Text = part.Screen
		}
		shown[i] = part
	}
	return shown.String()
}

// Words writes the phrase; write is asked for everything but this program's own
// words.
func (p Phrase) Words(write func(Part) string) string {
	var b strings.Builder
	for i := range p {
		if p[i].Kind == Text {
			b.WriteString(p[i].Text)
			continue
		}
		b.WriteString(write(p[i]))
	}
	return b.String()
}

// Words are a sentence or a piece of one, with {} for each part that is put in.
type Words string

// With puts parts into the words. An int is a count, a float64 a score, anything else
// words of ours.
func (w Words) With(parts ...any) Phrase {
	return fill(string(w), func(string) Phrase {
		next := parts[0]
		parts = parts[1:]
		switch x := next.(type) {
		case int:
			return Phrase{{Kind: Count, Number: float64(x)}}
		case float64:
			return Phrase{{Kind: Score, Number: x}}
		case Part:
			return Phrase{x}
		case Phrase:
			return x
		default:
			return Phrase{{Text: fmt.Sprint(x)}}
		}
	})
}

// fill replaces each name in braces by what it stands for.
func fill(words string, part func(name string) Phrase) Phrase {
	p := make(Phrase, 0, 2*strings.Count(words, "{")+1)
	for {
		before, rest, found := strings.Cut(words, "{")
		if before != "" {
			p = append(p, Part{Text: before})
		}
		if !found {
			return p
		}
		name, after, _ := strings.Cut(rest, "}")
		p = append(p, part(name)...)
		words = after
	}
}

// Named is a part that others wrote.
func Named(s string) Part { return Part{Kind: Name, Text: s} }

// NamedOf is what a chunk is called.
func NamedOf(id, s string) Part { return Part{Kind: Name, Text: s, ID: id} }

// Titled is the heading of a section, empty for none.
func Titled(heading string) Part { return Part{Kind: Title, Text: heading} }

// Signed is an arrow or a line.
func Signed(sign string) Part { return Part{Kind: Sign, Text: sign} }

// Several is a number of things, of which more than one end in s.
func Several(n int, thing string) Phrase {
	if n != 1 {
		thing += "s"
	}
	return Words("{} {}").With(n, thing)
}

// Join puts phrases into one.
func Join(list []Phrase, between string) Phrase {
	var all Phrase
	for i, p := range list {
		if i > 0 {
			all = append(all, Part{Text: between})
		}
		all = append(all, p...)
	}
	return all
}

// List is the first of a list and how many more there are.
func List(list []Phrase, most int) Phrase {
	if n := len(list) - most; n > 0 {
		list = append(list[:most:most], more.With(n))
	}
	return Join(list, ", ")
}

// Short writes a score with three decimals and without the zero before the
// point.
func Short(f float64) string { return Decimals(f, 3) }

// Decimals is Short with another number of decimals.
func Decimals(f float64, n int) string {
	s := strconv.FormatFloat(f, 'f', n, 64)
	if strings.Trim(s, "-0.") == "" {
		return "." + strings.Repeat("0", n)
	}
	return Bare(s)
}

// Bare leaves out the zero before the point of a written number.
func Bare(number string) string {
	if at := strings.Index(number, "0."); at == 0 || at == 1 && number[0] == '-' {
		return number[:at] + number[at+1:]
	}
	return number
}

// Apart is [Short] with as many decimals as tell it from other numbers, up to six.
func Apart(f float64, others ...float64) string {
	for n := 3; ; n++ {
		said := Decimals(f, n)
		if n == 6 || !slices.ContainsFunc(others, func(o float64) bool { return o != f && Decimals(o, n) == said }) {
			return said
		}
	}
}

// Spaced is a code, or the name of a parameter, with blanks between its words.
func Spaced(code string) string { return strings.ReplaceAll(code, "_", " ") }

// Number writes a float as briefly as it can be read back.
func Number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// Counted is a number of things: "1 text", "2 texts".
func Counted(n int, word string) string { return Several(n, word).String() }
