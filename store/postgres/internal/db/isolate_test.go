package db

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secrets gives the user a password in every place that the driver looks into, and a
// client certificate.
func secrets(t testing.TB) {
	t.Helper()
	alone(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		".pgpass":                    "*:*:*:*:canary-file\n",
		"services":                   "[lab]\nhost=served\npassword=canary-service\n",
		".postgresql/postgresql.crt": string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})),
		".postgresql/postgresql.key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	} {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PGSERVICEFILE", filepath.Join(home, "services"))
}

// leaks says which secret of the user's an address would be given.
func leaks(a *address) string {
	conn := a.config.ConnConfig
	if strings.Contains(conn.Password, "canary") {
		return "password " + conn.Password
	}
	for _, h := range a.hosts {
		for _, way := range h.ways {
			if way.TLSConfig != nil && (len(way.TLSConfig.Certificates) > 0 || way.TLSConfig.GetClientCertificate != nil) {
				return "client certificate"
			}
		}
	}
	return ""
}

func TestAnIsolatedAddressGetsNoSecretOfTheUsers(t *testing.T) {
	for _, dsn := range []string{
		"postgres://ana@evil/x", "postgres://evil", "postgres://evil/x?sslmode=require", "postgres://ana:@evil/x", "postgres://ana:%20@evil/x",
		"postgres://evil/x?password=", "postgres://a,evil/x", "postgres://ana@evil?sslmode=disable", "postgres:///x?host=evil",
		"host=evil user=ana", "host=evil password=''", "host = evil  dbname = x sslmode=require", "POSTGRES://ana@evil/x",
	} {
		for _, from := range []string{"pgpass", "variable", "service"} {
			secrets(t)
			switch from {
			case "variable":
				t.Setenv("PGPASSWORD", "canary-variable")
			case "service":
				t.Setenv("PGSERVICE", "lab")
			}
			open, err := parse(dsn, false)
			if err != nil || leaks(open) == "" {
				t.Fatalf("%q would get nothing anyway: %v", dsn, err)
			}
			a, err := parse(dsn, true)
			if err != nil {
				t.Errorf("%q: %v", dsn, err)
				continue
			}
			if got := leaks(a); got != "" {
				t.Errorf("%q gets the %s of the user's (%s)", dsn, got, from)
			}
		}
	}
}

func TestAnIsolatedAddressKeepsItsOwn(t *testing.T) {
	secrets(t)
	t.Setenv("PGPASSWORD", "canary-variable")
	for _, dsn := range []string{
		"postgres://ana:own@h/x", "postgres://ana@h/x?password=own", "postgres://ana:other@h/x?sslmode=disable&password=own",
		"host=h password=own user=ana dbname=x", "password='own' host=h user=ana dbname=x",
	} {
		a, err := parse(dsn, true)
		if err != nil {
			t.Errorf("%q: %v", dsn, err)
			continue
		}
		if c := a.config.ConnConfig; c.Password != "own" || c.User != "ana" || c.Database != "x" || c.Host != "h" {
			t.Errorf("%q is %s@%s/%s with %q", dsn, c.User, c.Host, c.Database, c.Password)
		}
		if strings.Contains(a.shown, "passfile") {
			t.Errorf("%q is shown as %q", dsn, a.shown)
		}
	}
}

func TestAnIsolatedAddressNamesNoFilesWithSecrets(t *testing.T) {
	secrets(t)
	for _, dsn := range []string{
		"postgres://evil/x?passfile=/home/ana/.pgpass", "postgres://evil/x?sslmode=disable&%70assfile=/x", "postgres://evil/x?%20passfile=/x",
		"postgres://evil/x?service=lab", "postgres://evil/x?servicefile=/x", "postgres://evil/x?sslcert=/x&sslkey=/y",
		"host=evil passfile=/x", "passfile = '/x' host=evil", "host=evil service=lab", "postgres://[x?],evil/x", "host=evil password='x",
	} {
		a, err := parse(dsn, true)
		var wrong *AddressError
		if !errors.As(err, &wrong) {
			t.Errorf("%q is read as %+v, %v", dsn, a, err)
		}
	}
}

// FuzzIsolated looks for a way by which an address gets a secret of the user's.
func FuzzIsolated(f *testing.F) {
	for _, seed := range []string{
		"postgres://ana@evil/x?sslmode=require", "postgres://[x?],evil/x", "postgres://a:b@evil:1,b/x?y=z&passfile=q", "host=evil passfile='a b' port=1",
		`host=evil passfile\=x`, "postgres://evil/x#?passfile=/y", "postgres://evil?password", "host=evil=passfile=x", "postgres://a?@evil/x?b@c",
	} {
		f.Add(seed)
	}
	secrets(f)
	f.Setenv("PGPASSWORD", "canary-variable")
	home := os.Getenv("HOME")
	f.Fuzz(func(t *testing.T, dsn string) {
		// The user's files can be named, too.
		dsn = strings.NewReplacer("$P", home+"/.pgpass", "$S", home+"/services").Replace(dsn)
		if strings.Contains(dsn, "canary") || strings.Contains(dsn, "/proc") || strings.Contains(dsn, "/dev") {
			return
		}
		a, err := parse(dsn, true)
		if err != nil {
			return
		}
		if got := leaks(a); got != "" {
			t.Errorf("%q gets the %s of the user's", dsn, got)
		}
	})
}
