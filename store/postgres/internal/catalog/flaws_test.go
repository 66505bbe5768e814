package catalog

import (
	"strings"
	"testing"
)

func TestFlawsOfTheExtension(t *testing.T) {
	for have, want := range map[string]string{
		"0.7.4": "every search is exact", "0.8.0": "in parallel", "0.8.1": "in parallel", "0.8.2": "can damage", "0.8.3": "out of reach",
		"0.8.4": "", "0.10.0": "", "1.0": "", "": "",
	} {
		s := Server{Vector: have}
		got := strings.Join(s.Flaws(true), "|")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q warns of %q, want %q", have, got, want)
		}
		if s.Flaws(false) != nil {
			t.Errorf("%q warns of an index that is not there", have)
		}
	}
}
