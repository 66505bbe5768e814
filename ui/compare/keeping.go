package compare

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/session"
	"github.com/webrag/webrag-tui/ui/wording"
)

// mostFiles is how many corpora have their comparisons kept; those that were written
// longest ago make room.
const mostFiles = 50

// keeper keeps the comparisons of the present corpus in a file of its own, so that one that
// cannot be read loses nothing else. It is written whenever they change, beside the screen,
// and each time as a whole: whichever writing comes last, the newest content stays.
type keeper struct {
	// path is the file, empty for none; read says that it was read, before which nothing
	// is written.
	path string
	read bool
	// left has the baseline that was kept and is not gone on with: it stays until there is
	// another one.
	left session.Comparisons

	mu sync.Mutex
	// wanted is what is to be written to a file, until that was done.
	wanted map[string][]byte
}

// pathOf is the file of the corpus at a place, in a folder for all of them.
func pathOf(folder, place string) string {
	sum := sha256.Sum256([]byte(place))
	return filepath.Join(folder, hex.EncodeToString(sum[:12])+".jsonl")
}

// Recall reads what earlier sessions have kept of the corpus that is open now, unless that
// was done: it may have been opened again. baseline says that the parameters go on as they
// were left, and so does what they are compared with.
func (v *View) Recall(baseline bool) tea.Cmd {
	folder, place := v.needs.Folder, v.needs.Place()
	if folder == "" || place == "" || v.keeper.path == pathOf(folder, place) {
		return nil
	}
	path := pathOf(folder, place)
	v.keeper.path, v.keeper.left = path, session.Comparisons{}
	return v.recalling.Run(v.Context(), func(context.Context) func() tea.Cmd {
		kept, lost, err := recall(path)
		return func() tea.Cmd { return v.recalled(kept, lost, err, baseline) }
	})
}

// recalled takes what was read.
func (v *View) recalled(kept session.Comparisons, lost int, err error, baseline bool) tea.Cmd {
	v.keeper.read = true
	if !baseline {
		v.keeper.left = kept
		kept.Baseline = nil
	}
	changed := len(v.Session().Snapshots()) > 0 || v.Session().IsPinned() || lost > 0
	cmd := v.Begin(v.Session().RecallComparisons(kept))
	if changed {
		cmd = tea.Batch(cmd, v.Save())
	}
	switch {
	case err != nil:
		return tea.Batch(cmd, v.Say("the snapshots of this corpus could not be read: "+err.Error(), true))
	case lost > 0:
		return tea.Batch(cmd, v.Say(wording.Plural(lost, "snapshot")+" of this corpus could not be read: its file is kept as "+filepath.Base(brokenName(v.keeper.path)), true))
	}
	return cmd
}

// recall reads a file. One that cannot be used, or not all of it, is kept under another
// name: it is soon written anew.
func recall(path string) (kept session.Comparisons, lost int, err error) {
	b, err := file.Read(path, session.MostComparisons)
	if errors.Is(err, fs.ErrNotExist) {
		return kept, 0, nil
	}
	if err == nil {
		kept, lost = session.DecodeComparisons(b)
	}
	if err != nil || lost > 0 {
		err = errors.Join(err, os.Rename(path, brokenName(path)))
	}
	return kept, lost, err
}

// brokenName is where a file is kept that could not be read.
func brokenName(path string) string { return path + ".broken" }

// Save writes the comparisons beside the screen, as they are now.
func (v *View) Save() tea.Cmd {
	k := &v.keeper
	if k.path == "" || !k.read {
		return nil // recalled does, if need be
	}
	kept, path := v.Session().Comparisons(), k.path
	if kept.Baseline == nil {
		kept.Baseline, kept.Pinned, kept.Of = k.left.Baseline, k.left.Pinned, k.left.Of
	}
	b := kept.Encode()
	k.mu.Lock()
	if k.wanted == nil {
		k.wanted = map[string][]byte{}
	}
	k.wanted[path] = b
	k.mu.Unlock()
	return v.saving(func() error { return k.write(path) })
}

// saving says what went wrong with a writing.
func (v *View) saving(write func() error) tea.Cmd {
	ctx := v.Context()
	return func() tea.Msg {
		err := write()
		if err == nil || ctx.Err() != nil {
			return nil
		}
		return unsaved{v, err}
	}
}

// unsaved ends a writing that failed.
type unsaved struct {
	v   *View
	err error
}

// Apply implements [view.Arrival].
func (msg unsaved) Apply() tea.Cmd {
	return msg.v.Say("the snapshots could not be kept: "+msg.err.Error(), true)
}

// write writes what is wanted in a file, if it was not written since.
func (k *keeper) write(path string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	b, ok := k.wanted[path]
	if !ok {
		return nil
	}
	delete(k.wanted, path)
	if err := file.ReplaceAtOnce(path, 0o600, b); err != nil {
		return err
	}
	return tidy(filepath.Dir(path), mostFiles)
}

// tidy removes all files of a folder but those that were written last.
func tidy(folder string, most int) error {
	list, err := os.ReadDir(folder)
	if err != nil || len(list) <= most {
		return err
	}
	var files []fs.FileInfo
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, old := range files[min(len(files), most):] {
		err = errors.Join(err, os.Remove(filepath.Join(folder, old.Name())))
	}
	return err
}

// Flush writes what is still to be written, and waits for it.
func (v *View) Flush() error {
	k := &v.keeper
	k.mu.Lock()
	var paths []string
	for path := range k.wanted {
		paths = append(paths, path)
	}
	k.mu.Unlock()
	var err error
	for _, path := range paths {
		err = errors.Join(err, k.write(path))
	}
	return err
}

// Leave ends keeping the comparisons of the present corpus, which is left.
func (v *View) Leave() {
	v.recalling.End()
	_ = v.Flush() // the command that was to do it says what is wrong
	v.keeper.path, v.keeper.read = "", false
}
