package trials

import (
	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/evaluation/sweep"
)

// encodedSweep is a sweep as JSON.
type encodedSweep struct {
	Format      string             `json:"format"`
	Set         string             `json:"set"`
	Synthetic   bool               `json:"synthetic,omitempty"`
	Corpus      *encodedCorpus     `json:"corpus"`
	Scope       []string           `json:"scope,omitempty"`
	Base        string             `json:"base"`
	Measure     string             `json:"measure"`
	Constraints []string           `json:"constraints,omitempty"`
	Search      sweep.Search       `json:"search"`
	Seed        uint64             `json:"seed"`
	Queries     int                `json:"queries"`
	Fields      []string           `json:"fields"`
	Idle        []string           `json:"without_effect,omitempty"`
	TookMS      float64            `json:"took_ms"`
	Verdict     evaluation.Verdict `json:"verdict"`
	Says        string             `json:"says"`
	Halves      []encodedHalf      `json:"halves"`
	Held        *encodedDifference `json:"held,omitempty"`
	Winner      *encodedSetting    `json:"winner"`
	OnAll       *encodedDifference `json:"winner_on_all,omitempty"`
	Saved       string             `json:"saved,omitempty"`
	Curves      [][]encodedPoint   `json:"curves"`
	Frontier    []encodedSetting   `json:"frontier"`
	Settings    []encodedSetting   `json:"settings"`
}

type encodedHalf struct {
	ChosenOn int                `json:"chosen_on"`
	Values   []string           `json:"values"`
	On       *encodedDifference `json:"on"`
	Held     *encodedDifference `json:"held"`
}

type encodedDifference struct {
	Queries    int     `json:"queries"`
	Mean       float64 `json:"mean"`
	Base       float64 `json:"base"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	P          float64 `json:"p"`
	Judged     float64 `json:"judged"`
	BaseJudged float64 `json:"base_judged"`
}

func encodeDifference(c *sweep.Comparison) *encodedDifference {
	d := c.Difference
	return &encodedDifference{c.Queries, c.Mean, c.Base, d.Mean, d.Low, d.High, c.Chance, c.Judged, c.BaseJudged}
}

type encodedSetting struct {
	Values  []string `json:"values"`
	Mean    float64  `json:"mean"`
	Judged  float64  `json:"judged"`
	Results float64  `json:"results"`
	Tokens  float64  `json:"tokens"`
	Latency float64  `json:"latency_ms,omitempty"`
}

func (s *swept) encodeSetting(setting int) encodedSetting {
	m := s.Means(setting)
	return encodedSetting{s.Settings[setting].Values, m.Score, m.Judged, m.Results, m.Tokens, m.Latency}
}

type encodedPoint struct {
	Value string `json:"value"`
	encodedSetting
	Difference   float64 `json:"difference"`
	Low          float64 `json:"low"`
	High         float64 `json:"high"`
	NoDifference bool    `json:"no_difference"`
}

func (s *swept) encode() *encodedSweep {
	e := &encodedSweep{
		Format: "webrag-tui sweep 1", Set: s.on.set.Name, Synthetic: s.on.set.Origin == judgment.Synthetic, Corpus: encodeCorpus(s.on.identity), Scope: s.on.within, Base: s.from.Name, Measure: s.Plan.Measure.String(), Search: s.Plan.Search,
		Seed: s.Plan.Seed, Queries: len(s.IDs), Idle: s.Idle, TookMS: float64(s.took.Microseconds()) / 1000, Verdict: s.Verdict, Says: s.VerdictWords(), Saved: s.saved,
		Halves: []encodedHalf{},
	}
	for _, c := range s.Plan.Constraints {
		e.Constraints = append(e.Constraints, c.String())
	}
	for i := range s.Halves {
		if h := &s.Halves[i]; h.Setting >= 0 {
			e.Halves = append(e.Halves, encodedHalf{h.Queries, s.Settings[h.Setting].Values, encodeDifference(&h.On), encodeDifference(&h.Held)})
		}
	}
	if len(e.Halves) == len(s.Halves) {
		e.Held = encodeDifference(&s.Held)
	}
	if s.Winner >= 0 {
		won := s.encodeSetting(s.Winner)
		e.Winner, e.OnAll = &won, encodeDifference(&s.OnAll)
	}
	for axis, a := range s.Plan.Axes {
		e.Fields = append(e.Fields, a.Field)
		curve := []encodedPoint{}
		for _, c := range s.Curve(axis) {
			curve = append(curve, encodedPoint{c.Value, s.encodeSetting(c.Setting), c.Difference.Mean, c.Difference.Low, c.Difference.High, c.IsFlat()})
		}
		e.Curves = append(e.Curves, curve)
	}
	for _, i := range s.Frontier() {
		e.Frontier = append(e.Frontier, s.encodeSetting(i))
	}
	for i := range s.Settings {
		e.Settings = append(e.Settings, s.encodeSetting(i))
	}
	return e
}
