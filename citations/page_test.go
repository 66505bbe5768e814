package citations_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/store"
)

// threeSections are those of the page "é oak\n\nTwo Oaks\n\nand an oak. Pine", cut at
// the code points 7 and 17.
func threeSections() []store.Chunk {
	return []store.Chunk{
		{ChunkText: "Two Oaks\n\n", CharStart: 7, CharEnd: 17, TokenStart: 4, TokenEnd: 8, SectionHeading: "Two", SourceURL: "https://example.org/a", Title: "Trees"},
		{ChunkText: "é oak\n\n", CharStart: 0, CharEnd: 7, TokenStart: 0, TokenEnd: 4, SourceURL: "https://example.org/a", Title: "Trees"},
		{ChunkText: "and an oak. Pine", CharStart: 17, CharEnd: 33, TokenStart: 8, TokenEnd: 13, SectionHeading: "Three", SourceURL: "https://example.org/a", Title: "Trees"},
	}
}

func TestCiteAPage(t *testing.T) {
	p := citations.NewPage(threeSections())
	for _, c := range []struct {
		start, end int
		text       string
		heading    string
		tokens     [2]int
	}{
		{0, 1, "é", "", [2]int{0, 4}},
		{7, 15, "Two Oaks", "Two", [2]int{4, 8}},
		{11, 20, "Oaks\n\nand", "Two", [2]int{4, 13}},
		{0, 33, "é oak\n\nTwo Oaks\n\nand an oak. Pine", "", [2]int{0, 13}},
	} {
		span, err := p.Cite(c.start, c.end)
		if err != nil || span.VerbatimText != c.text || span.SectionHeading != c.heading || span.TokenStart != c.tokens[0] || span.TokenEnd != c.tokens[1] ||
			span.CharStart != c.start || span.CharEnd != c.end || span.Fit != citations.FitExact || span.SourceURL != "https://example.org/a" || span.Title != "Trees" {
			t.Errorf("%d-%d: %+v, %v", c.start, c.end, span, err)
		}
	}
	for _, c := range []struct {
		start, end int
		want       string
	}{
		{0, 34, "0-34 is not within the page, which has the characters 0 to 33"},
		{-1, 3, "-1-3 is not within the page, which has the characters 0 to 33"},
		{40, 41, "40-41 is not within the page, which has the characters 0 to 33"},
		{5, 5, "5-5 is no span: it must end after it begins"},
		{9, 3, "9-3 is no span: it must end after it begins"},
	} {
		span, err := p.Cite(c.start, c.end)
		var outside *citations.RangeError
		if !errors.As(err, &outside) || err.Error() != c.want {
			t.Errorf("%d-%d: %+v, %v", c.start, c.end, span, err)
		}
	}
	if _, err := citations.NewPage(nil).Cite(0, 1); err == nil {
		t.Error("a page without sections has been cited")
	}
	// A foreign indexer re-joined the second section: what follows is still right.
	drifted := threeSections()
	drifted[0].ChunkText = "Two Oaks\n"
	p = citations.NewPage(drifted)
	if span, err := p.Cite(17, 20); err != nil || span.VerbatimText != "and" || span.Fit != citations.FitExact {
		t.Errorf("behind a drift: %+v, %v", span, err)
	}
	if span, err := p.Cite(11, 20); err != nil || span.Fit != citations.FitUnsure {
		t.Errorf("across a drift: %+v, %v", span, err)
	}
}

func TestFindAQuote(t *testing.T) {
	p := citations.NewPage(threeSections())
	for _, c := range []struct {
		quote string
		want  []string
	}{
		{"oak", []string{"oak", "Oak", "oak"}},
		{" two  OAKS and\n", []string{"Two Oaks\n\nand"}},
		{"pine", []string{"Pine"}},
		{"fir", nil},
		{" \n", nil},
	} {
		var got []string
		spans, err := p.Find(t.Context(), c.quote)
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range spans {
			got = append(got, span.VerbatimText)
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q is found at %q, want %q", c.quote, got, c.want)
		}
	}
	for _, c := range []struct {
		quote, want string
		words       int
	}{
		{"and an oak is tall", "and an oak", 3},
		{"two oaks and an oak", "Two Oaks\n\nand an oak", 5},
		{"two firs", "", 0},
		{"", "", 0},
		{"fir", "", 0},
	} {
		span, words, err := p.Beginning(t.Context(), c.quote)
		if err != nil || span.VerbatimText != c.want || words != c.words {
			t.Errorf("%q begins with %q, %d words, %v, want %q, %d", c.quote, span.VerbatimText, words, err, c.want, c.words)
		}
	}
}

// A page is read once for all places of a quote: what is allocated per place is the
// place, not an index of the section's text.
func TestManyPlacesReadAPageOnce(t *testing.T) {
	const places = 2000
	text := strings.Repeat("é the retries\n", places)
	half := len([]rune(text)) / 2
	page := citations.NewPage([]store.Chunk{
		{ChunkText: string([]rune(text)[:half]), CharStart: 0, CharEnd: half},
		{ChunkText: string([]rune(text)[half:]), CharStart: half, CharEnd: 2 * half},
	})
	var found []citations.Span
	var err error
	allocated := testing.AllocsPerRun(1, func() { found, err = page.Find(t.Context(), "the retries") })
	if err != nil || len(found) != places {
		t.Fatalf("%d places, %v, want %d", len(found), err, places)
	}
	if allocated > places/2 {
		t.Errorf("%g allocations for %d places: the text is read for each", allocated, places)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := page.Find(ctx, "the retries"); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was called off ends with %v", err)
	}
	if _, _, err := page.Beginning(ctx, "the retries of old"); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was called off ends with %v", err)
	}
}

// However a page is cut, each of its spans is what stands there, and each of them
// is found again.
func TestAPageIsItsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{"é", "oak ", "\n", "🌍", "Oak", "a", " \t"}), 1, 30).Draw(t, "pieces")
		text := []rune(strings.Join(pieces, ""))
		var sections []store.Chunk
		for from := 0; from < len(text); {
			to := rapid.IntRange(from+1, len(text)).Draw(t, "to")
			sections = append(sections, store.Chunk{ChunkText: string(text[from:to]), CharStart: from, CharEnd: to})
			from = to
		}
		page := citations.NewPage(sections)
		start := rapid.IntRange(0, len(text)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, len(text)).Draw(t, "end")
		span, err := page.Cite(start, end)
		if err != nil || span.VerbatimText != string(text[start:end]) || span.Fit != citations.FitExact {
			t.Fatalf("%d-%d of %q: %+v, %v", start, end, string(text), span, err)
		}
		found, err := page.Find(t.Context(), span.VerbatimText)
		if err != nil || len(found) == 0 && strings.TrimSpace(span.VerbatimText) != "" {
			t.Fatalf("%q is nowhere in %q", span.VerbatimText, string(text))
		}
		for _, f := range found {
			if string(text[f.CharStart:f.CharEnd]) != f.VerbatimText ||
				strings.TrimSpace(store.Fold(f.VerbatimText)) != strings.TrimSpace(store.Fold(span.VerbatimText)) {
				t.Fatalf("%q is found as %+v", span.VerbatimText, f)
			}
		}
	})
}
