package scoping_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/retrieval/scoping"
	"github.com/webrag/webrag-tui/store"
)

// pages is a corpus of documents without sections.
type pages struct {
	store.View
	documents []store.Document
	fail      error
}

func (p pages) in(s store.Scope) []store.Document {
	var in []store.Document
	for _, d := range p.documents {
		holds := func(asked []string, has ...string) bool {
			return slices.ContainsFunc(asked, func(a string) bool { return slices.Contains(has, a) })
		}
		ok := (len(s.SourceURLs) == 0 || holds(s.SourceURLs, d.SourceURL)) &&
			(len(s.DocumentIDs) == 0 || holds(s.DocumentIDs, d.ID)) && !holds(s.ExcludeDocumentIDs, d.ID) &&
			(len(s.Tags) == 0 || holds(s.Tags, d.Tags...)) && (len(s.SourceTypes) == 0 || holds(s.SourceTypes, d.SourceType)) &&
			(s.CreatedAfter.IsZero() || d.FetchedAt.After(s.CreatedAfter)) &&
			(s.CreatedBefore.IsZero() || !d.FetchedAt.IsZero() && d.FetchedAt.Before(s.CreatedBefore)) &&
			(s.MaxDepth == nil || d.Depth <= *s.MaxDepth) && len(s.Headings) == 0
		for _, m := range s.Meta {
			ok = ok && d.Metadata[m.Key] != "" && slices.Contains(m.Values, d.Metadata[m.Key])
		}
		if ok {
			in = append(in, d)
		}
	}
	return in
}

func (p pages) Stats(_ context.Context, s store.Scope) (store.Stats, error) {
	return store.Stats{Documents: len(p.in(s))}, p.fail
}

func (p pages) Documents(_ context.Context, s store.Scope, _ store.Page) ([]store.Document, error) {
	return p.in(s), p.fail
}

func (p pages) Deleted(context.Context) ([]store.Document, error) {
	return []store.Document{{ID: "4", SourceURL: "https://a.example/gone", Tags: []string{"old"}, DeletedAt: time.Unix(1, 0)}}, p.fail
}

func manual() pages {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	return pages{documents: []store.Document{
		{ID: "1", SourceURL: "https://a.example/intro", Tags: []string{"a", "b"}, SourceType: "web", Depth: 1, FetchedAt: day(1), Metadata: map[string]string{"module": "one"}},
		{ID: "2", SourceURL: "https://a.example/usage", Tags: []string{"a"}, SourceType: "web", Depth: 2, FetchedAt: day(5), Metadata: map[string]string{"module": "one", "chapter": "2"}},
		{ID: "3", SourceURL: "https://a.example/faq", Tags: []string{"b", "a"}, SourceType: "text", Depth: 3},
	}}
}

func TestAScopeThatMatchesNothingSaysWhy(t *testing.T) {
	none := 0
	for _, c := range []struct {
		scope store.Scope
		want  string
	}{
		{store.Scope{Tags: []string{"x"}}, `no page is in scope: 0 of 3 pages have tag "x"; the corpus's tags are a (3), b (2)`},
		{
			store.Scope{Tags: []string{"b"}, Meta: []store.MetaFilter{{Key: "module", Values: []string{"two", "three"}}}},
			`no page is in scope: 0 of 3 pages have module "two" or "three"; the corpus's modules are one (2); 2 of 3 have tag "b"`,
		},
		{
			store.Scope{Meta: []store.MetaFilter{{Key: "modul", Values: []string{"one"}}}},
			`no page is in scope: 0 of 3 pages have modul "one"; the corpus's metadata keys are module (2), chapter (1)`,
		},
		{
			store.Scope{Tags: []string{"b"}, Meta: []store.MetaFilter{{Key: "chapter", Values: []string{"2"}}}},
			`no page is in scope: 2 of 3 pages have tag "b"; 1 of 3 have chapter "2"; none meets all of these`,
		},
		{store.Scope{SourceURLs: []string{"https://a.example/intr"}}, `no page is in scope: 0 of 3 pages have the address "https://a.example/intr"; the nearest is https://a.example/intro`},
		{store.Scope{SourceURLs: []string{"Usage"}}, `no page is in scope: 0 of 3 pages have the address "Usage"; the nearest is https://a.example/usage`},
		{store.Scope{SourceURLs: []string{"https://a.example/gone#x"}}, `no page is in scope: 0 of 3 pages have the address "https://a.example/gone#x"; https://a.example/gone is deleted: 'webrag-tui docs restore' brings it back`},
		{store.Scope{SourceURLs: []string{"q"}}, `no page is in scope: 0 of 3 pages have the address "q"`},
		{store.Scope{DocumentIDs: []string{"7", "8", "9", "10", "11"}}, `no page is in scope: 0 of 3 pages have the id "7" or "8" or "9" or 2 more`},
		{store.Scope{ExcludeDocumentIDs: []string{"1", "2", "3"}}, `no page is in scope: 0 of 3 pages are not among the 3 left out`},
		{store.Scope{SourceTypes: []string{"upload"}}, `no page is in scope: 0 of 3 pages are of source type "upload"; the corpus's source types are web (2), text (1)`},
		{
			store.Scope{CreatedAfter: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)},
			`no page is in scope: 0 of 3 pages were fetched after 2027-01-01T00:00:00Z; the pages were fetched from 2026-03-01T00:00:00Z to 2026-03-05T00:00:00Z`,
		},
		{
			store.Scope{CreatedBefore: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)},
			`no page is in scope: 0 of 3 pages were fetched before 2025-01-01T00:00:00Z; the pages were fetched from 2026-03-01T00:00:00Z to 2026-03-05T00:00:00Z`,
		},
		{store.Scope{MaxDepth: &none}, `no page is in scope: 0 of 3 pages are at depth 0 or less; the least depth is 1`},
		{store.Scope{Headings: []string{"Setup"}}, `no page is in scope: 0 of 3 pages have a section under "Setup"`},
		{store.Scope{Tags: []string{"b"}}, `2 of 3 pages are in scope: 2 of 3 pages have tag "b"`},
	} {
		r, err := scoping.Count(t.Context(), manual(), c.scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// One value that is not there is told although the others let pages in.
func TestEachValueThatMatchesNothingIsTold(t *testing.T) {
	scope := store.Scope{
		SourceURLs: []string{"https://a.example/intro", "usag", "https://a.example/intro"}, DocumentIDs: []string{"1", "9"}, ExcludeDocumentIDs: []string{"3", "8"},
		Tags: []string{"a", "nope"}, Meta: []store.MetaFilter{{Key: "module", Values: []string{"one", "two"}}}, SourceTypes: []string{"web", "upload"},
	}
	r, err := scoping.Count(t.Context(), manual(), scope)
	want := []string{
		`0 of 3 pages have the address "usag"; the nearest is https://a.example/usage`,
		`0 of 3 pages have the id "9"`,
		`0 of 3 pages have tag "nope"; the corpus's tags are a (3), b (2)`,
		`0 of 3 pages have module "two"; the corpus's modules are one (2)`,
		`0 of 3 pages are of source type "upload"; the corpus's source types are web (2), text (1)`,
		`0 of 3 pages have the id "8"`,
	}
	if err != nil || r.InScope != 1 || !slices.Equal(r.Notes(), want) {
		t.Errorf("%d in scope (%v)\ngot  %q\nwant %q", r.InScope, err, r.Notes(), want)
	}
}

func TestTheTimeOfAllPagesIsSaidOnce(t *testing.T) {
	p := manual()
	p.documents = p.documents[:1]
	p.documents[0].Metadata = map[string]string{"webrag:root": "x", "module": "one"}
	for want, scope := range map[string]store.Scope{
		"the pages were fetched at 2026-03-01T00:00:00Z": {CreatedBefore: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)},
		"the corpus's metadata keys are module (1)":      {Meta: []store.MetaFilter{{Key: "modul", Values: []string{"one"}}}},
	} {
		r, err := scoping.Count(t.Context(), p, scope)
		if err != nil || r.Conditions[0].Hint != want {
			t.Errorf("%v: %q, want %q", err, r.Conditions[0].Hint, want)
		}
	}
}

func TestManyValuesAreCutShort(t *testing.T) {
	p := manual()
	p.documents[0].Tags = []string{"t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8", "compass"}
	r, err := scoping.Count(t.Context(), p, store.Scope{Tags: []string{"compas"}})
	want := `no page is in scope: 0 of 3 pages have tag "compas"; the corpus's tags are a (2), b (1), compass (1), t1 (1), t2 (1), t3 (1), t4 (1), t5 (1), 3 more, among them "compass"`
	if err != nil || r.String() != want {
		t.Errorf("got  %s (%v)\nwant %s", r, err, want)
	}
}

func TestAScopeReportFailsWithItsStore(t *testing.T) {
	p := manual()
	p.fail = errors.New("disk on fire")
	if _, err := scoping.Count(t.Context(), p, store.Scope{}); !errors.Is(err, p.fail) {
		t.Errorf("got %v", err)
	}
}
