package edges

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

// Bounds of a line.
const (
	// MaxLine is the longest line in bytes.
	MaxLine = 64 << 10
	// maxDescription is the longest description in runes, maxName the longest id,
	// address, anchor or heading in bytes.
	maxDescription = 1000
	maxName        = 2048
)

// Entry is an edge as a file gives it.
type Entry struct {
	// Line is its number in the file, from 1.
	Line           int
	Source, Target End
	Relation       store.Relation
	// Weight is above 0 and at most 1, which it is when the line gives none.
	Weight float64
	// Description is one line of text, possibly empty.
	Description string
}

// End names a section: by the id of a chunk, or by the address of its page and
// what tells it from the page's other sections. With neither Anchor nor Heading it
// is the page's first.
type End struct {
	ChunkID              string
	URL, Anchor, Heading string
}

// String is what messages call an end.
func (e End) String() string {
	switch {
	case e.ChunkID != "":
		return "chunk " + e.ChunkID
	case e.Anchor != "":
		return e.URL + "#" + e.Anchor
	case e.Heading != "":
		return fmt.Sprintf("%q of %s", e.Heading, e.URL)
	}
	return e.URL
}

// LineError is a line that is no edge, and why.
type LineError struct {
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// ParseLine reads one line, without its number. The error says what is wrong and,
// for a misspelt name, what was meant.
func ParseLine(line []byte) (Entry, error) {
	e := Entry{Weight: 1}
	if len(line) > MaxLine {
		return e, fmt.Errorf("it is longer than %d KB", MaxLine>>10)
	}
	fields, err := object(line, "source", "target", "relation", "weight", "description")
	if err != nil {
		return e, err
	}
	for _, end := range []struct {
		name string
		to   *End
	}{{"source", &e.Source}, {"target", &e.Target}} {
		if *end.to, err = parseEnd(fields[end.name]); err != nil {
			return e, fmt.Errorf("its %s %w", end.name, err)
		}
	}
	if e.Relation, err = parseRelation(fields["relation"]); err != nil {
		return e, err
	}
	if raw, ok := fields["weight"]; ok {
		if err := json.Unmarshal(raw, &e.Weight); err != nil || isNull(raw) {
			return e, fmt.Errorf("its weight is %s, not a number", shown(raw))
		}
	}
	if !(e.Weight > 0 && e.Weight <= 1) {
		return e, fmt.Errorf("its weight is %g, must be above 0 and at most 1", e.Weight)
	}
	if raw, ok := fields["description"]; ok && !isNull(raw) {
		if err := json.Unmarshal(raw, &e.Description); err != nil {
			return e, fmt.Errorf("its description is %s, not a text", shown(raw))
		}
		e.Description = offset.Folded(e.Description)
		if utf8.RuneCountInString(e.Description) > maxDescription {
			return e, fmt.Errorf("its description is longer than %d characters", maxDescription)
		}
	}
	if e.Source == e.Target {
		return e, errors.New("its source is its target")
	}
	return e, nil
}

// object reads a JSON object that has no other fields than those named.
func object(raw []byte, names ...string) (map[string]json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if !bytes.HasPrefix(raw, []byte("{")) {
		return nil, fmt.Errorf("it is %s, not an object; give one object a line", shown(raw))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	for _, name := range sortedKeys(fields) {
		if slices.Contains(names, name) {
			continue
		}
		return nil, fmt.Errorf("it has an unknown field %q%s", name, meant(name, names))
	}
	return fields, nil
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// meant names what was probably meant, else all that there is.
func meant(word string, names []string) string {
	if near, ok := config.Nearest(word, names); ok {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; there are " + strings.Join(names, ", ")
}

func parseRelation(raw json.RawMessage) (store.Relation, error) {
	if raw == nil {
		return "", errors.New("it has no relation")
	}
	var name string
	if err := json.Unmarshal(raw, &name); err != nil || isNull(raw) {
		return "", fmt.Errorf("its relation is %s, not a text", shown(raw))
	}
	r, err := store.ParseRelation(name)
	if err == nil {
		return r, nil
	}
	names := make([]string, 0, len(store.Relations()))
	for _, r := range store.Relations() {
		names = append(names, string(r))
	}
	return "", fmt.Errorf("%q is no relation%s", name, meant(name, names))
}

// parseEnd reads the id of a chunk, or {"url", "anchor" or "heading"}.
func parseEnd(raw json.RawMessage) (End, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || isNull(raw) {
		return End{}, errors.New("is missing")
	}
	if raw[0] == '"' {
		var id string
		if err := json.Unmarshal(raw, &id); err != nil {
			return End{}, fmt.Errorf("is no text: %w", err)
		}
		return End{ChunkID: id}, checkName("id", id)
	}
	if raw[0] != '{' {
		return End{}, fmt.Errorf(`is %s; give the id of a chunk, or an object with "url" and "anchor" or "heading"`, shown(raw))
	}
	fields, err := object(raw, "url", "anchor", "heading")
	if err != nil {
		return End{}, fmt.Errorf("is wrong: %w", err)
	}
	var e End
	for _, f := range []struct {
		name string
		to   *string
	}{{"url", &e.URL}, {"anchor", &e.Anchor}, {"heading", &e.Heading}} {
		raw, ok := fields[f.name]
		if !ok || isNull(raw) {
			continue
		}
		if err := json.Unmarshal(raw, f.to); err != nil {
			return End{}, fmt.Errorf("has the %s %s, not a text", f.name, shown(raw))
		}
		if *f.to = strings.TrimSpace(*f.to); f.name == "anchor" {
			*f.to = strings.TrimPrefix(*f.to, "#")
		}
		if err := checkName(f.name, *f.to); err != nil {
			return End{}, err
		}
	}
	switch {
	case e.URL == "":
		return End{}, errors.New("has no url")
	case e.Anchor != "" && e.Heading != "":
		return End{}, errors.New("has both an anchor and a heading; give one of them")
	}
	if url, anchor, ok := strings.Cut(e.URL, "#"); ok && e.Anchor == "" && e.Heading == "" {
		e.URL, e.Anchor = url, anchor
	}
	return e, nil
}

func checkName(what, s string) error {
	switch {
	case s == "":
		return fmt.Errorf("has an empty %s", what)
	case len(s) > maxName:
		return fmt.Errorf("has a %s of more than %d bytes", what, maxName)
	case strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Errorf("has a %s with a control character", what)
	}
	return nil
}

func isNull(raw []byte) bool { return string(bytes.TrimSpace(raw)) == "null" }

// shown is the beginning of a JSON value for a message.
func shown(raw []byte) string {
	const most = 40
	s := offset.Folded(string(raw))
	if s == "" {
		return "nothing"
	}
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}
