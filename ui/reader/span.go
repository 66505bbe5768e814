package reader

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Span is a passage of a page: code points [Start, End) of its markdown.
type Span struct {
	URL        string
	Start, End int
}

// String gives the form that [ParseSpan] reads.
func (s Span) String() string { return fmt.Sprintf("%s:%d-%d", s.URL, s.Start, s.End) }

// ParseSpan reads "URL:START-END", with positions in code points of the page's
// markdown. The URL may hold colons of its own. A span without characters is the
// place that it begins at.
func ParseSpan(text string) (Span, error) {
	text = strings.TrimSpace(text)
	colon := strings.LastIndexByte(text, ':')
	if colon <= 0 {
		return Span{}, fmt.Errorf("span %q is not URL:START-END", text)
	}
	from, to, ok := strings.Cut(text[colon+1:], "-")
	start, errStart := strconv.Atoi(from)
	end, errEnd := strconv.Atoi(to)
	if !ok || errors.Join(errStart, errEnd) != nil {
		return Span{}, fmt.Errorf("span %q is not URL:START-END: %q is not a range of characters", text, text[colon+1:])
	}
	if start < 0 || end < start {
		return Span{}, fmt.Errorf("span %q ends before it begins", text)
	}
	return Span{URL: text[:colon], Start: start, End: end}, nil
}
