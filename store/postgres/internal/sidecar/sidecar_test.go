package sidecar

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

var key = Key{Location: "postgres://db.example:5432/pages", Table: `"public"`}

func TestWhatIsSavedComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "sidecar")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		p50 := rapid.Float64Range(-1, 1).Draw(t, "p50")
		want := Facts{
			EmbedderID: rapid.StringMatching(`[a-zA-Zé/:.-]{0,40}`).Draw(t, "embedder"),
			Dimensions: rapid.IntRange(0, mostDimensions).Draw(t, "dimensions"),
			Tokenizer:  rapid.SampledFrom([]string{"", "cl100k_base", "wordpiece:C:\\a\\vocab.txt"}).Draw(t, "tokenizer"),
			Calibration: store.Calibration{
				EmbedderID: "e", P50: p50, P995: rapid.Float64Range(p50, 1).Draw(t, "p995"), Chunks: rapid.IntRange(0, math.MaxInt32).Draw(t, "chunks"),
			},
		}
		if err := Save(dir, key, Facts{EmbedderID: "earlier", Tokenizer: "longer than what comes after it"}); err != nil {
			t.Fatal(err)
		}
		if err := Save(dir, key, want); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(dir, key); err != nil || got != want {
			t.Fatalf("got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestEachDatabaseHasItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "anew")
	others := []Key{{Location: key.Location, Table: "other"}, {Location: key.Location + key.Table}, {Table: key.Location + key.Table}}
	for i, k := range append(others, key) {
		if err := Save(dir, k, Facts{Dimensions: i + 1}); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Load(dir, others[0]); err != nil || got.Dimensions != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Fatalf("the folder holds %v (%v)", entries, err)
	}
	for _, e := range entries {
		if name := e.Name(); strings.Contains(name, "example") || filepath.Ext(name) != ".json" {
			t.Errorf("a file is called %s", name)
		}
	}
}

func TestNothingIsRememberedWithoutAFolder(t *testing.T) {
	if err := Save("", key, Facts{Dimensions: 3}); err != nil {
		t.Error(err)
	}
	if got, err := Load("", key); err != nil || got != (Facts{}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := Load(t.TempDir(), key); err != nil || got != (Facts{}) {
		t.Errorf("from an empty folder: %+v, %v", got, err)
	}
}

func TestAFileThatSomebodyElseWrote(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    Facts
		err     string
	}{
		"not JSON":          {"hello", Facts{}, "not the JSON"},
		"another shape":     {`[1, 2]`, Facts{}, "not the JSON"},
		"too large":         {`{"tokenizer":"` + strings.Repeat("x", mostBytes) + `"}`, Facts{}, "more than"},
		"an escape":         {`{"embedder_id":"\u001b[2J","dimensions":3,"tokenizer":"approx"}`, Facts{Tokenizer: "approx"}, "embedder_id"},
		"a long name":       {`{"tokenizer":"` + strings.Repeat("x", 501) + `","dimensions":3}`, Facts{Dimensions: 3}, "tokenizer"},
		"a large dimension": {`{"dimensions":99999}`, Facts{}, "dimensions"},
		"no cosines":        {`{"dimensions":3,"calibration":{"p50":2,"p995":3}}`, Facts{Dimensions: 3}, "calibration"},
		"reversed":          {`{"dimensions":3,"calibration":{"p50":0.3,"p995":0.1}}`, Facts{Dimensions: 3}, "calibration"},
		"more fields":       {`{"dimensions":3,"later":{}}`, Facts{Dimensions: 3}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(key.path(dir), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := Load(dir, key)
			if got != c.want || (err == nil) != (c.err == "") {
				t.Fatalf("got %+v, %v", got, err)
			}
			if err != nil && (!strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "remove the file")) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestNonsenseIsNotSaved(t *testing.T) {
	dir := t.TempDir()
	if err := Save(dir, key, Facts{EmbedderID: "a\nb"}); err == nil {
		t.Error("a name of two lines was saved")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("the folder holds %v", entries)
	}
}

func TestReadersSeeWholeFiles(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for range 50 {
				if err := Save(dir, key, Facts{EmbedderID: strings.Repeat("e", 100*i), Dimensions: i + 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		got, err := Load(dir, key)
		if err != nil || len(got.EmbedderID) != max(0, 100*(got.Dimensions-1)) {
			t.Errorf("half a file: %d bytes of %d, %v", len(got.EmbedderID), got.Dimensions, err)
		}
	}
	writers.Wait()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"database":"d","table":"t","embedder_id":"e/3","dimensions":3,"calibration":{"p50":0.1,"p995":0.2}}`))
	f.Add([]byte(`{"calibration":{"p50":1e999}}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		facts, _ := decode(raw)
		if !isName(facts.EmbedderID) || !isName(facts.Tokenizer) || !isCalibration(facts.Calibration) || facts.Dimensions < 0 {
			t.Errorf("kept %+v", facts)
		}
	})
}
