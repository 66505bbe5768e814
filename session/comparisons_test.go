package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/param/paramtest"
	"github.com/webrag/webrag-tui/session"
)

// kept is a session that has a snapshot, a pin, and what both are written as.
func kept(t testing.TB) (s *session.Session, written []byte) {
	t.Helper()
	p, _ := param.Preset("webrag")
	s = session.New(session.Setting{Name: "webrag", Params: p}, nil)
	openLibrary(t, s)
	finish(t, s, s.Ask("depth"))
	s.Keep("first")
	s.Set(floor(s, .75), param.FieldSimilarityFloor)
	s.Keep("steep")
	s.Pin()
	c := s.Comparisons()
	return s, c.Encode()
}

// openLibrary opens a corpus of eight sections.
func openLibrary(t testing.TB, s *session.Session) {
	t.Helper()
	finish(t, s, s.Take(&session.Corpus{Engine: &corpus{sections: 8}, Reader: &shelf{}}, nil))
}

// What was kept is there in the next session: the snapshots as they were, and what the
// parameters are compared with.
func TestComparisonsGoOn(t *testing.T) {
	before, b := kept(t)
	c, lost := session.DecodeComparisons(b)
	if lost != (session.Lost{}) || len(c.Snapshots) != 2 {
		t.Fatalf("%+v lost, %d kept:\n%s", lost, len(c.Snapshots), b)
	}
	p, _ := param.Preset("webrag")
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	openLibrary(t, s)
	finish(t, s, s.Ask("depth"))
	s.Keep("first")
	finish(t, s, s.RecallComparisons(c))
	var names []string
	for _, sn := range s.Snapshots() {
		names = append(names, sn.Name)
	}
	if want := []string{"first 2", "steep", "first"}; !slices.Equal(names, want) {
		t.Errorf("the snapshots are %q, want %q", names, want)
	}
	was, is := before.Snapshot("steep"), s.Snapshot("steep")
	if is.Query != "depth" || is.Places != 3 || is.Setting != was.Setting || !reflect.DeepEqual(is.Result, was.Result) {
		t.Errorf("it is\n%+v\nand was\n%+v", is, was)
	}
	if !s.IsPinned() || s.Baseline() != before.Baseline() || len(s.Difference().Entered) != 5 {
		t.Errorf("compared with %s: %+v", s.Baseline().Name, s.Difference())
	}
}

// A profile goes on being compared with what it was made from, as long as it is the start.
func TestWhatAProfileIsComparedWithGoesOn(t *testing.T) {
	p, _ := param.Preset("webrag")
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	s.Set(floor(s, .75), param.FieldSimilarityFloor)
	s.Saved("mine")
	written := s.Comparisons()
	for name, want := range map[string]string{"mine": "webrag", "hybrid": "hybrid"} {
		c, _ := session.DecodeComparisons(written.Encode())
		next := session.New(session.Setting{Name: name, Params: s.Params()}, nil)
		if next.RecallComparisons(c); next.Baseline().Name != want || next.IsPinned() {
			t.Errorf("%s is compared with %s, want %s", name, next.Baseline().Name, want)
		}
	}
}

// Nor does a preset begin to be compared with itself in the next session.
func TestWhatAPresetIsComparedWithGoesOn(t *testing.T) {
	p, _ := param.Preset("webrag")
	s := session.New(session.Setting{Name: "webrag", Params: p}, nil)
	openLibrary(t, s)
	finish(t, s, s.Ask("depth"))
	steep := session.Setting{Name: "steep", Params: floor(s, .75)}
	s.StartFrom(steep)
	kept := s.Comparisons()
	c, _ := session.DecodeComparisons(kept.Encode())
	next := session.New(steep, nil)
	if next.RecallComparisons(c); next.Baseline().Name != "webrag" || next.IsPinned() {
		t.Errorf("it is compared with %s", next.Baseline().Name)
	}
	s.Undo()
	if kept := s.Comparisons(); kept.Baseline != nil {
		t.Errorf("taken back, and kept as compared with %s", kept.Baseline.Name)
	}
}

// A line that cannot be used loses no other.
func TestALineThatIsLostLosesNoOther(t *testing.T) {
	_, b := kept(t)
	for name, c := range map[string]struct {
		from, to   string
		snapshots  int
		lost       session.Lost
		withoutPin bool
	}{
		"a torn line":         {`"name":"first","query"`, `"name":"first"`, 1, session.Lost{false, 1}, false},
		"no rank":             {`"rank":2`, `"rank":0`, 1, session.Lost{false, 1}, false},
		"a rank twice":        {`"rank":2`, `"rank":1`, 1, session.Lost{false, 1}, false},
		"no id":               {`"id":"depth-3"`, `"id":""`, 1, session.Lost{false, 1}, false},
		"another level":       {`"mode":"chunk"`, `"mode":"none"`, 1, session.Lost{false, 1}, false},
		"a name of blanks":    {`"name":"first"`, `"name":" "`, 1, session.Lost{false, 1}, false},
		"a long name":         {`"name":"first"`, `"name":"` + strings.Repeat("x", 200) + `"`, 1, session.Lost{false, 1}, false},
		"two of a name":       {`"name":"first"`, `"name":"steep"`, 1, session.Lost{false, 1}, false},
		"no such parameter":   {`"top_k":"`, `"top_q":"`, 2, session.Lost{}, false},
		"a value out of it":   {`"top_k":"`, `"top_k":"-9`, 2, session.Lost{true, 0}, true},
		"a torn head":         {`{"format"`, `{`, 2, session.Lost{true, 0}, true},
		"a format to come":    {"comparisons 1", "comparisons 2", 0, session.Lost{true, 2}, true},
		"a number beyond all": {`"score":0.9`, `"score":1e999`, 1, session.Lost{false, 1}, false},
	} {
		changed := bytes.Replace(b, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(changed, b) {
			t.Errorf("%s: there is no %s in\n%s", name, c.from, b)
			continue
		}
		got, lost := session.DecodeComparisons(changed)
		if len(got.Snapshots) != c.snapshots || lost != c.lost || (got.Baseline == nil) != c.withoutPin {
			t.Errorf("%s: %d snapshots, %+v lost, baseline %+v", name, len(got.Snapshots), lost, got.Baseline)
		}
	}
}

// Any parameters come back as they were.
func TestKeptParametersAreTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		of := session.Setting{Name: "mine"}
		of.Params, _ = param.Preset("hybrid")
		for _, spec := range param.Specs() {
			of.Params = paramtest.Draw(rt, of.Params, spec)
		}
		if of.Params.Validate() != nil {
			return
		}
		c := session.Comparisons{Baseline: &of, Pinned: true}
		got, lost := session.DecodeComparisons(c.Encode())
		if lost != (session.Lost{}) || got.Baseline == nil || *got.Baseline != of {
			rt.Fatalf("%+v lost: %+v, want %+v", lost, got.Baseline, of)
		}
	})
}

// What is written stays within its bound, the oldest giving way, and what is no number is
// left out.
func TestTheBoundOfComparisons(t *testing.T) {
	s, _ := kept(t)
	odd := *s.Snapshot("first")
	odd.Result.Items = slices.Clone(odd.Result.Items)
	odd.Name, odd.Result.Items[0].Score = "odd", math.NaN()
	c := session.Comparisons{Snapshots: []*session.Snapshot{&odd}}
	for i := range 9 {
		big := *s.Snapshot("first")
		big.Name, big.Result.Items = fmt.Sprint(i), slices.Clone(big.Result.Items)
		big.Result.Items[0].SourceURL = strings.Repeat("u", 1<<20)
		c.Snapshots = append(c.Snapshots, &big)
	}
	b := c.Encode()
	got, lost := session.DecodeComparisons(b)
	if len(b) > session.MostComparisons || lost != (session.Lost{}) || len(got.Snapshots) != 7 || got.Snapshots[0].Name != "2" || got.Snapshots[6].Name != "8" {
		t.Errorf("%d bytes, %+v lost, %d kept", len(b), lost, len(got.Snapshots))
	}
}

// Whatever is in the file, what is read of it is within its bounds and can be written and
// read again.
func FuzzDecodeComparisons(f *testing.F) {
	_, b := kept(f)
	f.Add(b)
	f.Add(bytes.Replace(b, []byte("first"), []byte("\\u001b[31mred"), 1))
	f.Add([]byte(`{"format":"webrag-tui comparisons 1","baseline":{"name":"x","params":{"top_k":"3"}}}` + "\nnull\n[]\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, _ := session.DecodeComparisons(b)
		if len(c.Snapshots) > 50 {
			t.Fatalf("%d snapshots", len(c.Snapshots))
		}
		again, lost := session.DecodeComparisons(c.Encode())
		if lost != (session.Lost{}) || !reflect.DeepEqual(again, c) {
			was, _ := json.Marshal(c)
			is, _ := json.Marshal(again)
			t.Fatalf("%+v lost:\n%s\nis\n%s", lost, was, is)
		}
	})
}
