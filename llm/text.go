package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"unicode"
)

// Completer is a language model. [Chat] is one.
type Completer interface {
	// Model names the model.
	Model() string
	// Complete answers a question, or returns an error.
	Complete(ctx context.Context, p Prompt) (Completion, error)
}

// Legible returns the first n code points of a text that a reader of the page
// would see: what is invisible is how instructions are smuggled past them. It
// reports whether that is all of the text.
func Legible(text string, n int) (string, bool) {
	var b strings.Builder
	for _, c := range text {
		if c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co) && !isJoiner(c) {
			continue
		}
		if n == 0 {
			return b.String(), false
		}
		n--
		b.WriteRune(c)
	}
	return b.String(), true
}

// isJoiner reports the two invisible characters without which some scripts
// cannot be written.
func isJoiner(c rune) bool { return c == '\u200c' || c == '\u200d' }

// Data is a value as the JSON of a prompt, in which the ends of strings stay where
// they are, whatever strangers have written into them. The value must be of strings,
// numbers, structs and lists.
func Data(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the model reads it, not a browser
	_ = enc.Encode(v)        // strings and numbers into memory: nothing can fail
	return strings.TrimSuffix(b.String(), "\n")
}

const (
	// maxAnswer is how much of a model's answer is read, in bytes from its end:
	// the answer comes after the talk.
	maxAnswer = 64 << 10
	// maxTries is how many brackets are taken for the beginning of JSON, so that
	// an answer of brackets costs no more than a long one.
	maxTries = 256
)

// EachJSON calls take with each object and each list in a model's answer, in their
// order, until it has said of one that it takes it, and then with those behind it; what
// it does not take may have inside what it wants. Models put JSON in fences, after their
// thoughts, between sentences and into wrappers.
func EachJSON(answer string, take func(json.RawMessage) bool) {
	text := Spoken(answer)
	for range maxTries {
		i := strings.IndexAny(text, "{[")
		if i < 0 {
			return
		}
		text = text[i:]
		dec := json.NewDecoder(strings.NewReader(text))
		var raw json.RawMessage
		next := 1
		if dec.Decode(&raw) == nil && take(raw) {
			next = int(dec.InputOffset())
		}
		text = text[next:]
	}
}

// Spoken is the end of an answer, at most 64 KB, without the thoughts before it.
func Spoken(answer string) string {
	const thought = "</think>"
	if i := strings.LastIndex(answer, thought); i >= 0 {
		answer = answer[i+len(thought):]
	}
	return answer[max(0, len(answer)-maxAnswer):]
}
