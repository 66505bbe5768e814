package session

import (
	"context"
	"maps"
	"reflect"
	"strconv"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// Parts follow each other on one page, below the same headings.
func TestPartsOfSections(t *testing.T) {
	t.Parallel()
	of := func(id, page string, path ...string) store.Chunk {
		return store.Chunk{ID: id, DocumentID: page, HeadingPath: path}
	}
	sections := []store.Chunk{
		of("a", "one", "NAME"), of("b", "one", "OPTIONS"), of("c", "one", "OPTIONS"), of("d", "one", "OPTIONS", "More"), of("e", "one", "OPTIONS"),
		of("f", "two", "OPTIONS"), of("g", "three"), of("h", "three"),
	}
	got := partsOf(sections)
	want := map[string]SectionPart{"b": {1, 2}, "c": {2, 2}, "g": {1, 2}, "h": {2, 2}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	sections[2].Anchor = "options-1" // another section of that name
	if got = partsOf(sections[:4]); len(got) != 0 {
		t.Errorf("two sections of one name are parts: %v", got)
	}
}

// What is listed says its part, also where the corpus is known later than the result.
func TestPartsAreSetOnceTheyAreKnown(t *testing.T) {
	t.Parallel()
	r := &retrieval.Result{Items: []retrieval.Item{{ChunkID: "a"}, {ChunkID: "b"}, {ChunkID: "p", ParentID: "b"}}, NearMisses: []retrieval.Item{{ChunkID: "c"}}}
	var o opened
	o.setParts(r)
	o.setParts(nil)
	o.summary = &CorpusSummary{Parts: map[string]SectionPart{"b": {1, 3}, "c": {2, 3}}}
	o.setParts(r)
	if a, b, c := r.Items[0], r.Items[1], r.NearMisses[0]; a.Parts != 0 || b.Part != 1 || b.Parts != 3 || c.Part != 2 {
		t.Errorf("got %v, %v, %v", a.Part, b.Part, c.Part)
	}
	if p := r.Items[2]; p.Part != 1 || p.Parts != 3 {
		t.Errorf("a passage does not say which part it is of: %d/%d", p.Part, p.Parts)
	}
}

// Which passage of its section a ranking returned is known in the next session, too.
func TestKeptPassagesHaveTheirNumbers(t *testing.T) {
	t.Parallel()
	p, _ := param.Preset("textbook")
	r := retrieval.Result{Mode: param.ModeChunk, Items: []retrieval.Item{{ChunkID: "a", ParentID: "s", ChunkIndex: 4, Rank: 1}, {ChunkID: "s", ChunkIndex: 9, Rank: 2}}}
	k := keepSnapshot(&Snapshot{Name: "kept", Query: "q", Setting: Setting{"textbook", p}, Places: 2, Result: bare(&r)})
	sn, err := k.snapshot()
	if err != nil || sn.Result.Items[0].ChunkIndex != 4 {
		t.Errorf("got %+v, %v", sn, err)
	}
	k.Items[0].Passage = 0 // kept before passages had numbers
	if sn, err = k.snapshot(); err != nil || sn.Result.Items[0].ChunkIndex >= 0 {
		t.Errorf("a number is made up: %+v, %v", sn, err)
	}
	k.Items[0].Passage = -1
	if _, err = k.snapshot(); err == nil {
		t.Error("a number below 1 is taken")
	}
}

// A part of a section is called alike in the next session: by its number, and by the first words
// of what matched in it.
func TestKeptPartsHaveTheirNames(t *testing.T) {
	t.Parallel()
	p, _ := param.Preset("webrag")
	text := "One.\n\n**Two** things"
	r := retrieval.Result{Mode: param.ModeChunk, Items: []retrieval.Item{
		{ChunkID: "a", Rank: 1, Part: 2, Parts: 3, ChunkText: text, Matches: []retrieval.Match{{CharStart: 6, CharEnd: 20}}}, {ChunkID: "b", Rank: 2, ChunkText: text},
	}}
	k := keepSnapshot(&Snapshot{Name: "kept", Query: "q", Setting: Setting{"webrag", p}, Places: 2, Result: bare(&r)})
	sn, err := k.snapshot()
	if err != nil || sn.Result.Items[0].Part != 2 || sn.Result.Items[0].Parts != 3 || sn.Result.Items[0].ChunkText != "Two things" || sn.Result.Items[1].ChunkText != "" {
		t.Errorf("got %+v, %v", sn, err)
	}
	k.Items[0].Part = 4
	if _, err = k.snapshot(); err == nil {
		t.Error("the fourth of three parts is taken")
	}
}

// texts are a view of chunks that has their texts alone, and counts how often it is asked.
type texts struct {
	store.View
	of    map[string]string
	asked int
}

func (v *texts) Chunks(_ context.Context, ids []string, _ store.Fields) (found []store.Chunk, err error) {
	v.asked++
	for _, id := range ids {
		found = append(found, store.Chunk{ID: id, ChunkText: v.of[id]})
	}
	return found, nil
}

// Parts of sections are listed with their first words, of which only so many are read.
func TestPartsAreListedWithTheirFirstWords(t *testing.T) {
	v := &texts{of: map[string]string{"b": "**queue_limit**\n\nIt is", "c": ""}}
	got, err := openings(t.Context(), v, map[string]SectionPart{"b": {1, 2}, "c": {2, 2}})
	if want := map[string]string{"b": "queue_limit It is", "c": ""}; err != nil || !maps.Equal(got, want) || v.asked != 1 {
		t.Errorf("%q, %v, asked %d times; want %q", got, err, v.asked, want)
	}
	many := map[string]SectionPart{}
	for i := range mostOpened + 1 {
		many[strconv.Itoa(i)] = SectionPart{1, 2}
	}
	if got, err = openings(t.Context(), v, many); err != nil || len(got) != 0 || v.asked != 1 {
		t.Errorf("of too many parts %d are read, %v", len(got), err)
	}
}
