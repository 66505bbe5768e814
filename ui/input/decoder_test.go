package input

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"pgregory.net/rapid"
)

// pieces are what a reader gets, one after the other.
type pieces [][]byte

func (p *pieces) Read(b []byte) (int, error) {
	if len(*p) == 0 {
		return 0, io.EOF
	}
	n := copy(b, (*p)[0])
	if (*p)[0] = (*p)[0][n:]; len((*p)[0]) == 0 {
		*p = (*p)[1:]
	}
	return n, nil
}

// events are what the library that reads keys makes of input.
func events(all [][]byte) ([]uv.Event, error) {
	all = slices.Clone(all) // reading takes them
	found, ended := make(chan uv.Event), make(chan error, 1)
	go func() {
		defer close(found)
		defer func() {
			if r := recover(); r != nil {
				ended <- fmt.Errorf("%v in the library\n%s", r, debug.Stack())
			}
		}()
		ended <- uv.NewTerminalReader((*pieces)(&all), "xterm-256color").StreamEvents(context.Background(), found)
	}()
	var es []uv.Event
	for e := range found {
		es = append(es, e)
	}
	return es, <-ended
}

// filtered is what a filter makes of pieces of input.
func filtered(f *filter, all [][]byte) [][]byte {
	out := make([][]byte, len(all))
	for i, piece := range all {
		out[i] = f.feed(nil, piece, false)
	}
	return out
}

// hostile are parts of sequences that fit together, rightly and wrongly.
var hostile = []string{
	"\x1b", "\x1b[", "\x9b", "\x90", "\x1bP", "\x1b]", "\x9d", "\x1b_G", "\x9f", "\x1b^", "\x1bX", "\x1bO", "\x8f", "\x1b(", "[", "]", "P",
	";", ":", "1", "0", "200~", "201~", "M", "m", "<", ">", "?", "$", "!", "+", "|", "r", "R", "u", "_", "~", "y", "c", "t", "48;", "8;",
	"\x9c", "\x1b\\", "\\", "\a", "\x18", "\x1a", "\x00", "ä", "日", "✛", "👨‍👩‍👧", "\xff", "\xc3", "\xe2", "\x9b", "\ufffd", "a", "Z", " ",
	"99999999999999999999", "rgb:", "/", "#", "cmyk:", "52;c;", "11;", "10;", "a=", ",", "=", "-", "\x1b[200~", "\x1b[201~", "\x1b[M",
	"0;0;97;1", "65;0;97;1;0;65535_", strings.Repeat("1;", 33), strings.Repeat(":", 33), strings.Repeat("9", 300),
}

func drawHostile(t *rapid.T) [][]byte {
	parts := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom(hostile),
		rapid.Map(rapid.Byte(), func(b byte) string { return string([]byte{b}) }),
	), 1, 60).Draw(t, "parts")
	return cut(t, []byte(strings.Join(parts, "")))
}

// cut draws the pieces in which input comes.
func cut(t *rapid.T, all []byte) [][]byte {
	var out [][]byte
	for len(all) > 0 {
		n := rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(1, 400)).Draw(t, "piece")
		n = min(n, len(all))
		out = append(out, all[:n])
		all = all[n:]
	}
	return out
}

// After whatever was typed the library lives, and takes ctrl+c for a key, if the
// terminal paused before it.
func holds(all [][]byte) error {
	var f filter
	in := filtered(&f, all)
	// What the library gives up after the pause is ended for it.
	in = append(in, f.feed(nil, []byte(stringEnd), true), f.feed(nil, []byte("\x03"), false))
	es, err := events(in)
	if err != nil {
		return err
	}
	for _, e := range es {
		if k, ok := e.(uv.KeyPressEvent); ok && k.String() == "ctrl+c" {
			return nil
		}
	}
	return fmt.Errorf("no ctrl+c among %d events of %q, the last %#v", len(es), in, es[max(0, len(es)-3):])
}

func TestNothingTypedEndsTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := drawHostile(t)
		if err := holds(all); err != nil {
			t.Fatalf("%q: %v", all, err)
		}
	})
}

// Whatever is pasted ends with the paste, and is one paste of the letters in it.
func TestAPasteEndsWhereItEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOf(rapid.SampledFrom(hostile)).Draw(t, "content"), "")
		for strings.Contains(content, pasteEnd) {
			content = strings.ReplaceAll(content, pasteEnd, "")
		}
		all := cut(t, []byte("\x1b[200~"+content+pasteEnd+"q"))
		var f filter
		es, err := events(filtered(&f, all))
		if err != nil {
			t.Fatal(err)
		}
		var pastes, rest []string
		for _, e := range es {
			switch e := e.(type) {
			case uv.PasteEvent:
				pastes = append(pastes, e.Content)
			case uv.KeyPressEvent:
				rest = append(rest, e.String())
			}
		}
		want := strings.Map(func(r rune) rune {
			if r == utf8.RuneError || r == esc {
				return -1
			}
			return r
		}, strings.ToValidUTF8(content, ""))
		if strings.Contains(want, "\x1b") || len(pastes) != 1 || pastes[0] != want {
			t.Fatalf("pasted %q for %q", pastes, want)
		}
		if len(rest) != 1 || rest[0] != "q" {
			t.Fatalf("keys %q beside the paste", rest)
		}
	})
}

// FuzzTyped types any bytes, in two pieces.
func FuzzTyped(f *testing.F) {
	for _, s := range hostile {
		f.Add([]byte(s), 1)
	}
	f.Add([]byte("\x1b["+strings.Repeat("1;", 40)+"R"), 7)
	f.Add([]byte("\x1bP"+strings.Repeat("1:", 40)+"R"), 0)
	f.Add([]byte("\x9bM!!!"), 0)
	f.Add([]byte("\x1b([1;1;1"), 0)
	f.Fuzz(func(t *testing.T, typed []byte, at int) {
		at = max(0, min(at, len(typed)))
		if err := holds([][]byte{typed[:at], typed[at:]}); err != nil {
			t.Fatalf("%q: %v", typed, err)
		}
	})
}
