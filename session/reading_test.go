package session_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// each reads everything that can be read.
func each(s *session.Session) []session.Work {
	return slices.Concat(
		s.ReadSection("a"), s.ReadSpan("b", 7), s.ReadAddress("c"), s.ReadLinks("d"), s.ReadOutline("e"),
		s.ReadText("f"), s.ListSections(5, 1), s.ReadPages(6, 2), s.ReadPageLinks([]string{"g"}), s.ReadPage("h"),
		s.ReadPageTexts([]string{"i"}), s.TestIndex("j"),
	)
}

func TestReading(t *testing.T) {
	s, _, _ := begin(t)
	r := &shelf{}
	s.Take(&session.Corpus{Engine: &corpus{}, Reader: r, Health: func(_ context.Context, query string) (session.IndexHealth, error) {
		return session.IndexHealth{K: len(query)}, r.fails
	}}, nil)
	say := map[session.Kind]func(d *session.Done) string{
		session.KindSection: func(d *session.Done) string { return d.Section.ID }, session.KindSpan: func(d *session.Done) string { return d.Section.ID },
		session.KindAddress: func(d *session.Done) string { return d.Section.ID }, session.KindLinks: func(d *session.Done) string { return d.ID + d.Links[0].Text },
		session.KindOutline: func(d *session.Done) string { return d.Page.Document.ID + " " + d.Sections[0].ChunkText },
		session.KindText:    func(d *session.Done) string { return d.ID + d.Section.ID }, session.KindSections: func(d *session.Done) string { return fmt.Sprint(d.List.More, d.List.Version) },
		session.KindPages: func(d *session.Done) string { return fmt.Sprint(d.Pages[0].Depth, d.Pages[0].Tokens) }, session.KindPageLinks: func(d *session.Done) string { return d.PageLinks[0][0] },
		session.KindPage: func(d *session.Done) string { return d.ID + d.Page.Document.ID }, session.KindPageTexts: func(d *session.Done) string { return d.Sections[0].ChunkText },
		session.KindHealth: func(d *session.Done) string { return fmt.Sprint(d.Query, d.Health.K) },
	}
	want := []string{"a", "b:7", "c", "dd", "e text of e/1", "ff", "5 2", "6 2", "g", "hh", "text of i", "j1"}
	for i, w := range each(s) {
		d := w.Run(context.Background())
		if i < 4 {
			// Each place to go to takes the place of the one before.
			if d.Err == nil && s.Awaits(d.Kind, d.Gen) {
				t.Errorf("%v is awaited", d.Kind)
			}
			continue
		}
		if got := say[d.Kind](&d); got != want[i] || !s.Awaits(d.Kind, d.Gen) || s.Apply(d) != nil {
			t.Errorf("%v brings %q, want %q", d.Kind, got, want[i])
		}
	}
	for i, work := range [][]session.Work{s.ReadSection("a"), s.ReadSpan("b", 7), s.ReadAddress("c"), s.ReadLinks("d")} {
		s.Apply(work[0].Run(t.Context())) // of an older one: nothing
		_ = i
	}
	for i, read := range []func() []session.Work{
		func() []session.Work { return s.ReadSection("a") }, func() []session.Work { return s.ReadSpan("b", 7) },
		func() []session.Work { return s.ReadAddress("c") }, func() []session.Work { return s.ReadLinks("d") },
	} {
		d := read()[0].Run(t.Context())
		if got := say[d.Kind](&d); got != want[i] || !s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%v brings %q, want %q", d.Kind, got, want[i])
		}
	}
	r.fails = errBroken
	for _, w := range each(s) {
		if d := w.Run(context.Background()); d.Err == nil {
			t.Errorf("%v does not fail", d.Kind)
		}
	}
	work := each(s)
	s.Leave()
	for _, w := range work {
		if s.Awaits(w.Kind, w.Gen) {
			t.Errorf("%v of a corpus that was left is awaited", w.Kind)
		}
	}
	if work := each(s); len(work) != 0 {
		t.Errorf("without a corpus %v is read", kinds(work))
	}
}

// The texts of several sections are read beside each other; what is given up is not awaited.
func TestTextsAreReadBesideEachOther(t *testing.T) {
	s, _, _ := begin(t)
	a, b := s.ReadText("a")[0], s.ReadText("b")[0]
	for _, w := range []session.Work{b, a} {
		d := w.Run(t.Context())
		if d.Err != nil || !s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%+v is not awaited", d)
		}
		if s.Apply(d); s.Awaits(d.Kind, d.Gen) {
			t.Errorf("%s is awaited twice", d.ID)
		}
	}
	page, pages, section := s.ReadPage("a")[0], s.ReadPages(0, 1)[0], s.ReadSection("a")[0]
	s.StopReading(session.KindPage)
	s.StopVisit()
	if s.Awaits(page.Kind, page.Gen) || s.Awaits(section.Kind, section.Gen) || !s.Awaits(pages.Kind, pages.Gen) {
		t.Error("what was given up is awaited, or what was not is not")
	}
}

// silent is an engine that cannot say what it has of a query's words.
type silent struct{ session.Engine }

func (silent) MatchTerms(context.Context, retrieval.Query, param.Params) (session.TermMatch, error) {
	return session.TermMatch{}, errors.New("no")
}

// Words that could not be looked for are not said to be known.
func TestTermsThatCouldNotBeMatched(t *testing.T) {
	var done []session.Done
	s := session.New(session.Setting{Params: param.Params{Mode: param.ModeChunk}}, nil)
	s.Take(&session.Corpus{Engine: told{silent{&corpus{}}, &done}, Reader: &shelf{}}, nil)
	finish(t, s, s.Ask("blorpf"))
	for _, d := range done {
		if d.Kind == session.KindTerms {
			if d.Err == nil || len(d.Asked) != 1 {
				t.Errorf("told %+v", d)
			}
			return
		}
	}
	t.Error("the words were not looked for")
}
