package main

import (
	"reflect"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/store"
)

func TestScopeFlags(t *testing.T) {
	scopeOf := func(args ...string) store.Scope {
		t.Helper()
		var f scopeFlags
		fs := pflag.NewFlagSet("query", pflag.ContinueOnError)
		f.register(fs)
		if err := fs.Parse(args); err != nil {
			t.Fatal(err)
		}
		s, err := f.scope()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := scopeOf(); !s.IsZero() {
		t.Errorf("no flag restricts to %+v", s)
	}
	depth := 0
	want := store.Scope{
		SourceURLs: []string{"u", "v"}, DocumentIDs: []string{"d"}, ExcludeDocumentIDs: []string{"e"}, Tags: []string{"a,b"}, Headings: []string{"H"},
		Meta: []store.MetaFilter{
			{Key: "module", Values: []string{"m", "n"}},
			{Key: "chapter", Values: []string{"c"}},
			{Key: "content_type", Values: []string{"t"}},
			{Key: "k", Values: []string{"x=y", ""}},
		},
		CreatedAfter: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), CreatedBefore: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), MaxDepth: &depth,
	}
	got := scopeOf("--source", "u", "--source", "v", "--doc", "d", "--exclude-doc", "e", "--tag", "a,b", "--heading", "H", "--module", "m", "--meta", "k=x=y",
		"--meta", "module=n", "--chapter", "c", "--content-type", "t", "--meta", "k=", "--after", "2026-03-01", "--before", "1772366400", "--max-depth-filter", "0")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestPassagesStandForTheirSections(t *testing.T) {
	res := retrieval.Result{
		Items: []retrieval.Item{
			{ChunkID: "a2", ParentID: "a", Rank: 3, Score: 0.3},
			{ChunkID: "b1", ParentID: "b", Rank: 2, Score: 0.5},
			{ChunkID: "a1", ParentID: "a", Rank: 1, Score: 0.9},
			{ChunkID: "loose", Rank: 4, Score: 0.1},
		},
		NearMisses: []retrieval.Item{{ChunkID: "c1", ParentID: "c"}},
	}
	res.LiftToSections()
	var got []any
	for _, it := range res.Items {
		got = append(got, it.ChunkID, it.Rank, it.Score)
	}
	if want := []any{"a", 1, 0.9, "b", 2, 0.5, "loose", 3, 0.1}; !reflect.DeepEqual(got, want) || res.NearMisses[0].ChunkID != "c" {
		t.Errorf("got %v, below %s; want %v", got, res.NearMisses[0].ChunkID, want)
	}
}
