package param

import (
	"slices"
	"strings"
	"testing"
)

// Each column of a row holds values that the parameter accepts, and says something
// of every system.
func TestColumnsAreComplete(t *testing.T) {
	specs := table()
	for i := range specs {
		s := &specs[i]
		if s.says != nil && (s.Kind != KindEnum || len(s.says) != len(s.Values)) {
			t.Errorf("%s: screens say %q for %q", s.Field, s.says, s.Values)
		}
		if s.Switch && s.Off == "" {
			t.Errorf("%s switches its stage and has no off value", s.Field)
		}
		values := slices.Concat(s.armless, s.waits, []string{s.Off, s.neutral, s.special.value})
		for system, of := range map[string]ofSystem{"webrag": inWebRAG, "hybrid": inHybrid, "graph": inGraph} {
			there := of(s)
			values = append(values, there.value)
			// What follows edges means nothing to a system that follows none.
			if there.line == 0 && there.does == "" && !s.own && (system != "hybrid" || s.usedWhen == nil || inGraph(s).line == 0) {
				t.Errorf("%s: nothing is said of the system %s", s.Field, system)
			}
		}
		for _, value := range values {
			var p Params
			if err := s.Set(&p, value); value != "" && err != nil {
				t.Errorf("a column of %s: %v", s.Field, err)
			}
		}
		if s.special.end == 0 != (s.special == special{}) || s.means != nil && (s.Kind != KindInt || !s.zeroApart()) {
			t.Errorf("%s: %+v stands at no end of the track, or 0 is not apart", s.Field, s.special)
		}
	}
}

// The settings of a system have places of their own.
func TestSettingsHaveAnOrder(t *testing.T) {
	for system, of := range map[string]ofSystem{"webrag": inWebRAG, "hybrid": inHybrid, "graph": inGraph} {
		for i, s := range of.settings() {
			if line := of(s).line; line != i+1 && line != argument {
				t.Errorf("%s: %s is number %d in line %d", system, s.Field, i+1, line)
			}
		}
	}
}

// Each switch belongs to the stage that it leaves out.
func TestSwitches(t *testing.T) {
	for _, s := range Switches() {
		spec, ok := SpecOf(s.Field)
		if !ok || spec.Stage != s.Stage || spec.Off == "" {
			t.Errorf("stage %s is switched off by %s, which is of stage %q", s.Stage, s.Field, spec.Stage)
		}
		p, _ := Preset(PresetBlend)
		if off, ok := StageOff(p, s.Stage); !ok || off.Get(s.Field) != spec.Off {
			t.Errorf("without stage %s %s is %s", s.Stage, s.Field, off.Get(s.Field))
		}
	}
}

func TestStageOff(t *testing.T) {
	for _, name := range Presets() {
		p, _ := Preset(name)
		for _, s := range Switches() {
			off, ok := StageOff(p, s.Stage)
			if !ok {
				t.Fatalf("%s: stage %s cannot be left out", name, s.Stage)
			}
			if err := off.Validate(); err != nil {
				t.Errorf("%s without %s: %v", name, s.Stage, err)
			}
			if again, _ := StageOff(off, s.Stage); again != off {
				t.Errorf("%s without %s twice is another", name, s.Stage)
			}
		}
	}
	p, _ := Preset(PresetHybrid)
	if off, ok := StageOff(p, StageKeyword); !ok || off.KeywordWeight != 0 {
		t.Error("the keyword arm cannot be left out")
	}
	for _, stage := range []string{StageVector, "no such stage"} {
		if same, ok := StageOff(p, stage); ok || same != p {
			t.Errorf("stage %q was left out", stage)
		}
	}
}

// What waits on a server says so in its row, and can be left out.
func TestWaits(t *testing.T) {
	for kind, waits := range map[RerankerKind]bool{RerankerNone: false, RerankerScore: false, RerankerLLM: true, RerankerHTTP: true} {
		p, _ := Preset(PresetHybrid)
		p.Reranker, p.MinScore = kind, .2
		want := p
		if waits {
			want.Reranker = RerankerNone
		}
		if got := p.WithoutWaits(); p.Waits() != waits || got != want || got.Waits() {
			t.Errorf("%s waits: %v, without that %+v", kind, p.Waits(), got)
		}
	}
	specs := table()
	for i := range specs {
		if s := &specs[i]; s.waits != nil && (s.Off == "" || slices.Contains(s.waits, s.Off)) {
			t.Errorf("%s waits and cannot be switched off", s.Field)
		}
	}
}

// A number for no limit is said in words, also where it is another parameter's.
func TestShown(t *testing.T) {
	for _, c := range []struct{ field, value, want string }{
		{FieldContextBudget, "2147483647", "no limit"},
		{FieldFullContextThreshold, "2147483647", "no limit"},
		{FieldTopK, "0", "no limit"},
		{FieldSimilarityFloor, "-1", "off"},
		{FieldContextBudget, "40000", "40000"},
		{"nothing", "", ""},
		{FieldUnit, "parent", "parent"},
	} {
		if got := Shown(c.field, c.value); got != c.want {
			t.Errorf("%s %q is shown as %q, want %q", c.field, c.value, got, c.want)
		}
	}
}

// A screen calls every parameter by one name, which no other one has, and a value that is
// a sentinel or a riddle by a word. That for a sentinel can be set as well.
func TestNamesAndWordsOfAScreen(t *testing.T) {
	of := map[string]string{}
	specs := table()
	for i := range specs {
		s := &specs[i]
		if s.Name == "" || of[s.Name] != "" || strings.Contains(s.Name, "_") {
			t.Errorf("%s is called %q, as is %q", s.Field, s.Name, of[s.Name])
		}
		of[s.Name] = s.Field
		values := slices.Concat(s.Values, s.Positions())
		special, end := s.Special()
		if end != 0 {
			if word, ok := s.Word(special); !ok || strings.ContainsAny(word, "0123456789") {
				t.Errorf("%s: %s is said as %q", s.Name, special, word)
			}
			var p Params
			if err := p.Set(s.Field, " "+strings.ToUpper(s.Shown(special))); err != nil || s.Get(&p) != special {
				t.Errorf("%s: the word for %s sets %s, %v", s.Name, special, s.Get(&p), err)
			}
		}
		said := map[string]string{}
		for _, value := range values {
			word, ok := s.Word(value)
			if !ok {
				word = value
			}
			if s.Kind == KindEnum && strings.Contains(word, "_") || said[word] != "" && said[word] != value {
				t.Errorf("%s: %s is said as %q, as is %s", s.Name, value, word, said[word])
			}
			said[word] = value
		}
	}
}

func TestExplainsAndAccepts(t *testing.T) {
	for _, c := range []struct{ field, explains, accepts string }{
		{FieldTopK, "The most results.", "between 1 and 1000 rows, or no limit"},
		{"top_k_children_limit", "The most passages taken from each search; “by top k” takes top k times overfetch.", "between 1 and 1000 rows, or by top k"},
		{FieldHNSWEfSearch, "How many neighbours an HNSW index keeps while it searches, “default” for the index's own; an exact search ignores it.", "between 1 and 1000 rows, or default"},
		{FieldContextBudget, "The most tokens returned; the first section is returned even when it is larger.", "at least 1 rows, or no limit"},
		{FieldSimilarityFloor, "A passage must be more similar than this to be considered by the vector search.", "up to 1 rows, or off"},
		{FieldDepthFloor, "The smallest depth multiplier, however deep a page is.", "between 0 and 1 rows"},
	} {
		s := find(c.field)
		if got := s.Explains(); got != c.explains {
			t.Errorf("%s: %q, want %q", c.field, got, c.explains)
		}
		if got := s.Accepts(" rows"); got != c.accepts {
			t.Errorf("%s: %q, want %q", c.field, got, c.accepts)
		}
	}
	for _, s := range Specs() {
		if special, end := s.Special(); strings.Contains(s.Explains(), "_") || end != 0 && strings.Contains(s.Explains(), special+" ") {
			t.Errorf("%s: %q", s.Field, s.Explains())
		}
	}
}
