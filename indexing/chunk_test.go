package indexing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing/source"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store"
)

func derive(t interface {
	Helper()
	Fatalf(string, ...any)
}, markdown string, o Options,
) Derived {
	t.Helper()
	if o.Embedder == nil {
		o.Embedder = fakeEmbedder{}
	}
	if o.Tokenizer == nil {
		o.Tokenizer = wordTokens{}
	}
	d, err := NewDeriver(o)
	if err != nil {
		t.Fatalf("new deriver: %v", err)
	}
	out, err := d.Derive(t.(interface{ Context() contextType }).Context(), source.NormalizedDocument{
		SourceURL: "https://example.org/a/page.html", Title: "Page", DocType: "markdown", Markdown: markdown,
		FetchedAt: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
	})
	if err != nil {
		t.Fatalf("derive: %v", err)
	}
	return out
}

func levels(b store.Bundle) (parents, children []store.Chunk) {
	for _, c := range b.Chunks {
		if c.Level == store.Parent {
			parents = append(parents, c)
		} else {
			children = append(children, c)
		}
	}
	return parents, children
}

// checkInvariants holds a derived page to what every reader of a corpus relies
// on. text is the document's normalised markdown.
func checkInvariants(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string, d Derived, tok embedder.Tokenizer, child, parent int,
) {
	t.Helper()
	parents, children := levels(d.Bundle)
	index := offset.NewIndex(text)
	total := len(tok.Starts(text))
	check := func(c store.Chunk, at, token, limit int) {
		t.Helper()
		switch {
		case c.CharStart != at:
			t.Fatalf("%s %d begins at %d, not at %d", c.Level, c.Index, c.CharStart, at)
		case c.CharEnd <= c.CharStart:
			t.Fatalf("%s %d is empty", c.Level, c.Index)
		case index.Slice(c.CharStart, c.CharEnd) != c.ChunkText:
			t.Fatalf("%s %d: document[%d:%d] is not its text", c.Level, c.Index, c.CharStart, c.CharEnd)
		case !utf8.ValidString(c.ChunkText):
			t.Fatalf("%s %d is not valid UTF-8", c.Level, c.Index)
		case strings.TrimSpace(c.ChunkText) == "" && tok.Count(spaceAround(text, index.Byte(c.CharStart), index.Byte(c.CharEnd))) < limit/2:
			t.Fatalf("%s %d is blank: %q", c.Level, c.Index, c.ChunkText)
		case c.TokenStart != token:
			t.Fatalf("%s %d begins at token %d, not at %d", c.Level, c.Index, c.TokenStart, token)
		case c.Tokens() > limit:
			t.Fatalf("%s %d has %d tokens, more than %d", c.Level, c.Index, c.Tokens(), limit)
		}
	}
	ids := map[string]bool{}
	at, token := 0, 0
	byParent := map[string][]store.Chunk{}
	for _, c := range children {
		byParent[c.ParentID] = append(byParent[c.ParentID], c)
		ids[c.ID] = true
	}
	var all strings.Builder
	var anchors []string
	for i, p := range parents {
		check(p, at, token, parent)
		for _, a := range p.Anchors {
			if a == "" || slices.Contains(anchors, a) {
				t.Fatalf("parent %d has the anchor %q of %q", i, a, anchors)
			}
			anchors = append(anchors, a)
		}
		if p.Index != i || p.ParentID != "" {
			t.Fatalf("parent %d has index %d and parent %q", i, p.Index, p.ParentID)
		}
		ids[p.ID] = true
		all.WriteString(p.ChunkText)
		inner, innerToken := at, token
		for j, c := range byParent[p.ID] {
			check(c, inner, innerToken, child)
			if c.Index != j {
				t.Fatalf("child %d of parent %d has index %d", j, i, c.Index)
			}
			if p.Flags&c.Flags != c.Flags {
				t.Fatalf("parent %d lacks flags %b of its child %d", i, c.Flags&^p.Flags, j)
			}
			inner, innerToken = c.CharEnd, c.TokenEnd
		}
		if inner != p.CharEnd {
			t.Fatalf("children of parent %d end at %d, it at %d", i, inner, p.CharEnd)
		}
		at, token = p.CharEnd, p.TokenEnd
	}
	switch {
	case at != index.Len() || all.String() != text:
		t.Fatalf("parents end at %d of %d characters", at, index.Len())
	case token != total || d.Bundle.Document.TokenCount != total:
		t.Fatalf("parents hold %d tokens of %d", token, total)
	case d.Bundle.Document.ParentCount != len(parents):
		t.Fatalf("the document counts %d parents of %d", d.Bundle.Document.ParentCount, len(parents))
	case len(ids) != len(d.Bundle.Chunks):
		t.Fatalf("%d ids for %d chunks", len(ids), len(d.Bundle.Chunks))
	}
}

// spaceAround is the run of white space that a blank chunk is part of. Only one
// that nearly fills a chunk may leave a blank one.
func spaceAround(text string, from, to int) string {
	return text[len(strings.TrimRightFunc(text[:from], unicode.IsSpace)) : to+len(text[to:])-len(strings.TrimLeftFunc(text[to:], unicode.IsSpace))]
}

// checkStructure holds chunks to the headings and fences of the text.
func checkStructure(t *rapid.T, text string, d Derived, tok embedder.Tokenizer, child int) {
	blocks := scanBlocks(text)
	index := offset.NewIndex(text)
	for _, c := range d.Bundle.Chunks {
		from, to := index.Byte(c.CharStart), index.Byte(c.CharEnd)
		if c.SectionHeading != "" {
			found := false
			for _, b := range blocks {
				if b.kind == kindHeading && b.title == c.SectionHeading && b.start < to {
					found = true
				}
			}
			if !found {
				t.Fatalf("%s %d reports the heading %q, which does not stand before its end", c.Level, c.Index, c.SectionHeading)
			}
		}
		if c.Level == store.Parent {
			continue
		}
		for _, b := range blocks {
			if b.kind != kindFence || from <= b.start && b.content <= to || to <= b.start || b.content <= from {
				continue
			}
			if n := len(tok.Starts(text[:b.end])) - len(tok.Starts(text[:b.start])); n <= child {
				t.Fatalf("child %d cuts a fence of %d tokens: %q", c.Index, n, c.ChunkText)
			}
			if !c.Cont {
				t.Fatalf("child %d holds a piece of a fence and does not say so", c.Index)
			}
		}
	}
}

func TestDeriveInvariants(t *testing.T) {
	t.Parallel()
	gen := markdownGen()
	rapid.Check(t, func(t *rapid.T) {
		text := gen.Draw(t, "markdown")
		if strings.TrimSpace(text) == "" {
			return
		}
		o := Options{
			ChildTargetTokens: rapid.IntRange(32, 300).Draw(t, "child"),
			Children:          rapid.SampledFrom([]ChildMode{Merged, Paragraph}).Draw(t, "children"),
			Tokenizer:         rapid.SampledFrom([]embedder.Tokenizer{wordTokens{}, byteTokens{}}).Draw(t, "tokenizer"),
		}
		o.ParentMaxTokens = o.ChildTargetTokens + rapid.IntRange(0, 800).Draw(t, "parent")
		d := derive(t, text, o)
		checkInvariants(t, text, d, o.Tokenizer, o.ChildTargetTokens, o.ParentMaxTokens)
		checkStructure(t, text, d, o.Tokenizer, o.ChildTargetTokens)

		again := derive(t, text, o)
		if fmt.Sprint(again) != fmt.Sprint(d) {
			t.Fatalf("two runs differ")
		}
		larger := o
		larger.ParentMaxTokens += rapid.IntRange(0, 400).Draw(t, "more")
		if got := derive(t, text, larger).Bundle.Document.ParentCount; got > d.Bundle.Document.ParentCount {
			t.Fatalf("a ceiling of %d gives %d parents, one of %d gives %d", o.ParentMaxTokens, d.Bundle.Document.ParentCount, larger.ParentMaxTokens, got)
		}
	})
}

func FuzzDerive(f *testing.F) {
	for _, s := range []string{
		"# A\n\ntext\n\n## B\n\n```\n\n", "- a\n  ```\nb", "|a|b|\n|-|-|\n|1|2|", "[a](b(c)[d]: <e>\n\n[d]: f", "a\n===\n\xff\x00\r\n\ufeff",
		strings.Repeat("\n \n", 200) + "a", strings.Repeat("👩‍👩‍👧", 100), "---\n---\n", "`` ` ``` `", "1. \n\n   a\n2) b\n:::note",
		strings.Repeat("[a](", 300), strings.Repeat("> ", 200) + "# a", "<!-- ", "\\", "![", "[![a](b)](c)", "\n\n\f \n\na", "    \tx\n\t\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		text := offset.Document(raw)
		if strings.TrimSpace(text) == "" {
			return
		}
		o := Options{ChildTargetTokens: 32, ParentMaxTokens: 80, Tokenizer: byteTokens{}}
		d := derive(t, raw, o)
		checkPartition(t, text, scanBlocks(text))
		checkInvariants(t, text, d, o.Tokenizer, 32, 80)
	})
}

// TestEditLeavesOthersAlone changes one section: only its chunks get new ids.
func TestEditLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	section := rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		return strings.Repeat(rapid.SampledFrom([]string{"tree% ", "forest%. ", "検索%", "x%\n\n"}).Draw(t, "w"), n)
	})
	rapid.Check(t, func(t *rapid.T) {
		bodies := rapid.SliceOfN(section, 2, 6).Draw(t, "bodies")
		render := func() string {
			var b strings.Builder
			for i, body := range bodies {
				// Equal texts may swap ids, so each section has its own words.
				fmt.Fprintf(&b, "## Section %d\n\n%s\n\n", i, strings.ReplaceAll(body, "%", strconv.Itoa(i)))
			}
			return b.String()
		}
		before := derive(t, render(), Options{})
		edited := rapid.IntRange(0, len(bodies)-1).Draw(t, "edited")
		bodies[edited] = "something else, " + bodies[edited]
		after := derive(t, render(), Options{})
		name := fmt.Sprintf("Section %d", edited)
		if got, want := idsOutside(after, name), idsOutside(before, name); !slices.Equal(got, want) {
			t.Fatalf("editing %s changed ids of other sections", name)
		}
	})
}

func idsOutside(d Derived, section string) []string {
	var out []string
	for _, c := range d.Bundle.Chunks {
		if c.SectionHeading != section {
			out = append(out, c.ID)
		}
	}
	return out
}

// TestParentAloneGivesSameChildren holds a section to being cut by its own text
// and nothing else.
func TestParentAloneGivesSameChildren(t *testing.T) {
	t.Parallel()
	gen := markdownGen()
	rapid.Check(t, func(t *rapid.T) {
		o := Options{ParentMaxTokens: 4096}
		d := derive(t, "# Title\n\n"+gen.Draw(t, "markdown")+"\n## End\n", o)
		parents, children := levels(d.Bundle)
		for _, p := range parents {
			if !strings.HasPrefix(p.ChunkText, "#") || p.Tokens() > 4000 || p.Cont {
				continue
			}
			var want, got []string
			for _, c := range children {
				if c.ParentID == p.ID {
					want = append(want, c.ChunkText)
				}
			}
			alone := &page{text: p.ChunkText}
			alone.analyse(wordTokens{})
			withDefaults, _ := Options{Embedder: fakeEmbedder{}, Tokenizer: wordTokens{}}.withDefaults()
			from := 0
			for _, to := range alone.cutter(&withDefaults).cutChildren(0, len(p.ChunkText)) {
				got = append(got, p.ChunkText[from:to])
				from = to
			}
			if !slices.Equal(got, want) {
				t.Fatalf("parent %d alone gives %q, in its page %q", p.Index, got, want)
			}
		}
	})
}
