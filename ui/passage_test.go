package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/retrieval"
)

func TestPassageScreens(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		keys string
	}{
		{"selecting", 120, 40, "enter v j l l"},
		{"selecting in 80 columns", 80, 24, "enter v j l l"},
		{"selecting in 50 columns", 50, 15, "enter v j l l"},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden.RequireEqual(t, drive(t, 1, c.w, c.h, asking("decay"), c.keys).screen())
		})
	}
}

// selecting drives the explorer to a section and presses keys there, and returns
// what was copied.
func selecting(t *testing.T, keys string) (d *driver, copied string) {
	t.Helper()
	d = drive(t, 1, 120, 40, func(o *Options, _ *fakeCorpus) {
		o.Query = "decay"
		o.Clipboard = func(s string) error { copied = s; return nil }
	}, "enter "+keys)
	return d, copied
}

func TestPassagesAreSelectedAndCopied(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		// The line of the focused match, as the source has it.
		{"v y", "probably less central. Its score is multiplied by `max(1 − depth ×"},
		{"v l y", "probably less central. Its score is multiplied by `max(1 − depth × rate,"},
		{"v h h h h y", "probably less central. Its score is multiplied by"},
		{"v j y", "probably less central. Its score is multiplied by `max(1 − depth × rate, floor)`, so that a page three links away keeps 85 % of its"},
		{"v j k y", "probably less central. Its score is multiplied by `max(1 − depth ×"},
		{"v k l y", "page that the crawler found three links away from the seed is probably less central. Its score is multiplied by `max(1 − depth ×"},
		{"v k j enter", "probably less central. Its score is multiplied by `max(1 − depth ×"},
		{"v k k k j enter", "A page that the crawler found three links away from the seed is probably less central. Its score is multiplied by `max(1 − depth ×"},
		{"m v y", "probably less central. Its score is multiplied by `max(1 − depth ×"},
	} {
		d, got := selecting(t, c.keys)
		if strings.HasPrefix(c.keys, "m") {
			if got == "" || !strings.Contains(decayText, got) {
				t.Errorf("%q copies %q", c.keys, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%q copies %q, want %q", c.keys, got, c.want)
		}
		d.mustShow("copied the passage", "match 1/3")
	}
}

func TestAPassageIsCited(t *testing.T) {
	d, got := selecting(t, "v c")
	from := strings.Index(decayText, "probably less")
	at := 1204 + len([]rune(decayText[:from]))
	want := citations.PageSpan{URL: guideURL + "ranking", Start: at, End: at + len([]rune("probably less central. Its score is multiplied by `max(1 − depth ×"))}
	if !strings.Contains(got, "“probably less central.") || !strings.Contains(got, want.String()) {
		t.Errorf("copied %q, want the span %s", got, want)
	}
	d.press("v")
	d.mustShow("selected 12 words", "y copy")
	d.press("esc")
	d.mustNotShow("selected")
	if d.focus() != panePreview {
		t.Error("esc left the pane, too")
	}
	d.press("v v")
	d.mustNotShow("selected")
}

func TestAllResultsAreCopied(t *testing.T) {
	d, got := selecting(t, "")
	copied := func(key string) string {
		got = ""
		d.options().Clipboard = func(s string) error { got = s; return nil }
		d.press("y " + key)
		return got
	}
	var r struct {
		Chunks []struct {
			ChunkID string `json:"chunk_id"`
		}
	}
	if err := json.Unmarshal([]byte(copied("a")), &r); err != nil || len(r.Chunks) != len(guideItems()) || r.Chunks[0].ChunkID != "decay" {
		t.Errorf("%d sections, %v", len(r.Chunks), err)
	}
	context := copied("m")
	for _, it := range guideItems() {
		if it.Surface == retrieval.SurfaceMarkdown && !strings.Contains(it.ChunkText, "\x1b") && !strings.Contains(context, strings.TrimSpace(it.ChunkText)) {
			t.Errorf("the context lacks %s", it.ChunkID)
		}
	}
}
