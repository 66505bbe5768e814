package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/config"
)

// canary stands for a key that must never be printed.
const canary = "sk-verysecret123"

func TestErrorsOfADotEnvFileShowNothingOfIt(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
	}{
		{"no assignment", "$ x\nEMBEDDING_API_KEY=" + canary + "\n", ".env:1: this is not NAME=value"},
		{"no assignment further down", "# a key\n\nEMBEDDING_API_KEY=" + canary + "\n" + canary + "!\n", ".env:4: this is not NAME=value"},
		{"open quote", "A=1\nEMBEDDING_API_KEY=\"" + canary + "\nB=2\n", ".env:2: a quote is not closed"},
		{"open single quote", "EMBEDDING_API_KEY='" + canary, ".env:1: a quote is not closed"},
		{"after a value of two lines", "A=\"1\n2\"\nEMBEDDING_API_KEY=\"" + canary, ".env:3: a quote is not closed"},
		{"a key swallowed by a quote", "EMBEDDING_DIMENSIONS=\"8\nEMBEDDING_API_KEY=" + canary + "\"\n", ".env:1: the value has a line break"},
		{"a key swallowed as a name", "DATABASE_URL=\"x\nEMBEDDING_API_KEY=" + canary + "\"\n", ".env:1: the value has a line break"},
		{"a key on the same line", "A=1\nEMBEDDING_DIMENSIONS=8 " + canary + "\n", ".env:2: the value is not a whole number"},
		{"a key by its variable", "EMBEDDING_API_KEY=" + canary + "\nRETRIEVAL_MODE=${EMBEDDING_API_KEY}\n", ".env:2: the value"},
		{"many lines", strings.Repeat("A=1\n", 300) + "- " + canary + "\n" + strings.Repeat("EMBEDDING_API_KEY="+canary+"\n", 300), ".env:301: this is not NAME=value"},
		{"windows line ends", "A=1\r\n$ " + canary + "\r\n", ".env:2: this is not NAME=value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := inputs()
			in.DotEnvFile = write(t, ".env", c.text)
			_, err := config.Load(table(), in)
			if err == nil {
				t.Fatal("no error")
			}
			if text := err.Error(); strings.Contains(text, canary) || len(text) > 400 {
				t.Errorf("the error shows the file: %s", text)
			}
			want := strings.Replace(c.want, ": the value", ": "+keyIn(err)+": the value", 1)
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q does not say %q", err, want)
			}
		})
	}
}

// keyIn is the setting that an error is about.
func keyIn(err error) string {
	var wrong *config.Error
	if errors.As(err, &wrong) {
		return wrong.Key
	}
	return ""
}

func TestErrorsOfAConfigFileShowNoKey(t *testing.T) {
	for _, text := range []string{
		"[embedding]\napi_key = " + canary + "\n",
		"[embedding]\napi_key = \"" + canary + "\n",
		"[embedding]\napi_key = \"" + canary + "\"\n" + "api_key = \"" + canary + "\"\n",
		"[embedding]\napi_key = [\"" + canary + "\"]\n",
		"[embedding]\napi_key: " + canary + "\n",
	} {
		in := inputs()
		in.File = write(t, "config.toml", text)
		if _, err := config.Load(table(), in); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAValueOfTwoLinesKeepsTheLinesRight(t *testing.T) {
	in := inputs()
	in.DotEnvFile = write(t, ".env", "A=\"1\nRETRIEVAL_MODE=chunk\n2\"\nRETRIEVAL_MODE=full_context\n")
	c, err := config.Load(table(), in)
	if err != nil {
		t.Fatal(err)
	}
	if v := c.Value("retrieval.mode"); v.Text != "full_context" || v.Origin.Line != 4 {
		t.Errorf("%q from %s", v.Text, v.Origin)
	}
}

func FuzzDotEnvShowsNoSecret(f *testing.F) {
	f.Add("$ x\nEMBEDDING_API_KEY=%s")
	f.Add("EMBEDDING_API_KEY=\"%s")
	f.Add("RETRIEVAL_MODE='%s'\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Count(text, "%s") != 1 || strings.Count(text, "%") != 1 {
			return
		}
		in := inputs()
		in.DotEnvFile = write(t, ".env", fmt.Sprintf(text, canary))
		var file *config.DotEnvError
		if _, err := config.Load(table(), in); errors.As(err, &file) && strings.Contains(err.Error(), canary) {
			t.Errorf("%q is shown: %v", text, err)
		}
	})
}
