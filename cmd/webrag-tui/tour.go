package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/ui"
	"github.com/webrag/webrag-tui/ui/tour"
)

// tourFlags choose what the explorer plays by itself.
type tourFlags struct {
	// script is a file with a tour; guided plays that of the guide.
	script string
	guided bool
	speed  float64
}

func (f *tourFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.script, "script", "", "play a tour from `FILE`: one step per line, as in 'caption \"TEXT\"', 'type WORDS', 'key enter', 'set "+param.FieldTopK+" 5', 'wait 2s', 'pause'")
	f.addSpeed(fs)
}

func (f *tourFlags) addSpeed(fs *pflag.FlagSet) {
	fs.Float64Var(&f.speed, "speed", 1, "how fast a tour is played, from 0.1 to 20")
}

func checkSpeed(speed float64) error {
	if speed >= slowest && speed <= fastest {
		return nil
	}
	return fmt.Errorf("--speed: %v is not between %v and %v", speed, slowest, fastest)
}

// The bounds of a tour's speed.
const slowest, fastest = 0.1, 20

// load reads the tour, nil when none is to be played.
func (f *tourFlags) load() (*tour.Script, error) {
	if err := checkSpeed(f.speed); err != nil {
		return nil, err
	}
	switch {
	case f.guided && f.script != "":
		return nil, errors.New("--tour plays the guide's own tour, and --script another one: choose one of them")
	case f.guided:
		s := tour.Guide()
		return &s, nil
	case f.script == "":
		return nil, nil //nolint:nilnil // no tour is no error
	}
	in, err := file.Open(f.script, tour.MostBytes)
	if err != nil {
		return nil, fmt.Errorf("--script: %w", err)
	}
	defer in.Close()
	s, err := tour.Parse(in)
	if err == nil {
		err = ui.CheckTour(s)
	}
	if err != nil {
		return nil, fmt.Errorf("--script: %s: %w", f.script, err)
	}
	return &s, nil
}
