package retrieval_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/retrieval/whynot"
)

// What kept evidence says of a text that it has, the corpus says, too.
func TestKeptEvidenceSaysWhyNot(t *testing.T) {
	asked, suggested := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawWhy(t)
		if c == nil {
			t.Skip("nothing is missing")
		}
		d := c.l.deps()
		d.Now = c.l.now()
		ev, err := retrieval.Gather(t.Context(), d, c.q, c.p)
		if err != nil {
			t.Fatal(err)
		}
		if ev, err = retrieval.Complete(t.Context(), d, ev, c.p); err != nil {
			t.Fatal(err)
		}
		got, err := whynot.AskKept(t.Context(), []retrieval.Evidence{reread(t, ev)}, c.p, whynot.Target{ChunkID: c.chunk})
		if errors.Is(err, whynot.ErrUnkept) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		asked++
		want := &c.report
		if got.Present != want.Present || got.Mode != want.Mode || got.Floor != want.Floor {
			t.Fatalf("kept: %+v\ncorpus: %+v", got, *want)
		}
		if got.Chunk.ChunkID != want.Chunk.ChunkID {
			// What no search finds is known of the section alone.
			if got.Chunk.ChunkID != want.Chunk.ParentID || want.Vector.Found || got.Vector.Found || got.DroppedBy.Reason != want.DroppedBy.Reason {
				t.Fatalf("kept: %+v\ncorpus: %+v", got, *want)
			}
			return
		}
		if !want.Vector.Found {
			want.Vector.Score = got.Vector.Score // of what has no place
			if got.Vector.Reason == phrase.ReasonNoQueryVector {
				// That the text has no vector either cannot be known.
				want.Vector.Reason = got.Vector.Reason
				if want.DroppedBy != nil && want.DroppedBy.Reason == phrase.ReasonNoEmbedding {
					want.DroppedBy.Reason = got.Vector.Reason
				}
			}
		}
		for _, arm := range []*whynot.ArmPosition{want.Vector, want.Keyword} {
			if arm != nil && arm.Section == "gone" {
				arm.Section = "" // a section that is not there is not kept
			}
		}
		if g, w := fmt.Sprintf("%+v", got.Vector), fmt.Sprintf("%+v", want.Vector); g != w {
			t.Fatalf("by similarity: %s, the corpus says %s", g, w)
		}
		if g, w := fmt.Sprintf("%+v", got.Keyword), fmt.Sprintf("%+v", want.Keyword); got.Keyword != nil && g != w {
			t.Fatalf("by words: %s, the corpus says %s", g, w)
		}
		if g, w := fmt.Sprintf("%+v", got.DroppedBy), fmt.Sprintf("%+v", want.DroppedBy); g != w {
			t.Fatalf("dropped by: %s, the corpus says %s", g, w)
		}
		for _, s := range got.Suggestions {
			suggested++
			p := c.p
			for _, change := range s.Changes {
				if err := p.Set(change.Field, change.To); err != nil {
					t.Fatal(err)
				}
			}
			if !admitted(t, c.l, c.q, p, c.chunk) {
				t.Fatalf("%+v does not let it in", s.Changes)
			}
		}
	})
	if asked == 0 || suggested == 0 {
		t.Errorf("%d asked, %d suggested", asked, suggested)
	}
}

func TestKeptEvidenceSaysWhatItDoesNotKnow(t *testing.T) {
	b := large(t, 300).set(t, "mode", "chunk", "top_k", "5")
	ev := reread(t, gather(t, b))
	all := []retrieval.Evidence{ev}
	last := b.memory.chunks[len(b.memory.chunks)-1].ID
	for _, target := range []whynot.Target{{ChunkID: "none"}, {ChunkID: last}, {SourceURL: "none"}, {Quote: "nobody wrote this"}} {
		if _, err := whynot.AskKept(t.Context(), all, b.params, target); !errors.Is(err, whynot.ErrUnkept) {
			t.Errorf("%s: %v", target, err)
		}
	}
	// A section that is known, with passages that are beyond what was searched.
	near := large(t, 150).set(t, "mode", "chunk", "top_k", "5")
	known := reread(t, gather(t, near))
	section := ""
	for i := range near.memory.chunks {
		if c := &near.memory.chunks[i]; c.ParentID == "" {
			section = c.ID
		}
	}
	if _, ok := known.NumberOf(section); !ok {
		t.Fatal("not all sections are known")
	}
	if r, err := whynot.AskKept(t.Context(), []retrieval.Evidence{known}, near.params, whynot.Target{ChunkID: section}); !errors.Is(err, whynot.ErrUnkept) {
		t.Errorf("beyond the rows: %s, %v", r.Verdict, err)
	}
	if _, err := whynot.AskKept(t.Context(), nil, b.params, whynot.Target{ChunkID: last}); !errors.Is(err, whynot.ErrUnkept) {
		t.Errorf("no evidence: %v", err)
	}
	if _, err := whynot.AskKept(t.Context(), all, b.set(t, "keyword_weight", "0.5").params, whynot.Target{ChunkID: last}); !errors.Is(err, whynot.ErrUnkept) {
		t.Errorf("beyond the evidence: %v", err)
	}
	b.set(t, "keyword_weight", "0")
	r, _ := retrieval.Rank(ev, b.params, retrieval.Options{})
	report, err := whynot.AskKept(t.Context(), all, b.params, whynot.Target{ChunkID: r.NearMisses[0].ChunkID})
	if err != nil || len(report.Suggestions) == 0 || report.DroppedBy == nil {
		t.Fatalf("%+v, %v", report, err)
	}
	if !hasNotice(&report, phrase.NoticeIncomplete) || hasNotice(&report, phrase.NoticeKeptRanks) {
		t.Errorf("notices %+v", report.Notices)
	}
}

func hasNotice(r *whynot.Report, n phrase.Notice) bool {
	for i := range r.Notices {
		if r.Notices[i].Code == n.Code {
			return true
		}
	}
	return false
}
