package spans_test

import (
	"context"
	"fmt"
	"strings"

	"charm.land/glamour/v2/styles"
	"github.com/webrag/webrag-tui/ui/spans"
)

// A citation is found in the rendered text by its code points in the source,
// whatever markup stands between them.
func Example() {
	const text = "The **depth** decay never drops a page by itself."
	r, err := spans.Render(context.Background(), text, spans.Options{Width: 30, Theme: *styles.DefaultStyles["notty"]})
	if err != nil {
		fmt.Println(err)
		return
	}
	palette := spans.Palette{Styles: map[spans.Level]spans.Style{spans.Citation: {Reverse: true}}}
	m := r.Mark([]spans.Span{{Start: 14, End: 31, Level: spans.Citation, Label: "1"}}, palette)
	for _, line := range m.Lines(0, r.Height(), -1) {
		line = strings.NewReplacer("\x1b[7m", "[", "\x1b[m", "]").Replace(line)
		fmt.Printf("%q\n", line)
	}
	first, last := m.At(0)
	fmt.Println("lines", first, "to", last)
	// Output:
	// "▌1    The **depth** [decay never]"
	// "▌     [drops] a page by itself."
	// lines 0 to 1
}

func ExampleRendering_Find() {
	r := spans.Source("Depth decay\n\nThe depth\nof a page", 40)
	for _, s := range r.Find("DEPTH") {
		fmt.Println(s.Start, s.End, "in line", r.LineOf(s.Start))
	}
	// Output:
	// 0 5 in line 0
	// 17 22 in line 2
}
