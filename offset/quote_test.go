package offset

import "testing"

func TestAQuoteKeepsItsHashWhenItIsWrappedAnew(t *testing.T) {
	// printf 'max_depth limits trees' | sha256sum
	const want = "4fba19f9990df7458e44bad724aac8c44fb1e56902df09b712608dabc2353fb3"
	for _, text := range []string{"max_depth limits trees", "  max_depth\n\tlimits\r\n trees ", "max_depth limits\u00a0trees"} {
		if got := QuoteHash(text); got != want {
			t.Errorf("%q has the hash %s", text, got)
		}
	}
	for _, other := range []string{"max_depth limits Trees", "max_depthlimits trees"} {
		if QuoteHash(other) == want {
			t.Errorf("%q has the hash of another text", other)
		}
	}
	if QuoteHash("") != "" || QuoteHash(" \n") != "" {
		t.Error("an empty quote has a hash")
	}
}
