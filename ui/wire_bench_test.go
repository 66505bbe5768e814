package ui

import (
	"bytes"
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// wire is a terminal at the other end of a line: what the library writes to it, by the
// renderer that it uses, as it sets it up for one of 24-bit colours.
type wire struct {
	screen uv.ScreenBuffer
	term   *uv.TerminalRenderer
	out    bytes.Buffer
}

func newWire(w, h int) *wire {
	x := &wire{screen: uv.NewScreenBuffer(w, h)}
	x.term = uv.NewTerminalRenderer(&x.out, []string{"TERM=xterm-256color"})
	x.term.SetColorProfile(colorprofile.TrueColor)
	x.term.SetScrollOptim(true)
	x.term.SetTabStops(w)
	x.term.SetBackspace(true)
	x.term.SetFullscreen(true)
	x.term.SetRelativeCursor(false)
	x.term.Resize(w, h)
	return x
}

// written is what showing a view writes.
func (x *wire) written(b *testing.B, v tea.View) []byte {
	x.screen.Clear()
	uv.NewStyledString(v.Content).Draw(x.screen, x.screen.Bounds())
	x.term.Render(x.screen.RenderBuffer)
	if v.Cursor != nil {
		x.term.MoveTo(v.Cursor.X, v.Cursor.Y)
	}
	if err := x.term.Flush(); err != nil {
		b.Fatal(err)
	}
	written := bytes.Clone(x.out.Bytes())
	x.out.Reset()
	return written
}

// shares are how many bytes of what was written change the style, move the cursor, and are
// text.
func shares(written []byte) (style, moves, text int) {
	var state byte
	p := ansi.NewParser()
	for len(written) > 0 {
		seq, width, n, next := ansi.DecodeSequence(written, state, p)
		switch {
		case width > 0:
			text += n
		case bytes.HasSuffix(seq, []byte("m")) && bytes.HasPrefix(seq, []byte("\x1b[")):
			style += n
		default:
			moves += n
		}
		written, state = written[n:], next
	}
	return style, moves, text
}

// BenchmarkWire is what a key writes to the terminal, in bytes, as someone waits for over a
// slow line: at once, and once all that follows has settled. The library compares cells and
// writes each run of a style once, however often the text that it is given sets it; 24-bit
// colours take half of the bytes, and without them (COLORTERM unset, as mostly over SSH)
// there are fewer.
func BenchmarkWire(b *testing.B) {
	const letters = "/ ctrl+u 'how deep'"
	rank := []string{"r", "a", "n", "k", "backspace", "backspace", "backspace", "backspace"}
	for _, c := range []struct {
		name, open string
		keys       []string
		small, big float64 // budgets
	}{
		{"down", "", []string{"j", "j", "k", "k"}, 5000, 9000},
		{"letter", letters, rank, 4000, 7000},
		{"slider", "t", []string{"right", "left"}, 1000, 1000},
	} {
		for _, size := range []struct {
			w, h   int
			budget float64
		}{{120, 40, c.small}, {200, 60, c.big}} {
			b.Run(fmt.Sprintf("%s/%dx%d", c.name, size.w, size.h), func(b *testing.B) {
				d := openGuide(b, size.w, size.h, "webrag", depthQuestion, c.open)
				x := newWire(size.w, size.h)
				x.written(b, d.frame())
				var style, moves, text, pressed int
				count := func() {
					s, m, t := shares(x.written(b, d.frame()))
					style, moves, text = style+s, moves+m, text+t
				}
				for b.Loop() {
					for _, key := range c.keys {
						d.send(keyOf(key))
						count()
						d.settle()
						count()
						pressed++
					}
					d.steps = 0
				}
				n := float64(pressed)
				b.ReportMetric(float64(style+moves+text)/n, "measured")
				b.ReportMetric(size.budget, "budget")
				b.ReportMetric(float64(style)/n, "style_B")
				b.ReportMetric(float64(moves)/n, "moves_B")
				b.ReportMetric(float64(text)/n, "text_B")
			})
		}
	}
}
