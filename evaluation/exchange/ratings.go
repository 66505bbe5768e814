package exchange

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/webrag/webrag-tui/offset"
)

// mostRatingBytes is how large a file of ratings in CSV or JSON may be.
const mostRatingBytes = 128 << 20

// QueryRatings are the ratings of a query. Programs that keep ratings in CSV or JSON
// know queries by their text, and documents by an id.
type QueryRatings struct {
	// Query is one line, without spaces at its ends.
	Query string
	// Ratings may be none: the query was not judged yet.
	Ratings []Rating
}

// Rating is what somebody thought of a document. Value is on a scale of their own, of
// which a [Scale] makes grades.
type Rating struct {
	Document string
	Value    float64
}

// Ratings are the judgments of a collection by the text of the query: queries in their
// order, also those without judgments, and documents by id. Judgments of queries that
// the collection lacks are left out, see [Collection.Unknown].
func (c *Collection) Ratings() []QueryRatings {
	all := make([]QueryRatings, len(c.Queries))
	for i, q := range c.Queries {
		all[i].Query = q.Text
		for _, document := range slices.Sorted(maps.Keys(c.Qrels[q.ID])) {
			all[i].Ratings = append(all[i].Ratings, Rating{document, float64(c.Qrels[q.ID][document])})
		}
	}
	return all
}

// ratings gathers ratings of queries in the order in which they come.
type ratings struct {
	all   []QueryRatings
	at    map[string]int       // the index of a query
	first map[[2]string]string // where a query and document were rated
}

// query is the index of a query with a text.
func (r *ratings) query(text string) (int, error) {
	text = offset.Folded(text)
	if text == "" {
		return 0, errors.New("the text of the query is empty: ratings are of a query")
	}
	i, ok := r.at[text]
	if !ok {
		if r.at == nil {
			r.at, r.first = map[string]int{}, map[[2]string]string{}
		}
		i = len(r.all)
		r.at[text] = i
		r.all = append(r.all, QueryRatings{Query: text})
	}
	return i, nil
}

// add puts a rating in that was found at a place, such as "line 3".
func (r *ratings) add(place, query, document string, value float64) error {
	i, err := r.query(query)
	if err != nil {
		return err
	}
	if err := checkID("document id", document); err != nil {
		return err
	}
	pair := [2]string{r.all[i].Query, document}
	if first, ok := r.first[pair]; ok {
		return fmt.Errorf("document %.60q was rated for query %.60q in %s: keep one of the two", document, r.all[i].Query, first)
	}
	r.first[pair] = place
	r.all[i].Ratings = append(r.all[i].Ratings, Rating{document, value})
	return nil
}

// checkRatings says what would not be read as it is written.
func checkRatings(queries []QueryRatings) error {
	var seen ratings
	for _, q := range queries {
		if offset.Folded(q.Query) != q.Query {
			return fmt.Errorf("the query %.60q is not one line without spaces at its ends: make it one", q.Query)
		}
		if _, known := seen.at[q.Query]; known {
			return fmt.Errorf("the query %.60q is there twice: put its ratings together", q.Query)
		}
		if _, err := seen.query(q.Query); err != nil {
			return err
		}
		for _, r := range q.Ratings {
			if err := seen.add("the same list", q.Query, r.Document, r.Value); err != nil {
				return err
			}
			if _, err := parseRating(ratingText(r.Value)); err != nil {
				return err
			}
		}
	}
	return nil
}
