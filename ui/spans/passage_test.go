package spans

import (
	"context"
	"slices"
	"testing"

	"charm.land/glamour/v2/styles"
)

func TestWordsOfARendering(t *testing.T) {
	t.Parallel()
	const text = "# Än **old** [li*nk*](x.html)\n\n- `a b`\n"
	r, err := Render(context.Background(), text, Options{Width: 40, Theme: styles.DarkStyleConfig})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, w := range r.Words() {
		words = append(words, r.Slice(w.Start, w.End))
	}
	if want := []string{"Än", "old", "li", "nk", "a", "b"}; !slices.Equal(words, want) {
		t.Errorf("got %q, want %q", words, want)
	}
	var lines []string
	for i := -1; i <= r.Height(); i++ {
		if start, end, ok := r.LineSpan(i); ok {
			lines = append(lines, r.Slice(start, end))
		}
	}
	if want := []string{"Än **old** [li*nk", "a b"}; !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}
