package rerank

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/llm"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// readLLMScores reads {"scores":[{"index":0,"score":7}]} or the list alone, with
// whatever the model wrote around it, for n texts.
func readLLMScores(text string, n int, scores *retrieval.Scores) error {
	for _, raw := range answers(text, "scores", isEntry) {
		var e entry
		_ = json.Unmarshal(raw, &e) // what is no object has no index
		at := index(e.Index, n)
		value, ok := decimal(e.Score)
		if !ok {
			at = -1
		}
		scores.Set(at, min(max(value, 0), 10)/10)
	}
	if scores.Given() == 0 {
		return noScores(n)
	}
	return nil
}

// entry is a model's word on one text.
type entry struct{ Index, Score json.RawMessage }

func isEntry(raw json.RawMessage) bool {
	var e entry
	return json.Unmarshal(raw, &e) == nil && e.Index != nil && e.Score != nil
}

// readLLMOrder reads {"order":[2,0,1]} or the list alone.
func readLLMOrder(text string, n int, scores *retrieval.Scores) error {
	isNumber := func(raw json.RawMessage) bool { _, ok := decimal(raw); return ok }
	place := 0
	for _, raw := range answers(text, "order", isNumber) {
		invalid := scores.Invalid
		scores.Set(index(raw, n), float64(n-place)/float64(n))
		if scores.Invalid == invalid {
			place++
		}
	}
	if scores.Given() == 0 {
		return noScores(n)
	}
	return nil
}

func noScores(n int) error {
	return &llm.BadResponseError{Why: fmt.Sprintf("it judges none of %s", phrase.Counted(n, "text"))}
}

// answers returns the entries of the last {"name":[...]} in a text, or when there
// is none of the last bare list, if one of its entries fits.
func answers(text, name string, fits func(json.RawMessage) bool) []json.RawMessage {
	var named, bare []json.RawMessage
	llm.EachJSON(text, func(raw json.RawMessage) bool {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(raw, &object) == nil && json.Unmarshal(object[name], &list) == nil && slices.ContainsFunc(list, fits):
			named = list
		case json.Unmarshal(raw, &list) == nil && slices.ContainsFunc(list, fits):
			bare = list
		default:
			return false
		}
		return true
	})
	if named != nil {
		return named
	}
	return bare
}

// decimal reads a finite number, also one in quotation marks.
func decimal(raw json.RawMessage) (float64, bool) {
	s := strings.TrimSpace(string(bytes.Trim(raw, `"`)))
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// index reads the number of one of n texts, -1 for anything else.
func index(raw json.RawMessage, n int) int {
	v, ok := decimal(raw)
	if !ok || v != math.Trunc(v) || v < 0 || v >= float64(n) {
		return -1
	}
	return int(v)
}
