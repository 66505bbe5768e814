package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// On a terminal, errors and help must not wait for answers to questions about
// it, such as for its background. It needs script(1), which gives a program a
// terminal; that of macOS and the BSDs has other flags.
func TestErrorsAndHelpAskTheTerminalNothing(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil || exec.Command(script, "-qec", "true", "/dev/null").Run() != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("script(1) of util-linux is missing, and CI must look at a terminal")
		}
		t.Skip("there is no script(1) of util-linux")
	}
	home := t.TempDir()
	for command, want := range map[string]string{
		"webrag-tui --help":                    "Usage",
		"webrag-tui query --frobnicate":        "frobnicate",
		"webrag-tui query --corpus none.db x":  "no corpus",
		"webrag-tui config show --set nothing": "field=value",
	} {
		cmd := exec.CommandContext(t.Context(), script, "-qec", command, "/dev/null")
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "TERM=xterm-256color")
		out, _ := cmd.CombinedOutput()
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s does not say %q: %q", command, want, out)
		}
		for _, question := range []string{"\x1b]", "\x1b[c", "\x1b[6n"} {
			if bytes.Contains(out, []byte(question)) {
				t.Errorf("%s asks the terminal: %q", command, out)
			}
		}
	}
}
