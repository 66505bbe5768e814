package db

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// alone takes the environment's opinion on addresses away.
func alone(t testing.TB) {
	t.Helper()
	for _, name := range []string{
		"PGHOST", "PGPORT", "PGDATABASE", "PGUSER", "PGPASSWORD", "PGPASSFILE", "PGSERVICE", "PGSERVICEFILE",
		"PGSSLMODE", "PGTARGETSESSIONATTRS", "PGOPTIONS", "PGAPPNAME", "PGCONNECT_TIMEOUT",
	} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
}

func TestAddressesOfDatabasesAreToldFromPaths(t *testing.T) {
	for text, want := range map[string]bool{
		"postgres://h/x": true, "postgresql://h/x": true, "POSTGRES://h/x": true, " postgres://h/x\n": true,
		"postgresql+psycopg2://h/x": true, "jdbc:postgresql://h/x": true, "mysql://h/x": true, "postgres:/h/x": true,
		"host=h dbname=x": true, "dbname = x": true, "sslmode=require host=h": true, "hots=h dbname=x": true,
		"corpus.db": false, "/var/lib/x.db": false, "./a=b.db": false, "a=b.db": false, "": false,
		"ana:pw@h/x": true, "postgre:/ana:pw@h": true, "pwd=x host=h": true,
		"C:/me@home.db": false, "./a:b@c.db": false, "/a:b@c.db": false, "file:/a@b": false, "x/y:z@w.db": false,
		"file:///x.db": false, "file:x.db?mode=ro": false, `C:\x.db`: false, "postgres.db": false, "my host=1": false,
	} {
		if got := IsDSN(text); got != want {
			t.Errorf("IsDSN(%q) is %v", text, got)
		}
	}
}

func TestAnAddressIsShownWithoutItsSecrets(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgres://ana:s3cret@db.example/x?sslmode=require":  "postgres://ana:***@db.example/x?sslmode=require",
		"postgres://ana@db.example:5432/x":                    "postgres://ana@db.example:5432/x",
		"postgres://a:5432,[::1]:5433/x":                      "postgres://a:5432,[::1]:5433/x",
		"postgres://ana:s3:c/r?e#t@h/x":                       "postgres://ana:***@h/x",
		"postgres://ana:s3@cret@h/x":                          "postgres://ana:***@h/x",
		"postgres://ana:s3cret/x":                             "postgres://***",
		"postgres://ana@h/x?password=s3@cret":                 "postgres://***",
		"postgres://ana:s3cret@h/x?password=s3@cret":          "postgres://***",
		"postgres://ana:s3/cret":                              "postgres://***",
		"postgres://ana:p@s3cret@h/x":                         "postgres://ana:***@h/x",
		"postgres://ana:s3/cret@h/x":                          "postgres://ana:***@h/x",
		"postgres://ana:s3#cret@h/x":                          "postgres://ana:***@h/x",
		"postgres://ana%3As3cret@h/x":                         "postgres://***@h/x",
		"postgres://ana%40lab@h/x":                            "postgres://ana%40lab@h/x",
		"postgres://h/x?dbname=postgres%3A%2F%2Fa%3As3%40h":   "postgres://h/x?***",
		"host=h dbname=postgres://ana:s3cret@h/x":             "host=h ***",
		"host=h dbname='x password=s3cret'":                   "host=h ***",
		"http://tok3n@h:1/v1":                                 "http://***@h:1/v1",
		"https://ana:s3cret@h:1/v1?api_key=s3cret&key=s3cret": "https://***:***@h:1/v1?***",
		"https://h/v1?token=s3cret&api-version=2024-02-01":    "https://h/v1?***&api-version=2024-02-01",
		"ana:s3cret@h/x":                                      "***",
		"postgre:/ana:s3cret@h/x":                             "***",
		"passwd=s3cret host=h":                                "*** host=h",
		"postgres://h/x?password=s3cret&sslpassword=s3cret":   "postgres://h/x?password=***&sslpassword=***",
		"postgres://h/x?user=ana&s3cret":                      "postgres://h/x?user=ana&***",
		"postgresql+asyncpg://ana:s3cret@h/x":                 "postgresql+asyncpg://ana:***@h/x",
		"postgres:ana:s3cret@h/x":                             "postgres:ana:***@h/x",
		"postgres//ana:s3cret@h/x":                            "postgres//ana:***@h/x",
		"postgres/corpus.db":                                  "postgres/corpus.db",
		"host=h user=ana password=s3cret dbname=x":            "host=h user=ana password=*** dbname=x",
		`host=h password='s3 c\'ret' dbname='my base'`:        "host=h password=*** dbname='my base'",
		"host=h password=s3 cret dbname=x":                    "***",
		"host=h password='s3cret dbname=x":                    "***",
		"host=h options=-csecret=1 sslpassword=s3cret port=1": "host=h *** password=*** port=1",
		"/var/lib/corpus.db":                                  "/var/lib/corpus.db",
		"a:s3cret@h/x":                                        "***",
		"a:s3/cret@h/x":                                       "***",
		"//ana:s3cret@h/v1":                                   "***",
		"h/v1?api_key=s3cret":                                 "***",
		"api_key=s3cret":                                      "***",
		"Server=h;Pwd=s3cret":                                 "***",
		"C:/me@home.db":                                       "C:/me@home.db",
		`C:\me@home\key=1\a:b.db`:                             `C:\me@home\key=1\a:b.db`,
		"/a:b@c/key=1/x.db":                                   "/a:b@c/key=1/x.db",
		"x/y:z@w.db":                                          "x/y:z@w.db",
	} {
		if got := Redact(dsn); got != want {
			t.Errorf("Redact(%q)\n is %q,\nwant %q", dsn, got, want)
		}
	}
}

func TestAnAddressInACommandHasNoPlaceForAPassword(t *testing.T) {
	for dsn, want := range map[string]string{
		"postgres://ana:s3cret@h/x?sslmode=require":         "postgres://ana@h/x?sslmode=require",
		"postgres://ana@h/x":                                "postgres://ana@h/x",
		"postgres://h/x?password=s3cret":                    "postgres://h/x",
		"postgres://h/x?password=s3cret&sslmode=require":    "postgres://h/x?sslmode=require",
		"postgres://h/x?user=ana&sslpassword=s3cret&port=1": "postgres://h/x?user=ana&port=1",
		"host=h user=ana password=s3cret dbname=x":          "host=h user=ana dbname=x",
		"password=s3cret host=h":                            "host=h",
		"/var/lib/cor:***@pus.db":                           "/var/lib/cor:***@pus.db",
	} {
		if got := WithoutPassword(dsn); got != want {
			t.Errorf("WithoutPassword(%q)\n is %q,\nwant %q", dsn, got, want)
		}
	}
}

func TestMistakesInAddressesAreExplained(t *testing.T) {
	alone(t)
	for dsn, wants := range map[string][]string{
		"postgresql+psycopg2://ana:canary@h:5432/x":     {`"postgresql+psycopg2" names a driver`, "write postgresql://ana:***@h:5432/x"},
		"postgresql+asyncpg://ana:canary@h/x":           {"write postgresql://ana:***@h/x"},
		"postgres+pg8000://ana:canary@h/x":              {"write postgres://ana:***@h/x"},
		"jdbc:postgresql://h/x?user=a&password=canary":  {"names a driver", "write postgresql://h/x?user=a&password=***"},
		"postgre://ana:canary@h/x":                      {`the scheme "postgre" is not known`, "write postgres://ana:***@h/x"},
		"pgsql://ana:canary@h/x":                        {"write postgres://ana:***@h/x"},
		"mysql://ana:canary@h/x":                        {`"mysql" is not PostgreSQL`},
		"postgres:/ana:canary@h/x":                      {"two slashes are missing"},
		"postgres//ana:canary@h/x":                      {"the colon is missing", "database postgres//ana:***@h/x"},
		"PostgreSQL/ana:canary@h/x":                     {"the colon is missing"},
		"sqlite:///tmp/x.db":                            {"write /tmp/x.db"},
		"sqlite3:////tmp/x.db?mode=ro":                  {"write /tmp/x.db"},
		"sqlite://x.db":                                 {"write x.db"},
		"postgres://ana:canary@h:54e2/x":                {"the port is not a number from 1 to 65535"},
		"host=h dbname=postgres://ana:canary@h/x":       {"dbname is an address itself"},
		"host=h dbname='x password=canary'":             {"dbname has an = in it"},
		"postgres://h/x&password=canary":                {"dbname has an = in it"},
		"postgres://ana:canary@h:70000/x":               {"the port is not a number from 1 to 65535"},
		"postgres://ana:can:ary@more@h/x":               {"%40 for an @"},
		"postgres://ana:12/canary@h/x":                  {"%2F for a slash"},
		"postgres://ana:%zzcanary@h/x":                  {"percent-encode"},
		"host=h port=none password=canary":              {"the port is not a number from 1 to 65535"},
		"postgres://h:1,h:2,h:3/x?port=1,2":             {"more or fewer ports than hosts"},
		"host=h password=canary secret dbname=x":        {"single quotes"},
		"host=h password='canary":                       {"single quotes"},
		"postgres://h/x?sslmode=always":                 {"sslmode must be disable, allow, prefer"},
		"postgres://h/x?sslmod=require":                 {`no parameter "sslmod"`, `was "sslmode" meant`},
		"postgres://h/x?conect_timeout=3":               {`was "connect_timeout" meant`},
		"postgres://h/x?ssl=require":                    {"write sslmode=require"},
		"postgres://h/x?schema=public":                  {"write search_path"},
		"postgres://h/x?sslcrl=file":                    {"leave it out"},
		"postgres://h/x?target_session_attrs=master":    {"any, read-write"},
		"postgres://h/x?connect_timeout=soon":           {"connect_timeout must be a number"},
		"postgres://h/x?channel_binding=maybe":          {"channel_binding must be"},
		"postgres://h/x?default_query_exec_mode=fast":   {"default_query_exec_mode must be"},
		"postgres://h/x?pool_max_conns=many":            {"the value of pool_max_conns cannot be read"},
		"postgres://h/x?pool_mode=fast":                 {"pool_mode is that of the pooler"},
		"postgres://h/x?pgbouncer=yes":                  {"pgbouncer must be true or false"},
		"postgres://h/x?service=nothing":                {"not in the service file", "PGSERVICEFILE"},
		"postgres://h/x?sslrootcert=/nowhere/there.crt": {"/nowhere/there.crt", "check sslrootcert"},
		"corpus.db": {"neither postgres://user@host:5432/name nor"},
	} {
		_, err := parse(dsn, false)
		var wrong *AddressError
		if !errors.As(err, &wrong) {
			t.Errorf("%q: %v", dsn, err)
			continue
		}
		for _, want := range wants {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v\nlacks %q", dsn, err, want)
			}
		}
		if strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: the password is told: %v", dsn, err)
		}
	}
}

func TestAddressesAreReadAsTheDriverReadsThem(t *testing.T) {
	alone(t)
	home := t.TempDir()
	t.Setenv("PGPASSFILE", filepath.Join(home, "pass"))
	t.Setenv("PGSERVICEFILE", filepath.Join(home, "services"))
	for name, content := range map[string]string{
		"pass":     "filed:5432:x:ana:from-file\n",
		"services": "[lab]\nhost=served\nport=5433\ndbname=y\nuser=bob\n",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ dsn, location, user, password string }{
		{"postgres://ana:p%40w@h/x", "postgres://h:5432/x", "ana", "p@w"},
		{"POSTGRESQL://ana@h:5433/x?sslmode=disable", "postgres://h:5433/x", "ana", ""},
		{"host=h port=1 dbname='my base' user=ana password=p", "postgres://h:1/my%20base", "ana", "p"},
		{"postgres://ana@a,b:5433,[::1]:1/x", "postgres://a:5432,b:5433,[::1]:1/x", "ana", ""},
		{"postgres://ana@/x?host=/run/pg&port=7", "postgres:///x?host=%2Frun%2Fpg&port=7", "ana", ""},
		{"postgres://ana@h", "postgres://h:5432/ana", "ana", ""},
		{"postgres://ana@filed/x", "postgres://filed:5432/x", "ana", "from-file"},
		{"service=lab", "postgres://served:5433/y", "bob", ""},
		{"postgres://?service=lab&user=ana", "postgres://served:5433/y", "ana", ""},
		{"postgres://ana@h/x?keepalives_idle=3&gssencmode=disable&fallback_application_name=z", "postgres://h:5432/x", "ana", ""},
	} {
		a, err := parse(c.dsn, false)
		if err != nil {
			t.Errorf("%q: %v", c.dsn, err)
			continue
		}
		conn := a.config.ConnConfig
		if got := location(a.hosts, a.name()); got != c.location || conn.User != c.user || conn.Password != c.password {
			t.Errorf("%q: %s as %q with %q", c.dsn, got, conn.User, conn.Password)
		}
	}
	t.Setenv("PGHOST", "env")
	t.Setenv("PGUSER", "eve")
	t.Setenv("PGPASSWORD", "from-env")
	a, err := parse("postgres:///x", false)
	if err != nil {
		t.Fatal(err)
	}
	if got := location(a.hosts, a.name()); got != "postgres://env:5432/x" || a.config.ConnConfig.Password != "from-env" {
		t.Error(got)
	}
}

// The hosts keep their ways with and without encryption together.
func TestHostsAreTriedInAnyOrder(t *testing.T) {
	alone(t)
	a, err := parse("postgres://ana@a,b,c/x?sslmode=prefer", false)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]bool{}
	for range 200 {
		config := a.config.ConnConfig.Config.Copy()
		try(config, a.shuffle())
		first[config.Host] = true
		order := []string{config.Host}
		for _, f := range config.Fallbacks {
			order = append(order, f.Host)
		}
		for i := 0; i < 6; i += 2 {
			if len(order) != 6 || order[i] != order[i+1] {
				t.Fatalf("the order is %v", order)
			}
		}
		if config.TLSConfig == nil || config.Fallbacks[0].TLSConfig != nil {
			t.Fatal("without encryption first")
		}
	}
	if len(first) != 3 {
		t.Errorf("the first host was always one of %v", first)
	}
}

func TestEditsCountLetters(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"postgres", "postgres", 0}, {"postgre", "postgres", 1}, {"potsgres", "postgres", 1}, {"sslmod", "sslmode", 1}, {"", "abc", 3}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// FuzzAddressesKeepTheirPassword writes a password wherever one may stand, well
// encoded and as it is, and looks for it in what is shown.
func FuzzAddressesKeepTheirPassword(f *testing.F) {
	for _, seed := range []string{"s3cret", "p@ss", "a:b/c?d=e&f#g", "100%", `it's \ here`, "zwölf", "[x]", "a b", "x=y", "'"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, noise string) {
		// What is looked for cannot be part of anything else.
		password := "Qq7x" + noise + "Zz9w"
		encoded := url.QueryEscape(password)
		quoted := "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(password) + "'"
		for _, dsn := range []string{
			"postgres://ana:" + encoded + "@db.example:5432/x?sslmode=disable",
			"postgres://db.example/x?user=ana&password=" + encoded,
			"host=db.example user=ana password=" + quoted + " dbname=x",
			"postgres://ana:" + password + "@db.example/x",
			"postgresql+psycopg2://ana:" + password + "@db.example/x",
			"postgres:ana:" + password + "@db.example/x",
			"postgres//ana:" + password + "@db.example/x",
			"host=db.example password=" + password,
			"host=db.example password='" + password + " dbname=x",
			"postgres://ana:" + strings.ReplaceAll(password, "@", "") + "/x",
			"postgres://ana@db.example/x?sslpassword=" + encoded + "&sslmode=disable",
			"postgres://ana@db.example/x?password=" + strings.ReplaceAll(password, "&", ""),
			"postgres://ana:" + password + "@db.example/x?password=" + strings.ReplaceAll(password, "&", ""),
			"host=db.example dbname=postgres://ana:" + encoded + "@h/x",
			"https://ana:" + password + "@models.example/v1",
			"https://models.example/v1?api_key=" + encoded + "&key=" + encoded + "&token=" + encoded,
			"ana:" + strings.ReplaceAll(password, "\n", "") + "@db.example/x",
			"postgre:/ana:" + strings.ReplaceAll(password, "\n", "") + "@db.example/x",
		} {
			shown := Redact(dsn) + WithoutPassword(dsn)
			switch a, err := parse(dsn, false); {
			case err != nil:
				shown += err.Error()
			case !strings.HasSuffix(dsn, password): // the rest of an unquoted one may be anything
				shown += location(a.hosts, a.name())
			}
			for _, part := range []string{"Qq7x", "Zz9w"} {
				if strings.Contains(shown, part) {
					t.Errorf("%q is shown as %q", dsn, shown)
				}
			}
		}
	})
}

// FuzzAddresses reads anything.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{
		"postgres://a:b@h:1/x?y=z", "postgres://", "host=a port=b", "postgres:", "a://b", "=", "host=", "host='", `host=\`, "postgres://[::1/x", "jdbc:postgresql://h",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, dsn string) {
		if strings.Contains(dsn, "file") || strings.Contains(dsn, "ssl") {
			return // it would read files
		}
		_ = Redact(dsn)
		if a, err := parse(dsn, false); err == nil {
			if got := location(a.hosts, a.name()); !strings.HasPrefix(got, "postgres://") {
				t.Errorf("%q leads to %q", dsn, got)
			}
		}
	})
}
