package param

import (
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

// Spec describes one parameter. Flags, config keys, variables, sliders and the
// documentation are made from it.
type Spec struct {
	// Field is the name in --set and in messages: "similarity_floor".
	Field string
	// Env is the environment variable, Key the key in the config file.
	Env, Key string
	// Flag is its own flag without dashes, empty for none.
	Flag string
	Kind Kind
	// Unit of numbers, empty for pure numbers.
	Unit string
	// Min and Max bound the values that are accepted.
	Min, Max float64
	// Low and High bound the track of a slider; values outside can be typed.
	// Step is one press of a key, and on a log scale the smallest one.
	Low, High, Step float64
	Scale           Scale
	// Stage is the stage that reads it, as the trace calls it.
	Stage string
	// Off is the value that switches its stage off, empty when nothing does.
	Off string
	// Help is one sentence.
	Help string
	// Values are the words of an enum or a set.
	Values []string

	// ref points at the field: *int, *float64, *bool, *HopDecay, *Relations or,
	// for an enum, *string.
	ref func(*Params) any
}

// unbounded is the highest whole number that is accepted everywhere.
const unbounded = math.MaxInt32

// Specs describes every parameter, in the order of the pipeline.
func Specs() []Spec { return slices.Clone(table()) }

// table is made when it is first asked for, and never changed.
var table = sync.OnceValue(func() []Spec {
	specs := slices.Concat(gatherSpecs(), fusionSpecs(), graphSpecs(), scoreSpecs(), choiceSpecs(), outputSpecs())
	for i := range specs {
		specs[i].Key = "retrieval." + specs[i].Field
		specs[i].Env = "RETRIEVAL_" + strings.ToUpper(specs[i].Field)
	}
	return specs
})

// SpecOf returns the description of a field.
func SpecOf(field string) (Spec, bool) {
	specs := table()
	for i := range specs {
		if specs[i].Field == field {
			return specs[i], true
		}
	}
	return Spec{}, false
}

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
