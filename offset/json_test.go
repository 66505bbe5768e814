package offset

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestJSONIsSafeAndSaysTheSame(t *testing.T) {
	t.Parallel()
	if got, want := string(JSON([]byte(`{"a\n":"b`+"\x7f\u009b31m\u202e"+`ü"}`))), `{"a\n":"b\u007f\u009b31m\u202eü"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String())).Draw(t, "value")
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		safe := JSON(raw)
		for _, r := range string(safe) {
			if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%q has %U", safe, r)
			}
		}
		var out map[string][]string
		if err := json.Unmarshal(safe, &out); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(out); err != nil || !bytes.Equal(raw, again) {
			t.Fatalf("%s became %s", raw, again)
		}
	})
}
