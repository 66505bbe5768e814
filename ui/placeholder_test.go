package ui

import (
	"strings"
	"testing"
)

// While a section is being rendered nobody sees its markup.
func TestNoMarkupIsSeenBeforeTheRendering(t *testing.T) {
	d := drive(t, 1, 120, 40, asking("how does depth decay work"), "")
	d.send(keyOf("j"))
	d.reader().Forget()
	d.reader().ShowAnew()
	d.send(keyOf("k"))
	d.mustNotShow("match 1/") // it is not rendered yet
	d.mustShow("Depth decay", "multiplied by max(1 − depth ×", "depth    multiplier")
	for _, line := range strings.Split(d.screen(), "\n") {
		if _, section, ok := strings.Cut(line, "│"); ok && strings.ContainsAny(section, "#`*|") {
			t.Errorf("markup is seen: %q", section)
		}
	}
	d.settle()
	d.mustShow("match 1/3")
}
