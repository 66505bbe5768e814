package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
)

// withProfilesIn gives the program a folder for its profiles.
func withProfilesIn(t *testing.T) *app {
	t.Helper()
	dir := t.TempDir()
	before := xdg.ConfigHome
	xdg.ConfigHome = dir
	t.Cleanup(func() { xdg.ConfigHome = before })
	t.Chdir(dir)
	day := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	return newApp(process{environ: []string{"RETRIEVAL_TOP_K=7"}, now: func() time.Time { return day }})
}

func TestExplorerStarts(t *testing.T) {
	a := withProfilesIn(t)
	hybrid, _ := param.Preset(param.PresetHybrid)
	hybrid.KeywordWeight = .8
	where, err := a.saveFromExplorer("guide", session.Profile{Name: "words", Base: "hybrid", Note: "chosen by a sweep", Params: hybrid}, false)
	if err != nil || where != filepath.Join(profilesFolder(), "words.toml") {
		t.Fatalf("saved at %q: %v", where, err)
	}
	if err := os.WriteFile(filepath.Join(profilesFolder(), "broken.toml"), []byte("version = 1\nname = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, from, _, err := retrievalBasis(a.loadConfig)
	if err != nil {
		t.Fatal(err)
	}
	list, err := startsFor(c, from)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]session.Profile{}
	for _, p := range list {
		byName[p.Name] = p
	}
	for _, name := range param.Presets() {
		if p := byName[name]; p.Base != name || p.Problem != nil || p.Note == "" {
			t.Errorf("preset %s: %+v", name, p)
		}
	}
	if p := byName["broken"]; p.Problem == nil || strings.Contains(p.Problem.Error(), "\n") {
		t.Errorf("a broken profile: %v", p.Problem)
	}
	webrag, words := byName["webrag"], byName["words"]
	// What is set explicitly holds with every preset and profile.
	if webrag.Params.TopK != 7 || words.Params.TopK != 7 || words.Params.KeywordWeight != .8 {
		t.Errorf("webrag %+v\nwords %+v", webrag.Params, words.Params)
	}
	for _, o := range []struct{ got, want string }{
		{webrag.Origin("top_k"), "environment RETRIEVAL_TOP_K"},
		{webrag.Origin("similarity_floor"), "preset webrag"},
		{words.Origin("keyword_weight"), "profile words"},
		{words.Origin("top_k"), "environment RETRIEVAL_TOP_K"},
		{words.Note, "chosen by a sweep; preset hybrid with 1 parameter changed"},
	} {
		if o.got != o.want {
			t.Errorf("got %q, want %q", o.got, o.want)
		}
	}
}

func TestExplorerSavesNothingTwice(t *testing.T) {
	a := withProfilesIn(t)
	p, _ := param.Preset(param.PresetWebRAG)
	tuned := session.Profile{Name: "tight", Base: "webrag", Params: p}
	if _, err := a.saveFromExplorer("", tuned, false); err != nil {
		t.Fatal(err)
	}
	tuned.Params.TopK = 3
	if _, err := a.saveFromExplorer("", tuned, false); !errors.Is(err, session.ErrProfileExists) {
		t.Errorf("a second time: %v", err)
	}
	if _, err := a.saveFromExplorer("", tuned, true); err != nil {
		t.Error(err)
	}
	b, err := openBasis("tight")
	if err != nil || b.profile.Params.TopK != 3 || b.profile.Preset != "webrag" {
		t.Errorf("read back %+v: %v", b.profile, err)
	}
	for _, name := range []string{"webrag", "../x", "a b", "", ".hidden", "x.toml"} {
		tuned.Name = name
		if _, err := a.saveFromExplorer("", tuned, true); err == nil {
			t.Errorf("saved as %q", name)
		}
	}
}
