package postgres

import (
	"strings"
	"unicode"
)

// underHeading is the condition that a section bears one of the headings, on it or
// above it, whatever the case of letters.
func (v *View) underHeading(p *params, alias string, headings []string) string {
	wanted, heading := lowerHeadings(headings), column(v.layout.chunks, alias, "section_heading", "NULL::text")
	if v.layout.foreign {
		wanted, heading = inMarkdown(wanted), "rtrim("+heading+`, E' \t\r\n')`
	}
	if len(wanted) == 0 {
		return "false"
	}
	from, to := capitals(wanted)
	upper, lower, one := p.add(from), p.add(to), "ANY("+p.add(wanted)+"::text[])"
	same := func(heading string) string {
		return "translate(" + heading + ", " + upper + "::text, " + lower + "::text) = " + one
	}
	condition := same(heading)
	if v.layout.chunks["heading_path"] {
		condition += " OR EXISTS (SELECT FROM unnest(" + alias + ".heading_path) h WHERE " + same("h") + ")"
	}
	return "(" + condition + ")"
}

// lowerHeadings returns headings in small letters. The empty one is an absent one,
// which nobody asks for.
func lowerHeadings(headings []string) []string {
	var lower []string
	for _, h := range storable(headings) {
		if h != "" {
			lower = append(lower, strings.ToLower(h))
		}
	}
	return lower
}

// inMarkdown returns headings and what they are in markdown: WebRAG keeps a heading
// with its marks, and with the end of its line.
func inMarkdown(headings []string) []string {
	all := headings
	for _, h := range headings {
		for level := 1; level <= 6; level++ {
			all = append(all, strings.Repeat("#", level)+" "+h)
		}
	}
	return all
}

// capitals returns the letters whose small form occurs in texts, and these forms,
// letter by letter: what PostgreSQL's translate needs to write a text in the small
// letters of strings.ToLower, as far as it can equal one of texts. lower() would
// depend on the locale of the database.
//
//	capitals([]string{"bä"}) // "BÄ", "bä"
func capitals(texts []string) (from, to string) {
	wanted := make(map[rune]bool)
	for _, text := range texts {
		for _, r := range text {
			wanted[r] = true
		}
	}
	var upper, lower strings.Builder
	for _, c := range unicode.CaseRanges {
		for r := rune(c.Lo); r <= rune(c.Hi); r++ {
			if l := unicode.ToLower(r); l != r && wanted[l] {
				upper.WriteRune(r)
				lower.WriteRune(l)
			}
		}
	}
	return upper.String(), lower.String()
}
