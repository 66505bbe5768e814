package retrieval

import (
	"strconv"

	"github.com/webrag/webrag-tui/store"
)

// askedNotes say how a database was asked, and what it answered; a corpus in
// memory has nothing to say.
func askedNotes(a *store.Asked) (notes []string) {
	if a.Rows > 0 {
		notes = append(notes, "LIMIT "+strconv.Itoa(a.Rows)+" sent to the database, "+strconv.Itoa(a.Returned)+" rows returned")
	}
	if a.Index != "" {
		notes = append(notes, "index "+a.Index)
	}
	if a.Why != "" {
		notes = append(notes, a.Why)
	}
	for _, s := range a.Settings {
		notes = append(notes, "set "+s.Name+" = "+s.Value)
	}
	if len(a.Plan) == 0 {
		return notes
	}
	used := "the plan uses no index of vectors"
	if a.Used != "" {
		used = "the plan uses " + a.Used
	}
	return append(append(notes, used), a.Plan...)
}
