package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/webrag/webrag-tui/file"
)

// ratingFile has the members of the files of JSON in which programs keep ratings.
type ratingFile struct {
	// Quepid's export (app/views/api/v1/export/ratings/show.json.jbuilder).
	Queries []ratedQuery `json:"queries"`
	// What Quepid imports (app/controllers/api/v1/import/ratings_controller.rb, "hash").
	Ratings []json.RawMessage `json:"ratings"`
	// OpenSearch's list of judgments (opensearch-project/documentation-website,
	// _search-plugins/search-relevance/judgments.md).
	JudgmentRatings []ratedQuery `json:"judgmentRatings"`
	// The same as OpenSearch answers who asks for it.
	Hits struct {
		Hits []struct {
			Source struct {
				JudgmentRatings []ratedQuery `json:"judgmentRatings"`
			} `json:"_source"`
		} `json:"hits"`
	} `json:"hits"`
}

// ratedQuery has its ratings by document id (Quepid) or as a list (OpenSearch).
type ratedQuery struct {
	Query   string          `json:"query"`
	Ratings json.RawMessage `json:"ratings"`
}

// ratedPair is a rating of what Quepid imports.
type ratedPair struct {
	Query    string       `json:"query_text"`
	Document textOrNumber `json:"doc_id"`
	Rating   rating       `json:"rating"`
}

// ratedDocument is a rating of a query in OpenSearch's list.
type ratedDocument struct {
	Document textOrNumber `json:"docId"`
	Rating   rating       `json:"rating"`
}

// rating is a number that was written with or without quotes, or none.
type rating struct {
	value float64
	given bool
}

func (r *rating) UnmarshalJSON(data []byte) (err error) {
	if text := string(bytes.Trim(data, `"`)); text != "null" && text != "" {
		r.value, err = parseRating(text)
		r.given = err == nil
	}
	return err
}

// ReadRatingsJSON reads ratings, which name is called in errors, from any of the forms
// that Quepid and OpenSearch's Search Relevance Workbench write or read:
//
//	{"queries": [{"query": "red dress", "ratings": {"B077ZJXCTS": 3}}]}
//	{"ratings": [{"query_text": "red dress", "doc_id": "B077ZJXCTS", "rating": 3}]}
//	{"judgmentRatings": [{"query": "red dress", "ratings": [{"docId": "B077ZJXCTS", "rating": "3.000"}]}]}
//
// and from the answer in which OpenSearch returns the last. A rating may have quotes
// around it, and one that is null is none. Errors name the line of what is no JSON, and
// the query of what is no rating.
func ReadRatingsJSON(r io.Reader, name string) ([]QueryRatings, error) {
	plain, err := unmarked(file.Limit(r, name, mostRatingBytes))
	if err != nil {
		return nil, inFile(name, err)
	}
	raw, err := io.ReadAll(plain)
	if err != nil {
		return nil, inFile(name, err)
	}
	var in ratingFile
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, withLine(raw, err))
	}
	var found ratings
	if err := found.takeFile(&in); err != nil {
		return nil, inFile(name, err)
	}
	if found.all == nil {
		return nil, fmt.Errorf("%s: there are no ratings in it: they are in a member queries (Quepid) or judgmentRatings (OpenSearch)", name)
	}
	return found.all, nil
}

// withLine says in which line an error of JSON is.
func withLine(raw []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	}
	if at < 0 || at > int64(len(raw)) {
		return err
	}
	return fmt.Errorf("line %d: %w: the file is JSON of Quepid or OpenSearch", 1+bytes.Count(raw[:at], []byte("\n")), err)
}

func (r *ratings) takeFile(in *ratingFile) error {
	queries := slices.Concat(in.Queries, in.JudgmentRatings)
	for _, hit := range in.Hits.Hits {
		queries = append(queries, hit.Source.JudgmentRatings...)
	}
	for i, q := range queries {
		if err := r.takeQuery(q); err != nil {
			return fmt.Errorf("query %d (%.60q): %w", i+1, q.Query, err)
		}
	}
	for i, raw := range in.Ratings {
		place := fmt.Sprint("rating ", i+1)
		var p ratedPair
		err := json.Unmarshal(raw, &p)
		if err == nil {
			err = r.takeRating(place, p.Query, string(p.Document), p.Rating)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	return nil
}

// takeQuery adds the ratings of a query in either form.
func (r *ratings) takeQuery(q ratedQuery) error {
	if _, err := r.query(q.Query); err != nil {
		return err
	}
	if len(q.Ratings) == 0 || string(q.Ratings) == "null" {
		return nil
	}
	if q.Ratings[0] == '{' {
		return eachMember(q.Ratings, func(document string, v rating) error {
			return r.takeRating("the same list", q.Query, document, v)
		})
	}
	var list []ratedDocument
	if err := json.Unmarshal(q.Ratings, &list); err != nil {
		return fmt.Errorf("its ratings are neither by document nor a list of docId and rating: %w", err)
	}
	for _, d := range list {
		if err := r.takeRating("the same list", q.Query, string(d.Document), d.Rating); err != nil {
			return err
		}
	}
	return nil
}

func (r *ratings) takeRating(place, query, document string, v rating) error {
	if !v.given {
		_, err := r.query(query)
		return err
	}
	return r.add(place, query, document, v.value)
}

// eachMember calls take with the members of an object in their order, also with one
// that is there twice.
func eachMember(object json.RawMessage, take func(document string, v rating) error) error {
	in := json.NewDecoder(bytes.NewReader(object))
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		document, err := in.Token()
		if err != nil {
			return err
		}
		var v rating
		if err := in.Decode(&v); err != nil {
			return fmt.Errorf("document %.60q: %w", document, err)
		}
		if err := take(fmt.Sprint(document), v); err != nil {
			return err
		}
	}
	return nil
}

// WriteQuepidJSON writes ratings as Quepid's interface api/import/ratings takes them,
// to be sent with the id of a case: a list of query_text, doc_id and rating. A query
// without ratings has null for both.
func WriteQuepidJSON(w io.Writer, queries []QueryRatings) error {
	if err := checkRatings(queries); err != nil {
		return err
	}
	type pair struct {
		Query    string   `json:"query_text"`
		Document *string  `json:"doc_id"`
		Rating   *float64 `json:"rating"`
	}
	list := []pair{}
	for _, q := range queries {
		if len(q.Ratings) == 0 {
			list = append(list, pair{Query: q.Query})
		}
		for _, r := range q.Ratings {
			list = append(list, pair{q.Query, &r.Document, &r.Value})
		}
	}
	return writeJSON(w, map[string]any{"file_format": "hash", "ratings": list}, "  ")
}

// WriteOpenSearchJSON writes ratings as OpenSearch's Search Relevance Workbench imports
// them, by PUT _plugins/_search_relevance/judgments. Its ratings are texts.
func WriteOpenSearchJSON(w io.Writer, name string, queries []QueryRatings) error {
	if err := checkRatings(queries); err != nil {
		return err
	}
	type document struct {
		Document string `json:"docId"`
		Rating   string `json:"rating"`
	}
	type query struct {
		Query   string     `json:"query"`
		Ratings []document `json:"ratings"`
	}
	list := make([]query, len(queries))
	for i, q := range queries {
		list[i] = query{q.Query, []document{}}
		for _, r := range q.Ratings {
			list[i].Ratings = append(list[i].Ratings, document{r.Document, ratingText(r.Value)})
		}
	}
	return writeJSON(w, struct {
		Name    string  `json:"name"`
		Kind    string  `json:"type"`
		Ratings []query `json:"judgmentRatings"`
	}{name, "IMPORT_JUDGMENT", list}, "  ")
}
