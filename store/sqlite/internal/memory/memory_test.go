package memory

import (
	"io/fs"
	"runtime"
	"testing"
)

func TestMeminfo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"MemTotal:       16384 kB\nMemFree: 1 kB\n": 16 << 20,
		"MemFree: 1 kB\n": 0, "MemTotal: many kB\n": 0, "": 0,
	} {
		if got := meminfo([]byte(text)); got != want {
			t.Errorf("%q is %d, want %d", text, got, want)
		}
	}
}

// The least limit counts, of a group or of one that it is in.
func TestCgroup(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"/sys/fs/cgroup/a/b/memory.max": "max\n", "/sys/fs/cgroup/a/memory.max": "2048\n", "/sys/fs/cgroup/memory.max": "4096\n",
		"/sys/fs/cgroup/memory/c/memory.limit_in_bytes": "1024\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for text, want := range map[string]int64{
		"0::/a/b\n": 2048, "0::/\n": 4096, "0::/other\n": 4096, "5:cpu:/a\n4:memory:/c\n": 1024, "4:memory:/d\n": 0, "": 0, "nonsense": 0, "0::/../a\n": 2048,
	} {
		if got := cgroup([]byte(text), read); got != want {
			t.Errorf("%q has %d, want %d", text, got, want)
		}
	}
}

func FuzzCgroup(f *testing.F) {
	f.Add([]byte("0::/a/b\n"), []byte("MemTotal: 1 kB"))
	f.Fuzz(func(t *testing.T, text, limit []byte) {
		if n := cgroup(text, func(string) ([]byte, error) { return limit, nil }); n < 0 {
			t.Errorf("%d", n)
		}
		if n := meminfo(limit); n < 0 {
			t.Errorf("%d", n)
		}
	})
}

func TestTotal(t *testing.T) {
	t.Parallel()
	if n := Total(); runtime.GOOS == "linux" && n < 1<<20 {
		t.Errorf("this machine has %d bytes", n)
	}
}
