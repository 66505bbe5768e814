package main

import (
	"strings"
	"testing"
)

// A session goes on from the preset or profile that it ended with, unless the
// settings choose one; what is gone since is told.
func TestGoOn(t *testing.T) {
	for _, c := range []struct {
		name, last   string
		environ      []string
		query        string
		want, notice string
	}{
		{name: "as before", last: "hybrid", want: "hybrid"},
		{name: "none known", last: "", want: "blend"},
		{name: "the same", last: "webrag", want: "webrag"},
		{name: "gone", last: "mine", want: "blend", notice: "the last session used mine"},
		{name: "a setting chooses", last: "hybrid", environ: []string{"WEBRAG_PRESET=graph"}, want: "graph"},
		{name: "a query was given", last: "hybrid", query: "retries", want: "hybrid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, _ := viewOf(t, c.environ, []string{"explore", "--set", "top_k=7"})
			x := exploration{start: v.start, query: c.query}
			x.goOn(v.c, c.last)
			if x.start.Name != c.want || x.start.Params.TopK != 7 {
				t.Errorf("starts from %s with top_k %d, want %s with the flag's 7", x.start.Name, x.start.Params.TopK, c.want)
			}
			told := ""
			for _, n := range x.notices {
				told += n.Text
			}
			if !strings.Contains(told, c.notice) || c.notice == "" && told != "" {
				t.Errorf("told %q, want %q", told, c.notice)
			}
		})
	}
}

// The explorer says that it has opened the corpus of the last session where commands use
// another one.
func TestTheLastCorpusIsSaid(t *testing.T) {
	own := place{path: "/data/corpus.db"}
	if got := lastNotices(own, own); got != nil {
		t.Errorf("of the default corpus it says %v", got)
	}
	got := lastNotices(place{path: "postgres://me:secret@db.example/varnish", isDatabase: true}, own)
	want := "varnish is the corpus of the last session; commands without --corpus use /data/corpus.db"
	if len(got) != 1 || got[0].Text != want || got[0].Warning || strings.Contains(got[0].Placeless, "/") {
		t.Errorf("it says %+v, want %q", got, want)
	}
}
