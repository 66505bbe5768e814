package retrieval

import (
	"cmp"
	"slices"

	"github.com/webrag/webrag-tui/retrieval/param"
)

// StageSpec describes a stage: a named step from candidates to candidates. Each
// stands in the file of its stage; Rank, traces, explanations, ablations, the
// pipeline view and why-not are made from them.
type StageSpec struct {
	// Name is the stage in a [Stage] and in [param.Spec.Stage].
	Name string
	// Title is a short name in words, in its row empty where that is Name; About is
	// one sentence on what the stage does.
	Title, About string
	Phase        Phase

	// modes are those in which the stage has a part.
	modes stageModes
	// on says whether p uses the stage; nil is always.
	on func(p *param.Params) bool
	// apply does the step. What it did it notes in s, which is nil unless a trace is
	// wanted: the settings it went by, what it added and merged. [ranking.step] adds
	// what it passed to [ranking.drop].
	apply func(r *ranking, s *Stage)
	// explain takes apart what the stage made of the score of c; e is the score
	// before it, nil where there was none. Its numbers come from the functions that
	// apply uses. nil is for a stage that leaves scores as they are.
	explain func(r *ranking, c *candidate, e *Explanation) *Explanation
	// weigh is what the stage multiplies each score by, nil for what does more or
	// something else. apply and explain are made from it, see [weighing], and so is
	// the score of a near miss.
	weigh *multiplier
	// brief is what a stage noted, which is not nothing, in a few words; nil takes its
	// first note as it is.
	brief func(s *Stage) string
	// notices tells of what came of the stage, also while something is pending.
	notices func(r *ranking)
}

// Phase is the part of a retrieval that a stage belongs to.
type Phase int

// The phases, in their order.
const (
	// PhasePrepare comes before there are candidates.
	PhasePrepare Phase = iota
	// PhaseFind makes one list of what the arms found, or of everything.
	PhaseFind
	// PhaseChoose scores candidates and decides which are returned.
	PhaseChoose
	// PhasePresent arranges what is returned.
	PhasePresent
)

// stageModes are the modes in which a stage has a part.
type stageModes int

const (
	inChunkMode stageModes = 1 << iota
	inFullContext
)

// stageTable has the stages in the order in which they run. It is the only place
// that says so.
var stageTable = []*StageSpec{
	&modeStage, &embedStage, &vectorStage, &keywordStage, &loadStage, &floorStage, &limitStage, &fusionStage,
	&parentsStage, &graphStage, &depthStage, &recencyStage, &dedupStage, &rerankStage, &minScoreStage, &topKStage,
	&mergeStage, &budgetStage, &overflowStage, &groupingStage, &surfaceStage,
}

// StageIndex is the place of a stage among all stages, -1 for an unknown name. In
// every mode stages run in the order of their places.
func StageIndex(name string) int {
	return slices.IndexFunc(stageTable, func(s *StageSpec) bool { return s.Name == name })
}

// StageOf is the description of a stage; of one that is unknown, its name alone.
func StageOf(name string) StageSpec {
	if at := StageIndex(name); at >= 0 {
		spec := *stageTable[at]
		spec.Title = cmp.Or(spec.Title, spec.Name)
		return spec
	}
	return StageSpec{Name: name, Title: name, Phase: PhaseChoose}
}

// Brief is what a stage noted first in a few words, empty when that is a sentence
// or nothing.
func (s *Stage) Brief() string {
	spec := StageOf(s.Name)
	switch {
	case len(s.Notes) == 0:
		return ""
	case spec.brief != nil:
		return spec.brief(s)
	default:
		return s.Notes[0]
	}
}

// show notes with which values of parameters the stage works, if that is wanted.
func (s *Stage) show(p *param.Params, fields ...string) {
	if s == nil {
		return
	}
	if s.Params == nil {
		s.Params = make(map[string]string, len(fields))
	}
	for _, field := range fields {
		spec, _ := param.SpecOf(field)
		s.Params[field] = spec.Get(p)
	}
}

// note notes what the stage did, if that is wanted.
func (s *Stage) note(text string) {
	if s != nil {
		s.Notes = append(s.Notes, text)
	}
}

// noBrief is for a stage whose notes are sentences.
func noBrief(*Stage) string { return "" }

// takesPart says whether a stage has a part in this ranking.
func (r *ranking) takesPart(s *StageSpec) bool {
	mode := inChunkMode
	if r.res.Mode == param.ModeFullContext {
		mode = inFullContext
	}
	return s.modes&mode != 0 && (s.on == nil || s.on(&r.p))
}

// step applies a stage and notes in the trace what it did.
func (r *ranking) step(stage *StageSpec) {
	if r.res.Trace == nil {
		stage.apply(r, nil)
		return
	}
	r.res.Trace.Stages = append(r.res.Trace.Stages, Stage{Name: stage.Name, In: r.candidates()})
	s := &r.res.Trace.Stages[len(r.res.Trace.Stages)-1]
	stage.apply(r, s)
	s.Out = r.candidates()
	if s.Dropped == nil {
		s.Dropped = r.dropsOf(stage.Name)
	}
}
