package pgtest

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestADSNGetsAnotherDatabase(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:p%40ss@h:7/one?sslmode=disable",
		"postgresql://u:p%40ss@h:7/?sslmode=disable",
		"host=h port=7 user=u password='p@ss' dbname=one sslmode=disable",
	} {
		got, err := withDatabase(dsn, "two")
		if err != nil {
			t.Fatal(err)
		}
		c, err := pgx.ParseConfig(got)
		if err != nil {
			t.Fatal(err)
		}
		if c.Database != "two" || c.Host != "h" || c.Port != 7 || c.User != "u" || c.Password != "p@ss" {
			t.Errorf("%s became %s", dsn, got)
		}
	}
	if _, err := withDatabase("postgres://u:secret@h:port%/one", "two"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("an impossible URL: %v", err)
	}
}
