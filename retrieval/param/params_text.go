package param

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/spelling"
	"github.com/webrag/webrag-tui/store"
)

// Error reports a parameter that does not exist or a value that it does not
// accept.
type Error struct {
	Field, Value string
	// Why says what would be accepted.
	Why string
}

func (e *Error) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("%q: %s", e.Field, e.Why)
	}
	return e.Field + ": " + e.Says()
}

// Says is the error without the field.
func (e *Error) Says() string {
	if e.Value == "" {
		return e.Why
	}
	return strconv.Quote(e.Value) + " " + e.Why
}

// Set gives a field, named as in [Spec], the value that text stands for. On an
// error, which is an [Error], p is unchanged.
func (p *Params) Set(field, text string) error {
	spec := find(field)
	if spec == nil {
		return unknownField(field)
	}
	return spec.Set(p, spec.meant(text))
}

// Get is the value of a field as Set reads it, empty for a field that does not
// exist.
func (p Params) Get(field string) string {
	if spec := find(field); spec != nil {
		return spec.Get(&p)
	}
	return ""
}

// Differing are the values of p that differ from those of others, by field; nil where none
// does.
func (p Params) Differing(others Params) map[string]string {
	if p == others {
		return nil
	}
	differing := map[string]string{}
	for _, s := range Specs() {
		if v := p.Get(s.Field); v != others.Get(s.Field) {
			differing[s.Field] = v
		}
	}
	return differing
}

// All are the values of all fields, by field.
func (p *Params) All() map[string]string {
	specs := table()
	values := make(map[string]string, len(specs))
	for i := range specs {
		values[specs[i].Field] = specs[i].Get(p)
	}
	return values
}

// Values are the values of some fields, by field, as a trace shows them.
func (p *Params) Values(fields ...string) map[string]string {
	values := make(map[string]string, len(fields))
	for _, field := range fields {
		values[field] = find(field).Get(p)
	}
	return values
}

// Validate reports every field that is outside of its range.
func (p Params) Validate() error {
	var problems []error
	specs := table()
	for i := range specs {
		scratch := p
		if err := specs[i].check(&scratch); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// WriteEnv writes the parameters as lines of an environment file, each under a
// comment that explains it.
//
// A floor that cuts on the scale of a corpus is written as the cosine that it is
// there, with floor_scale raw, so that it says the same to every program that reads
// the file. Convex fusion goes by that scale, too: with it the floor stays as it is,
// under a comment that has the cosine. floor is that of the corpus, or the zero
// value where none is known.
func (p Params) WriteEnv(w io.Writer, floor Floor) error {
	var b strings.Builder
	switch known := floor.Scale == FloorCalibrated && floor.Setting == p.SimilarityFloor; {
	case p.SimilarityFloor <= -1 || p.FloorScale == FloorRaw || floor.Scale == FloorRaw:
	case !known:
		fmt.Fprintf(&b, "# ! %s can be on the scale of a corpus (%s); a program that reads plain cosines needs another number.\n\n", FieldSimilarityFloor, FieldFloorScale)
	case p.Fusion == FusionConvex && find(FieldFusion).UsedIn(&p):
		fmt.Fprintf(&b, "# ! %s is on the scale of the corpus, %s; a program that reads plain cosines needs %s=%s.\n\n",
			FieldSimilarityFloor, floor, find(FieldSimilarityFloor).Env, phrase.Number(floor.Cosine()))
	default:
		fmt.Fprintf(&b, "# The floor was set on the scale of the corpus: %s.\n\n", floor)
		p.SimilarityFloor, p.FloorScale = floor.Cosine(), FloorRaw
	}
	for _, s := range Specs() {
		fmt.Fprintf(&b, "# %s %s.\n%s=%s\n\n", s.Help, phrase.Capital(s.Range()), s.Env, s.Get(&p))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write parameters: %w", err)
	}
	return nil
}

// check reports a value out of range. Numbers in range need not be written and
// read back to know it.
func (s *Spec) check(p *Params) error {
	switch v := s.ref(p).(type) {
	case *int:
		if n := float64(*v); n >= s.Min && n <= s.Max {
			return nil
		}
	case *float64:
		if *v >= s.Min && *v <= s.Max {
			return nil
		}
	case *bool:
		return nil
	case *string:
		if slices.Contains(s.Values, *v) {
			return nil
		}
	}
	return s.Set(p, s.Get(p))
}

// Get is the value of the parameter in p, as Set reads it.
func (s *Spec) Get(p *Params) string {
	switch v := s.ref(p).(type) {
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return phrase.Number(*v)
	case *bool:
		return strconv.FormatBool(*v)
	case *string:
		return *v
	case *HopDecay:
		return v.String()
	case *Relations:
		return v.String()
	default:
		panic(fmt.Sprintf("parameter %s has a field of type %T", s.Field, v))
	}
}

// Set gives the parameter of p the value that text stands for. On an error, which is an
// [Error], p is unchanged.
func (s *Spec) Set(p *Params, text string) error {
	wrong := func(why string) error {
		return &Error{Field: s.Field, Value: text, Why: why}
	}
	if text == "" {
		return &Error{Field: s.Field, Why: "has no value: it must be " + s.Range()}
	}
	switch v := s.ref(p).(type) {
	case *int:
		n, err := strconv.ParseInt(text, 10, 64) // the same answer where an int has 32 bits
		switch {
		case err != nil:
			return wrong("is not a whole number " + s.Range())
		case float64(n) > s.Max && s.Max >= unbounded:
			return wrong("is too large")
		case float64(n) < s.Min || float64(n) > s.Max:
			return wrong("must be " + s.Range())
		}
		*v = int(n)
	case *float64:
		f, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || math.IsNaN(f):
			return wrong("is not a number " + s.Range())
		case f < s.Min || f > s.Max:
			return wrong("must be " + s.Range())
		}
		*v = f
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return wrong("must be " + s.Range())
		}
		*v = b
	case *HopDecay:
		return s.setDecay(v, text)
	case *Relations:
		return s.setRelations(v, text)
	case *string:
		if !slices.Contains(s.Values, text) {
			return wrong("must be " + s.Range() + didYouMean(text, s.Values))
		}
		*v = text
	default:
		panic(fmt.Sprintf("parameter %s has a field of type %T", s.Field, v))
	}
	return nil
}

// setDecay reads the weights of hops.
func (s *Spec) setDecay(d *HopDecay, text string) error {
	parts := strings.Split(text, ",")
	values := make([]float64, len(parts))
	for i, part := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if values[i] = f; len(parts) > MostHops+1 || err != nil || !(f >= s.Min && f <= s.Max) {
			return &Error{Field: s.Field, Value: text, Why: "must be " + s.Range()}
		}
	}
	*d = NewHopDecay(values...)
	return nil
}

// setRelations reads a set of relations.
func (s *Spec) setRelations(rs *Relations, text string) error {
	var set Relations
	for name := range strings.SplitSeq(text, ",") {
		if text == allRelations {
			break
		}
		name = strings.TrimSpace(name)
		if !slices.Contains(s.Values, name) {
			return &Error{Field: s.Field, Value: name, Why: "must be " + s.Range() + didYouMean(name, s.Values)}
		}
		set |= NewRelations(store.Relation(name))
	}
	if set == NewRelations(store.Relations()...) {
		set = 0
	}
	*rs = set
	return nil
}

func unknownField(field string) error {
	var fields []string
	for _, s := range table() {
		fields = append(fields, s.Field)
	}
	return &Error{Field: field, Why: "there is no such parameter" + didYouMean(field, fields)}
}

// didYouMean names the candidate that is a slip of the fingers away from word.
func didYouMean(word string, candidates []string) string {
	best, least := "", len(word)/2+2
	for _, c := range candidates {
		if d := spelling.Distance(strings.ToLower(word), c); d < least {
			best, least = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}
