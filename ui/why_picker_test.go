package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/session"
)

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
	d.session().Corpus().Reader.(*fakeCorpus).down = errBroken
	d.press("w")
	d.mustShow("the pages could not be listed: open corpus x.db")
	d.mustNotShow("it begins with")
}

// Sections are named page by page, and read again only when the corpus changes.
func TestSectionsOfACorpus(t *testing.T) {
	d := openGuide(t, 120, 40, "webrag", "", "")
	r := d.session().Corpus().Reader
	all, err := r.Sections(t.Context(), 20_000, -1)
	if err != nil || sectionsOnly(all) != d.session().Summary().Parents || all.More != 0 {
		t.Fatalf("%d sections and %d more, %v; the corpus has %d", len(all.Sections), all.More, err, d.session().Summary().Parents)
	}
	few, err := r.Sections(t.Context(), 5, -1)
	if err != nil || sectionsOnly(few) != 5 || len(few.Sections) > 10 || few.More != d.session().Summary().Parents-5 {
		t.Errorf("%d sections and %d more, %v", len(few.Sections), few.More, err)
	}
	same, err := r.Sections(t.Context(), 20_000, all.Version)
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
	if it := d.selected(); it == nil || it.Rank == 0 || it.SourceURL != "file:guide/embedding.md" {
		t.Errorf("selected is %+v", it)
	}
}

// Esc leads from a report out of the dialog, whether what it is of was picked or selected; another
// one is picked with an empty line, from the row of the one before.
func TestEscLeadsOutOfAReport(t *testing.T) {
	for _, keys := range []string{"down down", "down down down down down down down down down down down down", "'budget' down", "'sections' G down down"} {
		d := openGuide(t, 80, 24, "webrag", depthQuestion, "esc w "+keys)
		before := d.screen()
		d.press("enter")
		d.mustShow("esc close")
		d.press("w")
		if after := d.screen(); !strings.Contains(keys, "'") && after != before {
			t.Errorf("after %q, enter and w there is\n%s\nand not\n%s", keys, after, before)
		}
		d.mustShow("type a name")
		d.press("enter esc")
		if d.dialogs() != 0 {
			t.Errorf("after %q esc does not close the report", keys)
		}
	}
	d := openGuide(t, 80, 24, "webrag", depthQuestion, "esc G k")
	before := d.screen()
	d.press("w")
	d.mustShow("Why is this not among the results?", "esc close")
	d.press("esc")
	if after := d.screen(); after != before {
		t.Errorf("esc leads to\n%s\nand not to\n%s", after, before)
	}
}
