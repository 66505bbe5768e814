package wire

import (
	"math"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/agreement"
)

// EncodeComparison writes a comparison as JSON in the shape that `compare --json`
// prints. nameA and nameB are what was compared: presets or profiles. Ranks and
// scores that a result does not have are null, as is a correlation of fewer than
// two common items.
func EncodeComparison(c retrieval.Comparison, nameA, nameB string, o Options) ([]byte, error) {
	return encode("the comparison", wireComparisonOf(&c, nameA, nameB), o.Indent)
}

type wireComparison struct {
	A         wireSide    `json:"a"`
	B         wireSide    `json:"b"`
	Common    int         `json:"common"`
	Same      int         `json:"same"`
	Entered   []wireShift `json:"entered"`
	Left      []wireShift `json:"left"`
	Moved     []wireShift `json:"moved"`
	Depth     int         `json:"depth"`
	Overlap   float64     `json:"overlap_at_depth"`
	Jaccard   float64     `json:"jaccard_at_depth"`
	Churn     float64     `json:"churn_at_depth"`
	RBO       float64     `json:"rbo_ext"`
	RBOP      float64     `json:"rbo_p"`
	TauB      *float64    `json:"tau_b"`
	MeanMoved float64     `json:"mean_displacement"`
	MaxMoved  int         `json:"max_displacement"`
	SameScale bool        `json:"same_scale"`
}

// wireSide is one of the two results.
type wireSide struct {
	Name   string `json:"name"`
	Length int    `json:"length"`
	Scale  string `json:"scale"`
}

type wireShift struct {
	ChunkID        string    `json:"chunk_id"`
	SourceURL      string    `json:"source_url"`
	Title          *string   `json:"title"`
	SectionHeading *string   `json:"section_heading"`
	RankA          *int      `json:"rank_a"`
	RankB          *int      `json:"rank_b"`
	RankDelta      *int      `json:"rank_delta"`
	ScoreA         *float64  `json:"score_a"`
	ScoreB         *float64  `json:"score_b"`
	ScoreDelta     *float64  `json:"score_delta"`
	DroppedBy      *wireDrop `json:"dropped_by"`
}

func wireComparisonOf(c *retrieval.Comparison, nameA, nameB string) wireComparison {
	w := wireComparison{
		A:      wireSide{nameA, c.LengthA, c.ScaleA},
		B:      wireSide{nameB, c.LengthB, c.ScaleB},
		Common: c.Common, Same: c.Same,
		Entered: each(c.Entered, wireShiftOf), Left: each(c.Left, wireShiftOf), Moved: each(c.Moved, wireShiftOf),
		Depth: c.Depth, Overlap: c.Overlap, Jaccard: c.Jaccard, Churn: c.Churn,
		RBO: c.RBO, RBOP: agreement.Persistence,
		MeanMoved: c.MeanDisplacement, MaxMoved: c.MaxDisplacement, SameScale: c.SameScale(),
	}
	if !math.IsNaN(c.TauB) {
		w.TauB = &c.TauB
	}
	return w
}

func wireShiftOf(s *retrieval.Shift) wireShift {
	w := wireShift{ChunkID: s.ChunkID, SourceURL: s.SourceURL, Title: orNull(s.Title), SectionHeading: orNull(s.Heading)}
	if s.RankA > 0 {
		w.RankA, w.ScoreA = &s.RankA, &s.ScoreA
	}
	if s.RankB > 0 {
		w.RankB, w.ScoreB = &s.RankB, &s.ScoreB
	}
	if s.RankA > 0 && s.RankB > 0 {
		ranks, scores := s.RankDelta(), s.ScoreDelta()
		w.RankDelta, w.ScoreDelta = &ranks, &scores
	}
	if s.Why != nil {
		drop := wireDrop(*s.Why)
		w.DroppedBy = &drop
	}
	return w
}
