package citations

import (
	"cmp"
	"unicode/utf8"
)

// Policy is what a language model is told beside the excerpts. An empty
// instruction stands for that of DefaultPolicy.
type Policy struct {
	// Excerpts goes with sections that were found, Selection with a passage that
	// the user chose.
	Excerpts, Selection string
	// Refusal is given in place of both when there is nothing to answer from.
	Refusal string
}

// DefaultPolicy holds a model to the excerpts.
func DefaultPolicy() Policy {
	return Policy{
		Excerpts: "Answer based on the following textbook excerpts. Cite the source for each fact. " +
			"If the excerpts don't contain enough information, explicitly state that.",
		Selection: "Answer ONLY from the following selected text. Do not use any other knowledge. " +
			"If the text does not contain enough information to answer, say so.",
		Refusal: "No passage was found that could answer this question. Say that the sources hold nothing about it, " +
			"and do not answer from any other knowledge.",
	}
}

// Grounded is a prompt held to its sources, ready for a language model.
type Grounded struct {
	SystemInstruction string
	// Context is empty when SufficientContext is false.
	Context string
	// SufficientContext says that there is something to answer from, whatever its
	// score.
	SufficientContext bool
	// Placed says where each excerpt lies in Context.
	Placed []Placed
}

// Ground applies the policy to the excerpts of a result: without any it refuses;
// a selection goes out as it is, without a marker; all else as FormatContext
// writes it.
func (p Policy) Ground(excerpts []Excerpt, isSelection bool) Grounded {
	standard := DefaultPolicy()
	switch {
	case len(excerpts) == 0:
		return Grounded{SystemInstruction: cmp.Or(p.Refusal, standard.Refusal)}
	case isSelection:
		text := excerpts[0].Text
		return Grounded{
			SystemInstruction: cmp.Or(p.Selection, standard.Selection), Context: text, SufficientContext: true,
			Placed: []Placed{{TextEnd: utf8.RuneCountInString(text)}},
		}
	default:
		context, placed := FormatContext(excerpts)
		return Grounded{
			SystemInstruction: cmp.Or(p.Excerpts, standard.Excerpts), Context: context, SufficientContext: true,
			Placed: placed,
		}
	}
}
