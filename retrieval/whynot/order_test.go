package whynot

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// What pushes nothing out and moves nothing comes before what does, however small
// that is.
func TestOrderOfSuggestions(t *testing.T) {
	named := func(name string, leaves, moved, enters int, size float64) Suggestion {
		return Suggestion{
			Changes: []Adjustment{{Change: param.Change{Field: name}}}, Leaves: make([]retrieval.Shift, leaves), Enters: make([]retrieval.Shift, enters), Moved: moved, Size: size,
		}
	}
	list := []Suggestion{
		named("pushes", 1, 0, 0, .01), named("moves", 0, 1, 0, .02), named("moves many", 0, 40, 0, .01),
		named("brings many", 0, 0, 5, .9), named("larger", 0, 0, 0, .5), named("smaller", 0, 0, 0, .4),
	}
	order(list)
	var got []string
	for i := range list {
		got = append(got, list[i].Changes[0].Field)
	}
	if want := []string{"smaller", "larger", "brings many", "moves", "moves many", "pushes"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// The floor of the built-in embedder is set on another scale than cosines: the
// sentence stays on theirs, and has as many decimals as tell two numbers apart.
func TestVerdictOnACalibratedFloor(t *testing.T) {
	floor := func(setting, raw float64) param.Floor {
		return param.Floor{Setting: setting, Scale: param.FloorCalibrated, Raw: raw}
	}
	r := Report{
		Meant: 1, Floor: floor(.3, .15), NoTermMatch: true, Lexical: true, Vector: &ArmPosition{Found: true, Score: .11415},
		DroppedBy: &DroppedBy{Stage: param.StageFloor, Drop: retrieval.Drop{Reason: phrase.ReasonBelowFloor, Value: .11415, Threshold: .15}},
		Suggestions: []Suggestion{{
			Changes: []Adjustment{{Change: param.Change{Field: "similarity_floor", From: "0.3", To: "0.21"}}}, Rank: 2, Items: 2, Floor: floor(.21, .114),
		}},
	}
	r.Restate()
	const want = "None of the query's words occurs in the corpus: what is near it is so by chance. " +
		"Its cosine of .1142 is not above the floor's .150 (set as .300 on this corpus's scale). " +
		"Similarity floor .21 (cosine .1140) lets it in as number 2 of 2."
	if r.Verdict != want {
		t.Errorf("got  %s\nwant %s", r.Verdict, want)
	}
	r.Floor, r.NoTermMatch = param.Floor{Setting: .15, Scale: param.FloorRaw, Raw: .15}, false
	r.Suggestions[0].Floor = param.Floor{Setting: .11, Scale: param.FloorRaw, Raw: .11}
	r.Suggestions[0].Changes[0].To = "0.11"
	r.Restate()
	if want := "Its cosine of .114 is not above the floor of .150. Similarity floor .11 lets it in as number 2 of 2."; r.Verdict != want {
		t.Errorf("got  %s\nwant %s", r.Verdict, want)
	}
}
