package progress

import (
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/indexing"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// OfIndexing are the figures of indexing. The rate and the time left are those of more
// than a moment.
func OfIndexing(g indexing.Progress) Shown {
	shown := Shown{Done: g.PagesDone, Total: g.PagesTotal}
	if g.Stage == indexing.StageFinish {
		shown.Words = []string{"building the index of the vectors"}
		return shown
	}
	pages := phrase.Counted(g.PagesDone, "page")
	if g.PagesTotal > 0 {
		pages = fmt.Sprintf("%d of %s", g.PagesDone, phrase.Counted(g.PagesTotal, "page"))
	}
	words := []string{pages}
	if left, ok := g.Left(); ok && g.PagesTotal > 0 && g.Elapsed >= time.Second {
		words = append(words, left.Round(time.Second).String()+" left")
	}
	words = append(words, phrase.Counted(g.Chunks, "chunk"), phrase.Counted(g.Vectors, "vector"))
	if g.Elapsed >= time.Second && g.PagesDone > 0 {
		words = append(words, fmt.Sprintf("%.0f pages/s", g.Rate()))
	}
	shown.Words = words
	return shown
}
