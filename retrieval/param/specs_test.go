package param_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// snake is the field name in settings: TopKChildrenLimit is
// top_k_children_limit, HNSWEfSearch hnsw_ef_search.
func snake(name string) string {
	if name == "RRFK" {
		return "rrf_k"
	}
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		startsWord := i > 0 && unicode.IsUpper(r) &&
			(unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if startsWord {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func TestEveryFieldIsDescribed(t *testing.T) {
	specs := map[string]param.Spec{}
	for _, s := range param.Specs() {
		if _, twice := specs[s.Field]; twice {
			t.Errorf("%s is described twice", s.Field)
		}
		specs[s.Field] = s
	}
	preset, _ := param.Preset("webrag")
	params := reflect.TypeFor[param.Params]()
	for i := range params.NumField() {
		field := params.Field(i)
		name := snake(field.Name)
		s, ok := specs[name]
		if !ok {
			t.Errorf("%s has no row %s", field.Name, name)
			continue
		}
		delete(specs, name)
		kinds := map[reflect.Kind]param.Kind{
			reflect.Int: param.KindInt, reflect.Float64: param.KindFloat, reflect.Bool: param.KindBool, reflect.String: param.KindEnum,
		}
		want := kinds[field.Type.Kind()]
		switch field.Type {
		case reflect.TypeFor[param.HopDecay]():
			want = param.KindList
		case reflect.TypeFor[param.Relations]():
			want = param.KindSet
		}
		if s.Kind != want {
			t.Errorf("%s is a %s, described as %s", field.Name, field.Type.Kind(), s.Kind)
		}
		// Setting a value moves this field and no other.
		for _, text := range samples(s) {
			moved := preset
			if err := moved.Set(name, text); err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if got := moved.Get(name); got != text {
				t.Errorf("%s: set %q, got %q", name, text, got)
			}
			for j := range params.NumField() {
				same := reflect.DeepEqual(reflect.ValueOf(moved).Field(j).Interface(), reflect.ValueOf(preset).Field(j).Interface())
				if j != i && !same {
					t.Errorf("setting %s changed %s", name, params.Field(j).Name)
				}
				if j == i && same != (text == preset.Get(name)) {
					t.Errorf("setting %s to %q did not change it", name, text)
				}
			}
		}
		if s.Key != "retrieval."+name || s.Env != "RETRIEVAL_"+strings.ToUpper(name) {
			t.Errorf("%s: key %s, variable %s", name, s.Key, s.Env)
		}
		if !strings.HasSuffix(s.Help, ".") || s.Range() == "" {
			t.Errorf("%s: help %q, range %q", name, s.Help, s.Range())
		}
		checkTrack(t, s)
	}
	for name := range specs {
		t.Errorf("%s describes no field", name)
	}
}

// samples are values that a parameter accepts: its bounds, its words and its off
// value.
func samples(s param.Spec) []string {
	var all []string
	switch s.Kind {
	case param.KindBool:
		all = []string{"true", "false"}
	case param.KindEnum:
		all = slices.Clone(s.Values)
	case param.KindList:
		all = []string{"1", "0.5,0,1", "1,0.7,0.5"}
	case param.KindSet:
		all = append(slices.Clone(s.Values), "all", "references,sequence")
	case param.KindInt, param.KindFloat:
		all = []string{fmt.Sprintf("%.0f", s.Min), fmt.Sprintf("%.0f", s.Max)}
	}
	if s.Off != "" {
		all = append(all, s.Off)
	}
	return all
}

// checkTrack holds a slider to its parameter.
func checkTrack(t *testing.T, s param.Spec) {
	t.Helper()
	if s.Kind != param.KindInt && s.Kind != param.KindFloat {
		if s.Low != 0 || s.High != 0 || s.Scale != "" {
			t.Errorf("%s has a track", s.Field)
		}
		return
	}
	if s.Low >= s.High || s.Low < s.Min || s.High > s.Max || s.Step <= 0 || s.Unit == "" {
		t.Errorf("%s: track %v to %v by %v of %v to %v %s", s.Field, s.Low, s.High, s.Step, s.Min, s.Max, s.Unit)
	}
	if s.Scale != param.Linear && (s.Scale != param.Log || s.Low <= 0) {
		t.Errorf("%s: scale %q from %v", s.Field, s.Scale, s.Low)
	}
}

func TestFlags(t *testing.T) {
	var flags []string
	for _, s := range param.Specs() {
		if s.Flag != "" {
			flags = append(flags, s.Field+"="+s.Flag)
		}
	}
	if got := strings.Join(flags, " "); got != "mode=mode context_budget=budget" {
		t.Errorf("flags %s", got)
	}
}

func TestPresetWebRAG(t *testing.T) {
	p, ok := param.Preset("webrag")
	want := map[string]string{
		"mode": "auto", "full_context_threshold": "30000", "context_budget": "40000", "top_k_children_limit": "60",
		"similarity_floor": "0.3", "floor_scale": "auto", "depth_decay_rate": "0.05", "depth_floor": "0.8",
		"budget_policy": "stop", "budget_count": "markdown", "full_context_overflow": "drop_documents",
		"group_by_source": "true", "surface_policy": "auto", "hnsw_ef_search": "100", "unit": "parent", "missing_parent": "drop",
		"keyword_weight": "0", "max_hops": "0", "dedup_threshold": "0", "reranker": "none", "min_score": "0", "top_k": "0",
		"recency_half_life": "0", "merge_adjacent": "false", "empty_query": "empty", "search": "ann",
	}
	for field, value := range want {
		if got := p.Get(field); !ok || got != value {
			t.Errorf("%s is %s, want %s", field, got, value)
		}
	}
	for _, name := range param.Presets() {
		p, ok := param.Preset(name)
		if err := p.Validate(); !ok || err != nil {
			t.Errorf("preset %s: %v, %v", name, ok, err)
		}
	}
	if _, ok := param.Preset("wbrag"); ok {
		t.Error("a preset that does not exist was found")
	}
}

func TestSetSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ field, text, want string }{
		{"similarity_flor", "0.3", `"similarity_flor": there is no such parameter (did you mean "similarity_floor"?)`},
		{"Context_Budget", "1", `"Context_Budget": there is no such parameter (did you mean "context_budget"?)`},
		{"qqq", "1", `"qqq": there is no such parameter`},
		{"similarity_floor", "3", `similarity_floor: "3" must be between -1 and 1`},
		{"similarity_floor", "NaN", `similarity_floor: "NaN" is not a number between -1 and 1`},
		{"similarity_floor", "high", `similarity_floor: "high" is not a number between -1 and 1`},
		{"context_budget", "0", `context_budget: "0" must be at least 1`},
		{"context_budget", "9223372036854775807", `context_budget: "9223372036854775807" is too large`},
		{"context_budget", "1e4", `context_budget: "1e4" is not a whole number at least 1`},
		{"context_budget", "", `"context_budget": has no value: it must be at least 1`},
		{"mode", "chunks", `mode: "chunks" must be auto, full_context or chunk (did you mean "chunk"?)`},
		{"group_by_source", "maybe", `group_by_source: "maybe" must be true or false`},
	} {
		p, _ := param.Preset("webrag")
		before := p
		err := p.Set(c.field, c.text)
		var param *param.Error
		if !errors.As(err, &param) || err.Error() != c.want {
			t.Errorf("%s=%s: %v, want %s", c.field, c.text, err, c.want)
		}
		if p != before {
			t.Errorf("%s=%s changed the parameters all the same", c.field, c.text)
		}
	}
	if p := (param.Params{}); p.Get("nothing") != "" {
		t.Error("an unknown field has a value")
	}
}

func TestValidateNamesEveryField(t *testing.T) {
	err := param.Params{}.Validate()
	if err == nil {
		t.Fatal("the zero value passed")
	}
	for _, field := range []string{"mode", "context_budget", "overfetch", "hop_decay", "floor_scale"} {
		if !strings.Contains(err.Error(), field) {
			t.Errorf("%s is missing in: %v", field, err)
		}
	}
}

// readEnv reads what WriteEnv wrote, as this program does.
func readEnv(t *testing.T, p param.Params, floor param.Floor) (back param.Params, text string) {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteEnv(&b, floor); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if err := back.Set(strings.ToLower(strings.TrimPrefix(name, "RETRIEVAL_")), value); err != nil {
			t.Error(err)
		}
	}
	return back, b.String()
}

func TestWriteEnvIsReadBack(t *testing.T) {
	p, _ := param.Preset("webrag")
	p.SimilarityFloor, p.GroupBySource, p.ContextBudget = 0.125, false, 1234
	if back, _ := readEnv(t, p, param.Floor{}); back != p {
		t.Errorf("wrote %+v, read %+v", p, back)
	}
}

// A floor on the scale of a corpus leaves the program as a cosine, or with a line
// that says what it is not.
func TestWriteEnvHasTheCosineOfTheFloor(t *testing.T) {
	measured := store.Calibration{P50: 0.05, P995: 0.327}
	for _, c := range []struct {
		name, changes string
		known         bool
		floor, scale  string
		says          string
	}{
		{"known", "similarity_floor=0.22", true, "0.253133", "raw", "# The floor was set on the scale of the corpus: .220 cal = .253 raw."},
		{"unknown", "similarity_floor=0.22", false, "0.22", "auto", "# ! similarity_floor can be on the scale of a corpus"},
		{"raw", "similarity_floor=0.22 floor_scale=raw", true, "0.22", "raw", ""},
		{"off", "similarity_floor=-1", true, "-1", "auto", ""},
		{
			"scores that go by the scale", "similarity_floor=0.22 keyword_weight=0.5 fusion=convex", true, "0.22", "auto",
			"# ! similarity_floor is on the scale of the corpus, .220 cal = .253 raw; a program that reads plain cosines needs RETRIEVAL_SIMILARITY_FLOOR=0.253133.",
		},
	} {
		p, _ := param.Preset("webrag")
		for change := range strings.FieldsSeq(c.changes) {
			field, value, _ := strings.Cut(change, "=")
			if err := p.Set(field, value); err != nil {
				t.Fatal(err)
			}
		}
		var floor param.Floor
		if c.known {
			floor, _ = p.FloorOn(true, measured)
		}
		back, text := readEnv(t, p, floor)
		first, _, _ := strings.Cut(text, "\n")
		if back.Get("similarity_floor") != c.floor || back.Get("floor_scale") != c.scale || c.says != "" && !strings.HasPrefix(first, c.says) ||
			c.says == "" && strings.Contains(text, "on the scale of the corpus") {
			t.Errorf("%s: read back %s %s from\n%s", c.name, back.Get("similarity_floor"), back.Get("floor_scale"), text)
		}
	}
}

// FuzzSet: no text makes Set panic, and what it accepts passes Validate.
func FuzzSet(f *testing.F) {
	for _, s := range param.Specs() {
		for _, text := range samples(s) {
			f.Add(s.Field, text)
		}
	}
	f.Add("similarity_floor", "+Inf")
	f.Add("context_budget", "99999999999999999999")
	f.Fuzz(func(t *testing.T, field, text string) {
		p, _ := param.Preset("webrag")
		if err := p.Set(field, text); err == nil {
			if err := p.Validate(); err != nil {
				t.Errorf("%s=%q was accepted, but %v", field, text, err)
			}
		}
	})
}

// A corpus is sent whole up to the threshold, or the budget where that is less.
func TestSendsWhole(t *testing.T) {
	for _, c := range []struct {
		mode              param.Mode
		threshold, budget int
		tokens            int
		want              bool
	}{
		{param.ModeAuto, 3000, 5000, 3000, true},
		{param.ModeAuto, 3000, 5000, 3001, false},
		{param.ModeAuto, 3000, 2000, 2001, false},
		{param.ModeChunk, 3000, 5000, 1, false},
		{param.ModeFullContext, 0, 0, 9000, true},
	} {
		p := param.Params{Mode: c.mode, FullContextThreshold: c.threshold, ContextBudget: c.budget}
		if got := p.SendsWhole(c.tokens); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
