package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
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
	// With it every crafted corpus is opened, also the large ones: some four minutes.
	all := os.Getenv("WEBRAG_TEST_CRAFTED") != ""
	for _, what := range strangers.Crafts() {
		if !all && !what.Places {
			continue
		}
		t.Run(what.Name, func(t *testing.T) {
			if !what.IsLarge {
				t.Parallel()
			}
			path := filepath.Join(t.TempDir(), "crafted.db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := strangers.Craft(t.Context(), path, what); err != nil {
				t.Fatal(err)
			}
			if what.IsLarge {
				defer measured(t)()
			}
			guide := onGuide(t, "hybrid", depthQuestion)
			opener := openFile(t, path)
			d := drive(t, 1, 120, 40, func(o *Options, f *fakeCorpus) {
				guide(o, f)
				o.Open = opener
			}, "")
			scanned(t, d, "opening")
			for i := range d.views() {
				v := viewID(i)
				d.push(d.showView(v))
				for _, keys := range []string{"down", "enter", "n", "n", "esc", "down", "t", "m", "esc"} {
					d.press(keys)
					scanned(t, d, fmt.Sprintf("view %d, %s", v, keys))
				}
				if d.quit {
					t.Fatal("the program ends")
				}
			}
		})
	}
}

// mostMemory is what the explorer may take in MB, whatever is in a corpus.
const mostMemory = 1 << 10

// memory reads a line of this process's state, in MB.
func memory(t *testing.T, name string) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(name + `:\s*(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatal("the process does not say how much memory it has")
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n >> 10
}

// measured fails once it is called if more memory was taken since than it may be: of
// what the process had before, making the corpus is a part.
func measured(t *testing.T) (end func()) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc")
	}
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := memory(t, "VmRSS")
	return func() {
		more := memory(t, "VmHWM") - before
		t.Logf("%d MB more than %d", more, before)
		if more > mostMemory {
			t.Errorf("takes %d MB", more)
		}
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
	scanned(t, d, "opening")
	if !strings.Contains(d.frame().Content, "\x1b]8;;https://example.org/%C3%A9/") {
		t.Error("the screen has no link")
	}
}
