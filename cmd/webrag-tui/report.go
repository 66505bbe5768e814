package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/indexing/source"
)

// indexWords sums up a run: "12 pages (9 unchanged, 2 new, 1 changed), …".
func indexWords(r *indexing.Report) string {
	withoutText := 0
	for _, failed := range r.Failed {
		if isEmptyPage(failed) {
			withoutText++
		}
	}
	var kinds []string
	for _, k := range []struct {
		n    int
		word string
	}{
		{r.Added, "new"}, {r.Updated, "changed"}, {r.Unchanged, "unchanged"}, {len(r.Copies), "copies of others"}, {withoutText, "without text"}, {len(r.Failed) - withoutText, "failed"},
	} {
		if k.n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", k.n, k.word))
		}
	}
	read := r.Added + r.Updated + r.Unchanged + len(r.Copies) + len(r.Failed)
	if n := r.Pages - read; n > 0 {
		kinds = append(kinds, fmt.Sprintf("%d not written", n))
	}
	words := plural(r.Pages, "page")
	if len(kinds) > 0 {
		words += " (" + strings.Join(kinds, ", ") + ")"
	}
	parts := []string{words}
	if r.Parents > 0 {
		parts = append(parts, fmt.Sprintf("%s and %s", plural(r.Parents, "section"), plural(r.Children, "passage"))+vectorWords(r))
	}
	if r.Reembedded > 0 {
		parts = append(parts, fmt.Sprintf("%d vectors made anew", r.Reembedded))
	}
	if r.Deleted > 0 {
		parts = append(parts, plural(r.Deleted, "page")+" deleted")
	}
	if !r.Wrote() {
		parts = append(parts, "nothing to write")
	}
	return strings.Join(parts, "; ")
}

// vectorWords say where the vectors of all passages come from: ": 9 embedded, 3
// vectors reused, 120 left as they were".
func vectorWords(r *indexing.Report) string {
	if r.Embedded == 0 && r.Reused == 0 {
		return ""
	}
	words := fmt.Sprintf(": %d embedded, %d vectors reused", r.Embedded, r.Reused)
	rest := r.Children - r.Embedded - r.Reused
	switch {
	case rest > 0 && r.Unchanged > 0:
		words += fmt.Sprintf(", %d left as they were", rest)
	case rest > 0:
		words += fmt.Sprintf(", %d with nothing to embed", rest)
	}
	return words
}

// unmatchedWords says how many sections of pages that came with their HTML are
// nowhere in it: "3 of 20 sections of 2 pages have no HTML that matches their
// markdown", or nothing.
func unmatchedWords(pages []indexing.Unmatched) string {
	without, sections := 0, 0
	for _, p := range pages {
		without += p.Without
		sections += p.Sections
	}
	if without == 0 {
		return ""
	}
	have := "have no HTML that matches their markdown"
	if without == 1 {
		have = "has no HTML that matches its markdown"
	}
	words := fmt.Sprintf("%d of %s of %s %s", without, plural(sections, "section"), plural(len(pages), "page"), have)
	if len(pages) == 1 {
		return words + ": " + pages[0].Path
	}
	return words + ": " + pages[0].Path + " and others, which --json names"
}

// skippedWords says what was left out, one line a reason with an example.
func skippedWords(skipped []source.Skipped) []string {
	counts := map[string]int{}
	example := map[string]string{}
	for _, s := range skipped {
		if s.Reason == file.ErrOutside.Error() {
			continue // see outsideWords
		}
		if counts[s.Reason] == 0 {
			example[s.Reason] = s.Path
		}
		counts[s.Reason]++
	}
	var lines []string
	for reason, n := range counts {
		line := fmt.Sprintf("left out %s: %s", example[reason], reason)
		if n > 1 {
			line = fmt.Sprintf("left out %s and %d more: %s", example[reason], n-1, reason)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// outsideWords names the links that were left out because they lead out of their
// folder: "2 links lead out of the given folder and were left out: docs/a.md,
// docs/b.md; …", or nothing.
func outsideWords(links []string) string {
	if len(links) == 0 {
		return ""
	}
	const most = 10
	words := plural(len(links), "link") + " lead out of the given folder and were left out: "
	if len(links) == 1 {
		words = "1 link leads out of the given folder and was left out: "
	}
	words += strings.Join(links[:min(most, len(links))], ", ")
	if n := len(links) - most; n > 0 {
		words += fmt.Sprintf(" and %d more, which --json names", n)
	}
	return words + "; to index what one leads to, name it in the command"
}

// indexReport is the JSON of index.
type indexReport struct {
	Corpus    string       `json:"corpus"`
	Pages     int          `json:"pages"`
	Added     int          `json:"added"`
	Updated   int          `json:"updated"`
	Unchanged int          `json:"unchanged"`
	Deleted   int          `json:"deleted"`
	Failed    []pageReason `json:"failed"`
	Skipped   []pageReason `json:"skipped"`
	// Unmatched are the pages with sections that found no HTML of their own in the
	// page's.
	Unmatched  []unmatchedPage `json:"unmatched"`
	Parents    int             `json:"parents"`
	Children   int             `json:"children"`
	Embedded   int             `json:"embedded"`
	Reused     int             `json:"reused"`
	Reembedded int             `json:"reembedded"`
	ElapsedMS  float64         `json:"elapsed_ms"`
	// Tokenizer is what the corpus's token counts and offsets are of; it is missing
	// where nothing was opened.
	Tokenizer         string `json:"tokenizer,omitempty"`
	TokensApproximate bool   `json:"tokens_approximate,omitempty"`
}

type pageReason struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type unmatchedPage struct {
	Path     string `json:"path"`
	Sections int    `json:"sections"`
	Without  int    `json:"without_html"`
}

func indexJSON(path string, skipped []source.Skipped, r *indexing.Report) indexReport {
	return indexReport{
		Corpus: path, Pages: r.Pages, Added: r.Added, Updated: r.Updated, Unchanged: r.Unchanged, Deleted: r.Deleted,
		Parents: r.Parents, Children: r.Children, Embedded: r.Embedded, Reused: r.Reused, Reembedded: r.Reembedded,
		ElapsedMS: milliseconds(r.Elapsed), Tokenizer: r.Tokenizer, TokensApproximate: embedder.IsApproximate(r.Tokenizer),
		Failed:    eachOf(r.Failed, func(f *source.PageError) pageReason { return pageReason{f.Path, f.Err.Error()} }),
		Skipped:   eachOf(skipped, func(s source.Skipped) pageReason { return pageReason(s) }),
		Unmatched: eachOf(r.Unmatched, func(p indexing.Unmatched) unmatchedPage { return unmatchedPage{p.Path, p.Sections, p.Without} }),
	}
}
