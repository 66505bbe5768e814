package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/webrag/webrag-tui/config"
)

// The explorer remembers places by their id and opens them in other folders: there
// the address of a folder's .env would get the user's password.
func TestADatabaseOfAFolderIsNotRemembered(t *testing.T) {
	const address = "postgres://app@db.example/rag"
	dotEnv := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(dotEnv, []byte("DATABASE_URL="+address+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		in   config.Inputs
		want string
	}{
		{config.Inputs{DotEnvFile: dotEnv}, ""},
		{config.Inputs{Environ: []string{"DATABASE_URL=" + address}}, address},
		{config.Inputs{DotEnvFile: dotEnv, Flags: map[string]string{"corpus.path": address}}, address},
	} {
		c, err := config.Load(settings(), of.in)
		if err != nil {
			t.Fatal(err)
		}
		at := corpusPlace(c)
		if at.id() != of.want || at.conn().Isolated != (of.want == "") {
			t.Errorf("%+v: id %q, isolated %v", of.in, at.id(), at.conn().Isolated)
		}
	}
}

func TestThisMachineIsLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "/run/postgresql": true, "": true,
		"localhost.evil.example": false, "192.168.0.1": false, "0.0.0.0": false, "evil": false, "::2": false,
	} {
		if isLocal(host) != want {
			t.Errorf("%q", host)
		}
	}
}
