package bpe

import (
	"bytes"
	"compress/flate"
	"errors"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write vocabularies that differ")

// encodings are the two with the library's, and the names of their files.
func encodings() []struct {
	file     string
	encoding func() *Encoding
	library  *codec.Codec
} {
	return []struct {
		file     string
		encoding func() *Encoding
		library  *codec.Codec
	}{
		{"cl100k_base.vocab", CL100K, codec.NewCl100kBase()},
		{"o200k_base.vocab", O200K, codec.NewO200kBase()},
	}
}

func TestVocabulariesAreTheLibrarys(t *testing.T) {
	for _, e := range encodings() {
		want := libraryTokens(e.library)
		got := e.encoding().vocabulary.tokens()
		if slices.Equal(got, want) {
			continue
		}
		if !*update {
			t.Errorf("%s: %d tokens, not the library's %d", e.file, len(got), len(want))
			continue
		}
		packed, err := pack(want)
		if err == nil {
			err = os.WriteFile(e.file, packed, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// tokens are the tokens by rank, each of which the table must find.
func (v *vocabulary) tokens() []string {
	tokens := make([]string, len(v.ends))
	for i := range tokens {
		token := string(v.token(uint32(i)))
		if rank, ok := v.rank(token); ok && rank == uint32(i) {
			tokens[i] = token
		}
	}
	return tokens
}

// libraryLengths is what the library says; it drops U+007F, for which U+0002
// stands in: a rune of the same kind that is a token of its own in both.
func libraryLengths(t testing.TB, c *codec.Codec, text string) []byte {
	t.Helper()
	_, tokens, err := c.Encode(strings.ReplaceAll(text, "\x7f", "\x02"))
	if err != nil {
		t.Fatal(err)
	}
	lengths := []byte{}
	for _, token := range tokens {
		lengths = append(lengths, byte(len(token)))
	}
	return lengths
}

// Every rune alone, among letters, blanks, punctuation and digits.
func TestEveryRuneSplitsAsInTheLibrary(t *testing.T) {
	for _, e := range encodings() {
		var runes []rune
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if utf8.ValidRune(r) && (r < 0x3100 || r%61 == 0) && (!testing.Short() || r%7 == 0) {
				runes = append(runes, r)
			}
		}
		for _, r := range runes {
			for _, around := range []string{"#", "a#", "#a", "B#c", " #", "  # b", "!#\n/", "1#2", "'#e"} {
				text := strings.ReplaceAll(around, "#", string(r))
				if got, want := e.encoding().AppendLengths([]byte{}, text), libraryLengths(t, e.library, text); !slices.Equal(got, want) {
					t.Fatalf("%s: the tokens of %q have lengths %v, want %v", e.file, text, got, want)
				}
			}
		}
	}
}

// brokenInTheLibrary is white space between two line ends. The pattern makes one
// piece of all of it, and both vocabularies have tokens ("\n \n") that only such
// pieces can contain; the library ends a piece at the first line end.
var brokenInTheLibrary = regexp.MustCompile(`[\r\n][\s\v\x{85}\p{Z}]*[\t\v\f\x{85}\p{Z}][\s\v\x{85}\p{Z}]*[\r\n]`)

func TestTextsSplitAsDefined(t *testing.T) {
	word := rapid.StringMatching(`[a-zA-Zé検ß]{1,9}|[A-Z]{1,4}[a-z]{0,3}|[0-9]{1,5}|[.,'"#*(){}<>|=/-]{1,4}|'(s|ll|RE|T|r|l|V)|[ \t\n\r]{1,4}|[\n/ ]{1,4}|` +
		`[\v\f\x{85}\x{2028}\x{17F}\x{A0}\x{2003}\x{300}\x{e31}\x{2b0}\x{1F642}\x{200D}\x02\x00\x7f/]|ǅ|²|[\x00-\x7f]{1,3}`)
	for _, e := range encodings() {
		definition, alike, all := newReference(e.library), 0, 0
		rapid.Check(t, func(rt *rapid.T) {
			text := strings.Join(rapid.SliceOfN(word, 0, 40).Draw(rt, "words"), "")
			all++
			rest := text
			for _, want := range definition.pieces(text) {
				if got := rest[:e.encoding().pieceEnd(rest)]; got != want {
					rt.Fatalf("%s: the first piece of %q is %q, want %q", e.file, rest, got, want)
				}
				rest = rest[len(want):]
			}
			got := e.encoding().AppendLengths([]byte{}, text)
			if want := definition.lengths(text); !slices.Equal(got, want) {
				rt.Fatalf("%s: the tokens of %q have lengths %v, want %v", e.file, text, got, want)
			}
			if brokenInTheLibrary.MatchString(text) {
				return
			}
			alike++
			if want := libraryLengths(t, e.library, text); !slices.Equal(got, want) {
				rt.Fatalf("%s: the tokens of %q have lengths %v, those of the library %v", e.file, text, got, want)
			}
		})
		// About nine in ten are: a third would be far from chance.
		if alike < all/3 {
			t.Errorf("%s: only %d of %d texts were compared with the library", e.file, alike, all)
		}
	}
}

func TestPieces(t *testing.T) {
	for _, tt := range []struct{ text, cl100k, o200k string }{
		{"it's IT'S", "it|'s| IT|'S", "it's| IT'S"},
		{"parseHTML2Text", "parseHTML|2|Text", "parse|HTML|2|Text"},
		{"b\u0300c \u0300c", "b|\u0300c| \u0300|c", "b\u0300c| \u0300c"},
		{"12345", "123|45", "123|45"},
		{"a //\n/ b", "a| //\n|/| b", "a| //\n/| b"},
		{"x  \n\n  y", "x|  \n\n| | y", "x|  \n\n| | y"},
		{"\tif \u2003.", "\tif| |\u2003|.", "\tif| |\u2003|."},
		{"end  ", "end|  ", "end|  "},
	} {
		for _, e := range []struct {
			encoding *Encoding
			want     string
		}{{CL100K(), tt.cl100k}, {O200K(), tt.o200k}} {
			var pieces []string
			for rest := tt.text; rest != ""; {
				end := e.encoding.pieceEnd(rest)
				pieces, rest = append(pieces, rest[:end]), rest[end:]
			}
			if got := strings.Join(pieces, "|"); got != e.want {
				t.Errorf("%q in pieces is %q, want %q", tt.text, got, e.want)
			}
		}
	}
}

// "\n \n" and "\n\t\n" are tokens of both vocabularies.
func TestWhiteSpaceBetweenLineEndsIsOnePiece(t *testing.T) {
	for _, e := range encodings() {
		for text, want := range map[string][]byte{"\n \n": {3}, "a\n\t\nb": {1, 3, 1}, "\n \n ": {3, 1}} {
			if got := e.encoding().AppendLengths(nil, text); !slices.Equal(got, want) {
				t.Errorf("%s: the tokens of %q have lengths %v, want %v", e.file, text, got, want)
			}
		}
	}
}

// The documentation of tiktoken gives "tiktoken is great!" as the ids 83, 1609,
// 5963, 374, 2294, 0 of cl100k_base: t, ik, token, " is", " great", "!".
func TestWorkedExample(t *testing.T) {
	if got := CL100K().AppendLengths(nil, "tiktoken is great!"); !slices.Equal(got, []byte{1, 2, 5, 3, 6, 1}) {
		t.Errorf("lengths %v", got)
	}
}

// A piece without white space is merged in n·log n, so this ends at once; the
// library merges it by the same rule.
func TestLongPieces(t *testing.T) {
	for _, text := range []string{strings.Repeat("a", 20_000), strings.Repeat("xyzzy-", 4_000), strings.Repeat("検", 5_000), strings.Repeat(" \t", 5_000)} {
		for _, e := range encodings() {
			got, want := e.encoding().AppendLengths([]byte{}, text), libraryLengths(t, e.library, text)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d tokens of %.10q…, want %d", e.file, len(got), text, len(want))
			}
		}
	}
}

func TestBrokenVocabulariesAreRefused(t *testing.T) {
	packed, err := pack([]string{"a", "b", "ab", "aba"})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := unpack(packed); err != nil || string(v.text) != "abababa" || !slices.Equal(v.ends, []uint32{1, 2, 4, 7}) {
		t.Errorf("unpacked %+v, %v", v, err)
	}
	if _, err := pack([]string{"a", "bc"}); err == nil {
		t.Error("packed a token that no two make up")
	}
	altered := func(at int, by byte) []byte {
		broken := bytes.Clone(packed)
		broken[at] += by
		return broken
	}
	for name, broken := range map[string][]byte{
		"nothing": nil, "cut": packed[:len(packed)/2], "fewer bytes": altered(4, 255), "more bytes": altered(4, 1),
		"fewer tokens": altered(0, 255), "more tokens": altered(0, 1), "halves of halves": halved(t, 3, 1), "wide": halved(t, 0, 256),
	} {
		if _, err := unpack(broken); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// halved is a vocabulary of one token, of whatever halves.
func halved(t *testing.T, left, right int) []byte {
	t.Helper()
	out := bytes.NewBuffer([]byte{1, 0, 0, 0, 1, 0, 0, 0})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	if err == nil {
		_, err = w.Write([]byte{byte(left), byte(left >> 8), 0, byte(right), byte(right >> 8), 0})
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func FuzzLengthsAddUp(f *testing.F) {
	for _, seed := range []string{"", "a\x7fb", "word \n\n  two's", strings.Repeat("\n ", 600), "👩‍👩‍👧 é", "<|endoftext|>", "\xff\xfe \x80"} {
		f.Add(seed)
	}
	all := encodings()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			return
		}
		for _, e := range all {
			got, sum := e.encoding().AppendLengths([]byte{}, text), 0
			for _, n := range got {
				if n == 0 {
					t.Fatalf("%s: an empty token in %q", e.file, text)
				}
				sum += int(n)
			}
			if sum != len(text) {
				t.Fatalf("%s: the tokens of %q have %d bytes", e.file, text, sum)
			}
			if !utf8.ValidString(text) || brokenInTheLibrary.MatchString(text) {
				continue
			}
			if want := libraryLengths(t, e.library, text); !slices.Equal(got, want) {
				t.Fatalf("%s: the tokens of %q have lengths %v, want %v", e.file, text, got, want)
			}
		}
	})
}

func BenchmarkUnpack(b *testing.B) {
	for name, packed := range map[string][]byte{"cl100k": cl100kPacked, "o200k": o200kPacked} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := unpack(packed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
