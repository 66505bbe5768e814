//go:build linux

package main

import (
	"fmt"
	"strings"
	"syscall"
	"time"
)

// keys are a cat on the keyboard.
var keys = family{
	name:  "keys",
	tries: "2,000 keys, clicks, pastes, resizes and broken sequences at random in the explorer",
	holds: "it answers afterwards, took less than 600 MB, did not crash, and gives the terminal back as it was",
	count: 10, short: 1,
	begin: func(a *arena) (attempt, error) {
		path := a.corpus()
		most := 2000
		if a.factor < 1 {
			most = 300
		}
		return func(t *try) error { return typing(t, t.copyOf(path, "corpus.db"), most) }, nil
	},
}

func typing(t *try, path string, most int) error {
	const memory = 600 << 20
	open := func() *terminal {
		x := t.open(call{args: []string{"explore", "--corpus", path, questions[t.IntN(len(questions))]}, most: 5 * time.Minute})
		x.until(10*time.Second, "corpus", "chunk", "On ")
		return x
	}
	x := open()
	for n := range most {
		if x.gone() {
			// The palette has an action that quits.
			if err := x.end(t.ctx); err != nil {
				return fmt.Errorf("after %d keys: %w", n, err)
			}
			x = open()
		}
		if t.IntN(100) == 0 {
			x.resize(uint16(1+t.IntN(300)), uint16(1+t.IntN(100)))
		}
		if s := key(t); s != "q" && s != "\x03" && s != "\x1a" && s != "\x13" {
			x.keys(s)
		}
		if n%20 == 0 {
			x.settle(10 * time.Millisecond)
			_ = x.cmd.Process.Signal(syscall.SIGCONT) // the palette has an action that suspends
			if now := resident(x.cmd.Process.Pid); now > memory {
				x.quit(t.ctx)
				return first(x.end(t.ctx), fmt.Errorf("%d MB of memory after %d keys", now>>20, n))
			}
		}
	}
	x.resize(120, 40)
	if err := responds(x); err != nil {
		return first(x.end(t.ctx), err)
	}
	return x.end(t.ctx)
}

// responds says whether the explorer still does what a key asks for.
func responds(x *terminal) error {
	for tried := range 8 {
		if x.gone() {
			return nil // by the palette
		}
		_ = x.cmd.Process.Signal(syscall.SIGCONT)
		// Sequences that were begun are ended, then what is open is closed.
		x.keys("\x1b[201~\x1b\\\a")
		for range 6 {
			x.keys("\x1b")
			x.settle(100 * time.Millisecond)
		}
		// Another size draws all anew, not only what is another letter than before.
		x.keys("?")
		x.settle(100 * time.Millisecond)
		x.forget()
		x.resize(120, uint16(40+tried))
		if x.until(3*time.Second, "All keys") {
			return nil
		}
	}
	return fmt.Errorf("? no longer shows the keys, after %s", x.tail())
}

// key is one that a person, a mouse, a terminal or a cat could send; none that
// quits or suspends.
func key(t *try) string {
	switch t.IntN(12) {
	case 0:
		return one(t, "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[Z", "\x1bOP", "\x1b[15~", "\x1b[1;2C", "\x1b[1;3D", "\x1b[3~")
	case 1:
		return fmt.Sprintf("\x1b[<%d;%d;%d%c", one(t, 0, 1, 2, 32, 35, 64, 65), 1+t.IntN(130), 1+t.IntN(45), one(t, 'M', 'm'))
	case 2:
		return "\x1b[200~" + strings.Repeat(one(t, "paste ", "ä", "\n", "\x1b[31m", "(", "日本", "\x1b]0;"), t.IntN(200)) + "\x1b[201~"
	case 3:
		return one(t, "\x1b[I", "\x1b[O", "\x1b[", "\x1b]", "\x1b[999999999;1R", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1bP", "\x1b\\", "\xff\xfe", "\xc3", "\x1b[<", "\x1b[27u", "\x1b[?62;c", "\x9bM", "\x1b["+strings.Repeat("1;", 40)+"R", "\x1bP"+strings.Repeat("1:", 40)+"q\x1b\\")
	case 4:
		return string(rune(1 + t.IntN(26))) // with ctrl
	case 5, 6:
		return one(t, "\r", "\x1b", "\t", " ", "\x7f", ":", "/")
	default:
		return string(rune('!' + t.IntN('~'-'!')))
	}
}
