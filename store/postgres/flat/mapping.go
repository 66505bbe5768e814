package flat

import (
	"fmt"
	"slices"
	"strings"
)

// Place is where a row keeps something: in a column, or below a path of keys in a
// column of JSON.
type Place struct {
	Column string
	Path   []string
}

// IsZero reports whether nothing was named.
func (p Place) IsZero() bool { return p.Column == "" }

// String returns the place as [ParseMap] reads it: "metadata.source", with what is
// no plain word in double quotes.
func (p Place) String() string {
	parts := []string{quoteWord(p.Column)}
	for _, key := range p.Path {
		parts = append(parts, quoteWord(key))
	}
	return strings.Join(parts, ".")
}

// Mapping says where a table keeps what. Only Text and Embedding are needed; what
// is not named is guessed from the table ([Open]).
type Mapping struct {
	Text, Embedding Place
	// ID tells rows apart. Without one it is the primary key, or else the place of a
	// row in the file, which changes when the table is rewritten.
	ID Place
	// Source is the address of the page or file, Title its title, Heading that of the
	// section; Owner is whose the row is, Created when it was made.
	Source, Title, Heading, Owner, Created Place
	// Metadata is a column of JSON objects, whose keys a scope can ask for.
	Metadata Place
	// Collection is the name of LangChain's collection that is meant, empty for the
	// only one.
	Collection string
}

// place is one place of a mapping under its name.
type place struct {
	name string
	at   *Place
	// nested says that it may be a path in JSON.
	nested bool
}

// places are all places, in the order in which they are written.
func (m *Mapping) places() []place {
	return []place{
		{"text", &m.Text, true},
		{"embedding", &m.Embedding, false},
		{"id", &m.ID, false},
		{"source", &m.Source, true},
		{"title", &m.Title, true},
		{"heading", &m.Heading, true},
		{"owner", &m.Owner, true},
		{"created", &m.Created, false},
		{"metadata", &m.Metadata, false},
	}
}

// collectionName is the one name of a mapping whose value is no column.
const collectionName = "collection"

// IsZero reports whether the mapping names nothing.
func (m Mapping) IsZero() bool { return m.String() == "" }

// String returns the mapping as [ParseMap] reads it.
func (m Mapping) String() string {
	var parts []string
	for _, p := range m.places() {
		if !p.at.IsZero() {
			parts = append(parts, p.name+"="+p.at.String())
		}
	}
	if m.Collection != "" {
		parts = append(parts, collectionName+"="+quoteWord(m.Collection))
	}
	return strings.Join(parts, ",")
}

// ParseMap reads a mapping: NAME=COLUMN, several separated by commas. NAME is one of
// text, embedding, id, source, title, heading, owner, created and metadata; a
// COLUMN of JSON may be followed by a dot and a key of it, as in
// "source=metadata.source". Names with commas, dots, equals signs, white space or
// quotes stand in double quotes, and a double quote in them is written twice.
// collection=NAME is the name of a LangChain collection.
func ParseMap(text string) (Mapping, error) {
	var m Mapping
	seen := map[string]bool{}
	for rest := strings.TrimSpace(text); rest != ""; {
		name, after, ok := strings.Cut(rest, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		if !ok {
			return Mapping{}, fmt.Errorf("the mapping has %q where NAME=COLUMN is expected, as in text=content,embedding=vector,source=url", rest)
		}
		words, after, err := cutWords(strings.TrimSpace(after))
		if err != nil {
			return Mapping{}, fmt.Errorf("the mapping of %s: %w", name, err)
		}
		if seen[name] {
			return Mapping{}, fmt.Errorf("the mapping names %s twice", name)
		}
		seen[name] = true
		if err := m.set(name, words); err != nil {
			return Mapping{}, err
		}
		if after == "" {
			break
		}
		if rest = strings.TrimSpace(after[1:]); rest == "" {
			return Mapping{}, fmt.Errorf("the mapping ends with a comma; name another column, or leave it out")
		}
	}
	return m, nil
}

func (m *Mapping) set(name string, words []string) error {
	if name == collectionName {
		// Its dots are part of it.
		m.Collection = strings.Join(words, ".")
		return nil
	}
	places := m.places()
	i := slices.IndexFunc(places, func(p place) bool { return p.name == name })
	if i < 0 {
		names := make([]string, len(places))
		for i := range places {
			names[i] = places[i].name
		}
		return fmt.Errorf("the mapping names %q; what can be named is %s and %s", name, strings.Join(names, ", "), collectionName)
	}
	if len(words) > 1 && !places[i].nested {
		return fmt.Errorf("the mapping of %s is %s; it must be a column, not a key of one (a name with a dot stands in double quotes)", name, strings.Join(words, "."))
	}
	*places[i].at = Place{Column: words[0], Path: words[1:]}
	if len(words) == 1 {
		places[i].at.Path = nil
	}
	return nil
}

// cutWords reads words joined by dots, up to a comma or the end. after begins with
// the comma.
func cutWords(text string) (words []string, after string, err error) {
	for {
		word, rest, err := cutWord(text)
		if err != nil {
			return nil, "", err
		}
		words = append(words, word)
		switch {
		case rest == "" || rest[0] == ',':
			return words, rest, nil
		case rest[0] == '.':
			text = rest[1:]
		default:
			return nil, "", fmt.Errorf("%q follows a name in double quotes, where a comma or a dot is expected", rest)
		}
	}
}

// cutWord reads one word, which may stand in double quotes.
func cutWord(text string) (word, after string, err error) {
	quoted, ok := strings.CutPrefix(text, `"`)
	if !ok {
		end := strings.IndexAny(text, `,.="`)
		if end < 0 {
			end = len(text)
		}
		if end < len(text) && (text[end] == '=' || text[end] == '"') {
			return "", "", fmt.Errorf("%q has %q in a name, which must then stand in double quotes", text, text[end:end+1])
		}
		if word = strings.TrimSpace(text[:end]); word == "" {
			return "", "", fmt.Errorf("a name is missing before %q", text)
		}
		return word, text[end:], nil
	}
	var b strings.Builder
	for {
		before, rest, closed := strings.Cut(quoted, `"`)
		if !closed {
			return "", "", fmt.Errorf("%q has a double quote that is not closed", text)
		}
		b.WriteString(before)
		if quoted, ok = strings.CutPrefix(rest, `"`); ok {
			b.WriteByte('"')
			continue
		}
		if b.Len() == 0 {
			return "", "", fmt.Errorf("a name is empty")
		}
		return b.String(), strings.TrimLeft(rest, " \t"), nil
	}
}

// quoteWord writes a word so that cutWord reads it.
func quoteWord(word string) string {
	if word != "" && strings.TrimSpace(word) == word && !strings.ContainsAny(word, ",.=\"") {
		return word
	}
	return `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
}
