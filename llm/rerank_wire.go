package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// cohereRequest has top_n, because some servers score only a few without it.
type cohereRequest struct {
	Model     string   `json:"model,omitempty"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
}

type teiRequest struct {
	Query    string   `json:"query"`
	Texts    []string `json:"texts"`
	Truncate bool     `json:"truncate"`
}

func (r *Reranker) request(shape Shape, query string, documents []string, characters int) any {
	texts := make([]string, len(documents))
	for i, d := range documents {
		texts[i] = cut(d, characters)
	}
	if shape == ShapeTEI {
		return teiRequest{Query: query, Texts: texts, Truncate: true}
	}
	return cohereRequest{Model: r.model, Query: query, Documents: texts, TopN: len(texts)}
}

// scoreItem is a score in either shape. Pointers tell what is missing from what
// is 0.
type scoreItem struct {
	Index     *int     `json:"index"`
	Relevance *float64 `json:"relevance_score"`
	Score     *float64 `json:"score"`
}

// readScores returns the scores of an answer to n documents by index, or why it
// must not be used. Servers leave out what they cut off, so that a missing
// document is no error, but an index that is wrong or repeated would put a score
// on the wrong document.
func readScores(body []byte, n int) ([]Score, error) {
	items, err := readItems(body)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, bad("no scores for %s", counted(n, "document"))
	}
	scores := make([]Score, 0, len(items))
	seen := make(map[int]bool, len(items))
	for i, item := range items {
		if item.Index == nil {
			return nil, bad("result %d has no index", i)
		}
		at := *item.Index
		value := item.Relevance
		if value == nil {
			value = item.Score
		}
		switch {
		case at < 0 || at >= n:
			return nil, bad("index %d in an answer to %s", at, counted(n, "document"))
		case seen[at]:
			return nil, bad("index %d occurs twice", at)
		case value == nil:
			return nil, bad("document %d has no score", at)
		case math.IsNaN(*value) || math.IsInf(*value, 0):
			return nil, bad("the score of document %d is not finite", at)
		}
		seen[at] = true
		scores = append(scores, Score{Index: at, Value: *value})
	}
	slices.SortFunc(scores, func(a, b Score) int { return cmp.Compare(a.Index, b.Index) })
	return scores, nil
}

// readItems accepts a bare array and {"results": [...]}, and "data" for it.
func readItems(body []byte) ([]scoreItem, error) {
	var items []scoreItem
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		if err := json.Unmarshal(body, &items); err != nil {
			return nil, bad("it is not a list of scores")
		}
		return items, nil
	}
	var answer struct {
		Results, Data *[]scoreItem
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return nil, bad("it is not a list of scores")
	case answer.Results != nil:
		return *answer.Results, nil
	case answer.Data != nil:
		return *answer.Data, nil
	}
	return nil, bad("it has no results")
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
