package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// script returns the command scripts/postgres.sh with arguments.
func script(args ...string) (*exec.Cmd, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	return exec.Command("sh", append([]string{filepath.Join(root, "scripts", "postgres.sh")}, args...)...), nil
}

// moduleRoot is the nearest folder upwards with a go.mod: a test runs in the
// folder of its package.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working folder: the script that finds a server is beside it")
		}
		dir = parent
	}
}

// scriptError explains how the script ended. Exit code 3 is its word for a
// machine without any server.
func scriptError(err error, stderr *bytes.Buffer) error {
	said := strings.TrimSpace(stderr.String())
	if _, last, ok := strings.Cut(said, "\n"); ok && len(last) > 2000 {
		said = last[len(last)-2000:]
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 3 {
		return &missingError{said}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return &missingError{"there is no sh; set " + EnvDSN}
	}
	return fmt.Errorf("scripts/postgres.sh: %w\n%s", err, said)
}
