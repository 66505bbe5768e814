package huggingface

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// referenceCase is a tokenizer.json of testdata with some parts changed, and what
// the reference made of the texts with it.
type referenceCase struct {
	Name, File string
	Changes    map[string]any
	// Special is how many tokens it puts around the empty text.
	Special int
	IDs     [][]int32
}

func referenceCases(t testing.TB) (texts []string, cases []referenceCase) {
	t.Helper()
	var file struct {
		Texts []string
		Cases []referenceCase
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "cases.json"))
	if err == nil {
		err = json.Unmarshal(raw, &file)
	}
	if err != nil || len(file.Texts) < 30 || len(file.Cases) < 20 {
		t.Fatalf("%d texts and %d cases: %v", len(file.Texts), len(file.Cases), err)
	}
	return file.Texts, file.Cases
}

// changed is a file of testdata with some of its parts replaced; those of the model
// are replaced one by one.
func changed(t testing.TB, name string, changes map[string]any) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for key, value := range changes {
		if model, ok := value.(map[string]any); ok && key == "model" {
			maps.Copy(file["model"].(map[string]any), model)
		} else {
			file[key] = value
		}
	}
	if raw, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	return raw
}

func (c *referenceCase) tokenizer(t testing.TB) *Tokenizer {
	t.Helper()
	tok, err := Parse(changed(t, c.File, c.Changes))
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func idsOf(tok *Tokenizer, text string) []int32 {
	var ids []int32
	tok.Each(text, func(id int32, _ int) bool { ids = append(ids, id); return true })
	return ids
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	texts, cases := referenceCases(t)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			tok := c.tokenizer(t)
			if tok.Special != c.Special {
				t.Errorf("%d special tokens, want %d", tok.Special, c.Special)
			}
			for i, text := range texts {
				if got := idsOf(tok, text); !slices.Equal(got, c.IDs[i]) {
					t.Errorf("%q:\n got %v\nwant %v", text, got, c.IDs[i])
				}
				// The second time the words are remembered.
				if n := tok.Count(text); n != len(c.IDs[i]) {
					t.Errorf("%q: counted %d, want %d", text, n, len(c.IDs[i]))
				}
			}
		})
	}
}

// assertOffsets checks that tokens begin in the text, in order.
func assertOffsets(t interface{ Fatalf(string, ...any) }, tok *Tokenizer, text string) {
	last := 0
	tok.Each(text, func(id int32, at int) bool {
		if at < last || at >= len(text) {
			t.Fatalf("%q: token %d begins at %d, after one at %d", text, id, at, last)
		}
		if id < 0 || int(id) > tok.Highest {
			t.Fatalf("%q: token %d of %d", text, id, tok.Highest)
		}
		last = at
		return true
	})
}

// Models over bytes that neither change nor drop a character must give the text
// back, each token from where it begins.
func TestTokensOfALosslessModelAreTheText(t *testing.T) {
	texts, cases := referenceCases(t)
	lossless := map[string]bool{"GPT-2": true, "Llama 3: tokens before merges": true, "DeepSeek: three patterns": true, "Falcon: signs, bytes, digits": true}
	for _, c := range cases {
		if !lossless[c.Name] {
			continue
		}
		delete(lossless, c.Name)
		tok := c.tokenizer(t)
		names := map[int32]string{}
		for name, id := range tok.model.(*bytePairs).ids {
			names[id] = name
		}
		for _, a := range tok.added.tokens {
			names[int32(a.ID)] = a.Content
		}
		rapid.Check(t, func(t *rapid.T) {
			text := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.SampledFrom(texts), rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aé1 \n.漢"))))).Draw(t, "text"), "")
			var back []byte
			tok.Each(text, func(id int32, at int) bool {
				if at != len(back) {
					t.Fatalf("%q: a token begins at %d, behind %d bytes", text, at, len(back))
				}
				back = append(back, names[id]...)
				return true
			})
			if string(back) != text {
				t.Fatalf("%q became %q", text, back)
			}
		})
	}
	if len(lossless) > 0 {
		t.Errorf("no such cases: %v", lossless)
	}
}
