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
	"strconv"
	"strings"
	"sync"
	"time"

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

	// writing is held while a file is written, mu for a look at the rest.
	writing, mu sync.Mutex
	// wanted is what is to be written to a file, until that was done; known is what this
	// program has last read of it or written to it, by which it tells what another one has
	// changed since.
	wanted, known map[string]session.Comparisons
}

// note notes what is now known of a file, or wanted in it.
func (k *keeper) note(in *map[string]session.Comparisons, path string, c session.Comparisons) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if *in == nil {
		*in = map[string]session.Comparisons{}
	}
	(*in)[path] = c
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
		r := recall(path)
		return func() tea.Cmd { return v.recalled(&r, baseline) }
	})
}

// recalled takes what was read.
func (v *View) recalled(r *recollection, baseline bool) tea.Cmd {
	v.keeper.read = true
	v.keeper.note(&v.keeper.known, v.keeper.path, r.kept)
	kept := r.kept
	if !baseline {
		v.keeper.left = kept
		kept.Baseline = nil
	}
	changed := len(v.Session().Snapshots()) > 0 || v.Session().IsPinned() || r.lost != session.Lost{}
	cmd := v.Begin(v.Session().RecallComparisons(kept))
	if changed {
		cmd = tea.Batch(cmd, v.Save())
	}
	if said := r.said(); said != "" {
		cmd = tea.Batch(cmd, v.Say(said, true))
	}
	return cmd
}

// recollection is what was read of a file.
type recollection struct {
	kept session.Comparisons
	// found says that there is a file; lost is what could not be read in it, aside where it
	// is kept for that, err why that could not be done, or nothing could be read at all.
	found bool
	lost  session.Lost
	aside string
	err   error
}

// said says what could not be read; empty if that is nothing.
func (r *recollection) said() string {
	if r.err != nil {
		return "the snapshots of this corpus could not be read: " + r.err.Error()
	}
	var parts []string
	if r.lost.Baseline {
		parts = append(parts, "what it is compared with")
	}
	if n := r.lost.Snapshots; n > 0 {
		parts = append(parts, wording.Plural(n, "snapshot"))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + " of this corpus could not be read: the file is kept as " + filepath.Base(r.aside)
}

// recall reads a file. One that cannot be used, or not all of it, is kept under another
// name: it is soon written anew.
func recall(path string) recollection {
	b, err := file.Read(path, session.MostComparisons)
	if errors.Is(err, fs.ErrNotExist) {
		return recollection{}
	}
	r := recollection{found: true, err: err}
	if err == nil {
		r.kept, r.lost = session.DecodeComparisons(b)
	}
	if err != nil || r.lost != (session.Lost{}) {
		r.aside = brokenName(path)
		r.err = errors.Join(err, os.Rename(path, r.aside))
	}
	return r
}

// mostBroken is how many files of a corpus are kept that could not be read.
const mostBroken = 5

// brokenName is where a file is kept that could not be read: beside those before it, of
// which the oldest makes room.
func brokenName(path string) string {
	oldest, at := "", time.Time{}
	for n := 1; n <= mostBroken; n++ {
		name := path + ".broken"
		if n > 1 {
			name += "-" + strconv.Itoa(n)
		}
		info, err := os.Lstat(name)
		if err != nil {
			return name
		}
		if oldest == "" || info.ModTime().Before(at) {
			oldest, at = name, info.ModTime()
		}
	}
	return oldest
}

// Save writes the comparisons beside the screen, as they are now.
func (v *View) Save() tea.Cmd {
	k := &v.keeper
	if k.path == "" || !k.read {
		return nil // recalled does, if need be
	}
	kept, path := v.Session().Comparisons(), k.path
	if kept.Baseline == nil || k.left.Pinned && !kept.Pinned {
		kept.Baseline, kept.Pinned, kept.Of = k.left.Baseline, k.left.Pinned, k.left.Of
	}
	k.note(&k.wanted, path, kept)
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
	k.writing.Lock()
	defer k.writing.Unlock()
	k.mu.Lock()
	mine, ok := k.wanted[path]
	known := k.known[path]
	delete(k.wanted, path)
	k.mu.Unlock()
	if !ok {
		return nil
	}
	if err := writeBeside(path, mine, known); err != nil {
		k.mu.Lock()
		defer k.mu.Unlock()
		if _, newer := k.wanted[path]; !newer {
			k.wanted[path] = mine // leaving tries once more
		}
		return err
	}
	k.note(&k.known, path, mine)
	return tidy(filepath.Dir(path), mostFiles)
}

// writeBeside writes comparisons together with what another program has written since the
// file was as it is known.
func writeBeside(path string, mine, known session.Comparisons) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	return file.WhileLocked(context.Background(), folder+".lock", func() error {
		all := mine
		if r := recall(path); r.found && r.err == nil {
			if r.lost.Snapshots > 0 {
				known = session.Comparisons{} // what is missing was not dropped
			}
			all = mine.Merge(&known, &r.kept)
		}
		return file.ReplaceAtOnce(path, 0o600, all.Encode())
	})
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

// Leave ends keeping the comparisons of the present corpus, which is left, and closes the
// dialogs about it.
func (v *View) Leave() {
	for _, d := range v.pushed {
		v.needs.Close(d)
	}
	v.pushed = nil
	v.recalling.End()
	_ = v.Flush() // the command that was to do it says what is wrong
	v.keeper.path, v.keeper.read = "", false
}
