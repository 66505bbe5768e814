package indexing

import (
	"regexp"
	"strings"

	"github.com/webrag/webrag-tui/indexing/convert"
	"github.com/webrag/webrag-tui/store"
)

// markdownFlags returns the rich contents of each block, for pages without HTML.
func markdownFlags(text string, blocks []block) []store.Flags {
	flags := make([]store.Flags, len(blocks))
	for i := range blocks {
		flags[i] = blockFlags(text, blocks, i)
	}
	return flags
}

func blockFlags(text string, blocks []block, i int) store.Flags {
	b := &blocks[i]
	body := text[b.start:b.content]
	var f store.Flags
	switch b.kind {
	case kindRule:
		return 0
	case kindFence, kindIndented:
		return store.HasCode
	case kindTable:
		f |= store.HasTable
	case kindHTML:
		return htmlFlags(body)
	case kindList:
		if orderedSteps(text, blocks, i) {
			f |= store.HasSteps
		}
		if strings.Contains(body, "|") && tableInside(body) {
			f |= store.HasTable
		}
	case kindParagraph:
		if definitionBody.MatchString(body) {
			f |= store.HasDefinitionList
		}
	}
	if hasMath(body) {
		f |= store.HasMath
	}
	if b.kind != kindHeading && b.kind != kindTable && isAdmonition(body) {
		f |= store.HasAdmonition
	}
	return f
}

// definitionBody matches ": definition" under its term.
var definitionBody = regexp.MustCompile(`(?m)^[^\n]*\S\n:[ \t]+\S`)

var orderedMarker = regexp.MustCompile(`(?m)^[ \t>]*(\d{1,9})[.)](?:[ \t]|$)`)

// orderedSteps says that a list block is part of an ordered list of two or more
// items. A loose list has one block for each item.
func orderedSteps(text string, blocks []block, i int) bool {
	b := &blocks[i]
	found := orderedMarker.FindAllStringSubmatch(text[b.start:b.content], 2)
	switch len(found) {
	case 0:
		return false
	case 1:
		if strings.TrimLeft(found[0][1], "0") != "1" {
			return true
		}
		return i+1 < len(blocks) && blocks[i+1].kind == kindList &&
			orderedMarker.MatchString(text[blocks[i+1].start:blocks[i+1].content])
	}
	return true
}

func tableInside(body string) bool {
	for line := range strings.Lines(body) {
		if isDelimiterRow(strings.TrimLeft(strings.TrimSpace(line), "> ")) {
			return true
		}
	}
	return false
}

// mathPattern matches $x$, $$x$$, \(x\) and \[x\]. As Pandoc has it, a single
// dollar opens before and closes behind a non-space, and does not close before
// a digit: "$5 and $10" is money.
var mathPattern = regexp.MustCompile(`\$\$[^$]+\$\$|(?:^|[^\\$\w])\$[^\s$](?:[^$\n]*[^\s$\\])?\$(?:$|[^\d$])|\\\([^\n]+?\\\)|\\\[[^\[\]]+?\\\]`)

func hasMath(body string) bool {
	if !strings.ContainsAny(body, `$\`) {
		return false
	}
	return mathPattern.MatchString(codeSpanPattern.ReplaceAllString(body, ""))
}

// formulas returns the byte ranges that mathPattern matches. A "\(" that its line does
// not close would be looked for in vain up to the line's end, before each formula anew.
func formulas(body string) [][]int {
	if strings.Contains(body, `\(`) {
		var b strings.Builder
		b.Grow(len(body))
		for line := range strings.Lines(body) {
			closed := max(0, strings.LastIndex(line, `\)`))
			b.WriteString(line[:closed])
			b.WriteString(strings.ReplaceAll(line[closed:], `\(`, `\{`)) // as long, and no formula's
		}
		body = b.String()
	}
	return mathPattern.FindAllStringIndex(body, -1)
}

// admonitionPattern matches the callouts of MkDocs, Docusaurus and GitHub, and
// a line that is nothing but one of the words that converters leave of them.
var admonitionPattern = regexp.MustCompile(`(?mi)^[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+\w|:::+[ \t]*\{?\w|>[ \t]*\[!\w+\]|[*_> \t]*(?:note|warning|important|tip|caution|danger|info|success|example|see also|deprecated since[^\n]*):?[*_]*:?[ \t]*$)`)

func isAdmonition(body string) bool { return admonitionPattern.MatchString(body) }

var (
	classAttribute = regexp.MustCompile(`(?i)<[a-z][^<>]*?\sclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
	mathElement    = regexp.MustCompile(`(?i)<math[\s>]|<mjx-`)
)

// htmlFlags looks into a block of HTML inside markdown.
func htmlFlags(body string) store.Flags {
	lower := strings.ToLower(body)
	var f store.Flags
	for _, tag := range []struct {
		open string
		flag store.Flags
	}{
		{"<table", store.HasTable},
		{"<pre", store.HasCode},
		{"<dl", store.HasDefinitionList},
		{"<ol", store.HasSteps},
	} {
		if strings.Contains(lower, tag.open) {
			f |= tag.flag
		}
	}
	if mathElement.MatchString(body) {
		f |= store.HasMath
	}
	for _, value := range classAttribute.FindAllStringSubmatch(body, -1) {
		for class := range strings.FieldsSeq(value[1] + value[2] + value[3]) {
			if convert.IsAdmonitionClass(class) {
				f |= store.HasAdmonition
			}
			if convert.IsMathClass(class) {
				f |= store.HasMath
			}
		}
	}
	return f
}
