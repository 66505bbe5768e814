package ui

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/ui/view"
)

// poisoned is the guide after something hostile has written to its file: control
// sequences stand in every text that a screen may show.
func poisoned(t *testing.T) func(*Options, *fakeCorpus) {
	t.Helper()
	file, err := guideFile()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "poisoned.db")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range []string{
		`UPDATE documents SET title = title || ?1, description = ?1, language = ?1, doc_type = ?1, filename = ?1, doc_path = ?1,
		 tags = json_array(?1), metadata = json_object('key', ?1)`,
		`UPDATE documents SET source_url = source_url || ?1, url = ?1 WHERE depth > 0`,
		`UPDATE chunks SET source_url = (SELECT source_url FROM documents d WHERE d.id = document_id), title = title || ?1,
		 section_heading = section_heading || ?1, heading_path = json_array('Heading' || ?1), anchor = ?1`,
		`UPDATE chunk_texts SET chunk_text = chunk_text || ?1 || ' and more', html_text = html_text || '<p>' || ?1 || '</p>', image_refs = NULL`,
		`UPDATE chunk_edges SET description = ?1`,
		`UPDATE links SET text = ?1, anchor = ?1`,
	} {
		if _, err := db.ExecContext(context.Background(), s, hostile); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	guide := onGuide(t, "hybrid", depthQuestion)
	return func(o *Options, f *fakeCorpus) {
		guide(o, f)
		opener := openFile(t, path)
		o.Open, o.CorpusName = opener, hostile
	}
}

// scanned fails the test if the model would send a terminal anything but text,
// styles and addresses of the web and of files.
func scanned(t *testing.T, d *driver, after string) {
	t.Helper()
	view := d.frame()
	for _, text := range []string{view.Content, view.WindowTitle} {
		rest, state := text, byte(0)
		for rest != "" {
			seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
			rest, state = rest[n:], next
			switch {
			case width > 0 || seq == "\n":
				if r, _ := utf8.DecodeRuneInString(seq); unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' {
					t.Fatalf("after %s the screen holds %q", after, seq)
				}
			case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"):
			case strings.HasPrefix(seq, "\x1b]8;"):
				if strings.ContainsFunc(strings.Trim(seq, "\x1b\x07\\"), func(r rune) bool { return r < 0x20 || r > 0x7e }) {
					t.Fatalf("after %s a link is %q", after, seq)
				}
			default:
				for _, r := range seq {
					if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError {
						t.Fatalf("after %s the screen sends %q in %q", after, seq, around(text, len(text)-len(rest)))
					}
				}
			}
		}
	}
}

func around(s string, at int) string { return s[max(0, at-60):min(len(s), at+20)] }

// Whatever is done with a hostile corpus, nothing of it reaches the terminal but
// text: in every view every action is run, and what it opens is answered.
func TestHostileCorpus(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {50, 15}} {
		d := drive(t, 1, size[0], size[1], poisoned(t), "")
		scanned(t, d, "opening")
		if len(shownIDs(d)) == 0 {
			t.Fatal("nothing came back")
		}
		for i := range d.views() {
			v := viewID(i)
			for _, a := range d.actionTable() {
				switch a.ID {
				case "program.quit", "program.interrupt", "program.suspend":
					continue
				}
				if testing.Short() && (size[0] < 100 || !reachable(&a, d.panesOf(v))) {
					continue // from the palette only
				}
				d.push(d.showView(v))
				d.push(d.run(&a))
				d.settle()
				scanned(t, d, a.ID)
				for _, keys := range []string{"down", "enter", "esc", "esc", "esc"} {
					d.press(keys)
					scanned(t, d, a.ID+" "+keys)
				}
				if d.quit {
					t.Fatalf("%s ends the program", a.ID)
				}
			}
		}
	}
}

// reachable says that a key reaches the action in one of the panes of a view.
func reachable(a *view.Action, panes []view.Context) bool {
	for _, p := range panes {
		if a.Contexts.Has(p) {
			return true
		}
	}
	return false
}

// The terminal's own messages, such as the clipboard's, carry text that was asked
// for; a paste of control characters is text, too.
func TestHostilePaste(t *testing.T) {
	d := drive(t, 1, 120, 40, nil, "")
	d.send(tea.PasteMsg{Content: hostile + "\n" + hostile})
	d.settle()
	scanned(t, d, "a paste")
}

// A key may bring a text of its own, too.
func TestHostileKeys(t *testing.T) {
	d := drive(t, 1, 120, 40, nil, "")
	for _, r := range hostile {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.send(tea.KeyPressMsg{Code: 'a', Text: hostile})
	d.settle()
	scanned(t, d, "keys")
}
