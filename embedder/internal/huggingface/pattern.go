package huggingface

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder/internal/bpe"
)

// A finder returns where the first match in a text begins and ends, with start < 0
// for none. Matches are not empty. The text may be the rest of a longer one: what
// came before it does not matter.
type finder func(text string) (start, end int)

// patternJSON is how files give patterns: {"String": "…"} or {"Regex": "…"}.
type patternJSON struct {
	String *string `json:"String"`
	Regex  *string `json:"Regex"`
}

func (p *patternJSON) finder() (finder, error) {
	switch {
	case p == nil || (p.String == nil) == (p.Regex == nil):
		return nil, errors.New("has no pattern, or two")
	case p.Regex != nil:
		return compile(*p.Regex)
	case *p.String == "":
		return nil, errors.New("has an empty pattern")
	}
	return literal(*p.String), nil
}

// compile makes a finder of a regular expression in the syntax of Oniguruma. Those
// of well-known tokenizers have scanners of their own; others become expressions
// of Go's package regexp, which are linear in time but know no lookaround.
func compile(pattern string) (finder, error) {
	if end := bpe.PieceEnd(pattern); end != nil {
		return func(text string) (int, int) {
			if text == "" {
				return -1, -1
			}
			return 0, end(text)
		}, nil
	}
	translated, err := translate(pattern)
	if err != nil {
		return nil, fmt.Errorf("has the pattern %s: %w", Quote(pattern), err)
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, fmt.Errorf("has the pattern %s, which cannot be used: %w", Quote(pattern), err)
	}
	if re.MatchString("") {
		return nil, fmt.Errorf("has the pattern %s, which matches the empty text", Quote(pattern))
	}
	tail := re.SubexpIndex(tailGroup)
	return func(text string) (int, int) {
		m := re.FindStringSubmatchIndex(text)
		switch {
		case m == nil:
			return -1, -1
		case tail < 0 || m[2*tail] < 0 || m[1] == len(text):
			return m[0], m[1]
		}
		// White space before a word: its last character goes with the word, unless
		// it is the only one.
		if _, size := utf8.DecodeLastRuneInString(text[m[0]:m[1]]); m[1]-size > m[0] {
			return m[0], m[1] - size
		}
		return m[0], m[1]
	}, nil
}

// tailGroup names the group that white space at the end of a pattern becomes.
const tailGroup = "tail"

// What the shorthands mean in Unicode, as members of a class.
const (
	spaceClass = `\t-\r \x{85}\p{Z}`
	wordClass  = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}` + circled
	digitClass = `\p{Nd}`
	// circled are the symbols that count as letters.
	circled = `\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}`
)

// spacesBeforeWord are the one lookahead that is known, how most patterns end:
// white space up to the last character before a word, or else all of it.
var spacesBeforeWord = []string{`|\s+(?!\S)|\s+`, `|\s+(?!\S)|\s`}

// translate turns a pattern into one for Go, where \s, \w and \d mean ASCII only.
// What Go lacks, or reads in another way, is an error.
func translate(pattern string) (string, error) {
	for _, tail := range spacesBeforeWord {
		head, ok := strings.CutSuffix(pattern, tail)
		if !ok {
			continue
		}
		head, err := translatePart(head)
		if err != nil {
			return "", err
		}
		// The head must be whole: no open group or class, no backslash at its end.
		if _, err := regexp.Compile(head); err != nil {
			return "", err
		}
		return head + "|(?P<" + tailGroup + ">[" + spaceClass + "]+)", nil
	}
	return translatePart(pattern)
}

func translatePart(pattern string) (string, error) {
	var out strings.Builder
	class := false // inside [ ]
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch c := pattern[i]; {
		case c == '\\' && len(rest) > 1:
			i++
			t, err := translateEscape(rest[1], class)
			if err != nil {
				return "", err
			}
			out.WriteString(t)
			continue
		case class && c == '[':
			return "", errors.New("a class inside a class is not known")
		case class && strings.HasPrefix(rest, "&&"):
			return "", errors.New("an intersection of classes is not known")
		case class:
			class = c != ']'
		case strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"):
			return "", errors.New("a class that begins with ] is not known")
		case c == '[':
			class = true
		case c == '(' && strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:") && !strings.HasPrefix(rest, "(?i:"):
			return "", fmt.Errorf("%s is not known", Quote(rest[:min(4, len(rest))]))
		case c == '^', c == '$', strings.HasPrefix(rest, "{,"):
			return "", fmt.Errorf("%s is not known", Quote(string(c)))
		case c == '.':
			out.WriteString(`[^\n]`)
			continue
		}
		out.WriteByte(pattern[i])
	}
	return out.String(), nil
}

func translateEscape(c byte, class bool) (string, error) {
	var members string
	var negated bool
	switch c {
	case 's', 'S':
		members, negated = spaceClass, c == 'S'
	case 'w', 'W':
		members, negated = wordClass, c == 'W'
	case 'd', 'D':
		members, negated = digitClass, c == 'D'
	case 'p', 'P', 'n', 'r', 't', 'f', 'x':
		return `\` + string(c), nil
	default:
		if c >= utf8.RuneSelf || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
			return "", fmt.Errorf("%s is not known", Quote(`\`+string(rune(c))))
		}
		return `\` + string(c), nil // a sign that stands for itself
	}
	switch {
	case negated && class:
		return "", fmt.Errorf("%s inside a class is not known", Quote(`\`+string(c)))
	case negated:
		return "[^" + members + "]", nil
	case class:
		return members, nil
	}
	return "[" + members + "]", nil
}
