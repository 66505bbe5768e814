package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
)

func TestTheTableOfChunkedDocuments(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{collection(t, "landforms")}, &out); err != nil {
		t.Fatal(err)
	}
	if want := "landforms as the program indexes and answers it: 4 documents, 4 sections, 4 chunks; 1 are refused"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing in\n%s", want, out.String())
	}
	for _, y := range ways() {
		if !strings.Contains(out.String(), "\n"+y.String()+"  ") {
			t.Errorf("no row for %q in\n%s", y, out.String())
		}
	}
}

// TestPresetsAnswerFromChunkedDocuments asks as the second table does. A floor that
// nothing exceeds leaves the words alone; the river is in a title only, so that
// without titles only the glacier is found, in second place: (0+.631+0)/3 = .210.
func TestPresetsAnswerFromChunkedDocuments(t *testing.T) {
	c, err := exchange.ReadCollection(os.DirFS(collection(t, "landforms")), "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := index(t.Context(), filepath.Join(t.TempDir(), "c.db"), "landforms", c)
	if err != nil {
		t.Fatal(err)
	}
	defer k.store.Close()
	st, _, err := k.chunk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all, err := k.ask(t.Context(), depth)
	if err != nil {
		t.Fatal(err)
	}
	for changes, want := range map[string]string{
		"similarity_floor=0.99":                  ".544 .667, 1 empty, 3 results",
		"similarity_floor=0.99 title_weight=0":   ".210 .333, 2 empty, 2 results",
		"similarity_floor=0.99 keyword_weight=0": ".000 .000, 3 empty, 0 results",
	} {
		y := way{preset: param.PresetBlend, changes: strings.Fields(changes)}
		got, err := k.answer(t.Context(), retrieval.Deps{Store: st, Embedder: k.model}, all, y)
		if err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprintf("%s, %d empty, %d results", mean(got.scores), got.empty, got.results); s != want {
			t.Errorf("%q gives %s, want %s", changes, s, want)
		}
	}
}

func TestADocumentRanksWhereItsBestResultDoes(t *testing.T) {
	k := &corpus{at: map[string]int{address(3): 3, address(5): 5, address(8): 8}}
	// Grouped by page, as results come.
	items := []retrieval.Item{
		{SourceURL: address(5), Rank: 2},
		{SourceURL: address(5), Rank: 4},
		{SourceURL: address(8), Rank: 3},
		{SourceURL: address(3), Rank: 5},
		{SourceURL: address(3), Rank: 1},
	}
	if got := k.documents(items); !slices.Equal(got, []int{3, 5, 8}) {
		t.Errorf("the documents are %v", got)
	}
}

func TestPresetsAreAskedAsTheyAreAndForTen(t *testing.T) {
	all := ways()
	if all[0].String() != param.PresetBlend {
		t.Errorf("all are compared with %q", all[0])
	}
	for _, name := range param.Presets() {
		asIs, _ := param.Preset(name)
		asIs.Mode = param.ModeChunk
		ten := false
		for _, y := range all {
			p, err := y.params()
			if err != nil {
				t.Errorf("%s: %v", y, err)
			}
			switch {
			case y.String() == name && p != asIs:
				t.Errorf("%s is asked with %+v", name, p)
			case y.preset == name && y.ten:
				ten = p.TopK == 10
			}
		}
		if fewer := asIs.TopK > 0 && asIs.TopK < 10; fewer != ten {
			t.Errorf("%s returns %d results, and is asked for ten: %t", name, asIs.TopK, ten)
		}
	}
	for _, wrong := range []way{{preset: "nothing"}, {preset: "blend", changes: []string{"nothing=1"}}} {
		if _, err := wrong.params(); err == nil {
			t.Errorf("%s is no way to ask, and no error", wrong)
		}
	}
}
