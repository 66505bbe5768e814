package source

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is noted about a page; what people write is far below.
const (
	// MaxKey is the longest metadata key in bytes.
	MaxKey = 64
	// MaxValue is the longest metadata value in runes.
	MaxValue = 1000
	// MaxTag is the longest tag in runes.
	MaxTag = 100
	// MaxNotes is the most metadata keys, and the most tags, of a page.
	MaxNotes = 64
)

// ParseMetadata reads pairs of "key=value". A key begins with a letter or a digit
// and goes on with those and "_", "-", "." and ":"; it is lower-cased and given
// once. "webrag:" begins keys of this program's own. The error is a sentence that
// quotes the pair.
func ParseMetadata(pairs []string) (map[string]string, error) {
	m := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		key, value = metadataKey(key), strings.TrimSpace(value)
		switch {
		case !ok || key == "":
			return nil, fmt.Errorf("%q is no metadata: give it as key=value, for example module=trees", pair)
		case !isKey(key):
			return nil, fmt.Errorf("the key of %q must be at most %d letters, digits and _ - . : in all", pair, MaxKey)
		case strings.HasPrefix(key, ownPrefix):
			return nil, fmt.Errorf("%q: keys that begin with %q are the program's own", pair, ownPrefix)
		case value == "":
			return nil, fmt.Errorf("%q has no value", pair)
		}
		if err := checkNote(value, MaxValue); err != nil {
			return nil, fmt.Errorf("the value of %q %w", key, err)
		}
		if before, twice := m[key]; twice {
			return nil, fmt.Errorf("%q gives a key again that %q gave: a page has one value of a key", pair, key+"="+before)
		}
		m[key] = value
	}
	if len(m) > MaxNotes {
		return nil, fmt.Errorf("%d keys of metadata are more than %d", len(m), MaxNotes)
	}
	return m, nil
}

// ParseTags checks tags: each is a short line. Equal ones are one.
func ParseTags(tags []string) ([]string, error) {
	var out []string
	for _, tag := range tags {
		tag = strings.TrimSpace(tag)
		if tag == "" {
			return nil, errors.New("a tag is empty")
		}
		if err := checkNote(tag, MaxTag); err != nil {
			return nil, fmt.Errorf("the tag %q %w", tag, err)
		}
		if !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	if len(out) > MaxNotes {
		return nil, fmt.Errorf("%d tags are more than %d", len(out), MaxNotes)
	}
	return out, nil
}

// SourceTypes are the ways in which a page comes here.
func SourceTypes() []string { return []string{"web", "upload", "text"} }

// ParseSourceType checks a source type.
func ParseSourceType(s string) (string, error) {
	if slices.Contains(SourceTypes(), s) {
		return s, nil
	}
	return "", fmt.Errorf("%q is no source type; there are %s", s, strings.Join(SourceTypes(), ", "))
}

// CheckOwner refuses an owner that cannot be typed or read.
func CheckOwner(owner string) error {
	if err := checkNote(owner, MaxValue); err != nil {
		return fmt.Errorf("the owner %q %w", owner, err)
	}
	return nil
}

// checkNote holds a text to one readable line.
func checkNote(s string, runes int) error {
	switch {
	case !utf8.ValidString(s):
		return errors.New("is not UTF-8")
	case strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("has a control character")
	case utf8.RuneCountInString(s) > runes:
		return fmt.Errorf("is longer than %d characters", runes)
	}
	return nil
}

// ownPrefix begins the metadata keys that this program keeps for itself, and the
// names of meta elements that are for it.
const ownPrefix = "webrag:"

// metadataKey writes a key in one form. The keys that queries have names for are
// met with a hyphen or a space too.
func metadataKey(key string) string {
	key = strings.ToLower(strings.TrimSpace(key))
	switch key {
	case "content-type", "content type", "contenttype":
		return "content_type"
	}
	return key
}

func isKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		word := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !word && (i == 0 || strings.IndexByte("_-.:", c) < 0) {
			return false
		}
	}
	return key != "" && len(key) <= MaxKey
}

// note adds what the options say about every page; they win over the page.
func (s *Set) note(doc *NormalizedDocument) {
	if s.o.Depth != nil {
		doc.Depth = *s.o.Depth
	}
	if s.o.Owner != "" {
		doc.Owner = s.o.Owner
	}
	if s.o.SourceType != "" {
		doc.SourceType = s.o.SourceType
	}
	for _, tag := range s.o.Tags {
		if !slices.Contains(doc.Tags, tag) {
			doc.Tags = append(doc.Tags, tag)
		}
	}
	for k, v := range s.o.Metadata {
		if doc.Metadata == nil {
			doc.Metadata = map[string]string{}
		}
		doc.Metadata[k] = v
	}
}

// readOwnMeta takes over the meta elements of a page that are for this program:
// "webrag:tags" with commas between them, "webrag:depth", and any other as
// metadata under its name without the prefix.
func readOwnMeta(doc *NormalizedDocument, base string, meta map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(meta)) {
		content := meta[name]
		key, ok := strings.CutPrefix(name, ownPrefix)
		switch {
		case !ok:
		case key == "tags", key == "tag", key == "depth":
			setField(doc, base, key, content)
		default:
			setMetadata(doc, key, content)
		}
	}
}
