package indexing

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The separators of the recursive splitter, coarsest first.
const (
	atBlankLine = iota
	atLine
	atSentence
	atSpace
	atToken
)

// splitter cuts a range that is too long. The separator stays with the piece
// before it, and a piece begins with text, so that none is blank unless its
// white space alone exceeds the limit.
type splitter struct {
	tokens *tokens
	limit  int
	prose  bool // sentences exist: not in code
}

// split returns the cuts inside [from, to), so that each piece has at most limit
// tokens, the first at most first.
func (s *splitter) split(from, to, first int) []int {
	return s.level(nil, from, to, first, atBlankLine)
}

// level appends the cuts at one level: as much as fits between two cuts, and
// the next finer level for what does not fit alone.
func (s *splitter) level(cuts []int, from, to, first, level int) []int {
	start, limit := from, first
	cut := func(at int) {
		cuts = append(cuts, at)
		start, limit = at, s.limit
	}
	fits := from // the last separator up to which the piece fits
	for at := from; at < to; {
		next := s.next(at, to, level)
		if s.tokens.in(start, next) > limit {
			if fits > start {
				cut(fits)
			}
			if s.tokens.in(start, next) > limit {
				if level+1 < atToken {
					cuts = s.level(cuts, start, next, limit, level+1)
				} else {
					cuts = s.hard(cuts, start, next, limit)
				}
				if n := len(cuts); n > 0 && cuts[n-1] > start {
					start, limit = cuts[n-1], s.limit
				}
			}
		}
		fits, at = next, next
	}
	return cuts
}

func (s *splitter) hard(cuts []int, from, to, limit int) []int {
	text := from + len(strings.TrimRightFunc(s.tokens.text[from:to], unicode.IsSpace))
	for s.tokens.in(from, to) > limit {
		from = s.tokens.hardCut(from, text, to, limit)
		if from >= to {
			break
		}
		cuts = append(cuts, from)
		limit = s.limit
	}
	return cuts
}

// next returns the end of the segment that begins at byte at: where the next
// one may begin, or to.
func (s *splitter) next(at, to, level int) int {
	text := s.tokens.text
	switch level {
	case atBlankLine:
		for pos := at; pos < to; {
			end := min(lineEnd(text, pos), to)
			empty := blank(text[pos:end])
			pos = end
			if empty && pos < to && !blank(text[pos:min(lineEnd(text, pos), to)]) && !blank(text[at:pos]) {
				return pos
			}
		}
		return to
	case atLine:
		for pos := at; pos < to; {
			pos = min(lineEnd(text, pos), to)
			if pos < to && !blank(text[pos:min(lineEnd(text, pos), to)]) && !blank(text[at:pos]) {
				return pos
			}
		}
		return to
	case atSentence:
		if !s.prose {
			return to
		}
		return s.nextWord(at, to, true)
	default:
		return s.nextWord(at, to, false)
	}
}

// nextWord returns where the next word or sentence begins: behind the white
// space after the present one. A sentence of a script without spaces also ends
// behind its full stop.
func (s *splitter) nextWord(at, to int, sentence bool) int {
	text := s.tokens.text
	ended, text0 := !sentence, false
	for i := at; i < to; {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if !unicode.IsSpace(r) {
			text0 = true
			switch {
			case !sentence:
			case strings.ContainsRune(".!?…", r):
				ended = true
			case !strings.ContainsRune(`"')]”’»`, r):
				ended = false
			}
			if sentence && strings.ContainsRune("。！？", r) {
				if j := skipBlank(text, i, to); j < to {
					return j
				}
				return to
			}
			continue
		}
		if !ended || !text0 {
			continue
		}
		if j := skipBlank(text, i, to); j < to {
			return j
		}
		return to
	}
	return to
}

func skipBlank(text string, i, to int) int {
	for i < to {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsSpace(r) {
			return i
		}
		i += n
	}
	return to
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }
