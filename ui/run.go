package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/ui/input"
)

// Errors that end the explorer.
var (
	// ErrNoTerminal is returned when there is no terminal to draw on.
	ErrNoTerminal = errors.New("the explorer needs a terminal")
	// ErrInterrupted is returned when ctrl+c or a signal ended the program.
	ErrInterrupted = errors.New("interrupted")
)

// Run shows the explorer until the user leaves it. It restores the terminal,
// also after a panic, and closes the corpus.
func Run(ctx context.Context, o Options) error {
	if !term.IsTerminal(os.Stdout.Fd()) {
		return fmt.Errorf("%w: standard output is none; webrag-tui query answers without one", ErrNoTerminal)
	}
	if w, h, err := term.GetSize(os.Stdout.Fd()); err == nil && !isScreen(w, h) {
		return fmt.Errorf("the terminal says that it has %d columns and %d rows, and no screen is as large; say how large it is: stty cols 120 rows 40", w, h)
	}
	m := New(o)
	// What is still running when the program ends is cancelled: nothing takes its answer.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.ctx = ctx
	m.restore(loadState(m.opts.StatePath))
	// Signals end ctx, and that alone ends the program: the library's own handler
	// would race with it, and wait for ever to tell a loop that has ended.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFilter(sensible(steadyMouse(m.opts.Now)))}
	in, err := terminal(m.opts.Now)
	if err == nil {
		if in != nil {
			options = append(options, tea.WithInput(in))
		}
		_, err = tea.NewProgram(m, options...).Run()
	}
	interrupted := ctx.Err() != nil
	cancel()
	return m.leave(err, interrupted)
}

// terminal is the one that keys are read from, nil to leave that to the library: on
// Windows it reads records of the console in place of bytes. Where standard input is
// none, the one that the program was started in is opened, as the library would.
func terminal(now func() time.Time) (*input.Terminal, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	if term.IsTerminal(os.Stdin.Fd()) {
		return input.New(os.Stdin, now), nil
	}
	tty, _, err := tea.OpenTTY()
	if err != nil {
		return nil, err
	}
	return input.New(tty, now), nil
}

// The greatest screen that is drawn, in columns and rows: any program on a terminal
// can say that it is of any size, and every cell takes memory. What is beyond stays
// empty.
const (
	mostColumns = 1000
	mostRows    = 500
)

// isScreen reports whether a size can be that of a screen. Later sizes are bounded
// by [sensible], but the library takes memory for the first before any filter runs.
func isScreen(columns, rows int) bool { return columns*rows <= 4*mostColumns*mostRows }

// sensible bounds the size of the screen in the messages that tell it, before the
// model gets them, and hands all messages on to another filter.
func sensible(next func(tea.Model, tea.Msg) tea.Msg) func(tea.Model, tea.Msg) tea.Msg {
	return func(m tea.Model, msg tea.Msg) tea.Msg {
		if size, ok := msg.(tea.WindowSizeMsg); ok {
			msg = tea.WindowSizeMsg{Width: min(size.Width, mostColumns), Height: min(size.Height, mostRows)}
		}
		return next(m, msg)
	}
}

// leave keeps the state of the screen, closes the corpus, and says how the
// program ended. State that cannot be kept is no failure: it is a convenience.
// Judgments that cannot be written are one.
func (m *Model) leave(err error, interrupted bool) error {
	if lost := m.session.Flush(m.ctx); lost != nil && err != nil {
		fmt.Fprintln(os.Stderr, offset.Display(lost.Error()).Text)
	} else if err == nil {
		err = lost
	}
	if saved := errors.Join(m.compare.Flush(), saveState(m.opts.StatePath, m.state())); saved != nil && m.opts.Debug != nil {
		_, _ = fmt.Fprintf(m.opts.Debug, "%s %v\n", m.opts.Now().Format("15:04:05.000"), saved)
	}
	if c := m.session.Corpus(); c != nil && c.Close != nil {
		if closed := c.Close(); err == nil {
			err = closed
		}
	}
	if m.crash != "" {
		// The terminal is the shell's again.
		fmt.Fprintln(os.Stderr, offset.Display(m.crash).Text)
		err = tea.ErrProgramPanic
	}
	switch {
	case errors.Is(err, tea.ErrInterrupted), errors.Is(err, tea.ErrProgramKilled) && interrupted:
		return ErrInterrupted
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("the explorer has a mistake, and what it was doing is lost; the lines above say where, please report them: %w", err)
	case err != nil:
		return fmt.Errorf("explorer: %w", err)
	}
	return nil
}
