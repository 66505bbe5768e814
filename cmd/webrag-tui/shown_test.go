package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// reveals says that a piece of a password that such a test draws is in a text.
func reveals(said string) bool {
	return strings.Contains(said, "Qq7x") || strings.Contains(said, "Zz9w")
}

// No password of an address appears in what the settings show, wherever it stands
// in the address and in whichever setting that was put.
func TestNoPasswordOfAnAddressIsShown(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	variables := []string{"DATABASE_URL", "EMBEDDING_BASE_URL", "LLM_BASE_URL", "RETRIEVAL_RERANK_BASE_URL", "CITATION_BASE_URL", "WEBRAG_TABLE", "EMBEDDING_MODEL", "RETRIEVAL_MODE"}
	forms := []func(password string) string{
		func(p string) string { return "postgres://ana:" + p + "@db.example:5432/x?sslmode=require" },
		func(p string) string { return "postgres://db.example/x?user=ana&sslpassword=" + url.QueryEscape(p) },
		func(p string) string { return "http://ana:" + p + "@models.example/v1" },
		func(p string) string { return "https://models.example/v1?api_key=" + url.QueryEscape(p) },
		func(p string) string {
			return "https://models.example/v1?key=" + url.QueryEscape(p) + "&token=" + url.QueryEscape(p)
		},
		func(p string) string { return "host=db.example password=" + p },
		func(p string) string { return "password='" + p + "' host=db.example" },
		// Without a scheme none is taken for an address.
		func(p string) string { return "u:" + url.QueryEscape(p) + "@db.example/x" },
		func(p string) string { return "//u:" + url.QueryEscape(p) + "@models.example/v1" },
		func(p string) string { return "models.example/v1?api_key=" + p },
		func(p string) string { return "api_key=" + p },
		func(p string) string { return "Server=db.example;Pwd=" + p },
	}
	rapid.Check(t, func(t *rapid.T) {
		password := "Qq7x" + rapid.StringOf(rapid.SampledFrom([]rune("aZ9 @:/?#&=%'\\.ö"))).Draw(t, "password") + "Zz9w"
		variable := rapid.SampledFrom(variables).Draw(t, "variable")
		address := rapid.SampledFrom(forms).Draw(t, "form")(password)
		for _, args := range [][]string{{"config", "show"}, {"config", "show", "--json"}} {
			var said bytes.Buffer
			run(t.Context(), process{
				args: append(args, "--config", empty), in: strings.NewReader(""), out: &said, err: &said, environ: []string{variable + "=" + address}, now: time.Now,
			})
			if reveals(said.String()) {
				t.Fatalf("%s=%s: %v prints %s", variable, address, args, said.String())
			}
		}
	})
}

// Nor does one appear in what is said of a database that does not answer.
func TestNoPasswordOfADatabaseIsTold(t *testing.T) {
	for _, password := range []string{"Qq7x@/?#Zz9w", "Qq7x'&= Zz9w"} {
		encoded := url.QueryEscape(password)
		for _, address := range []string{
			"postgres://ana:" + encoded + "@127.0.0.1:1/x", "postgres://127.0.0.1:1/x?user=ana&password=" + encoded,
			"host=127.0.0.1 port=1 user=ana password='" + strings.ReplaceAll(password, "'", `\'`) + "'",
		} {
			for _, args := range [][]string{{"docs", "list"}, {"doctor", "--json"}, {"docs", "list", "--corpus", address}, {"copy", "--from", address, "--to", "x.db"}} {
				code, stdout, stderr := commandLine(t, []string{"DATABASE_URL=" + address}, args...)
				if reveals(stdout+stderr) || code != exitUnavailable {
					t.Errorf("%s: %v exits with %d and prints %s%s", address, args, code, stdout, stderr)
				}
			}
		}
	}
}

// Nor in what is said of a path that holds no corpus, as an address without its
// scheme is taken for one.
func TestNoPasswordOfWhatIsTakenForAPathIsTold(t *testing.T) {
	for _, address := range []string{
		"u:Qq7xZz9w@db.example/x", "u:Qq7x/Zz9w@db.example/x", "//u:Qq7xZz9w@db.example/x", "db.example/x?api_key=Qq7xZz9w", "Server=db.example;Pwd=Qq7xZz9w",
	} {
		for _, args := range [][]string{
			{"docs", "list"}, {"query", "x"}, {"doctor"}, {"doctor", "--json"}, {"docs", "list", "--table", "t"}, {"docs", "list", "--corpus", address}, {"copy", "--from", address, "--to", "x.db"},
		} {
			code, stdout, stderr := commandLine(t, []string{"DATABASE_URL=" + address}, args...)
			if said := stdout + stderr; reveals(said) || code == exitFine || !strings.Contains(said, "***") {
				t.Errorf("%s: %v exits with %d and prints %s", address, args, code, said)
			}
		}
	}
}
