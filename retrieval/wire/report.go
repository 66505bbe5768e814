package wire

import (
	"github.com/webrag/webrag-tui/retrieval/whynot"
	"github.com/webrag/webrag-tui/store"
)

// EncodeReport writes a report as JSON in the shape that `why --json` prints. What
// does not apply is null, a list that holds nothing is [].
func EncodeReport(r whynot.Report, o Options) ([]byte, error) {
	return encode("the report", wireReportOf(&r), o.Indent)
}

type wireReport struct {
	Target      wireTarget       `json:"target"`
	Verdict     string           `json:"verdict"`
	Present     bool             `json:"present"`
	Mode        *string          `json:"mode"`
	Chunk       *wireNamed       `json:"chunk"`
	Meant       int              `json:"chunks_meant"`
	Others      []wireNamed      `json:"other_chunks"`
	Absence     *string          `json:"absence"`
	Condition   *string          `json:"absence_condition"`
	Item        *wirePlaceInList `json:"item"`
	InResult    []wirePagePlace  `json:"page_in_result"`
	Arms        wirePositions    `json:"arms"`
	DroppedBy   *wireStageDrop   `json:"dropped_by"`
	Graph       *wireWay         `json:"graph"`
	Suggestions []wireSuggestion `json:"suggestions"`
	Runs        int              `json:"rankings_tried"`
	Notices     []wireNotice     `json:"notices"`
}

// wireTarget is what was asked about: one of the three is not null.
type wireTarget struct {
	ChunkID   *string `json:"chunk_id"`
	SourceURL *string `json:"source_url"`
	Quote     *string `json:"quote"`
}

type wireNamed struct {
	ChunkID        string      `json:"chunk_id"`
	ParentID       *string     `json:"parent_id"`
	DocumentID     string      `json:"document_id"`
	Level          store.Level `json:"level"`
	SourceURL      string      `json:"source_url"`
	Title          *string     `json:"title"`
	SectionHeading *string     `json:"section_heading"`
}

type wirePlaceInList struct {
	ChunkID string      `json:"chunk_id"`
	Rank    int         `json:"rank"`
	Score   float64     `json:"score"`
	Via     *whynot.Via `json:"via"`
}

type wirePagePlace struct {
	ChunkID string  `json:"chunk_id"`
	Name    string  `json:"nearest_heading"`
	Rank    int     `json:"rank"`
	Score   float64 `json:"score"`
}

type wirePositions struct {
	Vector  *wirePosition `json:"vector"`
	Keyword *wirePosition `json:"keyword"`
}

type wirePosition struct {
	ChunkID string    `json:"chunk_id"`
	Name    *string   `json:"nearest_heading"`
	Used    bool      `json:"used"`
	Found   bool      `json:"found"`
	Reason  *string   `json:"reason"`
	Rank    *int      `json:"rank"`
	AtLeast bool      `json:"rank_at_least"`
	Score   *float64  `json:"score"`
	Missed  bool      `json:"missed_by_index"`
	Cuts    []wireCut `json:"cuts"`
	Has     []string  `json:"terms_held"`
	Lacks   []string  `json:"terms_lacking"`
	Words   []string  `json:"words_lacking"`
}

type wireCut struct {
	Stage     string  `json:"stage"`
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
	Passes    bool    `json:"passes"`
	Distance  float64 `json:"distance"`
}

type wireStageDrop struct {
	Stage     string  `json:"stage"`
	ChunkID   string  `json:"chunk_id"`
	Reason    string  `json:"reason"`
	Value     float64 `json:"value"`
	Threshold float64 `json:"threshold"`
	Rank      int     `json:"rank"`
}

type wireWay struct {
	Used   bool       `json:"used"`
	Hops   *int       `json:"hops"`
	Reason *string    `json:"reason"`
	Within int        `json:"looked_within_hops"`
	Blocks []string   `json:"settings_in_the_way"`
	Steps  []wireStep `json:"steps"`
}

type wireStep struct {
	From     string         `json:"from_chunk_id"`
	To       string         `json:"to_chunk_id"`
	FromName string         `json:"from_heading"`
	ToName   string         `json:"to_heading"`
	Relation store.Relation `json:"relation"`
	Weight   float64        `json:"weight"`
	Reversed bool           `json:"reversed"`
}

type wireSuggestion struct {
	Changes    []wireAdjustment `json:"changes"`
	Rank       int              `json:"admits_at_rank"`
	Via        *whynot.Via      `json:"via"`
	Rows       int              `json:"rows_of_each_arm"`
	Collateral int              `json:"collateral"`
	Enters     []wireShift      `json:"enters"`
	Leaves     []wireShift      `json:"leaves"`
	Moved      int              `json:"moved"`
	Size       float64          `json:"size"`
}

type wireAdjustment struct {
	Field    string  `json:"field"`
	From     string  `json:"from"`
	To       string  `json:"to"`
	Boundary *string `json:"boundary"`
}

func wireReportOf(r *whynot.Report) wireReport {
	w := wireReport{
		Target:  wireTarget{orNull(r.Target.ChunkID), orNull(r.Target.SourceURL), orNull(r.Target.Quote)},
		Verdict: r.Verdict, Present: r.Present, Mode: orNull(string(r.Mode)),
		Meant: r.Meant, Others: each(r.Others, wireNamedOf),
		InResult: each(r.InResult, func(p *whynot.PagePlace) wirePagePlace { return wirePagePlace(*p) }),
		Absence:  orNull(string(r.Absence)), Condition: orNull(r.Condition),
		Arms:        wirePositions{wirePositionOf(r.Vector), wirePositionOf(r.Keyword)},
		Graph:       wireWayOf(r.Graph),
		Suggestions: each(r.Suggestions, wireSuggestionOf),
		Runs:        r.Runs, Notices: each(r.Notices, wireNoticeOf),
	}
	if r.Chunk.DocumentID != "" {
		named := wireNamedOf(&r.Chunk)
		w.Chunk = &named
	}
	if r.Present {
		w.Item = &wirePlaceInList{r.Item, r.Rank, r.Score, orNull(r.Via)}
	}
	if d := r.DroppedBy; d != nil {
		w.DroppedBy = &wireStageDrop{d.Stage, d.ID, d.Reason, d.Value, d.Threshold, d.Rank}
	}
	return w
}

func wireNamedOf(c *whynot.TargetChunk) wireNamed {
	return wireNamed{c.ChunkID, orNull(c.ParentID), c.DocumentID, c.Level, c.SourceURL, orNull(c.Title), orNull(c.Heading)}
}

func wirePositionOf(s *whynot.ArmPosition) *wirePosition {
	if s == nil {
		return nil
	}
	w := &wirePosition{
		ChunkID: s.ChunkID, Name: orNull(s.Name), Used: s.Used, Found: s.Found, Reason: orNull(s.Reason), AtLeast: s.AtLeast, Missed: s.Missed,
		Cuts: each(s.Cuts, func(c *whynot.Cut) wireCut { return wireCut{c.Stage, c.Value, c.Threshold, c.Passes, c.Distance()} }),
		Has:  list(s.Has), Lacks: list(s.Lacks), Words: list(s.LacksWords),
	}
	if s.Found {
		w.Rank, w.Score = &s.Rank, &s.Score
	}
	return w
}

func wireWayOf(g *whynot.GraphPath) *wireWay {
	if g == nil {
		return nil
	}
	w := &wireWay{
		Used: g.Used, Reason: orNull(g.Reason), Within: g.Within, Blocks: list(g.Settings),
		Steps: each(g.Steps, func(s *whynot.GraphStep) wireStep { return wireStep(*s) }),
	}
	if g.Hops > 0 {
		w.Hops = &g.Hops
	}
	return w
}

func wireSuggestionOf(s *whynot.Suggestion) wireSuggestion {
	return wireSuggestion{
		Changes: each(s.Changes, func(a *whynot.Adjustment) wireAdjustment {
			return wireAdjustment{a.Field, a.From, a.To, orNull(a.Boundary)}
		}),
		Rank: s.Rank, Via: orNull(s.Via), Rows: s.Rows, Collateral: s.Collateral(),
		Enters: each(s.Enters, wireShiftOf), Leaves: each(s.Leaves, wireShiftOf), Moved: s.Moved, Size: s.Size,
	}
}
