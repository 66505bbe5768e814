package ui

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

func TestTheFunnelNamesTheArms(t *testing.T) {
	off := param.Floor{Off: true}
	for _, c := range []struct {
		result retrieval.Result
		want   string
	}{
		{retrieval.Result{ChildrenFound: 60, ChildrenKept: 12, Items: make([]retrieval.Item, 5)}, "nearest 60 children → 12 → 5 sections"},
		{retrieval.Result{ChildrenFound: 1, ChildrenKept: 1, Floor: off, Items: []retrieval.Item{{Level: store.Child}}}, "nearest 1 child → 1 passage"},
		{
			retrieval.Result{ChildrenFound: 15, ChildrenKept: 15, KeywordFound: 9, Floor: off, Terms: []store.TermStat{{Term: "x"}}, Items: make([]retrieval.Item, 2)},
			"vector 15, keyword 9 → 2 sections",
		},
	} {
		if got := funnelOf(&c.result); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
