package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

// What the explorer watches for a corpus becomes a query set, and no other corpus's.
func TestAWatchListBecomesAQuerySet(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // after the variables have their old values again
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, dir)
	}
	xdg.Reload()
	corpus := filepath.Join(dir, "c.db")
	command := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, narration bytes.Buffer
		code := run(t.Context(), process{args: append(args, "--corpus", corpus), in: strings.NewReader(""), out: &out, err: &narration, now: time.Now})
		if code != want {
			t.Fatalf("%s: exit code %d, want %d: %s", args, code, want, narration.String())
		}
		return out.String(), narration.String()
	}
	command(exitFine, "index", filepath.Join("testdata", "examples"))
	var pages []struct {
		Source string `json:"source_url"`
	}
	listed, _ := command(exitFine, "docs", "list", "--json")
	if err := json.Unmarshal([]byte(listed), &pages); err != nil || len(pages) == 0 {
		t.Fatalf("%v: %s", err, listed)
	}
	type watched map[string]string
	state, err := json.Marshal(map[string]any{"watch": map[string][]watched{
		corpus:    {{"query": "first one", "page": pages[0].Source}, {"query": "no page"}},
		"another": {{"query": "of another corpus"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(stateFolder(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(explorerState(), state, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, told := command(exitFine, "judge", "watch", "watched"); !strings.Contains(told, "with 2 queries") {
		t.Errorf("it told %q", told)
	}
	shown, _ := command(exitFine, "judge", "show", "watched", "first one")
	if !strings.Contains(shown, "3 answers it") || !strings.Contains(shown, pages[0].Source) {
		t.Errorf("the set has %q", shown)
	}
	if all, _ := command(exitFine, "judge", "show", "watched"); strings.Contains(all, "another") {
		t.Errorf("the set has %q", all)
	}
	command(exitUsage, "judge", "watch", "watched") // there is one of the name
}
