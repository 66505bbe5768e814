package linking

import (
	"fmt"
	"strings"

	"github.com/webrag/webrag-tui/store"
)

// Refused is the condition, in the SQL of both stores, on the rows of chunk_edges
// that [store.CheckEdge] refuses: readers leave them out.
func Refused() string {
	names := make([]string, 0, len(store.Relations()))
	for _, r := range store.Relations() {
		names = append(names, "'"+string(r)+"'")
	}
	return fmt.Sprintf("NOT coalesce(relation IN (%s) AND weight > 0 AND weight <= 1 AND origin IN ('%s', '%s', '%s') AND source_id <> target_id, false)",
		strings.Join(names, ", "), store.OriginStructure, store.OriginLink, store.OriginImport)
}

// RefusedCheck says that n edges are left out.
func RefusedCheck(n int64) store.Check {
	words := fmt.Sprintf("%d edges are left out: they are", n)
	if n == 1 {
		words = "1 edge is left out: it is"
	}
	return store.Check{
		Name: "edges", State: store.CheckWarning, Found: words + " of a relation, weight or origin that there is not",
		Fix: "another program wrote that; index the pages into a corpus of your own",
	}
}
