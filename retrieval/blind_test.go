package retrieval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

// Where the query cannot be embedded one notice says what was searched instead, or
// that nothing was, and what helps.
func TestNoticesWithoutAQueryVector(t *testing.T) {
	const cannot = "the vectors are of another model"
	for name, c := range map[string]struct {
		missing  string
		possible bool
		fail     error
		want     string
		lacks    string
	}{
		"no index of words": {"no index of words", true, nil, phrase.NoticeNoArm.Code, ""},
		"no words at all":   {"no index of words", false, nil, phrase.NoticeNoArm.Code, "keyword_unindexed"},
		"damaged words":     {"", false, errors.New("damaged"), phrase.NoticeNoArm.Code, "keyword_unindexed"},
		"words":             {"", false, nil, phrase.NoticeEmbedderFailed.Code + " " + phrase.NoticeKeywordEmpty.Code, "only vectors"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newIndexed(20)
			x.info.Foreign, x.info.Unindexed = true, c.possible
			if c.missing != "" {
				x.info.Missing = map[store.Capability]string{store.CapKeyword: c.missing}
			}
			x.words, x.failWords = nil, c.fail
			model := newDouble()
			model.fail = errors.New(cannot)
			p, _ := param.Preset(param.PresetHybrid)
			p.Mode = param.ModeChunk
			r, err := retrieval.Retrieve(t.Context(), retrieval.Deps{Store: x, Embedder: model}, retrieval.Query{Text: "words"}, p, retrieval.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			var texts strings.Builder
			for _, n := range r.Notices {
				codes = append(codes, n.Code)
				texts.WriteString(n.Text + "\n")
			}
			text := texts.String()
			if got := strings.Join(codes, " "); got != c.want || !strings.Contains(text, cannot) || c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("notices %s, want %s:\n%s", got, c.want, text)
			}
			if c.want != phrase.NoticeNoArm.Code {
				return
			}
			if strings.Contains(text, "only") || !strings.Contains(text, "configure the embedder") || c.possible != strings.Contains(text, "keyword_unindexed=true") {
				t.Errorf("the notice is %q", text)
			}
		})
	}
}

// A passage that has a vector is not said to have none because the query has none.
func TestWhyNotOfAQueryWithoutAVector(t *testing.T) {
	l := newLab()
	l.page("a", 0)
	for i, id := range []string{"A", "B"} {
		l.section("S"+id, i, 10)
		l.child("C"+id, .9, "text of birds")
	}
	l.section("SX", 2, 10)
	l.child("CX", .5, "nothing of the kind")
	l.section("SY", 3, 10)
	l.child("CY", .5, "nor this")
	delete(l.similar, "CY")
	p, _ := param.Preset(param.PresetHybrid)
	p.Mode = param.ModeChunk
	d := l.deps()
	model := newDouble()
	model.info, model.fail = l.info, errors.New("no connection")
	d.Embedder = model
	for id, want := range map[string][2]string{
		"CX": {phrase.ReasonNoQueryVector, "The query has no vector"},
		"CY": {phrase.ReasonNoEmbedding, "It has no embedding"},
	} {
		r, err := whynot.Ask(t.Context(), d, retrieval.Query{Text: "birds"}, p, whynot.Target{ChunkID: id})
		if err != nil {
			t.Fatal(err)
		}
		if r.Present || r.DroppedBy == nil || r.DroppedBy.Reason != want[0] || r.Vector.Reason != want[0] || !strings.HasPrefix(r.Verdict, want[1]) {
			t.Errorf("%s: %+v, %+v, %q", id, r.DroppedBy, r.Vector, r.Verdict)
		}
	}
}
