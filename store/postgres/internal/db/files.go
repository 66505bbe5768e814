package db

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/file"
)

// mostFile is the most bytes of a file that the driver reads to connect: those of
// certificates and passwords have some thousand.
const mostFile = 1 << 20

// fileSetting is a parameter of an address that names a file, with the variable
// and the file in the home folder that hold without it.
type fileSetting struct{ key, variable, home string }

func fileSettings() []fileSetting {
	return []fileSetting{
		{"passfile", "PGPASSFILE", ".pgpass"},
		{"servicefile", "PGSERVICEFILE", ".pg_service.conf"},
		{"sslcert", "PGSSLCERT", ".postgresql/postgresql.crt"},
		{"sslkey", "PGSSLKEY", ".postgresql/postgresql.key"},
		{"sslrootcert", "PGSSLROOTCERT", ".postgresql/root.crt"},
	}
}

// checkFiles refuses files that the driver would wait for or read for ever. What
// else may be wrong with them it says itself. An entry of a service file is not
// looked into.
func checkFiles(dsn string) error {
	given := parameters(dsn)
	for _, s := range fileSettings() {
		path, from := given[s.key], s.key
		if path == "" {
			path, from = os.Getenv(s.variable), s.variable
		}
		if home, err := os.UserHomeDir(); path == "" && err == nil {
			path, from = filepath.Join(home, filepath.FromSlash(s.home)), "~/"+s.home
		}
		err := file.Check(path, mostFile)
		var kind *file.KindError
		var size *file.SizeError
		if errors.As(err, &kind) || errors.As(err, &size) {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// parameters are the keys and values of an address that the driver can read.
func parameters(dsn string) map[string]string {
	found := map[string]string{}
	if _, _, isURL := scheme(dsn); isURL {
		u, err := url.Parse(dsn)
		if err != nil {
			return found
		}
		for key, values := range u.Query() {
			found[key] = values[0]
		}
		return found
	}
	for rest := dsn; rest != ""; {
		key, value, after, ok := nextKey(rest)
		if !ok {
			break
		}
		if len(value) > 1 && value[0] == '\'' {
			value = value[1 : len(value)-1]
		}
		found[key], rest = unescape(value), after
	}
	return found
}

// unescape takes the backslashes away that let a character stand for itself.
func unescape(value string) string {
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) {
			i++
		}
		b.WriteByte(value[i])
	}
	return b.String()
}
