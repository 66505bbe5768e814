package pgtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// lease is something that scripts/postgres.sh keeps for us until we close it or
// are gone: it waits for the end of a pipe that only we hold.
type lease struct {
	script *exec.Cmd
	pipe   io.Closer
}

// take runs the script with arguments and returns the line that it prints.
func take(args ...string) (string, *lease, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command("sh", append([]string{filepath.Join(root, "scripts", "postgres.sh")}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, scriptError(err, &stderr)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil { // it ended before it had anything to offer
		if failure := cmd.Wait(); failure != nil {
			err = failure
		}
		return "", nil, scriptError(err, &stderr)
	}
	return strings.TrimSpace(line), &lease{cmd, pipe}, nil
}

// close waits until all is gone.
func (l *lease) close() error {
	return errors.Join(l.pipe.Close(), l.script.Wait())
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
