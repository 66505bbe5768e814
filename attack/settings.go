//go:build linux

package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// settings are files that a person wrote, or a program, and something changed.
var settings = family{
	name:  "settings",
	tries: "changed, cut and mixed config files, .env, profiles, themes, tours, recordings, edges and questions",
	holds: "read, or exit code 2 with a sentence; no crash; no control sequence of them reaches the terminal",
	count: 400, short: 10,
	begin: func(a *arena) (attempt, error) {
		a.corpus()
		recording := record(a)
		return func(t *try) error {
			kinds := []mutant{
				{"config.toml", sampleConfig, []string{"config", "show", "--config", "FILE"}, false},
				{".env", sampleEnv, []string{"config", "show"}, false},
				{"mine.toml", sampleProfile, []string{"query", "--corpus", t.guide.path, "--profile", "FILE", "retries"}, false},
				{"edges.jsonl", manyEdges(5), []string{"edges", "import", "--corpus", "COPY", "FILE"}, false},
				{"questions.txt", strings.Join(questions, "\n"), []string{"ann", "--corpus", t.guide.path, "--queries", "FILE"}, false},
				{"lines.jsonl", sampleLines, []string{"index", "--corpus", "new.db", "FILE"}, false},
				{"theme.toml", sampleTheme, []string{"explore", "--corpus", t.guide.path, "--theme", "FILE"}, true},
				{"talk.tour", sampleTour, []string{"explore", "--corpus", t.guide.path, "--speed", "20", "--script", "FILE"}, true},
				{"session.jsonl", recording, []string{"replay", "--play", "--speed", "20", "FILE"}, true},
				{"session.jsonl", recording, []string{"replay", "FILE"}, true},
			}
			return kinds[t.n%len(kinds)].try(t)
		}, nil
	},
}

// mutant is a file that a command reads.
type mutant struct {
	name, text string
	args       []string
	screen     bool
}

func (m mutant) try(t *try) error {
	text := mutate(t, m.text)
	path := t.write(m.name, text)
	args := append([]string(nil), m.args...)
	for i, arg := range args {
		switch arg {
		case "FILE":
			args[i] = path
		case "COPY":
			args[i] = t.copyOf(t.guide.path, "corpus.db")
		}
	}
	if !m.screen {
		if err := t.run(args...).refused(0, 1, 2); err != nil {
			return fmt.Errorf("%s %s: %w", m.name, brief(text), err)
		}
		return nil
	}
	x := t.open(call{args: args})
	x.until(2*time.Second, "corpus", "webrag-tui:", "session", "On ")
	x.settle(100 * time.Millisecond)
	x.keys("\x1b")
	x.settle(50 * time.Millisecond)
	x.keys("j")
	x.settle(50 * time.Millisecond)
	if err := x.end(t.ctx); err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return nil
}

// mutate changes a text in a few places, by bytes, values or lines.
func mutate(t *try, text string) string {
	raw := []byte(text)
	for range 1 + t.IntN(4) {
		if len(raw) < 2 {
			break
		}
		at := t.IntN(len(raw))
		switch t.IntN(7) {
		case 0:
			raw[at] ^= 1 << t.IntN(8)
		case 1:
			raw = raw[:at]
		case 2:
			end := min(len(raw), at+t.IntN(40))
			raw = append(append([]byte(nil), raw[:at]...), raw[end:]...)
		case 3:
			raw = splice(raw, at, one(t, smuggled...))
		case 4:
			raw = splice(raw, at, one(t, "-1", "1e999", "NaN", "99999999999999999999", "null", "{}", "[]", `""`, "true", "\x00", "\n", `"`, "=", "[[", strings.Repeat("[", 2000), strings.Repeat("a", 20000)))
		case 5: // another value in a line
			lines := bytes.Split(raw, []byte("\n"))
			i := t.IntN(len(lines))
			if key, _, ok := bytes.Cut(lines[i], []byte("=")); ok {
				lines[i] = append(append([]byte(nil), key...), []byte("= "+one(t, "-1", "1e400", `"x"`, "[1, 2]", "2147483648", "false", `"#gggggg"`, "{a=1}"))...)
			}
			raw = bytes.Join(lines, []byte("\n"))
		default: // lines in another order
			lines := bytes.Split(raw, []byte("\n"))
			i, j := t.IntN(len(lines)), t.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
			raw = bytes.Join(lines, []byte("\n"))
		}
	}
	return string(raw)
}

func splice(raw []byte, at int, text string) []byte {
	return append(append(append([]byte(nil), raw[:at]...), text...), raw[at:]...)
}

const (
	sampleConfig = "[embedding]\nprovider = \"builtin\"\nbatch_size = 256\n\n[retrieval]\nmode = \"auto\"\nsimilarity_floor = 0.3\ntop_k_children_limit = 60\n\n[ui]\ntheme = \"lamp\"\n"
	sampleEnv    = "EMBEDDING_PROVIDER=builtin\nEMBEDDING_BATCH_SIZE=256\nRETRIEVAL_MODE=chunk\nRETRIEVAL_SIMILARITY_FLOOR=0.3\nexport WEBRAG_THEME='lamp'\nWEBRAG_OWNER=\"ann\"\n"
	sampleTheme  = "text = \"#c8c8c8\"\naccent = \"#ffaf5f\"\n[dark]\ntext = \"#ffffff\"\n"
	sampleTour   = "caption \"What does the floor cut?\"\ntype retries\nkey enter\nset similarity_floor .2\napply top_k=5 keyword_weight=.5\nview 2\nselect 1\nwait 1s\nrun view.corpus\n"
	sampleLines  = `{"url":"http://x.example/a","title":"A","markdown":"# A\n\nretries","tags":["a"],"depth":1,"metadata":{"k":"v"},"fetched_at":"2026-01-01T00:00:00Z"}` + "\n" + `{"url":"http://x.example/b","html":"<h1>B</h1><p>boosting"}` + "\n"
)

// sampleProfile is what "profile save" writes, roughly.
const sampleProfile = "preset = \"hybrid\"\nnote = \"n\"\n\n[params]\nsimilarity_floor = 0.2\ndepth_decay_rate = 0.1\ntop_k = 5\n"

// record makes a recording of a short session.
func record(a *arena) string {
	home := a.standIn(a.dir + "/record.home")
	path := home.path("session.jsonl")
	x := home.open(call{args: []string{"explore", "--corpus", a.guide.path, "--record", path, questions[0]}})
	x.until(10*time.Second, "On ")
	for _, key := range []string{"j", "j", "\r", "\x1b", "t", "\x1b[C", "\x1b", "e"} {
		x.keys(key)
		x.settle(100 * time.Millisecond)
	}
	must(x.end(a.ctx))
	return read(path)
}
