package docs_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/docs"
)

var update = flag.Bool("update", false, "rewrite what is made from tables")

// specificationsTable has a line for each point of the five specifications: where it
// stands, what it says, whether the program does that, what it does instead or
// besides, and the tests that hold it, each as folder.Name.
const (
	specificationsTable = "specifications.tsv"
	specificationsPage  = "guide/specifications.md"
)

// The ways in which the program meets a point.
const (
	asWritten = "as written"
	differs   = "differs"
	leftOut   = "left out"
)

// point is a line of the table.
type point struct {
	specification, section, says, status, instead string
	tests                                         []string
}

func specificationPoints(t *testing.T) []point {
	t.Helper()
	raw, err := os.ReadFile(specificationsTable)
	if err != nil {
		t.Fatal(err)
	}
	var points []point
	for i, line := range strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 6 {
			t.Fatalf("%s, line %d has %d cells, want 6", specificationsTable, i+1, len(cells))
		}
		if i > 0 {
			points = append(points, point{cells[0], cells[1], cells[2], cells[3], cells[4], strings.Fields(cells[5])})
		}
	}
	return points
}

// specifications are the five, each with what the page says of it. Their order is
// that of the table.
func specifications() []struct{ name, about string } {
	return []struct{ name, about string }{
		{"retrieval layer", "Small-to-large retrieval over a database; the preset `webrag`."},
		{"retrieval contract", "A retriever over a textbook; the preset `textbook`."},
		{"hybrid and graph", "Two retrievers with fusion and with edges; the presets `hybrid` and `graph`."},
		{"indexing layer", "From pages to chunks in a database."},
		{"source tracing", "The passages of one user; the preset `topk`."},
	}
}

// TestSpecificationsAreHeldByTests holds that the table is complete in itself: every
// point that the program meets names tests that exist, every other one says why.
func TestSpecificationsAreHeldByTests(t *testing.T) {
	t.Parallel()
	var names []string
	for _, s := range specifications() {
		names = append(names, s.name)
	}
	seen := map[string]bool{}
	last := 0
	for _, p := range specificationPoints(t) {
		at := slices.Index(names, p.specification)
		switch {
		case at < last:
			t.Errorf("%q: not one of %v in their order", p.specification, names)
		case p.section == "" || p.says == "":
			t.Errorf("%+v says nothing", p)
		case !slices.Contains([]string{asWritten, differs, leftOut}, p.status):
			t.Errorf("%q is %q", p.says, p.status)
		case p.status != asWritten && p.instead == "":
			t.Errorf("%q %s, and nothing says why", p.says, p.status)
		case p.status != leftOut && len(p.tests) == 0:
			t.Errorf("%q: no test holds it", p.says)
		case seen[p.specification+p.section+p.says]:
			t.Errorf("%q stands there twice", p.says)
		}
		seen[p.specification+p.section+p.says], last = true, max(at, last)
		for _, name := range p.tests {
			if !isTest(t, name) {
				t.Errorf("%q: there is no test %s", p.says, name)
			}
		}
	}
	if last != len(names)-1 {
		t.Errorf("the table ends with %s", names[last])
	}
}

// isTest reports whether a folder has a test of this name.
func isTest(t *testing.T, name string) bool {
	t.Helper()
	folder, name := path.Split(strings.Replace(name, ".Test", "/Test", 1))
	files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	begins := regexp.MustCompile(`(?m)^func ` + regexp.QuoteMeta(name) + `\(t \*testing\.T\)`)
	return slices.ContainsFunc(files, func(file string) bool {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return begins.Match(raw)
	})
}

// TestSpecificationsPageIsCurrent holds the page to the table: make golden writes it.
func TestSpecificationsPageIsCurrent(t *testing.T) {
	t.Parallel()
	want := specificationsMarkdown(specificationPoints(t))
	if *update {
		if err := os.WriteFile(specificationsPage, []byte(want), 0o644); err != nil { //nolint:gosec // a document to read
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(specificationsPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what %s makes of it: run make golden", specificationsPage, specificationsTable)
	}
}

// TestTheGuideIsAllButTheSpecifications holds that the patterns by which the guide is
// embedded leave out one page.
func TestTheGuideIsAllButTheSpecifications(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(os.DirFS("."), "guide", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if _, err := fs.Stat(docs.Guide, name); (err == nil) == (name == specificationsPage) {
			t.Errorf("%s is not where it should be: %v", name, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// specificationsMarkdown is the page.
func specificationsMarkdown(points []point) string {
	counts := map[string]int{}
	for _, p := range points {
		counts[p.status]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, `---
title: The specifications, point by point
description: What the five specifications say, and where the program differs and why.
depth: 2
tags: [presets, reference]
---

# The specifications, point by point

The presets stand for systems that have specifications. Of their %d points the program meets %d as written (=), differs in %d (≠), and leaves out %d (–). A preset of a specification does what that says also where another setting is better; what a session starts with follows the embedder, and says which and why. Each line is held by tests, which [the table behind this page](../specifications.tsv) names. The page is not part of the corpus that the demo opens.
`, len(points), counts[asWritten], counts[differs], counts[leftOut])
	for _, s := range specifications() {
		fmt.Fprintf(&b, "\n## %s%s\n\n%s\n\n| section | it says | | here |\n| --- | --- | --- | --- |\n",
			strings.ToUpper(s.name[:1]), s.name[1:], s.about)
		for _, p := range points {
			if p.specification == s.name {
				sign := map[string]string{asWritten: "=", differs: "≠", leftOut: "–"}[p.status]
				fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.section, escapeCell(p.says), sign, escapeCell(p.instead))
			}
		}
	}
	return b.String()
}

// escapeCell writes text as it is into a cell of a table in markdown.
func escapeCell(text string) string {
	return regexp.MustCompile(`[_*<>\[\]|\\]|^[-+]`).ReplaceAllString(text, `\$0`)
}
