package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/webrag/webrag-tui/file"
)

// openLog opens the log that --debug writes; without it nothing is logged.
func (a *app) openLog(command string) error {
	if !a.debug {
		return nil
	}
	if err := os.MkdirAll(stateFolder(), 0o755); err != nil {
		return fmt.Errorf("make the state folder: %w", err)
	}
	path := filepath.Join(stateFolder(), "debug.log")
	f, err := file.Append(path)
	var wrong *file.KindError
	if errors.As(err, &wrong) {
		return fmt.Errorf("open the debug log: %s is %s, not a file; move it away, or leave out --debug", path, wrong.Kind())
	}
	if err != nil {
		return fmt.Errorf("open the debug log: %w", err)
	}
	a.logFile, a.log = f, slog.New(slog.NewTextHandler(f, &slog.HandlerOptions{Level: slog.LevelDebug}))
	a.log.Debug("command", "name", command, "version", version)
	return nil
}

// closeLog writes how the run ended.
func (a *app) closeLog(code int, err error) {
	if a.logFile == nil {
		return
	}
	a.log.Debug("end", "exit_code", code, "error", err)
	a.logFile.Close()
}
