package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/recording"
)

func newReplay(a *app) *cobra.Command {
	var f struct {
		tourFlags
		play, noMouse bool
	}
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Explore a session that --record wrote, without its corpus",
		Long: "replay opens the explorer on what a session gathered and read: its queries can be tuned,\n" +
			"taken apart and asked why, as in the session. What takes a new search, as another\n" +
			"query, or was not read then, as the links of a section, has no answer. Neither the\n" +
			"corpus nor a server is needed.",
		Example: "webrag-tui demo --record session.jsonl\n" +
			"webrag-tui replay session.jsonl\n" +
			"webrag-tui replay --play --speed 2 session.jsonl",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.replay(cmd.Context(), args[0], f.play, f.noMouse, f.speed)
		},
	}
	fs := cmd.Flags()
	a.settingFlags(fs, "ui.theme", "ui.background", "ui.plain")
	fs.BoolVar(&f.noMouse, "no-mouse", false, "leave the mouse to the terminal")
	fs.BoolVar(&f.play, "play", false, "show the moves of the session again, with their timing")
	f.addSpeed(fs)
	return cmd
}

func (a *app) replay(ctx context.Context, path string, play, noMouse bool, speed float64) error {
	c, err := a.readConfig()
	if err != nil {
		return err
	}
	o, err := a.screen(c, noMouse)
	if err != nil {
		return err
	}
	if err := checkSpeed(speed); err != nil {
		return err
	}
	r, err := loadRecording(path)
	if err != nil {
		return err
	}
	o.Open = func(context.Context) (*session.Corpus, error) { return r.NewCorpus(), nil }
	o.CorpusName, o.Preset, o.Params, o.Examples, o.TourSpeed = r.Corpus, r.Preset, r.Params, r.Queries, speed
	o.Notices = append(o.Notices, r.Notices...)
	o.Adapt = func(_ string, p session.Profile) session.Profile { return r.Adapt(p) }
	o.Command = func(string, string, param.Params) []string { return []string{"webrag-tui", "replay", path} }
	if r.Truncated {
		o.Notices = append(o.Notices, retrieval.Notice{
			Code: "recording", Text: "the recording ends in the middle of a line: its session was not ended properly", Warning: true,
		})
	}
	if play {
		if o.Tour = r.Tour(); o.Tour == nil {
			return fmt.Errorf("replay %s: the recording has no moves to play", path)
		}
	} else {
		o.Query = r.Queries[0]
	}
	if !a.hasTerminal() {
		return errors.New("replay needs a terminal")
	}
	return a.draw(ctx, o)
}

func loadRecording(path string) (*recording.Recording, error) {
	f, err := file.Open(path, recording.MostBytes)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	defer f.Close()
	r, err := recording.Load(f)
	if err != nil {
		return nil, fmt.Errorf("replay %s: %w", path, err)
	}
	return r, nil
}

// recorder is a recording that is being written, nil for none.
type recorder struct {
	*recording.Recorder
	path string
	file *os.File
	out  *bufio.Writer
}

// record begins to record into a new file that nobody else can read: it holds the
// texts of pages.
func (a *app) record(path string, start session.Profile, adapted map[string]string) (*recorder, error) {
	if path == "" {
		return nil, nil //nolint:nilnil // no recording is no error
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("--record: %s exists already: choose another name", path)
	}
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	r := &recorder{path: path, file: file, out: bufio.NewWriterSize(file, 1<<16)}
	r.Recorder = recording.NewRecorder(r.out, recording.Start{
		Program: version, Preset: start.Name, Params: start.Params, Adapted: adapted, Now: a.now,
	})
	return r, nil
}

// endRecording closes the file and says what is in it.
func (a *app) endRecording(r *recorder) error {
	if r == nil {
		return nil
	}
	said, err := r.Summary()
	if err := errors.Join(err, r.out.Flush(), r.file.Close()); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	if !a.quiet {
		fmt.Fprintf(a.err, "recorded %s: %s; see it with: webrag-tui replay %s\n", offset.Line(r.path), said, file.ShellWord(r.path))
	}
	return nil
}
