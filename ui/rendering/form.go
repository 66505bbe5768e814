package rendering

import "github.com/webrag/webrag-tui/retrieval"

// Form is how a section is shown.
type Form uint8

const (
	// Rendered shows the markdown rendered. It is the first form of every
	// section, whatever its surface: matches are ranges of the markdown, so none
	// is missing here.
	Rendered Form = iota
	// HTML shows the HTML rendered, where that is what the model gets.
	HTML
	// Source shows the markdown as it is.
	Source
	// HTMLSource shows the HTML as it is.
	HTMLSource
)

// String names the form.
func (f Form) String() string {
	return [...]string{"rendered", "HTML, rendered", "markdown source", "HTML source"}[f]
}

// FormsOf lists the forms that a section has: rendered, then as the model gets it.
func FormsOf(it *retrieval.Item) []Form {
	switch {
	case sentAsHTML(it):
		return []Form{Rendered, HTMLSource, HTML, Source}
	case it.HTMLText != "":
		return []Form{Rendered, Source, HTMLSource}
	}
	return []Form{Rendered, Source}
}

// sentAsHTML says that the model gets a section as HTML.
func sentAsHTML(it *retrieval.Item) bool {
	return it.Surface == retrieval.SurfaceHTML && it.HTMLText != ""
}
