package whynot

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/view/viewtest"
	"github.com/webrag/webrag-tui/ui/widget"
)

func names(e *catalogue, found matches) []string {
	var list []string
	for _, i := range found.at {
		list = append(list, e.all[i].name)
	}
	return list
}

func someEntries() *catalogue { return entriesOf(someSections(), nil) }

func someSections() session.SectionList {
	return session.SectionList{Sections: []session.SectionName{
		{ChunkID: "1", SourceURL: "https://x.example/ranking", Title: "Ranking", Headings: []string{"Ranking"}},
		{ChunkID: "2", SourceURL: "https://x.example/ranking", Title: "Ranking", Headings: []string{"Ranking", "Depth decay"}, Anchor: "decay"},
		{ChunkID: "3", SourceURL: "https://x.example/crawl?x=1", Title: "In depth", Headings: []string{"How far"}},
		{ChunkID: "4", SourceURL: "https://x.example/untitled"},
	}}
}

func TestEntriesAreFound(t *testing.T) {
	e := someEntries()
	for text, want := range map[string][]string{
		"":            {"Ranking", "In depth", "x.example/untitled"},
		"dep":         {"In depth", "Ranking › Depth decay", "In depth › How far"}, // a page before sections
		"decay":       {"Ranking › Depth decay"},
		"epth":        {"Ranking › Depth decay", "In depth", "In depth › How far"}, // begins no word
		"DECAY depth": {"Ranking › Depth decay"},
		"far depth":   {"In depth › How far"},
		"crawl":       {"In depth", "In depth › How far"},
		"rkgdcy":      {"Ranking › Depth decay"},
		"zzz":         nil,
	} {
		if got := names(e, e.match(t.Context(), text, nil)); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	if e.match(t.Context(), "dep", nil).loose || !e.match(t.Context(), "rkgdcy", nil).loose {
		t.Error("only letters that are no word are loose")
	}
}

// Words begin after anything that is no letter and no digit.
func TestWordsBeginAnywhere(t *testing.T) {
	for _, c := range []struct {
		name, start string
		begins      bool
	}{
		{"git-reset(1)", "reset", true},
		{"git-reset(1)", "git", true},
		{"preset", "reset", false},
		{"a preset, a reset", "reset", true},
		{"übergit", "git", false},
		{"größe", "ße", false},
		{"日本 語", "語", true},
		{"", "a", false},
	} {
		if got := beginsAWord(c.name, c.start); got != c.begins {
			t.Errorf("%q begins a word of %q: %v", c.start, c.name, got)
		}
	}
}

// While nothing is typed the pages that came nearest are first, and the cursor is
// below the section that is there.
func TestNearestPagesAreFirst(t *testing.T) {
	p := picker{
		input: widget.NewInput(), entries: someEntries(), here: &row{target: whynot.Target{ChunkID: "2"}, here: "Depth decay"},
		near: []nearPage{{"https://x.example/untitled", "number 21"}, {"https://x.example/crawl?x=1", "number 22"}},
	}
	p.Resize(9, 0)
	p.narrow()
	var got []string
	for _, r := range p.rows {
		got = append(got, r.target.SourceURL+r.near)
	}
	want := []string{"", "https://x.example/untitlednumber 21", "https://x.example/crawl?x=1number 22", "https://x.example/ranking"}
	if !slices.Equal(got, want) || p.At != 1 {
		t.Errorf("rows %q, at %d; want %q, at 1", got, p.At, want)
	}
	p.input.SetValue("rank")
	p.narrow()
	if p.rows[0].target.SourceURL != "https://x.example/ranking" || p.rows[0].near != "" || p.At != 0 {
		t.Errorf("%+v at %d", p.rows[0], p.At)
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
		p := picker{input: widget.NewInput(), entries: someEntries()}
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
		p := picker{input: widget.NewInput(), entries: e}
		p.input.SetValue(rapid.String().Draw(t, "text"))
		p.narrow()
		for i := range p.rows {
			if p.rows[i].target == (whynot.Target{}) {
				t.Fatalf("row %d means nothing", i)
			}
		}
	})
}

// Of sections whose names are as close to what is typed, the one that came nearest the result
// stands first.
func TestNearMissesComeFirstWhileTyping(t *testing.T) {
	list := session.SectionList{}
	for _, id := range []string{"a", "b", "c"} {
		list.Sections = append(list.Sections, session.SectionName{ChunkID: id, SourceURL: "https://x.example/" + id, Title: "Page " + id, Headings: []string{"Reversing " + id}})
	}
	e := entriesOf(list, nil)
	nearby := map[string]nearMiss{"c": {1, "number 32"}, "b": {2, "number 40"}}
	var got []string
	for _, i := range e.match(t.Context(), "reversing", nearby).at {
		got = append(got, e.all[i].section.ChunkID)
	}
	if want := []string{"c", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A name has its beginning, what kept it out stands at the end of its row, and its address
// where other pages have its title or where that is what was typed.
func TestRowsOfThePicker(t *testing.T) {
	list := session.SectionList{Sections: []session.SectionName{
		{ChunkID: "1", SourceURL: "https://x.example/first", Title: "How to revert a faulty merge", Headings: []string{"A section with a name"}},
		{ChunkID: "2", SourceURL: "https://x.example/one", Title: "Twice", Headings: []string{"One"}},
		{ChunkID: "3", SourceURL: "https://x.example/two", Title: "Twice", Headings: []string{"Two"}},
	}}
	for _, c := range []struct {
		typed string
		w     int
		want  []string
	}{
		{"", 70, []string{
			"▌     How to revert a faulty merge                       rank 21, top k 20",
			"      Twice                                            x.example/one",
			"      Twice                                            x.example/two",
		}},
		{"faulty", 44, []string{"▌     How to revert a faulty merge", "      How to revert a… › A section with a…", "      find this text: faulty"}},
		{"first", 100, []string{"▌     How to revert a faulty merge   x.example/first  rank 21, top k 20"}},
	} {
		p := picker{
			input: widget.NewInput(), entries: entriesOf(list, nil), near: []nearPage{{"https://x.example/first", "rank 21, top k 20"}},
			nearby: map[string]nearMiss{"https://x.example/first": {1, "rank 21, top k 20"}},
		}
		p.input.SetValue(c.typed)
		p.narrow()
		lines := p.view(viewtest.New(t).Look, c.w, 20)[3:]
		for i, want := range c.want {
			if got := ansi.Strip(lines[i]); ansi.StringWidth(got) > c.w || strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
				t.Errorf("%q in %d: row %d is\n%s\nwant\n%s", c.typed, c.w, i, got, want)
			}
		}
	}
}

// While it is looked into, a page is called as the list called it, and a section that another
// view named as results do.
func TestWhatIsLookedIntoHasItsName(t *testing.T) {
	result := &retrieval.Result{NearMisses: []retrieval.Item{{ChunkID: "low", Title: "Trees", HeadingPath: []string{"Oaks"}}}}
	d := &dialog{result: result, picker: picker{entries: someEntries()}}
	for _, c := range []struct {
		target whynot.Target
		want   string
	}{
		{whynot.Target{SourceURL: "https://x.example/crawl?x=1"}, "In depth"},
		{whynot.Target{ChunkID: "2"}, "Ranking › Depth decay"},
		{whynot.Target{ChunkID: "low"}, "Trees › Oaks"},
		{whynot.Target{ChunkID: "gone"}, "the section gone"},
	} {
		if d.target = c.target; d.targetName() != c.want {
			t.Errorf("%+v is %q, want %q", c.target, d.targetName(), c.want)
		}
	}
}
