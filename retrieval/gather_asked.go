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
	switch {
	case a.Index != "" && len(a.Plan) > 0 && a.Used == "":
		notes = append(notes, "index "+a.Index+" is there, and the plan uses none")
	case a.Index != "" && a.Used == "":
		notes = append(notes, "index "+a.Index)
	case a.Used != "":
		notes = append(notes, "index "+a.Used+", which the plan uses")
	}
	if a.Why != "" {
		notes = append(notes, a.Why)
	}
	for _, s := range a.Settings {
		notes = append(notes, "set "+s.Name+" = "+s.Value)
	}
	return append(notes, a.Plan...)
}
