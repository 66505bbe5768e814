package indexing

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// mark is a link or an image of the text, as byte offsets. In the embedded text
// its label stands for the whole.
type mark struct {
	start, end           int
	labelStart, labelEnd int
	image                bool
	target               string // the address as written, or as defined elsewhere
}

// inlineMarks finds links, images and autolinks in the blocks that hold prose,
// in order. Nested ones ("[![badge](a)](b)") come inner first. Its time is
// linear: whatever can fail is bounded. defined maps the names of "[label][name]"
// to addresses.
func inlineMarks(text string, blocks []block, defined map[string]string) []mark {
	var marks []mark
	for i := range blocks {
		switch blocks[i].kind {
		case kindFence, kindIndented, kindHTML, kindRule:
		default:
			marks = appendMarks(marks, text, blocks[i].start, blocks[i].end, defined)
		}
	}
	return marks
}

// bracket is an open "[" or "![".
type bracket struct {
	at    int // of the bracket, or of the "!" before it
	label int
	image bool
}

// maxBrackets bounds the open brackets that are remembered; older ones are
// forgotten, as nobody nests labels so deep.
const maxBrackets = 64

func appendMarks(marks []mark, text string, from, to int, defined map[string]string) []mark {
	lastRun := lastBacktickRuns(text, from, to)
	var open []bracket
	for i := from; i < to; {
		switch text[i] {
		case '\\':
			i += 2
		case '`':
			i = afterCodeSpan(text, i, to, lastRun)
		case '!':
			if i+1 < to && text[i+1] == '[' {
				open = push(open, bracket{at: i, label: i + 2, image: true})
				i++
			}
			i++
		case '[':
			open = push(open, bracket{at: i, label: i + 1})
			i++
		case ']':
			if len(open) == 0 {
				i++
				continue
			}
			b := open[len(open)-1]
			open = open[:len(open)-1]
			m := mark{start: b.at, labelStart: b.label, labelEnd: i, image: b.image}
			end, ok := linkTail(text, i+1, to, defined, &m)
			if ok {
				m.end = end
				marks = append(marks, m)
				if !m.image {
					open = onlyImages(open) // a link holds no link
				}
				i = end
				continue
			}
			i++
		case '<':
			if end, ok := autolink(text, i, to); ok {
				marks = append(marks, mark{start: i, end: end, labelStart: i, labelEnd: i, target: text[i+1 : end-1]})
				i = end
				continue
			}
			i++
		default:
			i++
		}
	}
	return marks
}

func push(open []bracket, b bracket) []bracket {
	if len(open) == maxBrackets {
		copy(open, open[1:])
		open = open[:maxBrackets-1]
	}
	return append(open, b)
}

func onlyImages(open []bracket) []bracket {
	kept := open[:0]
	for _, b := range open {
		if b.image {
			kept = append(kept, b)
		}
	}
	return kept
}

// lastBacktickRuns maps the length of a run of backticks to where its last one
// begins, so that a span without an end is known without searching for it.
func lastBacktickRuns(text string, from, to int) map[int]int {
	var last map[int]int
	for i := from; i < to; i++ {
		if text[i] != '`' {
			continue
		}
		n := runLength(text, i, to)
		if last == nil {
			last = map[int]int{}
		}
		last[n] = i
		i += n - 1
	}
	return last
}

func runLength(text string, i, to int) int {
	n := 0
	for i+n < to && text[i+n] == text[i] {
		n++
	}
	return n
}

// afterCodeSpan returns the offset behind the code span that begins at i, or
// behind its backticks when nothing closes them.
func afterCodeSpan(text string, i, to int, lastRun map[int]int) int {
	n := runLength(text, i, to)
	if lastRun[n] <= i {
		return i + n
	}
	for j := i + n; j < to; {
		if text[j] != '`' {
			j++
			continue
		}
		k := runLength(text, j, to)
		j += k
		if k == n {
			return j
		}
	}
	return i + n
}

// linkTail reads what follows a label: "(destination "title")", "[name]", or
// nothing, which makes the label its own name. It fills in the mark.
func linkTail(text string, i, to int, defined map[string]string, m *mark) (end int, ok bool) {
	if i < to && text[i] == '(' {
		if target, end, ok := destination(text, i+1, to); ok {
			m.target = target
			return end, true
		}
	}
	if len(defined) == 0 || i < to && text[i] == ':' {
		return 0, false
	}
	name := text[m.labelStart:m.labelEnd]
	end = i
	if i < to && text[i] == '[' {
		if n := strings.IndexAny(text[i+1:min(to, i+maxLabel)], "[]"); n >= 0 && text[i+1+n] == ']' {
			if n > 0 {
				name = text[i+1 : i+1+n]
			}
			end = i + n + 2
		}
	}
	if len(name) > maxLabel {
		return 0, false
	}
	m.target = defined[foldLabel(name)]
	return end, m.target != ""
}

// maxLabel is CommonMark's limit for the name of a reference, in bytes here.
const maxLabel = 999

func foldLabel(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

// maxParens is how deep parentheses may nest in a destination, as in cmark.
const maxParens = 32

// destination reads "target "title")" from byte i and returns the offset behind
// the closing parenthesis.
func destination(text string, i, to int) (target string, end int, ok bool) {
	i = skipSpace(text, i, to)
	if i < to && text[i] == '<' {
		n := strings.IndexAny(text[i+1:to], "<>\n")
		if n < 0 || text[i+1+n] != '>' {
			return "", 0, false
		}
		target, i = text[i+1:i+1+n], i+n+2
	} else {
		start, depth := i, 0
	scan:
		for i < to {
			switch c := text[i]; {
			case c <= ' ':
				break scan
			case c == '\\' && i+1 < to:
				i++
			case c == '(':
				if depth++; depth > maxParens {
					return "", 0, false
				}
			case c == ')':
				if depth--; depth < 0 {
					break scan
				}
			}
			i++
		}
		if i > to {
			return "", 0, false
		}
		target = text[start:i]
	}
	i = skipSpace(text, i, to)
	if i < to && strings.IndexByte(`"'(`, text[i]) >= 0 {
		closing := text[i]
		if closing == '(' {
			closing = ')'
		}
		n := strings.IndexByte(text[i+1:min(to, i+1+maxTitle)], closing)
		if n < 0 {
			return "", 0, false
		}
		i = skipSpace(text, i+n+2, to)
	}
	if i < to && text[i] == ')' {
		return unescape(target), i + 1, true
	}
	return "", 0, false
}

// maxTitle bounds the search for the end of a link's title.
const maxTitle = 1000

func skipSpace(text string, i, to int) int {
	for i < to && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
		i++
	}
	return i
}

var autolinkPattern = regexp.MustCompile(`^<[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]*>`)

func autolink(text string, i, to int) (end int, ok bool) {
	if i+1 >= to || text[i+1]|0x20 < 'a' || text[i+1]|0x20 > 'z' {
		return 0, false
	}
	n := strings.IndexAny(text[i+1:to], "<> \n")
	if n < 0 || text[i+1+n] != '>' || !autolinkPattern.MatchString(text[i:i+n+2]) {
		return 0, false
	}
	return i + n + 2, true
}

const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// unescape removes the backslashes that protect punctuation.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(punctuation, s[i+1]) >= 0 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

var (
	codeSpanPattern = regexp.MustCompile("`+([^`]+)`+")
	strongPattern   = regexp.MustCompile(`\*\*([^*]+)\*\*|__([^_]+)__`)
	emphasisPattern = regexp.MustCompile(`(^|[^\w*])\*([^*\s][^*]*)\*($|[^\w*])|(^|[^\w_])_([^_\s][^_]*)_($|[^\w_])`)
)

// plainInline reduces a heading to what a reader sees: links to their labels,
// code and emphasis to their text.
func plainInline(s string) string {
	if !strings.ContainsAny(s, "[]<*_`\\") {
		return s
	}
	s = without(s, 0, len(s), holes(appendMarks(nil, s, 0, len(s), nil), nil))
	s = codeSpanPattern.ReplaceAllString(s, "$1")
	s = strongPattern.ReplaceAllString(s, "$1$2")
	s = emphasisPattern.ReplaceAllString(s, "$1$2$3$4$5$6")
	return strings.TrimSpace(unescape(s))
}

// hole is a byte range that nobody reads: the address of a link, a definition.
type hole struct{ from, to int }

// holes returns what marks and definition lines hide, in order and disjoint.
func holes(marks []mark, lines []hole) []hole {
	all := make([]hole, 0, 2*len(marks)+len(lines))
	for _, m := range marks {
		all = append(all, hole{m.start, m.labelStart}, hole{m.labelEnd, m.end})
	}
	return merge(append(all, lines...))
}

// merge orders holes and joins those that touch, in place.
func merge(all []hole) []hole {
	slices.SortFunc(all, func(a, b hole) int { return cmp.Compare(a.from, b.from) })
	merged := all[:0]
	for _, h := range all {
		if n := len(merged); n > 0 && h.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, h.to)
			continue
		}
		merged = append(merged, h)
	}
	return merged
}

// without returns text[from:to] with the holes left out.
func without(text string, from, to int, holes []hole) string {
	i := sort.Search(len(holes), func(i int) bool { return holes[i].to > from })
	if i == len(holes) || holes[i].from >= to {
		return text[from:to]
	}
	var b strings.Builder
	b.Grow(to - from)
	for at := from; at < to; i++ {
		if i == len(holes) || holes[i].from >= to {
			b.WriteString(text[at:to])
			break
		}
		if holes[i].from > at {
			b.WriteString(text[at:holes[i].from])
		}
		at = holes[i].to
	}
	return b.String()
}

var definitionPattern = regexp.MustCompile(`(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]*<?([^\s<>]+)>?.*$`)

// definitions collects the link definitions "[name]: address" of the prose, and
// the byte ranges of their lines, which nobody reads.
func definitions(text string, blocks []block) (targets map[string]string, lines []hole) {
	for i := range blocks {
		b := &blocks[i]
		if b.kind != kindParagraph && b.kind != kindList || !strings.Contains(text[b.start:b.end], "]:") {
			continue
		}
		for _, m := range definitionPattern.FindAllStringSubmatchIndex(text[b.start:b.end], -1) {
			name := foldLabel(text[b.start+m[2] : b.start+m[3]])
			if targets == nil {
				targets = map[string]string{}
			}
			if _, ok := targets[name]; !ok {
				targets[name] = text[b.start+m[4] : b.start+m[5]]
			}
			lines = append(lines, hole{b.start + m[0], b.start + m[1]})
		}
	}
	return targets, lines
}
