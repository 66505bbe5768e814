package huggingface

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// behaviour says what becomes of the delimiters that a text is split at.
type behaviour string

const (
	removed            behaviour = "Removed"
	isolated           behaviour = "Isolated"
	mergedWithPrevious behaviour = "MergedWithPrevious"
	mergedWithNext     behaviour = "MergedWithNext"
	contiguous         behaviour = "Contiguous"
)

func (b behaviour) check() error {
	switch b {
	case removed, isolated, mergedWithPrevious, mergedWithNext, contiguous:
		return nil
	case "":
		return errors.New("has no behavior")
	}
	return fmt.Errorf("has the behavior %s, which is not known", Quote(string(b)))
}

// runes finds single characters of a kind.
func runes(is func(rune) bool) finder {
	return func(text string) (int, int) {
		at := strings.IndexFunc(text, is)
		if at < 0 {
			return -1, -1
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		return at, at + size
	}
}

// literal finds a text that is not empty.
func literal(delimiter string) finder {
	return func(text string) (int, int) {
		at := strings.Index(text, delimiter)
		return at, at + len(delimiter)
	}
}

func splitAt(find finder, b behaviour) splitter { return splitBy(find, b, false) }

// splitBy splits at the matches or, inverted, at what is between them.
func splitBy(find finder, b behaviour, invert bool) splitter {
	return func(s span, yield func(span) bool) bool {
		j := joints{whole: s, behaviour: b, yield: yield}
		at := 0
		for at < len(s.text) {
			start, end := find(s.text[at:])
			if start < 0 {
				break
			}
			if start > 0 && !j.add(at, at+start, invert) {
				return false
			}
			if !j.add(at+start, at+end, !invert) {
				return false
			}
			at += end
		}
		if at < len(s.text) && !j.add(at, len(s.text), invert) {
			return false
		}
		return j.flush()
	}
}

// joints puts matches and what is between them together as a behaviour wants.
type joints struct {
	whole      span
	behaviour  behaviour
	yield      func(span) bool
	start, end int // what is held back: it may grow
	// match says that the last part was a match, held that something is held back.
	match, held bool
}

// add takes the next part.
func (j *joints) add(start, end int, match bool) bool {
	grows := false
	switch j.behaviour {
	case removed:
		return match || j.yield(j.whole.slice(start, end))
	case isolated:
		return j.yield(j.whole.slice(start, end))
	case contiguous:
		grows = match == j.match
	case mergedWithPrevious:
		grows = match && !j.match
	case mergedWithNext:
		// A match holds itself back for what follows; of two matches in a row each
		// is by itself.
		grows = !match && j.match
	}
	grows = grows && j.held
	j.match = match
	if grows {
		j.end = end
		return true
	}
	goOn := j.flush()
	j.start, j.end, j.held = start, end, true
	return goOn
}

func (j *joints) flush() bool {
	if !j.held {
		return true
	}
	j.held = false
	return j.yield(j.whole.slice(j.start, j.end))
}
