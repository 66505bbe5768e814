package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/evaluation"
)

func TestTheStudyChoosesHereAndReportsThere(t *testing.T) {
	here, there := collection(t, "here"), collection(t, "there")
	var out, again bytes.Buffer
	if err := run(t.Context(), []string{"-study", here, there}, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, want := range []string{"chosen on here", "on there", "chosen on there", "on here", recommended, "rrf, any k", "\n0.00 ", "\n1.00 "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "NaN") {
		t.Errorf("a figure is no number:\n%s", text)
	}
	if err := run(t.Context(), []string{"-study", here, there}, &again); err != nil {
		t.Fatal(err)
	}
	if again.String() != text {
		t.Error("a second run prints something else")
	}
}

func TestASettingIsChosenByItsMean(t *testing.T) {
	// The one judged document is the keyword arm's second and the vector arm's
	// first, so that the smaller weight is right, in either order.
	g := four()
	g.asked = &asked{grades: map[int]int{11: 1}, pool: evaluation.NewPool([]int{1})}
	s := &subject{byDepth: map[int][]*gathered{60: {g}}, keyword: make([]score, 1)}
	light := setting{0, 0, 60, convex(0, asIs, byMax)}
	heavy := setting{1, 0, 60, convex(1, asIs, byMax)}
	for _, settings := range [][]setting{{light, heavy}, {heavy, light}} {
		if got := s.choose(settings); got.weight != 0 {
			t.Errorf("chose the weight %v", got.weight)
		}
	}
}
