//go:build unix

package file_test

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webrag/webrag-tui/file"
)

// soon fails a test that waits: what is opened here must never.
func soon(t *testing.T, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for what never comes")
	}
}

func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(in("pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Sockets have short names.
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(short) })
	listener, err := net.Listen("unix", filepath.Join(short, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Symlink("/dev/zero", in("link")); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]string{
		in("pipe"): "a named pipe", filepath.Join(short, "s"): "a socket", dir: "a folder",
		"/dev/zero": "a device", in("link"): "a device",
	} {
		soon(t, func() {
			_, err := file.Read(path, 100)
			var wrong *file.KindError
			var at *fs.PathError
			if !errors.As(err, &wrong) || wrong.Kind() != kind || !errors.As(err, &at) || at.Path != path {
				t.Errorf("%s: %v, want %s", path, err, kind)
			}
			if stream := kind != "a folder"; wrong != nil && wrong.IsStream() != stream {
				t.Errorf("%s: IsStream is %v", path, !stream)
			}
		})
	}
	if raw, err := file.Read(os.DevNull, 100); err != nil || len(raw) > 0 {
		t.Errorf("the null device: %q, %v", raw, err)
	}
	if _, err := file.Read(in("none"), 100); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "open "+in("none")) {
		t.Errorf("a missing file: %v", err)
	}
}

// A path that becomes a pipe after it was looked at is the one case that only the
// way of opening settles. The exchange goes on until both were met.
func TestAFileThatBecomesAPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, pipe, text := filepath.Join(dir, "x"), filepath.Join(dir, "pipe"), filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	point := func(target string) {
		if err := os.Symlink(target, path+".new"); err != nil {
			t.Error(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Error(err)
		}
	}
	point(text)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				point(pipe)
				point(text)
			}
		}
	}()
	soon(t, func() {
		read, refused := 0, 0
		for i := 0; i < 20_000 || read == 0 || refused == 0; i++ {
			raw, err := file.Read(path, 100)
			var kind *file.KindError
			switch {
			case err == nil && string(raw) == "text":
				read++
			case errors.As(err, &kind):
				refused++
			default:
				t.Errorf("%q, %v", raw, err)
				return
			}
		}
	})
	close(stop)
	<-stopped
}

func TestTheLimitHoldsForWhatAFileSaysAndForWhatItHas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if raw, err := file.Read(path, 10); err != nil || string(raw) != "0123456789" {
		t.Errorf("as long as the limit: %q, %v", raw, err)
	}
	var size *file.SizeError
	if _, err := file.Read(path, 9); !errors.As(err, &size) || size.Limit != 9 {
		t.Errorf("one byte more: %v", err)
	}
	// It grows after it was opened.
	f, err := file.Open(path, 12)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Size() != 10 {
		t.Errorf("size %d", f.Size())
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if raw, err := io.ReadAll(f); !errors.As(err, &size) || len(raw) != 12 {
		t.Errorf("it grew: %d bytes, %v", len(raw), err)
	}
	// A terabyte of nothing takes no time.
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	soon(t, func() {
		if _, err := file.Read(path, 1<<20); !errors.As(err, &size) || !strings.Contains(err.Error(), "larger than 1 MB") {
			t.Errorf("a terabyte: %v", err)
		}
	})
	if _, err := io.ReadAll(file.Limit(strings.NewReader("01234"), "standard input", 4)); !errors.As(err, &size) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("a stream: %v", err)
	}
}

func TestOnlyRegularFilesAreWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, link, made := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "made")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Symlink("/dev/zero", link)); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]string{pipe: "a named pipe", link: "a device", dir: "a folder"} {
		for name, write := range map[string]func() error{
			"Append":  func() error { _, err := file.Append(path); return err },
			"Replace": func() error { return file.Replace(path, []byte("x")) },
		} {
			soon(t, func() {
				var wrong *file.KindError
				if err := write(); !errors.As(err, &wrong) || wrong.Kind() != kind {
					t.Errorf("%s of %s: %v, want %s", name, path, err, kind)
				}
			})
		}
	}
	for range 2 {
		if err := file.Replace(made, []byte("anew")); err != nil {
			t.Fatal(err)
		}
		f, err := file.Append(made)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("+")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(made)
	info, statErr := os.Stat(made)
	if err := errors.Join(err, statErr); err != nil || string(raw) != "anew+" || info.Mode().Perm() != 0o600 {
		t.Errorf("it holds %q: %v", raw, err)
	}
}
