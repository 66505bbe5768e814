package pgtest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// settings are what a test wants of its server.
type settings struct {
	configuration map[string]string
	password      string
	tls           bool
}

// Option changes a private server before it starts.
type Option func(*settings)

// Conf sets a parameter of the server's configuration, such as
// "max_connections" to "5".
func Conf(name, value string) Option {
	return func(s *settings) {
		if s.configuration == nil {
			s.configuration = map[string]string{}
		}
		s.configuration[name] = value
	}
}

// Password lets the role app in over TCP only with this password.
func Password(password string) Option { return func(s *settings) { s.password = password } }

// TLS offers encrypted connections, with a certificate of the server's own for
// 127.0.0.1 that [Server.RootCertificate] vouches for.
func TLS() Option { return func(s *settings) { s.tls = true } }

// configure writes the settings into the cluster's files.
func (s *Server) configure() error {
	set := map[string]string{
		"listen_addresses": "127.0.0.1",
		"fsync":            "off",
		"full_page_writes": "off",
		"jit":              "off",
		"shared_buffers":   "64MB",
		// In the data folder: what a server that was killed leaves in shared memory
		// nobody would remove.
		"dynamic_shared_memory_type": "mmap",
	}
	maps.Copy(set, s.settings.configuration)
	if s.settings.tls {
		set["ssl"] = "on"
		if err := s.certify(); err != nil {
			return err
		}
	}
	path := filepath.Join(s.data(), "postgresql.conf")
	conf, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		conf = fmt.Appendf(conf, "%s = '%s'\n", name, strings.ReplaceAll(set[name], "'", "''"))
	}
	if err := s.write("postgresql.conf", conf); err != nil {
		return err
	}
	if s.settings.password == "" {
		return nil
	}
	return s.write("pg_hba.conf", []byte("local all,replication all trust\nhost all,replication all 127.0.0.1/32 scram-sha-256\n"))
}
