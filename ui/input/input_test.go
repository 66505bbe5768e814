package input

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ordinary is what keys, mice, pastes and the answers of terminals are made of.
var ordinary = []string{
	"a", "Z", "~", "ä", "日", "👨‍👩‍👧", "\u009b", "\x03", "\r", "\x7f", "\x00", "\x1b", "\x1ba", "\x1bé", "\x1b\x1b[A", "\x1bOP", "\x1b(",
	"\x1b[A", "\x1b[1;5C", "\x1b[3~", "\x1b[15;2~", "\x1b[27;5;9~", "\x1b[97;5:3;97u", "\x1b[Z", "\x1b[I", "\x1b[<35;120;40M", "\x1b[<0;1;1m",
	"\x1b[?62;1;2;4;6;9;15;22c", "\x1b[>1;10;0c", "\x1b[?2026;2$y", "\x1b[48;40;120;800;1200t", "\x1b[24;80R", "\x1b[?1u",
	"\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1b]10;rgb:ff/ff/ff\a", "\x1bP1+r524742=38\x1b\\", "\x1bP>|tmux 3.3a\x1b\\", "\x1b_Gi=1;OK\x1b\\",
	"\x1b[200~\x1b[201~", "\x1b[200~pasted\ntext\x03 ä 日\x1b[201~",
}

func TestOrdinaryInputPassesAsItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := strings.Join(rapid.SliceOfN(rapid.SampledFrom(ordinary), 1, 40).Draw(t, "typed"), "")
		var f filter
		if got := string(bytes.Join(filtered(&f, cut(t, []byte(all))), nil)); got != all {
			t.Fatalf("%q became %q", all, got)
		}
	})
}

// Nothing waits for what comes next: the library tells a key from the beginning of a
// sequence by the time that passes.
func TestOrdinaryInputPassesAtOnce(t *testing.T) {
	for _, typed := range append(ordinary, "\x1b[", "\x1b]", "\x1bP", "\x1bX", "\x1b^", "\x1b_", "\x1b[1", "\x1b]1", "\x1b]1;\x1b", "\x1b[M !!", "\x1b[M\xe0\xff\xff") {
		var f filter
		if got := string(f.feed(nil, []byte(typed), false)); got != typed {
			t.Errorf("%q became %q", typed, got)
		}
	}
	// By hand, one after the other.
	var f filter
	typed := "\x1b[M\x03\x1b]é\x1b[7~\x1b[12345"
	got := ""
	for _, r := range typed {
		got += string(f.feed(nil, []byte(string(r)), true))
	}
	if want := strings.Replace(typed, "[M", "[\x1b[zM", 1); got != want {
		t.Errorf("%q became %q", typed, got)
	}
}

func TestWhatIsNoInput(t *testing.T) {
	for _, c := range []struct{ what, typed, want string }{
		{"30 parameters", "\x1b[" + strings.Repeat("1;", 29) + "1R", "\x1b[" + strings.Repeat("1;", 29) + "1R"},
		{"31 parameters", "\x1b[" + strings.Repeat("1;", 30) + "1Rq", "\x1b[" + strings.Repeat("1;", 29) + "1zq"},
		{"31 of a device", "\x1bP" + strings.Repeat("1:", 30) + "1Rq\x1b\\q", "\x1bP" + strings.Repeat("1:", 29) + "1z\x1b\\q"},
		{"a long number", "\x1b[" + strings.Repeat("1", 300) + "Aq", "\x1b[" + strings.Repeat("1", 256) + "zq"},
		{"a long text", "\x1b]0;" + strings.Repeat("t", 5000) + "\aq", "\x1b]0;" + strings.Repeat("t", 4094) + "\x1b\\q"},
		{"a sequence in 8 bits", "\x9b1;2Rq\x90\x9d\xff", "1;2Rq"},
		{"half a letter", "\xe2\x9bq", "q"},
		{"half a letter in a sequence", "\x1b\xe2[A", "\x1b[A"},
		{"a broken sequence", "\x1b[1\x03", "\x1b[1z\x03"},
		{"a text that a sequence ends", "\x1b]0;a\x1b[A", "\x1b]0;a\x1b\\\x1b[A"},
		{"a letter in a text", "\x1b]0;✛\a", "\x1b]0;\a"},
		{"a paste that is written otherwise", "\x1b[0200~\x1b[200:1~\x1b[4294967496~\x1b[2<00~", "\x1b[0200z\x1b[200:1z\x1b[4294967496z\x1b[2<00z"},
		{"a key of Windows", "\x1b[65;0;97;1;0;65535_", "\x1b[65;0;97;1;0;65535z"},
		{"an old mouse", "\x1b[M !\x9b", "\x1b[z"},
		{"another old mouse", "\x1b[32;1;1M", "\x1b[32;1;1z"},
		{"a sequence in a key", "\x1b([1;1", "\x1b(\x1b[z[1;1"},
		{"sequences in a paste", "\x1b[200~a\x1b[31mb\x1b[200~\x1b]c\x1b[201~q", "\x1b[200~a[31mb[200~]c\x1b[201~q"},
		{"half an end in a paste", "\x1b[200~a\x1b[20\x1b[201~q", "\x1b[200~a[20\x1b[201~q"},
		{"the sign for no letter in a paste", "\x1b[200~\ufffd\xff\x1b[201~", "\x1b[200~\x1b[201~"},
	} {
		var f filter
		if got := string(f.feed(nil, []byte(c.typed), false)); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.what, c.typed, got, c.want)
		}
	}
}

func TestALongPasteIsCutOff(t *testing.T) {
	var f filter
	out := f.feed(nil, []byte("\x1b[200~"), false)
	for range 30 {
		out = f.feed(out, bytes.Repeat([]byte("p\n"), 50_000), false)
	}
	if n := bytes.Count(out, []byte("p")); n != mostPaste/2 || !bytes.HasSuffix(out, []byte(pasteEnd)) {
		t.Errorf("%d bytes of it passed, with %d letters, and it ends in %q", len(out), n, out[len(out)-6:])
	}
	if got := string(f.feed(nil, []byte("p\x1b[201~q"), false)); got != "q" {
		t.Errorf("after it comes %q", got)
	}
}

// What is read grows within what there is room for.
func TestWhatIsReadHasRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f filter
		for _, piece := range drawHostile(t) {
			if out := f.feed(nil, piece, rapid.Bool().Draw(t, "paused")); len(out) > 3*len(piece)+16 {
				t.Fatalf("%q became %q", piece, out)
			}
		}
	})
}

// A paste goes on after a pause, unless what comes then is a key.
func TestAPasteWithoutAnEnd(t *testing.T) {
	for _, c := range []struct {
		what, next, want string
		after            time.Duration
	}{
		{"a key at once", "\x03", "\x03", time.Second - 1},
		{"a key after a pause", "\x03", pasteEnd + "\x03", time.Second},
		{"an arrow after a pause", "\x1b[A", pasteEnd + "\x1b[A", time.Minute},
		{"the end after a pause", pasteEnd, pasteEnd, time.Minute},
		{"more and the end after a pause", "c" + pasteEnd + "q", "c" + pasteEnd + "q", time.Minute},
		{"much more after a pause", strings.Repeat("c", 33), strings.Repeat("c", 33), time.Minute},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		now := time.Unix(1e9, 0)
		in := New(r, func() time.Time { return now })
		if got := typed(t, in, w, "\x1b[200~ab"); got != "\x1b[200~ab" {
			t.Fatalf("the beginning became %q", got)
		}
		now = now.Add(c.after)
		if got := typed(t, in, w, c.next); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Who presses ctrl+c again and again leaves no pause.
func TestCtrlCTwiceEndsAPaste(t *testing.T) {
	var f filter
	var got []byte
	for _, piece := range []string{"\x1b[200~a\x03\x03\x03", "\x03\x03", "\x03", "b", "\x03", "\x03", "\x03"} {
		got = f.feed(got, []byte(piece), false)
	}
	if want := "\x1b[200~a\x03\x03\x03\x03\x03\x03b\x03" + pasteEnd + "\x03\x03"; string(got) != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// typed is what is read of a text.
func typed(t *testing.T, in *Terminal, w *os.File, text string) string {
	t.Helper()
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 4096)
	n, err := in.Read(got)
	if err != nil {
		t.Fatal(err)
	}
	return string(got[:n])
}

// Who reads little at a time gets all.
func TestReadingLittle(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := w.WriteString("\x1bPa\x01b\x1b([c"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	in := New(r, time.Now)
	var got []byte
	for {
		one := make([]byte, 1)
		n, err := in.Read(one)
		got = append(got, one[:n]...)
		if err != nil {
			break
		}
	}
	if want := "\x1bPa\x01b\x1b\x1b(\x1b[z[c"; string(got) != want {
		t.Errorf("read %q, want %q", got, want)
	}
}
