package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	strangers "github.com/webrag/webrag-tui/testdata/hostile"
)

// A corpus that somebody damaged on purpose shows what can be read of it, or a
// sentence. The explorer goes on, in every view.
func TestCraftedCorpora(t *testing.T) {
	file, err := guideFile()
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range strangers.Crafts() {
		if what.IsLarge || !what.Places && testing.Short() {
			continue
		}
		t.Run(what.Name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "crafted.db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := strangers.Craft(t.Context(), path, what); err != nil {
				t.Fatal(err)
			}
			guide := onGuide(t, "hybrid", depthQuestion)
			opener := openFile(t, path)
			d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
				guide(o, f)
				o.Open = opener
			}, "")
			scanned(t, d.m, "opening")
			for v := range viewCount {
				d.push(d.m.showView(v))
				for _, keys := range []string{"down", "enter", "n", "n", "esc", "down", "t", "m", "esc"} {
					d.press(keys)
					scanned(t, d.m, fmt.Sprintf("view %d, %s", v, keys))
				}
				if d.quit {
					t.Fatal("the program ends")
				}
			}
		})
	}
}

// A terminal's link holds bytes from 32 to 126 only, whatever the address of a page is.
func TestLinksOfTheScreenHaveASCIIAddresses(t *testing.T) {
	file, err := guideFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "guide.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := strangers.Craft(t.Context(), path, strangers.Crafted{SQL: `UPDATE documents SET source_url = 'https://example.org/é/' || id;
		UPDATE chunks SET source_url = 'https://example.org/é/' || document_id`}); err != nil {
		t.Fatal(err)
	}
	guide, opener := onGuide(t, "hybrid", depthQuestion), openFile(t, path)
	d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
		guide(o, f)
		o.Open = opener
	}, "")
	scanned(t, d.m, "opening")
	if !strings.Contains(d.m.View().Content, "\x1b]8;;https://example.org/%C3%A9/") {
		t.Error("the screen has no link")
	}
}
