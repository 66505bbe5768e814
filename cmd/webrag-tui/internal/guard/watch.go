package guard

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

// mostReport bounds the report of a crash, in bytes.
const mostReport = 4 << 20

// Watch returns at once in a process that is no guard. A guard waits in it for the
// death of the program, gives the terminal back, and exits. The program calls it
// before all else.
func Watch() {
	spec := os.Getenv(variable)
	if spec == "" {
		return
	}
	// What ends the program must not end its guard. A hang-up may: there is no
	// terminal any more, or it is the shell's while the program is stopped.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	ignoreTerminal()
	var t Terminal
	if err := json.Unmarshal([]byte(spec), &t); err != nil {
		os.Exit(1)
	}
	watch(&t, os.Stdin, os.Stdout)
	os.Exit(0)
}

// watch reads what the program writes. As soon as that is not the farewell, the
// program is dying or dead: the terminal comes first, before the rest is read,
// which the program waits for when it is long.
func watch(t *Terminal, in io.Reader, out *os.File) {
	first := make([]byte, 4<<10)
	n, _ := in.Read(first)
	said := string(first[:n])
	if said == farewell {
		return
	}
	_, _ = out.WriteString(t.reset())
	t.Modes.restore(out)
	rest, _ := io.ReadAll(io.LimitReader(in, mostReport))
	_, _ = io.Copy(io.Discard, in)
	said += string(rest)
	_, _ = out.WriteString("webrag-tui: " + t.words(said) + "\r\n")
	redraw(out)
}

// reset are the bytes that undo what a Bubble Tea program asks of a terminal.
func (t *Terminal) reset() string {
	// The program may have died in the middle of a sequence: CAN ends it.
	s := "\x18" + ansi.ResetModeSynchronizedOutput + ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1)
	if t.Plain {
		s += "\r\n" + ansi.EraseScreenBelow
	} else {
		s += ansi.ResetModeAltScreenSaveCursor
	}
	return s + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr +
		ansi.ResetModeFocusEvent + ansi.ResetModeBracketedPaste + ansi.ResetModeUnicodeCore +
		ansi.ResetStyle + ansi.SetCursorStyle(0) + ansi.SetModeTextCursorEnable + ansi.SetWindowTitle("") + "\r"
}

// words say what happened, and keep what the program said in the report.
func (t *Terminal) words(said string) string {
	if strings.TrimSpace(said) == "" {
		return "it was killed from outside, perhaps by the system for want of memory; the terminal is as it was"
	}
	first := cause(said)
	head := fmt.Sprintf("%s, %s, %s/%s, %s\n\n", t.Program, runtime.Version(), runtime.GOOS, runtime.GOARCH, time.Now().Format(time.RFC3339))
	err := os.MkdirAll(filepath.Dir(t.Report), 0o755)
	if err == nil {
		err = file.Replace(t.Report, []byte(head+said))
	}
	if err != nil {
		return fmt.Sprintf("it crashed (%s), and the report could not be kept: %v", first, err)
	}
	return fmt.Sprintf("it crashed (%s), which is a mistake in it unless something sent it a signal; please report it with %s, which says where", first, t.Report)
}

// cause is the line of a crash that says why, short and safe to print.
func cause(said string) string {
	const most = 120
	line, _, _ := strings.Cut(strings.TrimLeft(said, "\n"), "\n")
	line = offset.Line(strings.TrimSpace(line))
	return ansi.Truncate(line, most, "…")
}
