package citations

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// PageSpan is a passage of a page: code points [Start, End) of its markdown.
type PageSpan struct {
	URL        string
	Start, End int
}

// String gives the form that [ParsePageSpan] reads.
func (s PageSpan) String() string { return fmt.Sprintf("%s:%d-%d", s.URL, s.Start, s.End) }

// ParsePageSpan reads "URL:START-END", with positions in code points of the page's
// markdown. The URL may hold colons of its own. A span without characters is the
// place that it begins at.
func ParsePageSpan(text string) (PageSpan, error) {
	text = strings.TrimSpace(text)
	colon := strings.LastIndexByte(text, ':')
	if colon <= 0 {
		return PageSpan{}, fmt.Errorf("span %q is not URL:START-END", text)
	}
	from, to, ok := strings.Cut(text[colon+1:], "-")
	start, errStart := strconv.Atoi(from)
	end, errEnd := strconv.Atoi(to)
	if !ok || errors.Join(errStart, errEnd) != nil {
		return PageSpan{}, fmt.Errorf("span %q is not URL:START-END: %q is not a range of characters", text, text[colon+1:])
	}
	if start < 0 || end < start {
		return PageSpan{}, fmt.Errorf("span %q ends before it begins", text)
	}
	return PageSpan{URL: text[:colon], Start: start, End: end}, nil
}
