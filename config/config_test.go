package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
)

func table() []config.Setting {
	return []config.Setting{
		{Key: "corpus.path", Env: "DATABASE_URL", LateEnv: true, Flag: "corpus", Default: "corpus.db", Help: "The corpus."},
		{Key: "retrieval.context_budget", Env: "RETRIEVAL_CONTEXT_BUDGET", Flag: "budget", Kind: config.Integer, Default: "40000", Min: 1, Max: 1 << 31, Help: "Most tokens.", Unit: "tokens"},
		{Key: "retrieval.similarity_floor", Env: "RETRIEVAL_SIMILARITY_FLOOR", Kind: config.Float, Default: "0.3", Min: -1, Max: 1, Help: "The floor."},
		{Key: "retrieval.mode", Env: "RETRIEVAL_MODE", Flag: "mode", Kind: config.Choice, Values: []string{"auto", "full_context", "chunk"}, Default: "auto", Help: "The mode."},
		{Key: "embedding.api_key", Env: "EMBEDDING_API_KEY", Secret: true, Help: "The key."},
		{Key: "embedding.dimensions", Env: "EMBEDDING_DIMENSIONS", Kind: config.Integer, Min: 1, Max: 4000, Help: "Dimensions."},
		{Key: "ui.mouse", Kind: config.Boolean, Default: "true", Help: "The mouse."},
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func inputs() config.Inputs {
	return config.Inputs{OwnPrefixes: []string{"RETRIEVAL_", "EMBEDDING_"}, Reserved: []string{"RETRIEVAL_RERANK_"}}
}

func TestAChoiceMayEndInAPath(t *testing.T) {
	s := config.Setting{Kind: config.Choice, Values: []string{"plain", "file:PATH"}}
	for text, ok := range map[string]bool{"plain": true, "file:x": true, "file:a b/c:d": true, "file:": false, "file": false, "plain:x": false, "": false} {
		if err := s.Check(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestEachSourceOverridesTheWeakerOnes(t *testing.T) {
	const key = "retrieval.context_budget"
	file := write(t, "config.toml", "[retrieval]\ncontext_budget = 20_000\n")
	dotenv := write(t, ".env", "# a comment\nexport RETRIEVAL_CONTEXT_BUDGET=30000\n")
	in := inputs()
	steps := []struct {
		add          func()
		text, origin string
	}{
		{func() {}, "40000", "default"},
		{func() { in.File = file }, "20000", file + ":2"},
		{func() { in.DotEnvFile = dotenv }, "30000", dotenv + ":2"},
		{func() { in.Environ = []string{"RETRIEVAL_CONTEXT_BUDGET=50000"} }, "50000", "environment RETRIEVAL_CONTEXT_BUDGET"},
		{func() { in.Flags = map[string]string{key: "60000"} }, "60000", "--budget"},
	}
	for _, s := range steps {
		s.add()
		c, err := config.Load(table(), in)
		if err != nil {
			t.Fatal(err)
		}
		if v := c.Value(key); v.Text != s.text || v.Origin.String() != s.origin {
			t.Errorf("value %q from %q, want %q from %q", v.Text, v.Origin, s.text, s.origin)
		}
	}
}

func TestDatabaseURLIsWeakerThanTheConfigFile(t *testing.T) {
	in := inputs()
	in.Environ = []string{"DATABASE_URL=postgres://db"}
	c, err := config.Load(table(), in)
	if err != nil || c.Text("corpus.path") != "postgres://db" {
		t.Fatalf("without a config value: %q, %v", c.Text("corpus.path"), err)
	}
	in.File = write(t, "config.toml", "corpus.path = \"mine.db\"\n")
	c, err = config.Load(table(), in)
	if err != nil || c.Text("corpus.path") != "mine.db" {
		t.Fatalf("with a config value: %q, %v", c.Text("corpus.path"), err)
	}
}

func TestMistakesNameThePlaceTheKeyAndTheWayOut(t *testing.T) {
	cases := []struct {
		name, file, dotenv string
		environ            []string
		flags              map[string]string
		want               []string
	}{
		{name: "unknown key", file: "[retrieval]\n\nsimilarity_flor = 0.2\n", want: []string{"config.toml:3", `did you mean "retrieval.similarity_floor"?`}},
		{name: "unknown section", file: "[retreival]\nmode = \"auto\"\n", want: []string{"config.toml:2", `"retrieval.mode"`}},
		{name: "out of range", file: "[retrieval]\nsimilarity_floor = 3\n", want: []string{"config.toml:2", `"3"`, "between -1 and 1"}},
		{name: "wrong type", file: "[retrieval]\ncontext_budget = [1]\n", want: []string{"config.toml:2", "must be a string, a number"}},
		{name: "not a number", environ: []string{"RETRIEVAL_CONTEXT_BUDGET=lots"}, want: []string{"environment RETRIEVAL_CONTEXT_BUDGET", `"lots" is not a whole number`, "at least 1"}},
		{name: "not a choice", flags: map[string]string{"retrieval.mode": "chunks"}, want: []string{"--mode", `did you mean "chunk"?`}},
		{name: "unknown variable", dotenv: "A=1\nRETRIEVAL_MODUS=auto\n", want: []string{".env:2", `did you mean "RETRIEVAL_MODE"?`}},
		{name: "not TOML", file: "[retrieval\n", want: []string{"config.toml: line 1"}},
		{name: "the same key twice", file: "[ui]\nmouse = true\nmouse = false\n", want: []string{"config.toml:", "mouse"}},
		{name: "infinite", environ: []string{"RETRIEVAL_SIMILARITY_FLOOR=Inf"}, want: []string{"is not a number"}},
		{name: "two mistakes at once", file: "[ui]\nmouse = \"maybe\"\n", flags: map[string]string{"retrieval.mode": "x"}, want: []string{"true or false", "--mode"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			in := inputs()
			if c.file != "" {
				in.File = write(t, "config.toml", c.file)
			}
			if c.dotenv != "" {
				in.DotEnvFile = write(t, ".env", c.dotenv)
			}
			in.Environ, in.Flags = c.environ, c.flags
			_, err := config.Load(table(), in)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
		})
	}
}

func TestAWrongSecretIsNotRepeated(t *testing.T) {
	settings := table()
	for i := range settings {
		if settings[i].Secret {
			settings[i].Kind = config.Integer // any check that fails will do
		}
	}
	in := inputs()
	in.Environ = []string{"EMBEDDING_API_KEY=canary-4711"}
	_, err := config.Load(settings, in)
	if err == nil || strings.Contains(err.Error(), "canary") {
		t.Fatalf("got %v", err)
	}
}

func TestPasswordsInAddressesAreNotShown(t *testing.T) {
	in := inputs()
	in.Environ = []string{"DATABASE_URL=postgres://ana:canary-4711@db.example/x?sslmode=require"}
	settings := table()
	c, err := config.Load(settings, in)
	if err != nil {
		t.Fatal(err)
	}
	// A setting that is not known to have an address shows nothing of one.
	if got := c.Value("corpus.path").Shown(); got != "***" {
		t.Errorf("shown as %q", got)
	}
	settings[0].Show = func(text string) string { return strings.ReplaceAll(text, "canary-4711", "***") }
	if c, err = config.Load(settings, in); err != nil {
		t.Fatal(err)
	}
	if got := c.Value("corpus.path").Shown(); got != "postgres://ana:***@db.example/x?sslmode=require" {
		t.Errorf("shown as %q", got)
	}
	if got := c.Text("corpus.path"); !strings.Contains(got, "canary-4711") {
		t.Errorf("the value itself has become %q", got)
	}
	in.Environ = []string{"RETRIEVAL_MODE=http://ana:canary-4711@db.example"}
	if _, err := config.Load(table(), in); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("a wrong value is repeated: %v", err)
	}
}

// What looks like an address is not shown of any setting, however it is written:
// the value of one may stand in the line of another.
func TestAddressesInTheWrongPlaceAreNotShown(t *testing.T) {
	for _, text := range []string{
		"host=h password=canary dbname=x", "host=h PASSWORD = canary", "postgres://u:canary@h/x", "u:canary@h/x",
		"http://h/v1?api_key=canary", "h/v1?key=canary", "h?token=canary", "host=h passwd=canary", "canary:can@h",
	} {
		in := inputs()
		in.Environ = []string{"RETRIEVAL_MODE=" + text}
		if _, err := config.Load(table(), in); err == nil || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", text, err)
		}
		in.Environ = []string{"DATABASE_URL=" + text}
		if c, err := config.Load(table(), in); err != nil || strings.Contains(c.Value("corpus.path").Shown(), "canary") {
			t.Errorf("%q is shown, %v", text, err)
		}
	}
}

// A blank owner is one that somebody meant to give, wherever it stands.
func TestASettingMayRefuseToBeBlank(t *testing.T) {
	settings := append(table(), config.Setting{Key: "corpus.owner", Env: "WEBRAG_OWNER", Flag: "owner", WhyNotEmpty: "name an owner"})
	for _, blank := range []string{"", " \t"} {
		for _, in := range []config.Inputs{
			{Environ: []string{"WEBRAG_OWNER=" + blank}},
			{Flags: map[string]string{"corpus.owner": blank}},
			{File: write(t, "config.toml", fmt.Sprintf("corpus.owner = %q\n", blank))},
			{DotEnvFile: write(t, ".env", "WEBRAG_OWNER='"+blank+"'\n")},
		} {
			if _, err := config.Load(settings, in); err == nil || !strings.Contains(err.Error(), "corpus.owner: name an owner") {
				t.Errorf("%+v: %v", in, err)
			}
		}
	}
	if c, err := config.Load(settings, config.Inputs{}); err != nil || c.IsSet("corpus.owner") {
		t.Errorf("without an owner: %v", err)
	}
}

// Whatever a .env file looks like, a value of it is known as one: a weaker variable
// too, and one whose line is not known.
func TestWhatADotEnvGivesIsKnownAsSuch(t *testing.T) {
	for _, text := range []string{
		"DATABASE_URL=postgres://h/x\n",
		"A='x\n'b=\"\nDATABASE_URL=postgres://h/x\n",
		"A='\n' DATABASE_URL=postgres://h/x\n",
		"A=\"\n\"DATABASE_URL: postgres://h/x",
	} {
		in := inputs()
		in.DotEnvFile = write(t, ".env", text)
		c, err := config.Load(table(), in)
		if err != nil {
			t.Logf("%q: %v", text, err)
			continue
		}
		v := c.Value("corpus.path")
		given, ok := c.InDotEnv("corpus.path")
		if v.Origin.Source == config.Default || !v.Origin.IsDotEnv() || !ok || given.Text != v.Text {
			t.Errorf("%q: %q from %q, %v", text, v.Text, v.Origin, ok)
		}
		if len(c.DotEnvSum()) != 64 {
			t.Errorf("the sum is %q", c.DotEnvSum())
		}
	}
	// What a stronger source overrides is still there to be asked for.
	in := inputs()
	in.DotEnvFile = write(t, ".env", "EMBEDDING_API_KEY=folder\n")
	in.Environ = []string{"EMBEDDING_API_KEY=user"}
	c, err := config.Load(table(), in)
	if err != nil {
		t.Fatal(err)
	}
	if given, ok := c.InDotEnv("embedding.api_key"); !ok || given.Text != "folder" || c.Text("embedding.api_key") != "user" || c.Value("embedding.api_key").Origin.IsDotEnv() {
		t.Errorf("%q, %v; in force is %q", given.Text, ok, c.Text("embedding.api_key"))
	}
}

func TestAnUnknownVariableIsNamedOnce(t *testing.T) {
	in := inputs()
	in.Environ = []string{"RETRIEVAL_NOTHING_OF_THE_KIND=1"}
	_, err := config.Load(table(), in)
	if want := "environment RETRIEVAL_NOTHING_OF_THE_KIND: no such setting"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestForeignAndReservedVariablesAreLeftAlone(t *testing.T) {
	in := inputs()
	in.Environ = []string{"HOME=/x", "FIRECRAWL_API_KEY=y", "RETRIEVAL_RERANK_ENABLED=true", "EMBEDDING_DIMENSIONS="}
	c, err := config.Load(table(), in)
	if err != nil {
		t.Fatal(err)
	}
	if c.IsSet("embedding.dimensions") {
		t.Error("an empty variable counts as given")
	}
}

func TestAMissingFileIsAnErrorOnlyWhenItWasAskedFor(t *testing.T) {
	in := inputs()
	in.File = filepath.Join(t.TempDir(), "none.toml")
	if _, err := config.Load(table(), in); err != nil {
		t.Error(err)
	}
	in.FileRequired = true
	if _, err := config.Load(table(), in); err == nil {
		t.Error("no error for a file that was named and is missing")
	}
}

func TestSecretsAreShownAsSet(t *testing.T) {
	in := inputs()
	in.Environ = []string{"EMBEDDING_API_KEY=canary-4711"}
	c, err := config.Load(table(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Value("embedding.api_key").Shown(); got != "set" {
		t.Errorf("shown as %q", got)
	}
}

func TestSectionsOfLists(t *testing.T) {
	in := inputs()
	in.ListSections = []string{"keys"}
	in.File = write(t, "config.toml", "[ui]\nmouse = true\n\n[keys]\n\"results.fold\" = [\"space\", \"o\"]\nx = []\nhelp.show = \"f1\"\n")
	c, err := config.Load(table(), in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range c.Lists("keys") {
		got = append(got, fmt.Sprintf("%s=%s:%d", l.Name, strings.Join(l.Texts, ","), l.Origin.Line))
	}
	if want := "results.fold=space,o:5 x=:6 help.show=f1:7"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, " "), want)
	}
	if len(c.Lists("ui")) > 0 {
		t.Error("a section of settings has lists")
	}
}

func TestMistakesInSectionsOfLists(t *testing.T) {
	for text, want := range map[string]string{
		"[keys]\nx = 3\n":                                   "config.toml:2: keys.x: must be a list of texts",
		"[keys]\nx = [\"a\", 1]\n":                          "config.toml:2: keys.x: must be a list of texts",
		"[keys]\nx.y = [\"a\"]\n\n\"x.y\" = []\n":           "config.toml:4: keys.x.y: given before, in line 2",
		"keys = 3\n":                                        "config.toml:1: keys: no such setting",
		"[kyes]\nx = []\n":                                  "config.toml:2: kyes.x: no such setting",
		"[keys]\nx = []\n[ui]\nmouse = \"maybe\"\ny = []\n": "config.toml:4: ui.mouse: \"maybe\" must be true or false",
	} {
		in := inputs()
		in.ListSections = []string{"keys"}
		in.File = write(t, "config.toml", text)
		if _, err := config.Load(table(), in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func FuzzConfigFile(f *testing.F) {
	f.Add("[retrieval]\nmode = \"auto\"\n")
	f.Add("a.b.c = 1\n[[x]]\ny = {z = 2}\n")
	f.Add("\x00[")
	f.Add("[keys]\n\"a.b\" = [\"x\", 1]\na.b = []\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := inputs()
		in.File = write(t, "config.toml", text)
		in.ListSections = []string{"keys"}
		c, err := config.Load(table(), in)
		if err == nil && c.Text("retrieval.mode") == "" {
			t.Error("a file emptied a setting that has a default")
		}
	})
}

func FuzzDotEnv(f *testing.F) {
	f.Add("RETRIEVAL_MODE=chunk\n")
	f.Add("export X='a\nb'\n=\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := inputs()
		in.DotEnvFile = write(t, ".env", text)
		if _, err := config.Load(table(), in); err != nil && !strings.Contains(err.Error(), ".env") {
			t.Errorf("%v does not name the file", err)
		}
	})
}
