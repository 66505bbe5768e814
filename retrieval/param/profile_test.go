package param_test

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// anyParams draws parameters: of each field the sampled values that its row
// describes.
func anyParams(t *rapid.T) (preset string, p param.Params) {
	preset = rapid.SampledFrom(param.Presets()).Draw(t, "preset")
	p, _ = param.Preset(preset)
	for _, s := range param.Specs() {
		if !rapid.Bool().Draw(t, "change "+s.Field) {
			continue
		}
		var text string
		switch s.Kind {
		case param.KindInt:
			text = rapid.StringMatching(`[0-9]{1,3}`).Draw(t, s.Field)
		case param.KindFloat:
			text = rapid.StringMatching(`0\.[0-9]{1,17}`).Draw(t, s.Field)
		case param.KindBool:
			text = rapid.SampledFrom([]string{"true", "false"}).Draw(t, s.Field)
		case param.KindList:
			text = strings.Join(rapid.SliceOfN(rapid.StringMatching(`0\.[0-9]{1,17}|0|1`), 1, 9).Draw(t, s.Field), ",")
		default:
			text = rapid.SampledFrom(s.Values).Draw(t, s.Field)
		}
		if err := p.Set(s.Field, text); err != nil && !strings.Contains(err.Error(), "must be") {
			t.Fatal(err)
		}
	}
	return preset, p
}

func TestAProfileComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		preset, params := anyParams(t)
		want := param.Profile{
			Version: param.ProfileVersion, Name: rapid.String().Draw(t, "name"), Preset: preset,
			Created: time.Unix(rapid.Int64Range(1, 4e9).Draw(t, "created"), 0).UTC(),
			Corpus:  rapid.String().Draw(t, "corpus"), Note: rapid.String().Draw(t, "note"), Params: params,
		}
		var file bytes.Buffer
		if err := want.Write(&file); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		got, err := param.ParseProfile(&file)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	})
}

func TestAProfileExplainsEachParameter(t *testing.T) {
	p, _ := param.Preset(param.PresetGraph)
	var file bytes.Buffer
	if err := (param.Profile{Name: "x", Preset: param.PresetGraph, Params: p}).Write(&file); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(file.String(), "\n")
	for _, s := range param.Specs() {
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, s.Field+" = ") })
		if at < 1 || !strings.HasPrefix(lines[at-1], "# "+strings.TrimSuffix(s.Help, ".")) {
			t.Errorf("%s has no line under its help", s.Field)
		}
	}
}

func TestAProfileOutOfRangeIsNotWritten(t *testing.T) {
	p, _ := param.Preset(param.PresetWebRAG)
	p.TopK = -1
	var file bytes.Buffer
	if err := (param.Profile{Name: "x", Preset: param.PresetWebRAG, Params: p}).Write(&file); err == nil || file.Len() > 0 {
		t.Errorf("wrote %d bytes (%v)", file.Len(), err)
	}
	p.TopK = 1
	if err := (param.Profile{Name: "x", Preset: "none", Params: p}).Write(&file); err == nil || file.Len() > 0 {
		t.Errorf("wrote %d bytes (%v)", file.Len(), err)
	}
}

func TestMissingLinesAreThePresets(t *testing.T) {
	p, err := param.ParseProfile(strings.NewReader("version = 1\npreset = \"hybrid\"\n[params]\ntop_k = 9\nhop_decay = [1, 0.5]\nrelations = [\"part_of\", \"sequence\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := param.Preset(param.PresetHybrid)
	want.TopK = 9
	want.HopDecay = param.NewHopDecay(1, 0.5)
	if err := want.Set("relations", "part_of,sequence"); err != nil {
		t.Fatal(err)
	}
	if p.Params != want {
		t.Errorf("got %+v, want %+v", p.Params, want)
	}
	if n := len(param.Specs()) - 3; len(p.Missing) != n || slices.Contains(p.Missing, "top_k") || !slices.Contains(p.Missing, "rrf_k") {
		t.Errorf("missing are %v", p.Missing)
	}
	p, err = param.ParseProfile(strings.NewReader("version = 1\n"))
	if err != nil || p.Preset != param.PresetWebRAG || !slices.Contains(p.Missing, "preset") {
		t.Errorf("a profile without a preset has %q, missing %v (%v)", p.Preset, p.Missing, err)
	}
}

func TestProfilesSayWhatIsWrongWithThem(t *testing.T) {
	for text, want := range map[string]string{
		"":                                          "version: a profile says its format: version = 1",
		"version = \"1\"":                           "version: a profile says its format: version = 1",
		"version = 7\nfuture = [1]":                 "a later webrag-tui wrote this profile, in format 7; this one reads format 1",
		"version = 0":                               "format 0 was never written",
		"version = 1\nnotes = ''":                   `notes: a profile has no such line (did you mean "note"?)`,
		"version = 1\nname = 3":                     "name: must be a text in quotes",
		"version = 1\npreset = 'hybird'":            `preset: "hybird" is no preset: there is blend, webrag, textbook, hybrid, graph, topk (did you mean "hybrid"?)`,
		"version = 1\ncreated = 'today'":            "created: must be a time",
		"version = 1\nparams = 3":                   "params: must be a table",
		"version = 1\n[params]\ntopk = 3":           `params.topk: there is no such parameter (did you mean "top_k"?)`,
		"version = 1\n[params]\ntop_k = 1001":       `params.top_k: "1001" must be between 0 and 1000`,
		"version = 1\n[params]\ntop_k = nan":        `params.top_k: "NaN" is not a whole number`,
		"version = 1\n[params]\nmin_score = inf":    `params.min_score: "+Inf" must be between 0 and 1`,
		"version = 1\n[params]\nmode = 'chunky'":    `params.mode: "chunky" must be auto, full_context or chunk (did you mean "chunk"?)`,
		"version = 1\n[params]\nhop_decay = [[1]]":  "params.hop_decay: must be a text, a number",
		"version = 1\n[params]\nhop_decay = []":     "params.hop_decay: has no value",
		"version = 1\n[params]\nrelations = ['is']": `params.relations: "is" must be all, or some of`,
		"version = 1\nversion = 2":                  "line 2",
		"version = 1\n[params]\ntop_k = {a = 1}":    "params.top_k: must be a text, a number",
		strings.Repeat("#", 1<<20+1):                "larger than 1 MB",
	} {
		_, err := param.ParseProfile(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v\nwant %s", text, err, want)
		}
	}
	_, err := param.ParseProfile(strings.NewReader("version = 1\n[params]\ntop_k = -1\nrrf_k = -1"))
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two mistakes are reported as %v", err)
	}
	var field *param.ProfileError
	if !errors.As(err, &field) || field.Field != "params.rrf_k" {
		t.Errorf("the first mistake is %+v", field)
	}
	var version *param.ProfileVersionError
	if _, err := param.ParseProfile(strings.NewReader("version = 7")); !errors.As(err, &version) || version.Version != 7 {
		t.Errorf("got %v", err)
	}
}

func FuzzParseProfile(f *testing.F) {
	f.Add("version = 1\nname = \"a\"\npreset = \"graph\"\ncreated = 2026-03-01T12:00:00Z\n[params]\nhop_decay = [1, 0.7]\nrelations = \"all\"\n")
	f.Add("version = 1\ncreated = 2026-03-01\n[params]\ntop_k = 1e3\n")
	f.Add("version = 2\n")
	f.Add("[params]\n[params.top_k]\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := param.ParseProfile(strings.NewReader(text))
		if err != nil {
			return
		}
		var file bytes.Buffer
		if err := p.Write(&file); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := param.ParseProfile(&file)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		p.Missing = nil
		if !reflect.DeepEqual(again, p) {
			t.Errorf("got %+v\nwant %+v", again, p)
		}
	})
}
