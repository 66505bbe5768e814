// Package guard gives the terminal back when a program that draws on it dies
// without doing so itself: by a fault, a panic in any goroutine, an error of Go's
// runtime, want of memory, or kill -9.
//
// A process cannot clean up after its own sudden death, so another one does: the
// same program, started beside the first, which waits at a pipe. All that it learns
// is what the dying program writes there, and that the pipe is closed.
package guard

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
)

// variable tells a process that it is a guard, and of what.
const variable = "WEBRAG_TUI_GUARD"

// farewell is what a program writes that ends in order.
const farewell = "done\n"

// Terminal is what a guard has to know.
type Terminal struct {
	// Report is the path of the file for what a crash leaves to say.
	Report string
	// Program heads the report, such as "webrag-tui v1.2.0".
	Program string
	// Plain says that the program keeps to the terminal's own screen.
	Plain bool
	// Modes are those of the terminal's line discipline before the program.
	Modes *modes
}

// Guard is a process that waits for this one to die.
type Guard struct {
	pipe    *os.File
	process *exec.Cmd
	undo    func()
}

// Start starts the guard of the terminal at standard output, before the program
// changes it. From here until End a crash writes its stacks, those of all
// goroutines, to the guard and not over the screen.
func Start(t Terminal) (*Guard, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the terminal's guard: %w", err)
	}
	t.Modes = readModes(os.Stdout)
	spec, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("start the terminal's guard: %w", err)
	}
	read, write, err := newPipe()
	if err != nil {
		return nil, fmt.Errorf("start the terminal's guard: %w", err)
	}
	defer read.Close()
	cmd := exec.Command(program)
	// It starts beside the first frame and then allocates nothing: nothing is collected.
	cmd.Env = append(os.Environ(), variable+"="+string(spec), "GOMAXPROCS=1", "GOGC=off")
	cmd.Stdin, cmd.Stdout = read, os.Stdout
	if err := cmd.Start(); err != nil {
		write.Close()
		return nil, fmt.Errorf("start the terminal's guard: %w", err)
	}
	undo, err := divert(write)
	if err != nil {
		write.Close()
		_ = cmd.Wait()
		return nil, fmt.Errorf("start the terminal's guard: %w", err)
	}
	debug.SetTraceback("all")
	return &Guard{pipe: write, process: cmd, undo: undo}, nil
}

// End dismisses the guard. It may be called on nil.
func (g *Guard) End() {
	if g == nil {
		return
	}
	g.undo()
	_, _ = g.pipe.WriteString(farewell)
	_ = g.pipe.Close()
	_ = g.process.Wait()
}
