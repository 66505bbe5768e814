package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/recording"
)

// Whatever a session reads is recorded and replayed: nothing of it is named in the
// recording's code.
func TestAllThatIsReadIsReplayed(t *testing.T) {
	var out bytes.Buffer
	p := searched(t)
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: p, Now: func() time.Time { return noon }})
	c := guide(t)
	c.Health = func(context.Context, string) (session.IndexHealth, error) {
		return session.IndexHealth{Index: store.VectorIndex{Name: "hnsw", Bytes: 1 << 40}, K: 60, Probed: store.Probed{Points: []store.ProbePoint{{EfSearch: 40, Recall: 0.5}}}}, nil
	}
	listed, err := c.Reader.Pages(t.Context(), 0, 3)
	if err != nil {
		t.Fatal(err)
	}
	page, err := c.Reader.Page(t.Context(), listed[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	section := page.Sections[1]
	other := p
	other.SimilarityFloor = -1
	// Everything that a session can be asked to read.
	reads := map[string]func(s *session.Session) []session.Work{
		session.AskedSection:   func(s *session.Session) []session.Work { return s.ReadSection(section.ID) },
		session.AskedSpan:      func(s *session.Session) []session.Work { return s.ReadSpan(page.Document.SourceURL, 3) },
		session.AskedAddress:   func(s *session.Session) []session.Work { return s.ReadAddress(page.Document.SourceURL) },
		session.AskedLinks:     func(s *session.Session) []session.Work { return s.ReadLinks(section.ID) },
		session.AskedOutline:   func(s *session.Session) []session.Work { return s.ReadOutline(page.Document.ID) },
		session.AskedSections:  func(s *session.Session) []session.Work { return s.ListSections(100, -1) },
		session.AskedPages:     func(s *session.Session) []session.Work { return s.ReadPages(1, 2) },
		session.AskedPageLinks: func(s *session.Session) []session.Work { return s.ReadPageLinks([]string{listed[0].ID, listed[1].ID}) },
		session.AskedPage:      func(s *session.Session) []session.Work { return s.ReadPage(listed[1].ID) },
		session.AskedTexts:     func(s *session.Session) []session.Work { return s.ReadPageTexts([]string{section.ID}) },
		session.AskedIndex:     func(s *session.Session) []session.Work { return s.TestIndex(question) },
		session.AskedWhy:       func(s *session.Session) []session.Work { return s.WhyNot(whynot.Target{ChunkID: section.ID}, other) },
		session.AskedCosines: func(s *session.Session) []session.Work {
			s.Examine(&s.Result().Items[0])
			return s.OpenCosines()
		},
	}
	ask := func(c *session.Corpus) *session.Session {
		s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
		finish(t, s, s.Take(c, nil))
		finish(t, s, s.Ask(question))
		return s
	}
	live := ask(rec.Wrap(c))
	want := map[string]session.Done{}
	for asked, work := range reads {
		d := work(live)[0]
		want[asked] = d.Run(t.Context())
		if want[asked].Err != nil || want[asked].Asked[0] != asked {
			t.Fatalf("%s: %+v", asked, want[asked])
		}
		live.Apply(want[asked])
	}
	if said, err := rec.Summary(); err != nil {
		t.Fatal(said, err)
	}
	replayed := ask(load(t, out.Bytes()).NewCorpus())
	if replayed.Summary() == nil || replayed.Summary().Documents != live.Summary().Documents {
		t.Errorf("the corpus is %+v, was %+v", replayed.Summary(), live.Summary())
	}
	for asked, work := range reads {
		d := work(replayed)[0].Run(t.Context())
		if got, was := written(t, d.Read), written(t, want[asked].Read); d.Err != nil || got != was || d.ID != want[asked].ID {
			t.Errorf("%s: %v\nreplayed %s\nread     %s", asked, d.Err, got, was)
		}
	}
	// What was read for one thing is there for another.
	for name, work := range map[string][]session.Work{
		"a text of a section that was gone to": replayed.ReadText(section.ID),
		"a page of an outline":                 replayed.ReadPage(listed[0].ID),
	} {
		if d := work[0].Run(t.Context()); d.Err != nil || d.Section.ChunkText == "" && d.Page == nil {
			t.Errorf("%s: %v", name, d.Err)
		}
	}
}

func written(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// still is an engine that is asked nothing.
type still struct{ session.Engine }

// told records what work has brought, and returns the file.
func told(t *testing.T, all ...session.Done) (file string, summary string) {
	t.Helper()
	return toldTo(t, func(*recording.Recorder) {}, all...)
}

func toldTo(t *testing.T, change func(*recording.Recorder), all ...session.Done) (file string, summary string) {
	t.Helper()
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: searched(t), Now: func() time.Time { return noon }})
	change(rec)
	e := rec.Wrap(&session.Corpus{Name: "c", Engine: still{}}).Engine
	for _, d := range all {
		e.(session.Applier).Applied(d)
		if _, err := rec.Summary(); err != nil {
			t.Fatal(err)
		}
	}
	said, err := rec.Summary()
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), said
}

func sectionRead(text string) session.Done {
	return session.Done{Kind: session.KindText, Asked: []string{session.AskedSection, "a"}, Read: session.Read{Section: store.Chunk{ID: "a", ChunkText: text}}}
}

// What is read again is written again where it is something else: the pages of a corpus
// that was indexed meanwhile are those of the new one.
func TestTheLastThatWasReadIsReplayed(t *testing.T) {
	file, _ := told(t, sectionRead("old pages"), sectionRead("old pages"), sectionRead("new pages"), sectionRead("new pages"))
	if n := strings.Count(file, `"asked"`); n != 2 {
		t.Errorf("%d lines:\n%s", n, file)
	}
	s := session.New(session.Setting{}, nil)
	s.Take(load(t, []byte(file+rank)).NewCorpus(), nil)
	if d := s.ReadSection("a")[0].Run(t.Context()); d.Section.ChunkText != "new pages" {
		t.Errorf("replayed %+v", d)
	}
}

// Work that failed has found nothing.
func TestWhatFailedIsNotRecorded(t *testing.T) {
	failed := session.Done{Kind: session.KindTerms, Query: "q", Asked: []string{session.AskedTerms}, Err: errors.New("no")}
	if file, _ := told(t, failed); strings.Contains(file, `"asked"`) {
		t.Errorf("recorded %s", file)
	}
	// Neither is what says nothing of the corpus: a folder of this machine.
	if file, _ := told(t, session.Done{Kind: session.KindIndex, ID: "/home/me/pages", Said: "indexed /home/me/pages"}); strings.Contains(file, "/home") {
		t.Errorf("recorded %s", file)
	}
}

// One part that is too long for a line is left out, and said to be; the rest goes on.
func TestAPartThatIsTooLong(t *testing.T) {
	other := sectionRead("short")
	other.Asked = []string{session.AskedSection, "b"}
	var rec *recording.Recorder
	file, said := toldTo(t, func(r *recording.Recorder) { rec = r; r.SetLines(1000, 4096) }, sectionRead(strings.Repeat("long ", 1000)), other)
	if !strings.Contains(said, "without 1 part of over") || strings.Contains(said, "full") || rec.Status() != "recording but for 1 part of over 0 MB" {
		t.Errorf("%s, %s", said, rec.Status())
	}
	if strings.Contains(file, "long long") || !strings.Contains(file, `"short"`) {
		t.Errorf("recorded %s", file)
	}
}

// What was too long for a line is not taken for written: it counts as often as it is left
// out, and what stands in the recording is not written again.
func TestAPartThatIsTooLongAgain(t *testing.T) {
	long := sectionRead(strings.Repeat("long ", 1000))
	file, said := toldTo(t, func(r *recording.Recorder) { r.SetLines(1000, 4096) }, sectionRead("short"), long, long, sectionRead("short"))
	if !strings.Contains(said, "without 2 parts of over") || strings.Count(file, `"asked"`) != 1 {
		t.Errorf("%s:\n%s", said, file)
	}
}

// The last list of sections is replayed, which was asked for by the version before it; that
// nothing has changed is no list.
func TestTheLastListOfSectionsIsReplayed(t *testing.T) {
	list := func(known, version int64, names ...string) session.Done {
		d := session.Done{Kind: session.KindSections, Asked: []string{session.AskedSections, "100", strconv.FormatInt(known, 10)}}
		d.List.Version = version
		for _, n := range names {
			d.List.Sections = append(d.List.Sections, session.SectionName{ChunkID: n})
		}
		return d
	}
	file, _ := told(t, list(-1, 4, "old"), list(4, 4), list(4, 5, "old", "new"), list(5, 5))
	s := session.New(session.Setting{}, nil)
	s.Take(load(t, []byte(file+rank)).NewCorpus(), nil)
	for known, want := range map[int64]int{-1: 2, 4: 2, 5: 0} {
		if d := s.ListSections(100, known)[0].Run(t.Context()); d.Err != nil || d.List.Version != 5 || len(d.List.Sections) != want || d.List.Partial {
			t.Errorf("after version %d: %+v, %v", known, d.List, d.Err)
		}
	}
}

// A recording has no more lines than are read of one.
func TestTheLinesOfARecordingAreBounded(t *testing.T) {
	var rec *recording.Recorder
	file, said := toldTo(t, func(r *recording.Recorder) { rec = r; r.SetLines(3, 1<<20) }, sectionRead("one"), sectionRead("two"), sectionRead("three"))
	if strings.Count(file, "\n") != 3 || !strings.Contains(said, "it was full at 3 lines") || rec.Status() != "recording ended at 3 lines" {
		t.Errorf("%s, %s:\n%s", said, rec.Status(), file)
	}
}

// Of two corpora with one name only the first is recorded, and what is done there.
func TestCorporaOfOneName(t *testing.T) {
	var out bytes.Buffer
	rec := recording.NewRecorder(&out, recording.Start{Preset: "webrag", Params: searched(t), Now: func() time.Time { return noon }})
	first := &session.Corpus{Name: "docs", Location: "postgres://one.example/docs", Engine: still{}}
	again, other := *first, *first
	other.Location = "postgres://two.example/docs"
	move := ui.Move{Query: "the first", View: 1}
	move.Corpus = rec.Wrap(first)
	rec.Move(move)
	move.Corpus, move.Query = rec.Wrap(&again), "opened again"
	rec.Move(move)
	move.Corpus, move.Query = rec.Wrap(&other), "the other"
	rec.Move(move)
	if move.Corpus.Engine != other.Engine {
		t.Error("the other corpus is recorded, too")
	}
	other.Location = first.Location // opened without the recorder
	move.Corpus = &other
	rec.Move(move)
	move.Corpus = nil
	rec.Move(move)
	if file := out.String(); strings.Contains(file, "the other") || strings.Count(file, `"move"`) != 2 || strings.Contains(file, "example") {
		t.Errorf("recorded\n%s", file)
	}
}

// A recording of a replay has what the replay has shown.
func TestAReplayCanBeRecorded(t *testing.T) {
	first := load(t, glance(t))
	c := first.NewCorpus()
	second := load(t, glanceAt(t, c))
	ev, err := second.NewCorpus().Engine.Gather(t.Context(), retrieval.Query{Text: question}, first.Params)
	if err != nil {
		t.Fatal(err)
	}
	if r, _ := ev.Rank(first.Params, retrieval.Options{}); len(r.Items) == 0 {
		t.Error("nothing is ranked")
	}
	var none param.Params
	s := session.New(session.Setting{Params: none}, nil)
	if finish(t, s, s.Take(second.NewCorpus(), nil)); s.Summary() == nil {
		t.Error("nothing is known of the corpus")
	}
}

// Where no sections were listed in the session, those that the evidence knows are, and the
// picker says that they are not all.
func TestSectionsOfEvidenceAreListed(t *testing.T) {
	c := guide(t)
	r := load(t, glanceAt(t, c))
	s := session.New(session.Setting{}, nil)
	s.Take(r.NewCorpus(), nil)
	listed := func(limit int, known int64) session.SectionList {
		d := s.ListSections(limit, known)[0].Run(t.Context())
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		return d.List
	}
	list := listed(20_000, -1)
	all, err := c.Reader.Sections(t.Context(), 20_000, -1)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, n := range all.Sections {
		if n.Within == "" {
			at[n.ChunkID] = i
		}
	}
	last := -1
	for _, n := range list.Sections {
		i, ok := at[n.ChunkID]
		if !ok || i <= last || all.Sections[i].Title != n.Title || strings.Join(all.Sections[i].Headings, "/") != strings.Join(n.Headings, "/") || all.Sections[i].SourceURL != n.SourceURL {
			t.Fatalf("%+v is out of order, or another", n)
		}
		last = i
	}
	if len(list.Sections) < 20 || !list.Partial {
		t.Errorf("%d sections, partial %t", len(list.Sections), list.Partial)
	}
	if n := len(listed(7, -1).Sections); n != 7 {
		t.Errorf("%d sections of 7", n)
	}
	if again := listed(20_000, list.Version); again.Version != list.Version || len(again.Sections) > 0 {
		t.Errorf("nothing changed, and listed %+v", again)
	}
	replayed := replay(t, r, 100, 30, nil)
	replayed.press("w 'depth'")
	replayed.mustShow("of the sections that the recording knows")

	// Those that were listed are all.
	replayed = replay(t, load(t, glanceAt(t, c, "w 'depth' esc esc")), 100, 30, nil)
	replayed.press("w 'depth'")
	if strings.Contains(replayed.screen(), "the recording knows") {
		t.Error("all sections were listed")
	}
}

// What the cosines of a section are made of is said not to be recorded.
func TestCosinesThatWereNotTakenApart(t *testing.T) {
	replayed := replay(t, load(t, glance(t)), 150, 42, nil)
	replayed.press("down down down s")
	replayed.mustShow("the cosines of this section", "were not taken apart in the", "recorded session")
}
