package citations

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// TextbookBaseURL is the address of the textbook that the URL rules come from.
const TextbookBaseURL = "/physical-ai-robotics-textbook/docs/"

// docsFolder is where a Docusaurus site keeps its pages: a document's path may
// begin with it, its address does not.
const docsFolder = "website/docs/"

// Slug is a rule by which a heading becomes a URL's fragment.
type Slug string

// The rules.
const (
	// SlugSpec puts one hyphen for each run of other characters than letters and
	// digits: "What's new?" is what-s-new.
	SlugSpec Slug = "spec"
	// SlugGitHub drops punctuation and puts a hyphen for each blank, as GitHub
	// and Docusaurus do: "What's new?" is whats-new.
	SlugGitHub Slug = "github"
)

// Of makes the fragment of a heading, without "#". It is empty for a heading
// without a letter or digit. The zero Slug is SlugSpec.
//
// Combining marks count as letters under both rules: without them most words of
// Hindi or Thai would fall apart.
func (s Slug) Of(heading string) string {
	var b strings.Builder
	gap, hasWord := false, false
	for _, r := range strings.ToLower(strings.TrimSpace(heading)) {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		hasWord = hasWord || isWord
		switch {
		case isWord && gap && b.Len() > 0:
			b.WriteByte('-')
			fallthrough
		case isWord, s == SlugGitHub && (r == '-' || r == '_'):
			b.WriteRune(r)
			gap = false
		case s != SlugGitHub:
			gap = true
		case r == ' ':
			b.WriteByte('-')
		}
	}
	if !hasWord {
		return ""
	}
	return b.String()
}

// BuildURL makes the address of a document's section: base, then docPath without
// a leading "website/docs/" and a trailing ".md" ("index" stands for its folder),
// then the fragment of heading, if it has one.
//
//	BuildURL(TextbookBaseURL, "module-1/index.md", "Overview", SlugSpec)
//	// /physical-ai-robotics-textbook/docs/module-1/#overview
//
// A base without a final slash gets one. What cannot stand in an address (blanks,
// control characters, the delimiters ? and # in a path) is percent-encoded;
// letters of all scripts stay legible.
func BuildURL(base, docPath, heading string, slug Slug) string {
	path := strings.TrimPrefix(strings.TrimLeft(docPath, "/"), docsFolder)
	path = strings.TrimLeft(strings.TrimSuffix(path, ".md"), "/")
	switch folder, isIndex := strings.CutSuffix(path, "/index"); {
	case path == "index":
		path = ""
	case isIndex:
		path = folder + "/"
	}
	url := escape(path, `"#%<>?[\]^{|}`+"`")
	switch first, _, _ := strings.Cut(path, "/"); {
	case base != "":
		url = strings.TrimSuffix(escape(base, ""), "/") + "/" + url
	case strings.Contains(first, ":"):
		url = "./" + url // RFC 3986, 4.2: else it would begin with a scheme
	}
	if fragment := slug.Of(heading); fragment != "" {
		url += "#" + fragment
	}
	return url
}

// pageURL is the address of a section of a web page.
func pageURL(sourceURL, anchor string) string {
	url := escape(sourceURL, "")
	if anchor == "" || url == "" {
		return url
	}
	url, _, _ = strings.Cut(url, "#")
	return url + "#" + escape(anchor, `"#<>[\]^{|}`+"`")
}

// escape percent-encodes what is not visible, invalid bytes and the characters of
// reserved.
func escape(text, reserved string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		isInvalid := r == utf8.RuneError && n == 1
		if isInvalid || !unicode.IsGraphic(r) || unicode.IsSpace(r) || strings.ContainsRune(reserved, r) {
			for _, c := range []byte(text[i : i+n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}
