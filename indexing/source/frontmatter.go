package source

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/webrag/webrag-tui/offset"
)

// maxFrontMatter bounds the header that is parsed; nobody writes a longer one.
const maxFrontMatter = 64 << 10

// readFrontMatter takes over what the YAML header of a markdown page says. The
// header stays in the text. What is not YAML after all says nothing.
func readFrontMatter(doc *NormalizedDocument, base, text string) {
	text = offset.Document(text)
	end := FrontMatter(text)
	if end == 0 || end > maxFrontMatter {
		return
	}
	body := text[strings.IndexByte(text, '\n')+1 : end]
	body = body[:strings.LastIndexByte(strings.TrimRight(body, "\n"), '\n')+1]
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(body), &fields); err != nil {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		setField(doc, base, strings.ToLower(key), fields[key])
	}
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

// FrontMatter returns the byte length of the YAML header of a normalised
// markdown text, both "---" lines included, or 0 when it has none. A header
// stands at the first byte and has no blank first line: "---" and an empty line
// is a ruler.
func FrontMatter(text string) int {
	first := lineLen(text)
	if strings.TrimRight(text[:first], " \t\n") != "---" {
		return 0
	}
	for pos := first; pos < len(text); {
		next := pos + lineLen(text[pos:])
		line := strings.TrimRight(text[pos:next], " \t\n")
		if line == "" && pos == first {
			return 0
		}
		if line == "---" || line == "..." {
			return next
		}
		pos = next
	}
	return 0
}

func lineLen(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n + 1
	}
	return len(text)
}
