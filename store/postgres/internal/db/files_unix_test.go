//go:build unix

package db

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The driver would wait for a pipe for ever, wherever it is named.
func TestFilesOfAnAddressAreFiles(t *testing.T) {
	for _, s := range fileSettings() {
		alone(t)
		t.Setenv("PGSSLCERT", "")
		t.Setenv("PGSSLKEY", "")
		t.Setenv("PGSSLROOTCERT", "")
		// Characters that a list of keywords has to escape.
		pipe := filepath.Join(t.TempDir(), `a 'pipe'`)
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		refused := func(dsn, from string) {
			t.Helper()
			_, err := parse(dsn, false)
			var wrong *AddressError
			if !errors.As(err, &wrong) || !strings.Contains(wrong.Why, from) || !strings.Contains(wrong.Why, "a named pipe, not a file") {
				t.Errorf("%s: %v", dsn, err)
			}
		}
		refused("postgres://a@h/x?"+url.Values{s.key: {pipe}}.Encode(), s.key)
		refused("host=h dbname=x "+s.key+"='"+strings.ReplaceAll(pipe, "'", `\'`)+"'", s.key)
		t.Setenv(s.variable, pipe)
		refused("postgres://a@h/x", s.variable)
		// The address has the last word, and the null device is no file that is
		// waited for.
		if err := checkFiles("postgres://a@h/x?" + s.key + "=" + os.DevNull); err != nil {
			t.Error(err)
		}
		t.Setenv(s.variable, "")
		at := filepath.Join(os.Getenv("HOME"), filepath.FromSlash(s.home))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(pipe, at); err != nil {
			t.Fatal(err)
		}
		refused("postgres://a@h/x", s.home)
	}
}
