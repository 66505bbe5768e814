// Command shot runs a program in tmux, sends it keys and draws the screen that
// they lead to as an SVG picture: the README's screenshots are made with it.
//
//	shot -size 150x42 -o out.svg -key 'until:chunk mode' -key Down -- PROGRAM ARG...
//
// A key is a tmux key name, "type:TEXT" for literal text, "until:TEXT" to wait for
// the screen to show it, "sleep:SECONDS", or "frame:SECONDS" to keep the screen as
// one of the pictures of an animation, for so long.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// patience is how long an until may take, settle how long the screen gets to
// react to a key.
const (
	patience = 40 * time.Second
	settle   = 150 * time.Millisecond
)

type keys []string

func (k *keys) String() string     { return strings.Join(*k, " ") }
func (k *keys) Set(s string) error { *k = append(*k, s); return nil }

func main() {
	size := flag.String("size", "120x40", "columns x rows")
	out := flag.String("o", "", "the SVG file to write")
	light := flag.Bool("light", false, "draw on a light background")
	var steps keys
	flag.Var(&steps, "key", "a key, type:TEXT or until:TEXT (repeatable)")
	flag.Parse()
	if err := shoot(*size, *out, *light, steps, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		os.Exit(1)
	}
}

func shoot(size, out string, light bool, steps, command []string) error {
	var cols, rows int
	if _, err := fmt.Sscanf(size, "%dx%d", &cols, &rows); err != nil || out == "" || len(command) == 0 {
		return errors.New("usage: shot -size COLSxROWS -o FILE.svg [-key KEY]... -- PROGRAM [ARG]")
	}
	dir, err := os.MkdirTemp("", "shot")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	conf := filepath.Join(dir, "conf")
	settings := "set -g default-terminal tmux-256color\nset -as terminal-features ',*:RGB'\nset -g status off\nset -g escape-time 0\n"
	if err := os.WriteFile(conf, []byte(settings), 0o600); err != nil {
		return err
	}
	t := tmux{sock: filepath.Join(dir, "s"), conf: conf}
	// The program must not ask tmux for the colours of a client that is not there.
	start := append([]string{
		"new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), "--",
		"env", "-u", "TMUX", "-u", "TMUX_PANE", "TERM=xterm-256color", "COLORTERM=truecolor",
	}, command...)
	if _, err := t.run(start...); err != nil {
		return err
	}
	defer func() { _, _ = t.run("kill-server") }()
	var frames []frame
	for _, step := range steps {
		if seconds, ok := strings.CutPrefix(step, "frame:"); ok {
			f, err := t.frame(seconds)
			if err != nil {
				return err
			}
			frames = append(frames, f)
		} else if err := t.step(step); err != nil {
			return err
		}
	}
	if len(frames) > 0 {
		return os.WriteFile(out, []byte(animate(frames, cols, rows, light)), 0o644)
	}
	time.Sleep(2 * settle)
	screen, err := t.run("capture-pane", "-e", "-p")
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(draw(screen, cols, rows, light)), 0o644)
}

type tmux struct{ sock, conf string }

func (t tmux) run(args ...string) (string, error) {
	raw, err := exec.Command("tmux", append([]string{"-S", t.sock, "-f", t.conf}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, raw)
	}
	return string(raw), nil
}

// frame is a picture of an animation.
type frame struct {
	screen  string
	seconds float64
}

func (t tmux) frame(seconds string) (frame, error) {
	f := frame{}
	var err error
	if f.seconds, err = strconv.ParseFloat(seconds, 64); err != nil || f.seconds <= 0 {
		return f, fmt.Errorf("frame:%s: say for how many seconds", seconds)
	}
	f.screen, err = t.run("capture-pane", "-e", "-p")
	return f, err
}

func (t tmux) step(step string) error {
	op, arg, _ := strings.Cut(step, ":")
	switch op {
	case "sleep":
		d, err := time.ParseDuration(arg + "s")
		time.Sleep(d)
		return err
	case "type":
		_, err := t.run("send-keys", "-l", "--", arg)
		time.Sleep(settle)
		return err
	case "until":
		for end := time.Now().Add(patience); ; time.Sleep(settle / 3) {
			screen, err := t.run("capture-pane", "-p")
			if err != nil || strings.Contains(screen, arg) {
				return err
			}
			if time.Now().After(end) {
				return fmt.Errorf("the screen never showed %q:\n%s", arg, screen)
			}
		}
	default:
		_, err := t.run("send-keys", step)
		time.Sleep(settle)
		return err
	}
}
