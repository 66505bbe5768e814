//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// taker is one way in which a command takes a file.
type taker struct {
	name string
	// args are the command, with PATH for the file.
	args string
	// at is where the file is, below the folder that the program is started in,
	// which is its home too; empty where args name it.
	at string
	// environ are variables, with PATH for the file.
	environ string
	// anySize, anyFolder and anyMode say that the command takes large files, folders,
	// and files that may not be read, or takes no notice of them.
	anySize, anyFolder, anyMode bool
	// code is the exit code of what the command reports, in place of 2.
	code int
}

// takers are all ways: who adds one adds a line. They run in a folder with a
// corpus c.db and a page page.md.
var takers = []taker{
	{name: ".env", args: "config show", at: ".env"},
	{name: "--config", args: "config show --config PATH"},
	{name: "config.toml", args: "config show", at: "webrag-tui/config.toml"},
	{name: "--corpus of query", args: "query --corpus PATH page"},
	{name: "--corpus of index", args: "index --corpus PATH page.md"},
	{name: "--corpus of doctor", args: "doctor --corpus PATH", code: exitNothing},
	{name: "--corpus of docs", args: "docs list --corpus PATH"},
	{name: "--from of copy", args: "copy --from PATH --to new.db"},
	{name: "--to of copy", args: "copy --from c.db --to PATH"},
	{name: "the write-ahead log", args: "query --corpus c.db page", at: "c.db-wal", anySize: true, anyMode: true},
	{name: "the index of the log", args: "query --corpus c.db page", at: "c.db-shm", anySize: true, anyMode: true},
	{name: "the journal", args: "query --corpus c.db page", at: "c.db-journal", anySize: true, anyMode: true},
	{name: "the lock", args: "index --corpus c.db page.md", at: "c.db.lock", anySize: true},
	{name: "the page of index", args: "index --corpus c.db PATH", anyFolder: true, anySize: true},
	{name: "edges import", args: "edges import --corpus c.db PATH"},
	{name: "--queries of ann", args: "ann --corpus c.db --queries PATH"},
	{name: "--selected-text", args: "query --selected-text PATH x"},
	{name: "--profile", args: "query --corpus c.db --profile PATH x"},
	{name: "a profile", args: "query --corpus c.db --profile mine x", at: "webrag-tui/profiles/mine.toml"},
	{name: "--preset", args: "query --corpus c.db --preset PATH x"},
	{name: "profile show", args: "profile show PATH"},
	{name: "compare --a", args: "compare --corpus c.db --a PATH --b webrag x"},
	{name: "a theme", args: "explore --corpus c.db --theme mine", at: "webrag-tui/themes/mine.toml"},
	{name: "--debug", args: "query --debug --corpus c.db page", at: "webrag-tui/debug.log", anySize: true},
	{name: "--script", args: "demo --script PATH"},
	{name: "replay", args: "replay PATH"},
	{name: "the tokenizer", args: "index --corpus new.db page.md", environ: "EMBEDDING_TOKENIZER=hf:PATH", anyFolder: true},
	{name: "the model", args: "index --corpus new.db page.md", environ: "EMBEDDING_PROVIDER=model2vec EMBEDDING_MODEL=model", at: "model/model.safetensors"},
	{name: "the model's tokenizer", args: "index --corpus new.db page.md", environ: "EMBEDDING_PROVIDER=model2vec EMBEDDING_MODEL=model", at: "model/tokenizer.json"},
	{name: "the model's settings", args: "index --corpus new.db page.md", environ: "EMBEDDING_PROVIDER=model2vec EMBEDDING_MODEL=model", at: "model/config.json"},
	{name: "passfile", args: "query --corpus postgres://a@127.0.0.1:9/x?passfile=PATH x", anyMode: true},
	{name: "PGPASSFILE", args: "query --corpus postgres://a@127.0.0.1:9/x x", environ: "PGPASSFILE=PATH", anyMode: true},
	{name: "sslrootcert", args: "query --corpus postgres://a@127.0.0.1:9/x?sslmode=verify-full&sslrootcert=PATH x"},
	{name: "servicefile", args: "query --corpus postgres://a@127.0.0.1:9/x?service=x&servicefile=PATH x", anyMode: true},
}

// obstacle is what stands where a file should.
type obstacle struct {
	// name is a word of the message, unless the command has a better one.
	name string
	// put makes it at a path.
	put func(path string) error
	// large is for files whose size alone is wrong, folder for folders, locked for
	// files that may not be read.
	large, folder, locked bool
}

var obstacles = []obstacle{
	{name: "a named pipe", put: func(path string) error { return syscall.Mkfifo(path, 0o644) }},
	{name: "a device", put: func(path string) error { return os.Symlink("/dev/zero", path) }},
	{name: "a socket", put: func(path string) error {
		// A socket's path is short, but it can be moved.
		dir, err := os.MkdirTemp("", "s")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "s"), Net: "unix"})
		if err != nil {
			return err
		}
		l.SetUnlinkOnClose(false)
		if err := os.Rename(filepath.Join(dir, "s"), path); err != nil {
			return err
		}
		return l.Close()
	}},
	{name: "", large: true, put: func(path string) error { return sparse(path, 1<<40) }},
	{name: "", large: true, put: func(path string) error { return sparse(path, 100<<20) }},
	{name: "", folder: true, put: func(path string) error { return os.Mkdir(path, 0o755) }},
	{name: "permission denied", locked: true, put: func(path string) error { return os.WriteFile(path, []byte("x"), 0) }},
}

func sparse(path string, size int64) error {
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		return err
	}
	return os.Truncate(path, size)
}

// TestWhatIsNoFileIsRefused gives every command that takes a file what is none, or
// never ends: it ends with a sentence that names it, within its time and memory.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("some two hundred runs of the program, one goroutine each: the full run has them")
	}
	corpus, page := smallCorpus(t)
	model := staticModel(t)
	given := map[string]string{"c.db": corpus, "page.md": page}
	for _, name := range []string{"config.json", "tokenizer.json", "model.safetensors"} {
		given["model/"+name] = filepath.Join(model, name)
	}
	home := openFolder(t)
	bin := copyOfProgram(t, home)
	tokens := make(chan struct{}, 2)
	var wait sync.WaitGroup
	for _, take := range takers {
		for i, o := range obstacles {
			if o.large && take.anySize || o.folder && take.anyFolder || o.locked && take.anyMode {
				continue
			}
			wait.Go(func() {
				tokens <- struct{}{}
				defer func() { <-tokens }()
				dir := filepath.Join(home, fmt.Sprintf("%s-%d", strings.NewReplacer(" ", "-", "/", "-").Replace(take.name), i))
				if err := refuses(t, bin, dir, given, take, o); err != nil {
					t.Errorf("%s is %s (obstacle %d): %v", take.name, o.name, i, err)
				}
			})
		}
	}
	wait.Wait()
}

// openFolder is a temporary folder that every user may enter and write to.
func openFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: 0o777} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// refuses runs a command on an obstacle in a folder of its own.
func refuses(t *testing.T, bin, dir string, given map[string]string, take taker, o obstacle) error {
	path := filepath.Join(dir, "the-obstacle")
	if take.at != "" {
		path = filepath.Join(dir, filepath.FromSlash(take.at))
	}
	for _, folder := range []string{dir, filepath.Join(dir, "model"), filepath.Dir(path)} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		if err := os.Chmod(folder, 0o777); err != nil {
			return err
		}
	}
	for name, from := range given {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if to == path {
			continue
		}
		raw, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, raw, 0o666)
		}
		if err == nil {
			err = os.Chmod(to, 0o666)
		}
		if err != nil {
			return err
		}
	}
	if err := o.put(path); err != nil {
		return err
	}
	var args []string
	for arg := range strings.FieldsSeq(take.args) {
		quoted := path
		if strings.Contains(arg, "?") {
			quoted = url.QueryEscape(path)
		}
		args = append(args, strings.ReplaceAll(arg, "PATH", quoted))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// The bound of memory keeps a fault from taking the machine down with it.
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", `ulimit -v 4000000 2>/dev/null; exec "$@"`, "sh", bin}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	for variable := range strings.FieldsSeq(take.environ) {
		cmd.Env = append(cmd.Env, strings.ReplaceAll(variable, "PATH", path))
	}
	if os.Geteuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	var out, narration bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &narration
	_ = cmd.Run()
	said, code, want := narration.String(), cmd.ProcessState.ExitCode(), exitUsage
	if take.code != exitFine {
		said, want = said+out.String(), take.code
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("it hangs: said %q", said)
	case code != want:
		return fmt.Errorf("exit code %d: said %q and %q", code, out.String(), said)
	case take.code == exitFine && strings.Count(said, "\n") != 1 || !strings.Contains(said, filepath.Base(path)) || !strings.Contains(said, o.name):
		return fmt.Errorf("it says %q", said)
	}
	return nil
}
