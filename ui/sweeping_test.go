package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/docs"
	"github.com/webrag/webrag-tui/session"
)

// sweepingGuide drives the explorer on the guide with its judged set, docs.
func sweepingGuide(t *testing.T, w, h int, change func(*Options), keys string) *driver {
	t.Helper()
	judged, err := fs.Sub(docs.Judged, "judged")
	if err != nil {
		t.Fatal(err)
	}
	d, _ := judgingGuide(t, w, h, func(o *Options) {
		if err := os.CopyFS(filepath.Join(o.Sets, "docs"), judged); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(o)
		}
	}, keys)
	return d
}

// The whole way of somebody new, in seven keys and the name of the set: open the set, mark the
// number of results, sweep it and keep the winner. The profile says how it was chosen.
func TestSweepAndKeep(t *testing.T) {
	var kept []session.Profile
	d := sweepingGuide(t, 120, 40, func(o *Options) {
		o.SaveProfile = func(p session.Profile, _ bool) (string, error) {
			kept = append(kept, p)
			return "there", nil
		}
	}, "J 'docs' enter 6")
	d.mustShow("To be moved", "50 queries", "A sweep ranks the queries")
	d.press("space")
	d.mustShow("50 queries by 32 settings (grid)")
	d.press("r")
	d.mustShow("Better on both halves", "curve of top k", "best by all queries", "keep the winner")
	d.press("K")
	d.mustShow("Save as profile", "docs-top_k")
	d.press("enter")
	d.mustShow("saved as there")
	if len(kept) != 1 || kept[0].Base != "hybrid" || kept[0].Params.TopK <= 5 || !strings.HasPrefix(kept[0].Note, "chosen by a sweep of top_k (32 settings") {
		t.Fatalf("kept is %+v", kept)
	}
	d.press("enter")
	if d.session().Params().TopK != kept[0].Params.TopK {
		t.Errorf("used are %d results, kept %d", d.session().Params().TopK, kept[0].Params.TopK)
	}
	d.press("W 'used' enter")
	if len(kept) != 2 || kept[1].Note != kept[0].Note {
		t.Errorf("used and kept, the winner says %+v", kept[1:])
	}
	d.press("u")
	if d.session().Params().TopK != 5 {
		t.Errorf("undone, they are %d", d.session().Params().TopK)
	}
}

// Esc stops a sweep in its view, ctrl+c wherever one is; neither leaves anything else.
func TestASweepIsStopped(t *testing.T) {
	for _, keys := range []string{"esc", "ctrl+c", "1 ctrl+c 6"} {
		d := sweepingGuide(t, 100, 30, nil, "J 'docs' enter 6 space")
		d.send(keyOf("r"))
		if d.session().Sweeping() == nil {
			t.Fatal("no sweep is under way")
		}
		for key := range strings.FieldsSeq(keys) {
			d.send(keyOf(key))
		}
		if d.session().Sweeping() != nil || d.quit {
			t.Errorf("%s: it goes on, or the program has ended", keys)
		}
		d.settle()
		d.mustShow("rankings. They are kept")
	}
}
