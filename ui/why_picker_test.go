package ui

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/widget"
)

func names(e *whyEntries, found whyMatches) []string {
	var list []string
	for _, i := range found.at {
		list = append(list, e.all[i].name)
	}
	return list
}

func someEntries() *whyEntries {
	return entriesOf(session.SectionList{Sections: []session.SectionName{
		{ChunkID: "1", SourceURL: "https://x.example/ranking", Title: "Ranking", Headings: []string{"Ranking"}},
		{ChunkID: "2", SourceURL: "https://x.example/ranking", Title: "Ranking", Headings: []string{"Ranking", "Depth decay"}, Anchor: "decay"},
		{ChunkID: "3", SourceURL: "https://x.example/crawl?x=1", Title: "In depth", Headings: []string{"How far"}},
		{ChunkID: "4", SourceURL: "https://x.example/untitled"},
	}}, nil)
}

func TestEntriesAreFound(t *testing.T) {
	e := someEntries()
	for text, want := range map[string][]string{
		"":            {"Ranking", "In depth", "x.example/untitled"},
		"dep":         {"Ranking › Depth decay", "In depth", "In depth › How far"},
		"DECAY depth": {"Ranking › Depth decay"},
		"far depth":   {"In depth › How far"},
		"crawl":       {"In depth", "In depth › How far"},
		"rkgdcy":      {"Ranking › Depth decay"},
		"zzz":         nil,
	} {
		if got := names(e, e.match(text)); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	if e.match("dep").loose || !e.match("rkgdcy").loose {
		t.Error("only letters that are no word are loose")
	}
}

// What is typed is taken for a name, an address or a quote.
func TestWhatIsTyped(t *testing.T) {
	quote := "a sentence that no heading of the corpus has"
	for text, want := range map[string]whynot.Target{
		"decay":                            {ChunkID: "2"},
		"https://x.example/ranking":        {SourceURL: "https://x.example/ranking"},
		"http://x.example/ranking/":        {SourceURL: "https://x.example/ranking"},
		"https://x.example/ranking#decay":  {ChunkID: "2"},
		"https://x.example/ranking#no":     {SourceURL: "https://x.example/ranking"},
		"example/rank":                     {SourceURL: "https://x.example/ranking"},
		"https://elsewhere.example/a#frag": {SourceURL: "https://elsewhere.example/a#frag"},
		quote:                              {Quote: quote},
		"zzz":                              {Quote: "zzz"},
	} {
		p := whyPicker{input: widget.NewInput(), entries: someEntries()}
		p.input.SetValue(text)
		p.narrow()
		if len(p.rows) == 0 || p.rows[0].target != want {
			t.Errorf("%q means %+v, want %+v first", text, p.rows, want)
		}
	}
}

// No text breaks the matching, and what is found is there.
func TestAnyTextIsMatched(t *testing.T) {
	e := someEntries()
	rapid.Check(t, func(t *rapid.T) {
		p := whyPicker{input: widget.NewInput(), entries: e}
		p.input.SetValue(rapid.String().Draw(t, "text"))
		p.narrow()
		for i := range p.rows {
			if p.rows[i].target == (whynot.Target{}) {
				t.Fatalf("row %d means nothing", i)
			}
		}
	})
}

// crowd is a corpus of many sections.
type crowd struct {
	*fakeCorpus
	n int
}

func (c crowd) Sections(_ context.Context, limit int, known int64) (session.SectionList, error) {
	list := session.SectionList{Version: 1, More: max(0, c.n-limit)}
	if known == 1 {
		return list, nil
	}
	for i := range min(c.n, limit) {
		list.Sections = append(list.Sections, session.SectionName{
			ChunkID: fmt.Sprint("s", i), SourceURL: fmt.Sprintf("https://x.example/%d", i/10), Title: fmt.Sprint("Page ", i/10), Headings: []string{fmt.Sprint("Section ", i)},
		})
	}
	return list, nil
}

// A corpus of many sections is matched beside the screen, and what comes late is
// dropped.
func TestManySectionsAreMatchedBesideTheScreen(t *testing.T) {
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		o.Query = "decay"
		o.Open = func(context.Context) (*session.Corpus, error) {
			return &session.Corpus{Name: "guide", Engine: answering{f}, Reader: crowd{f, 30_000}, Live: true}, nil
		}
	}, "esc w")
	d.mustShow("Page 1")
	d.send(keyOf("7"))
	d.send(keyOf("7"))
	if len(d.ready) == 0 {
		t.Fatal("nothing is matched beside the screen")
	}
	late := d.ready[len(d.ready)-2]
	d.settle()
	d.mustShow("Section 77", "the best 200; more match, of the first 20k sections; the other 10k are found by their address or text")
	before := d.screen()
	d.send(late())
	if after := d.screen(); after != before {
		t.Errorf("an old match is shown:\n%s", after)
	}
	// They are read once.
	d.press("esc w")
	d.mustShow("Page 1")
}

func TestSectionsThatCannotBeListed(t *testing.T) {
	d := drive(t, 1, 100, 30, asking("decay"), "esc")
	d.m.corpus.Reader.(*fakeCorpus).down = errBroken
	d.press("w")
	d.mustShow("the pages could not be listed: open corpus x.db")
	d.mustNotShow("it begins with")
}

// Sections are named page by page, and read again only when the corpus changes.
func TestSectionsOfACorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "", "")
	r := d.m.corpus.Reader
	all, err := r.Sections(t.Context(), whyMost, -1)
	if err != nil || sectionsOnly(all) != d.m.stats.Parents || all.More != 0 {
		t.Fatalf("%d sections and %d more, %v; the corpus has %d", len(all.Sections), all.More, err, d.m.stats.Parents)
	}
	few, err := r.Sections(t.Context(), 5, -1)
	if err != nil || sectionsOnly(few) != 5 || len(few.Sections) > 10 || few.More != d.m.stats.Parents-5 {
		t.Errorf("%d sections and %d more, %v", len(few.Sections), few.More, err)
	}
	same, err := r.Sections(t.Context(), whyMost, all.Version)
	if err != nil || len(same.Sections) != 0 || same.Version != all.Version {
		t.Errorf("%+v, %v", same, err)
	}
}

// sectionsOnly counts the sections of a list without the headings inside of them.
func sectionsOnly(list session.SectionList) int {
	n := 0
	for i := range list.Sections {
		if list.Sections[i].Within == "" {
			n++
		}
	}
	return n
}

// A heading inside of a section is found, named, and lets its section in.
func TestWhyOfAHeadingInsideOfASection(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", depthQuestion, "esc w 'cosines of single'")
	d.mustShow("› Cosines of single words", "1 found")
	d.press("enter")
	d.mustShow("Cosines of single words", "is not above the floor")
	d.press("enter")
	if it := d.m.results.Selected(); it == nil || it.Rank == 0 || it.SourceURL != "file:guide/embedding.md" {
		t.Errorf("selected is %+v", it)
	}
}
