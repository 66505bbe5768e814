package source

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/pelletier/go-toml/v2"

	"github.com/webrag/webrag-tui/offset"
)

// maxFrontMatter bounds the header that is looked for; nobody writes a longer one.
const maxFrontMatter = 64 << 10

// readFrontMatter takes over what the header of a markdown page says and returns
// the text below it, where the document begins: a header is about the page, and
// no part of what it says.
func readFrontMatter(doc *NormalizedDocument, base, text string) string {
	fields, below := cutFrontMatter(text)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		setField(doc, base, strings.ToLower(key), fields[key])
	}
	return below
}

// cutFrontMatter splits a markdown text into the fields of its header, YAML or
// TOML, and what follows, without the blank lines between. A text without a header
// comes back as it is. A header with a fault in it has no fields; text between two
// rulers is no header.
func cutFrontMatter(text string) (fields map[string]any, below string) {
	normal := offset.Document(text)
	h := findHeader(normal)
	if h.end == 0 || h.end > maxFrontMatter {
		return nil, text
	}
	if err := h.unmarshal([]byte(h.body), &fields); err != nil {
		fields = nil
		if !firstField.MatchString(h.body) {
			return nil, text
		}
	}
	below = normal[h.end:]
	for {
		line := below[:lineLen(below)]
		if line == "" || strings.Trim(line, " \t\n") != "" {
			return fields, below
		}
		below = below[len(line):]
	}
}

// firstField matches a header whose first line, apart from blank ones and
// comments, is a field.
var firstField = regexp.MustCompile(`^(?:[ \t]*(?:#.*)?\n)*[\pL\pN_][\pL\pN_ .-]*(?::\s|:$|=)`)

// header is what stands between two fences at the beginning of a text.
type header struct {
	body      string
	end       int // the byte where the closing fence ends, 0 for none
	unmarshal func([]byte, any) error
}

// findHeader looks for a header in a normalised text: YAML between "---" lines,
// of which the last may be "...", or TOML between "+++" lines. The first stands at
// the first byte and no blank line follows it: "---" and an empty line is a ruler.
func findHeader(text string) header {
	first := lineLen(text)
	fence := strings.TrimRight(text[:first], " \t\n")
	h := header{unmarshal: unmarshalYAML}
	switch fence {
	case "---":
	case "+++":
		h.unmarshal = toml.Unmarshal
	default:
		return header{}
	}
	for pos := first; pos < len(text); {
		next := pos + lineLen(text[pos:])
		line := strings.TrimRight(text[pos:next], " \t\n")
		if line == "" && pos == first {
			return header{}
		}
		if line == fence || fence == "---" && line == "..." {
			h.body, h.end = text[first:pos], next
			return h
		}
		pos = next
	}
	return header{}
}

// unmarshalYAML takes the last value of a key that is there twice, as most readers
// of front matter do: the others are no worse for it.
func unmarshalYAML(raw []byte, to any) error {
	return yaml.UnmarshalWithOptions(raw, to, yaml.AllowDuplicateMapKey())
}

func setField(doc *NormalizedDocument, base, key string, value any) {
	s := scalar(value)
	switch key {
	case "title":
		doc.Title = s
	case "description", "summary":
		if doc.Description == "" || key == "description" {
			doc.Description = s
		}
	case "lang", "language":
		doc.Language = s
	case "canonical", "canonical_url", "source_url":
		if u := canonical(base, s); u != "" {
			doc.SourceURL = u
		}
	case "depth":
		if n, err := strconv.Atoi(s); err == nil && n >= 0 {
			doc.Depth = n
		}
	case "tags", "tag", "keywords":
		doc.Tags = append(doc.Tags, list(value)...)
	case "date", "published":
		doc.PublishedTime = s
	case "modified", "updated", "lastmod", "last_modified":
		doc.ModifiedTime = s
	case "metadata":
		if inner, ok := value.(map[string]any); ok {
			for k, v := range inner {
				setMetadata(doc, k, scalar(v))
			}
		}
	default:
		setMetadata(doc, key, s)
	}
}

// setMetadata keeps one pair of a page's own. What no flag could give is left
// out: a page must not fail for it.
func setMetadata(doc *NormalizedDocument, key, value string) {
	key = metadataKey(key)
	if value == "" || !isKey(key) || strings.HasPrefix(key, ownPrefix) {
		return
	}
	if doc.Metadata == nil {
		doc.Metadata = map[string]string{}
	}
	doc.Metadata[key] = value
}

// scalar writes a YAML scalar as text; lists and maps have none.
func scalar(value any) string {
	switch v := value.(type) {
	case nil, []any, map[string]any:
		return ""
	case string:
		return strings.Join(strings.Fields(v), " ")
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	default:
		return fmt.Sprint(v)
	}
}

// list reads "[a, b]", a YAML list or "a, b".
func list(value any) []string {
	var out []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			add(scalar(item))
		}
	default:
		for item := range strings.SplitSeq(scalar(v), ",") {
			add(item)
		}
	}
	return out
}

func lineLen(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}
