package llmjudge

import (
	"encoding/json"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/llm"
)

// read reads a model's answer: {"grade":N}, whatever stands around it, or the number
// alone. ok is false where there is none, one that is not on the scale, or two that differ:
// a text may have brought one of them in. A null is [judgment.CannotTell].
func read(answer string, maxGrade int) (grade judgment.Grade, ok bool) {
	if n, isNumber := number(llm.Spoken(answer), maxGrade); isNumber {
		return n, true
	}
	found, sound := false, true
	llm.EachJSON(answer, func(raw json.RawMessage) bool {
		var o map[string]json.RawMessage
		if json.Unmarshal(raw, &o) != nil || o["grade"] == nil {
			return false
		}
		said, fits := judgment.CannotTell, true
		if string(o["grade"]) != "null" {
			said, fits = number(string(o["grade"]), maxGrade)
		}
		sound = sound && fits && (!found || said == grade)
		found, grade = true, said
		return true
	})
	return grade, found && sound
}
