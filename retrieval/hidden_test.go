package retrieval_test

import (
	"slices"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

func TestTheTraceCountsWhatIsHidden(t *testing.T) {
	b := worked(t)
	note := "hidden: 2 deleted pages, 1 page that was never indexed to its end, 7 chunks of earlier ingestions"
	if notes := stageOf(t, b.retrieve(t), param.StageMode).Notes; slices.Contains(notes, note) {
		t.Errorf("nothing is hidden, and the trace says %q", notes)
	}
	b.memory.hidden = store.Hidden{Deleted: 2, Unfinished: 1, Stale: 7}
	if notes := stageOf(t, b.retrieve(t), param.StageMode).Notes; !slices.Contains(notes, note) {
		t.Errorf("notes %q", notes)
	}
}
