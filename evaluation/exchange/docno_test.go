package exchange

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestDocnos(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/docs/trees":     "https://example.org/docs/trees",
		"https://example.org/a b#c":          "https://example.org/a%20b%23c",
		"https://example.org/a%20b":          "https://example.org/a%2520b",
		"https://example.org/ä?x=1&y=\u00a0": "https://example.org/%C3%A4?x=1&y=%C2%A0",
		"file:std::vec":                      "file:std:%3Avec",
		"a::0123456789ab":                    "a:%3A0123456789ab",
		"http://[::1]/\t":                    "http://[:%3A1]/%09",
	} {
		if got := Docno(address); got != want {
			t.Errorf("%q is %q, want %q", address, got, want)
		}
	}
	// The hash begins as that of "max_depth limits trees" in package offset.
	const page, chunk = "https://example.org/trees", "4fba19f9990d"
	if got := ChunkDocno(page, " max_depth\nlimits  trees"); got != page+"::"+chunk {
		t.Errorf("the chunk is %q", got)
	}
	if got := ChunkDocno(page, " \n"); got != page {
		t.Errorf("a chunk without words is %q", got)
	}
	if address, hash, err := ParseDocno(page + "::" + chunk); address != page || hash != chunk || err != nil {
		t.Errorf("it is parsed to %q, %q, %v", address, hash, err)
	}
	if address, hash, err := ParseDocno("std::vec"); address != "std::vec" || hash != "" || err != nil {
		t.Errorf("another program's is parsed to %q, %q, %v", address, hash, err)
	}
	for _, wrong := range []string{"100%", "50%zz", "%4"} {
		_, _, err := ParseDocno(wrong)
		says(t, wrong, err, wrong, "%25")
	}
	_, _, err := ParseDocno("::" + chunk)
	says(t, "no address", err, "empty")
}

func TestDocnosAreReversible(t *testing.T) {
	addresses := rapid.OneOf(
		rapid.StringN(1, 30, -1),
		rapid.StringMatching(`[a:#% /]{1,12}(::[0-9a-f]{12})?`),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 20), func(b []byte) string { return string(b) }),
	)
	rapid.Check(t, func(t *rapid.T) {
		address, text := addresses.Draw(t, "address"), rapid.StringMatching(`[a-c ]{0,5}`).Draw(t, "text")
		for _, docno := range []string{Docno(address), ChunkDocno(address, text)} {
			got, hash, err := ParseDocno(docno)
			if err != nil || got != address || (hash != "") != (docno != Docno(address)) {
				t.Fatalf("%q became %q and then %q, %q, %v", address, docno, got, hash, err)
			}
			if strings.ContainsFunc(docno, func(r rune) bool {
				return r > unicode.MaxASCII || unicode.IsSpace(r) || unicode.IsControl(r) || r == '#'
			}) {
				t.Fatalf("%q has what no column may have", docno)
			}
			if err := checkQuery("document id", docno); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzParseDocno(f *testing.F) {
	for _, seed := range []string{"https://example.org/a%20b::0123456789ab", "::", "%", "%C3%A4", "a:%3A0123456789ab"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, docno string) {
		address, hash, err := ParseDocno(docno)
		if err != nil {
			return
		}
		ours := Docno(address)
		if hash != "" {
			ours += chunkMark + hash
		}
		if again, same, err := ParseDocno(ours); err != nil || again != address || same != hash {
			t.Fatalf("%q is %q, %q, and then %q, %q, %v", docno, address, hash, again, same, err)
		}
	})
}
