package catalog

import "testing"

func TestVersionsCompareByNumber(t *testing.T) {
	for _, c := range []struct {
		have, want string
		older      bool
	}{
		{"0.8.2", "0.8.2", false},
		{"0.8.1", "0.8.2", true},
		{"0.8", "0.8.0", false},
		{"0.8.0", "0.8", false},
		{"0.8", "0.8.2", true},
		{"0.7.4", "0.8.2", true},
		{"0.8.10", "0.8.2", false},
		{"0.9.0", "0.8.2", false},
		{"1.0", "0.8.2", false},
		{"0.8.2-dev", "0.8.2", false},
		{"0.8.1beta2", "0.8.2", true},
		{"", "0.8.2", true},
		{"x", "0.8.2", true},
	} {
		if got := OlderThan(c.have, c.want); got != c.older {
			t.Errorf("%q older than %q: %v", c.have, c.want, got)
		}
	}
	for vector, old := range map[string]bool{"": false, "0.7.4": true, "0.8.0": false, "0.10.0": false, "1.0": false} {
		if got := TooOld(vector); (got != "") != old {
			t.Errorf("%q: %q", vector, got)
		}
	}
}
