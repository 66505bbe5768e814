package param

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// Kind is the type of a parameter's value.
type Kind string

// The kinds.
const (
	KindInt   Kind = "int"
	KindFloat Kind = "float"
	KindEnum  Kind = "enum"
	KindBool  Kind = "bool"
	// KindList is several numbers, KindSet several words, separated by commas.
	KindList Kind = "list"
	KindSet  Kind = "set"
)

// Scale says how a slider divides its track.
type Scale string

// The scales.
const (
	Linear Scale = "linear"
	Log    Scale = "log"
)

// Group is a head in the tune pane, above parameters of neighbouring stages. Groups
// are in the order of the pipeline, but for those of parameters that are seldom moved.
type Group int

// The groups.
const (
	GroupMode Group = iota
	GroupPassages
	GroupKeywords
	GroupSections
	GroupGraph
	GroupDepth
	GroupAge
	GroupChoice
	GroupBudget
	GroupOutput
	GroupSearch
	GroupQuery
)

func (g Group) String() string {
	return [...]string{"MODE", "PASSAGES", "KEYWORDS", "SECTIONS", "GRAPH", "DEPTH", "AGE", "CHOICE", "BUDGET", "OUTPUT", "SEARCH", "QUERY"}[g]
}

// Spec is the row of one parameter: it says everything about it but what the stage
// does that reads it. Flags, config keys, variables, sliders, exports and the
// documentation are made from it.
type Spec struct {
	// Field is the name in --set and in messages: "similarity_floor".
	Field string
	// Env is the environment variable, Key the key in the config file; they follow
	// from the name, as Kind does from the type of the field.
	Env, Key string
	// Flag is its own flag without dashes, empty for none.
	Flag string
	Kind Kind
	// Unit of numbers, empty for pure numbers.
	Unit string
	// Min and Max bound the values that are accepted.
	Min, Max float64
	// Low and High bound the track of a slider, in rows empty where those are Min and
	// Max; values outside can be typed. Step is one press of a key, and on a log scale
	// the smallest one. Scale is empty in rows for Linear.
	Low, High, Step float64
	Scale           Scale
	// Stage is the stage that reads it, as the trace calls it.
	Stage string
	// Off is the value that switches its stage off, empty when nothing does.
	Off string
	// Help is one sentence.
	Help string
	// Values are the words of an enum or a set; says are those of an enum on a screen,
	// in the same order, nil where a screen says the words themselves.
	Values, says []string
	// Name is what a screen calls it, everywhere and no other parameter: it says enough
	// without the head of its Group. Leads puts it before the others of the group; Opens
	// says that the pane's cursor begins on it, or on the first of several that are in
	// use.
	Group        Group
	Name         string
	Leads, Opens bool
	// Switch says that Off leaves out the whole stage; a stage may read other
	// parameters that have an off value.
	Switch bool
	// CountsRows says that it bounds a number of chunks, see [Spec.MostCounted].
	CountsRows bool

	// neutral is its value in a preset that does not set it, empty for the zero of
	// its type.
	neutral string
	special special
	// means is the number that 0 stands for, nil where 0 is just the number.
	means func(*Params) int
	// own says that it steers this program, and not what a retriever finds.
	own bool
	// armless are the values that leave an arm of the search out, waits those that
	// make a ranking wait on a server.
	armless, waits []string
	// leaves is another stage that a switch leaves out with its own.
	leaves string
	// usedWhen reports whether the value has an effect, given the others; nil: always,
	// unless it is Off. See [Spec.Decides] for decides; nil: from Stage on.
	usedWhen func(*Params) bool
	decides  func(*Params) (stage string, can bool)
	// webrag, hybrid and graph are what the systems have in its place for which
	// profiles are exported. No graph is the same as hybrid.
	webrag, hybrid, graph *counterpart

	// ref points at the field: *int, *float64, *bool, *HopDecay, *Relations or,
	// for an enum, *string.
	ref func(*Params) any
}

// special is a value that is no number of the track but means something of its own:
// the end of the track at which it stands, -1 or 1, and the word for it, empty for
// the value itself.
type special struct {
	value string
	end   int
	word  string
}

// unbounded is the highest whole number that is accepted everywhere.
const unbounded = math.MaxInt32

// KeyPrefix stands before a parameter's name in the config file and in messages
// about settings.
const KeyPrefix = "retrieval."

// Specs describes every parameter, in the order of the pipeline.
func Specs() []Spec { return slices.Clone(table()) }

// table is made when it is first asked for, and never changed.
var table = sync.OnceValue(func() []Spec {
	specs := slices.Concat(gatherSpecs(), keywordSpecs(), childSpecs(), fusionSpecs(), unitSpecs(), graphSpecs(), scoreSpecs(), choiceSpecs(), outputSpecs())
	for i := range specs {
		specs[i].complete()
	}
	return specs
})

// complete fills the columns that follow from others.
func (s *Spec) complete() {
	s.Key = KeyPrefix + s.Field
	s.Env = "RETRIEVAL_" + strings.ToUpper(s.Field)
	switch s.ref(&Params{}).(type) {
	case *int:
		s.Kind = KindInt
	case *float64:
		s.Kind = KindFloat
	case *bool:
		s.Kind = KindBool
	case *HopDecay:
		s.Kind = KindList
	case *Relations:
		s.Kind = KindSet
	default:
		s.Kind = KindEnum
	}
	if s.Ordered() {
		s.Scale = cmp.Or(s.Scale, Linear)
		if s.High == 0 {
			s.Low, s.High = s.Min, s.Max
		}
	}
}

// sharing gives rows the columns of common for which they have none of their own. A
// switch is always in use.
func sharing(common Spec, rows []Spec) []Spec {
	for i := range rows {
		s := &rows[i]
		s.Group, s.Stage = cmp.Or(s.Group, common.Group), cmp.Or(s.Stage, common.Stage)
		s.webrag = cmp.Or(s.webrag, common.webrag)
		if s.usedWhen == nil && !s.Switch {
			s.usedWhen = common.usedWhen
		}
		if s.decides == nil {
			s.decides = common.decides
		}
	}
	return rows
}

// SpecOf returns the description of a field.
func SpecOf(field string) (Spec, bool) {
	if s := find(field); s != nil {
		return *s, true
	}
	return Spec{}, false
}

// find is the row of a field, nil for one that does not exist.
func find(field string) *Spec { return byField()[field] }

var byField = sync.OnceValue(func() map[string]*Spec {
	rows := map[string]*Spec{}
	specs := table()
	for i := range specs {
		rows[specs[i].Field] = &specs[i]
	}
	return rows
})

// Range says in words what the parameter accepts.
func (s *Spec) Range() string {
	switch s.Kind {
	case KindBool:
		return "true or false"
	case KindList:
		return "one to " + strconv.Itoa(MostHops+1) + " numbers " + between(s.Min, s.Max) + ", separated by commas"
	case KindSet:
		return allRelations + ", or some of " + strings.Join(s.Values, ", ")
	case KindEnum:
		last := len(s.Values) - 1
		return strings.Join(s.Values[:last], ", ") + " or " + s.Values[last]
	default:
		if s.Max >= unbounded {
			return "at least " + phrase.Number(s.Min)
		}
		return between(s.Min, s.Max)
	}
}

func between(low, high float64) string {
	return "between " + phrase.Number(low) + " and " + phrase.Number(high)
}
