package judgment_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// A query is judged, its page gets a new beginning, and a ranking of the page is graded.
func Example() {
	sets, err := os.MkdirTemp("", "sets")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(sets)
	ctx := context.Background()
	set, err := judgment.Create(sets, "trees", judgment.About{Name: "Trees"})
	if err != nil {
		fmt.Println(err)
		return
	}
	query, err := set.AddQuery(ctx, judgment.Query{Text: "How deep is a tree?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	const page, quote = "https://example.org/trees", "max_depth limits it."
	err = set.Append(ctx, judgment.Record{
		Key: judgment.KeyOf(query.ID, page, quote, 0), Quote: quote, Grade: 3, Judge: "ana", JudgedAt: time.Now(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	anchors, err := set.Anchor(ctx, texts{page: "Trees grow. max_depth limits it."})
	if err != nil {
		fmt.Println(err)
		return
	}
	grader := anchors.Prepare(judgment.People)[query.ID].Grader(judgment.Passages)
	grades := grader.Grades([]judgment.Ranked{{Page: page, Start: 0, End: 11}, {Page: page, Start: 12, End: 32}})
	fmt.Println(query.ID, anchors.Summary.Moved, "moved, grades", grades)
	// Output:
	// how-deep-is-a-tree 1 moved, grades [-1 3]
}
