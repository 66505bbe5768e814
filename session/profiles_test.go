package session

import (
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// What suits one corpus only is not in a profile that is saved there, and another corpus
// gets it anew.
func TestProfilesSuitACorpus(t *testing.T) {
	floor := .5
	p := Profiles{Suit: func(p Profile) Profile {
		p.Params.SimilarityFloor = floor
		p.Origin = func(field string) string { return "suited " + field }
		return p
	}}
	plain, _ := param.Preset("hybrid")
	suited := p.Know(Profile{Name: "words", Base: "hybrid", Params: plain})
	if suited.Params.SimilarityFloor != floor || p.Origin("words", "top_k") != "suited top_k" {
		t.Fatalf("known as %+v", suited)
	}
	tuned := suited.Params
	tuned.TopK = 3
	want := plain
	want.TopK = 3
	if got := p.Plain(Setting{Name: "words", Params: suited.Params}, tuned); got != want {
		t.Errorf("saved as %+v, want %+v", got, want)
	}
	floor = .7
	if got, ok := p.Adapted("words"); !ok || got.SimilarityFloor != floor {
		t.Errorf("on another corpus %v %+v", ok, got)
	}
	if _, ok := p.Adapted("other"); ok {
		t.Error("one that nobody named is known")
	}
	if got := p.Plain(Setting{Name: "other", Params: plain}, tuned); got != tuned {
		t.Errorf("of an unknown one, saved as %+v", got)
	}
}

func TestProfilesHaveABase(t *testing.T) {
	var p Profiles
	p.Know(Profile{Name: "words", Base: "hybrid"})
	for name, want := range map[string]string{"words": "hybrid", "graph": "graph", "unknown": param.PresetWebRAG} {
		if got := p.Base(name); got != want {
			t.Errorf("%s is based on %s, want %s", name, got, want)
		}
	}
	if got := p.Origin("words", "top_k"); got != "" {
		t.Errorf("the origin %q", got)
	}
}
