//go:build linux

package sqlite

import (
	"encoding/hex"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// diskCall is a system call that changes a folder, one of its files, or what a
// program has said on standard output.
type diskCall struct {
	call, path string
	bytes      []byte
	offset     int64
}

// sector is what a disk writes whole, or not at all.
const sector = 512

// A disk forgets what was not synced. Of each file it has the content at the last
// fsync and the changes since, and of the folder the same.
type disk struct {
	folder string
	// names are the files by name as programs see them; entries are the changes of
	// names since the folder was last synced, and kept the names that were then.
	names, kept map[string]*diskFile
	entries     []diskEntry
}

type diskFile struct {
	synced  []byte
	changes []diskCall
}

// diskEntry gives a name to a file, or takes it from all if there is none.
type diskEntry struct {
	name string
	file *diskFile
}

func newDisk(folder string) *disk {
	return &disk{folder: folder, names: map[string]*diskFile{}, kept: map[string]*diskFile{}}
}

// do carries out a call. The memory that SQLite shares between processes is no
// file to it: nothing of it is ever synced, or needed after a loss of power.
func (d *disk) do(c *diskCall) {
	if c.path == d.folder && c.call == "fsync" {
		d.kept = after(d.kept, d.entries)
		d.entries = nil
		return
	}
	name := filepath.Base(c.path)
	if filepath.Dir(c.path) != d.folder || strings.HasSuffix(name, "-shm") {
		return
	}
	if c.call == "unlink" {
		delete(d.names, name)
		d.entries = append(d.entries, diskEntry{name: name})
		return
	}
	f := d.names[name]
	if f == nil {
		f = &diskFile{}
		d.names[name] = f
		d.entries = append(d.entries, diskEntry{name, f})
	}
	if c.call == "fsync" {
		for i := range f.changes {
			f.synced = f.changes[i].apply(f.synced)
		}
		f.changes = nil
		return
	}
	f.changes = append(f.changes, *c)
}

func after(names map[string]*diskFile, entries []diskEntry) map[string]*diskFile {
	now := make(map[string]*diskFile)
	for name, f := range names {
		now[name] = f
	}
	for _, e := range entries {
		if e.file == nil {
			delete(now, e.name)
		} else {
			now[e.name] = e.file
		}
	}
	return now
}

// apply returns content with a write or a cut.
func (c *diskCall) apply(content []byte) []byte {
	content = slices.Clone(content)
	end := int(c.offset) + len(c.bytes)
	if n := end - len(content); n > 0 {
		content = append(content, make([]byte, n)...)
	}
	if c.call == "ftruncate" {
		return content[:end]
	}
	copy(content[c.offset:], c.bytes)
	return content
}

// lose writes to a folder what a loss of power at this moment may leave: of the
// names the first changes in order, of each file any of its changes in their order,
// and of a write any of its sectors.
func (d *disk) lose(t *testing.T, random *rand.Rand, folder string) {
	t.Helper()
	// All and nothing are as likely as something.
	share := []float64{0, 1, random.Float64(), random.Float64()}[random.IntN(4)]
	entries := 0
	for entries < len(d.entries) && random.Float64() < share {
		entries++
	}
	for name, f := range after(d.kept, d.entries[:entries]) {
		content := f.synced
		for i := range f.changes {
			c := f.changes[i]
			switch {
			case random.Float64() >= share:
			case c.call == "pwrite64" && share < 1 && random.IntN(4) == 0:
				for len(c.bytes) > 0 {
					n := min(len(c.bytes), sector-int(c.offset%sector))
					part := diskCall{call: c.call, bytes: c.bytes[:n], offset: c.offset}
					if random.IntN(2) == 0 {
						content = part.apply(content)
					}
					c.bytes, c.offset = c.bytes[n:], c.offset+int64(n)
				}
			default:
				content = c.apply(content)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	straceLine    = regexp.MustCompile(`^\d+ +(\w+)\((.*)\) += (-?\d+)`)
	straceOpen    = regexp.MustCompile(`^(\d+) +(\w+\(.*) <unfinished \.\.\.>$`)
	straceResumed = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)$`)
	straceFile    = regexp.MustCompile(`^\d+<([^>]*)>(\(deleted\))?(?:, (.*))?$`)
)

// readStrace reads the output of strace -f -y -xx.
func readStrace(t *testing.T, text string) (calls []diskCall) {
	t.Helper()
	begun := map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := straceOpen.FindStringSubmatch(line); m != nil {
			begun[m[1]] = m[2]
			continue
		}
		if m := straceResumed.FindStringSubmatch(line); m != nil {
			line = m[1] + " " + begun[m[1]] + m[2]
		}
		m := straceLine.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[3], "-") {
			continue
		}
		c := diskCall{call: m[1]}
		if c.call == "unlink" {
			c.path = string(unhex(t, strings.Trim(m[2], `"`)))
			calls = append(calls, c)
			continue
		}
		f := straceFile.FindStringSubmatch(m[2])
		if f == nil || f[2] != "" {
			continue
		}
		c.path = string(unhex(t, f[1]))
		var err error
		switch args := strings.Split(f[3], ", "); c.call {
		case "fsync":
		case "ftruncate":
			c.offset, err = strconv.ParseInt(args[0], 10, 64)
		case "write":
			c.bytes = unhex(t, strings.Trim(args[0], `"`))
		case "pwrite64":
			c.bytes = unhex(t, strings.Trim(args[0], `"`))
			if m[3] != strconv.Itoa(len(c.bytes)) {
				t.Fatalf("a write of %d bytes wrote %s", len(c.bytes), m[3])
			}
			c.offset, err = strconv.ParseInt(args[2], 10, 64)
		default:
			t.Fatalf("a call that the disk does not know: %.200s", line)
		}
		if err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		calls = append(calls, c)
	}
	return calls
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, `\x`, ""))
	if err != nil {
		t.Fatalf("%v in %.100q", err, s)
	}
	return b
}
