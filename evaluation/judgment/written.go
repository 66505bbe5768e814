package judgment

import (
	"encoding/json"
	"unicode/utf8"
)

// written reads lines in the very form in which [Record.line] writes them: its names in its
// order, without white space. These are nearly all lines of a set that programs have filled,
// and half a million are read faster so than by what reads any JSON. Texts that stand in many
// lines are kept once.
type written struct {
	rest   []byte
	failed bool
	texts  map[string]string
}

// mostKept is how many texts are kept at most to be used again.
const mostKept = 100_000

// decode reads a line. ok is false for any other form, also if it means the same.
func (w *written) decode(line []byte) (l recordLine, ok bool) {
	w.rest, w.failed = line, false
	l.QueryID = w.again(`{"query_id":`)
	l.SourceURL = w.again(`,"source_url":`)
	l.Quote = w.text(`,"quote":`)
	l.QuoteHash = w.text(`,"quote_hash":`)
	l.CharStart = w.number(`,"char_start":`)
	l.CharEnd = w.number(`,"char_end":`)
	l.Grade = w.numberOrNull(`,"grade":`)
	l.Withdrawn = w.has(`,"withdrawn":true`)
	l.Judge = Judge(w.again(`,"judge":`))
	l.JudgedAt = w.again(`,"judged_at":`)
	l.SeenRank = w.numberOrNull(`,"seen_rank":`)
	l.Pool = w.list(`,"pool":`)
	l.Note = w.text(`,"note":`)
	if w.has(`,"evidence":`) {
		l.Evidence = &Evidence{w.again(`{"model":`), w.again(`,"prompt_hash":`), w.text(`,"answer":`)}
		w.expect(`}`)
	}
	return l, w.has(`}`) && len(w.rest) == 0 && !w.failed
}

// has takes what the rest begins with, if it does.
func (w *written) has(what string) bool {
	if len(w.rest) < len(what) || string(w.rest[:len(what)]) != what {
		return false
	}
	w.rest = w.rest[len(what):]
	return true
}

// expect takes what the rest must begin with.
func (w *written) expect(what string) bool {
	w.failed = w.failed || !w.has(what)
	return !w.failed
}

// quoted takes a string with its quotation marks. isPlain says that it means what stands
// between them.
func (w *written) quoted(name string) (text []byte, isPlain bool) {
	if !w.expect(name) || len(w.rest) == 0 || w.rest[0] != '"' {
		w.failed = true
		return nil, false
	}
	isPlain, isASCII := true, true
	for i := 1; i < len(w.rest); i++ {
		switch c := w.rest[i]; {
		case c == '"':
			text, w.rest = w.rest[:i+1], w.rest[i+1:]
			w.failed = !isASCII && !utf8.Valid(text)
			return text, isPlain
		case c == '\\':
			isPlain = false
			i++
		case c < ' ':
			w.failed = true
			return nil, false
		case c >= utf8.RuneSelf:
			isASCII = false
		}
	}
	w.failed = true
	return nil, false
}

// text takes a string.
func (w *written) text(name string) (text string) {
	quoted, isPlain := w.quoted(name)
	switch {
	case w.failed:
	case isPlain:
		text = string(quoted[1 : len(quoted)-1])
	default:
		w.failed = json.Unmarshal(quoted, &text) != nil
	}
	return text
}

// again takes a string that stands in many lines.
func (w *written) again(name string) string {
	before := w.rest
	quoted, isPlain := w.quoted(name)
	if w.failed || !isPlain {
		w.rest = before
		return w.text(name)
	}
	plain := quoted[1 : len(quoted)-1]
	text, ok := w.texts[string(plain)]
	if !ok {
		text = string(plain)
		if w.texts == nil {
			w.texts = map[string]string{}
		}
		if len(w.texts) < mostKept {
			w.texts[text] = text
		}
	}
	return text
}

// number takes a whole number of at most nine digits.
func (w *written) number(name string) (n int) {
	if !w.expect(name) {
		return 0
	}
	digits := 0
	for digits < len(w.rest) && w.rest[digits] >= '0' && w.rest[digits] <= '9' && digits < 10 {
		n = 10*n + int(w.rest[digits]-'0')
		digits++
	}
	w.failed = digits == 0 || digits > 9 || digits > 1 && w.rest[0] == '0'
	w.rest = w.rest[digits:]
	return n
}

func (w *written) numberOrNull(name string) *int {
	if before := w.rest; w.expect(name) && !w.has("null") {
		w.rest = before
		n := w.number(name)
		return &n
	}
	return nil
}

// list takes a list of strings.
func (w *written) list(name string) []string {
	list := []string{}
	if !w.expect(name) || !w.expect("[") || w.has("]") {
		return list
	}
	for between := ""; !w.failed; between = "," {
		list = append(list, w.again(between))
		if w.has("]") {
			return list
		}
	}
	return list
}
