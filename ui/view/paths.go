package view

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/webrag/webrag-tui/theme"
	"github.com/webrag/webrag-tui/ui/widget"
	"github.com/webrag/webrag-tui/ui/wording"
)

// paths completes the path of a file or folder that a [Prompt] asks for.
type paths struct {
	shell   Shell
	reading Work
	// found are the names that the text can be completed to, folders with a slash; the
	// next tab puts the one at next in. of is the text that they go on from.
	found []string
	of    string
	next  int
	said  string // why there are none
}

// mostNames is how many names of a folder are looked at.
const mostNames = 5000

// CompletePaths has tab complete what is typed as the path of a file or folder.
func (p *Prompt) CompletePaths(s Shell) { p.paths = &paths{shell: s} }

// complete reads the folder of what is typed, beside the screen, and completes it as far
// as its names agree; where they do not go on, it puts one after the other in.
func (p *Prompt) complete() tea.Cmd {
	c, text := p.paths, p.Input.Value()
	if rest, ok := strings.CutPrefix(text, c.of); ok && len(c.found) > 1 && (rest == commonStart(c.found) || slices.Contains(c.found, rest)) {
		p.Input.Set(c.of + c.found[c.next%len(c.found)])
		c.next++
		return nil
	}
	return c.reading.Run(c.shell.Context(), func(context.Context) func() tea.Cmd {
		of, found, odd, err := namesFor(text)
		return func() tea.Cmd {
			if p.Input.Value() == text {
				c.of, c.found, c.next, c.said = of, found, 0, saidOf(found, odd, err)
				p.Input.Set(of + cmpLonger(commonStart(found), text[len(of):]))
				if len(found) == 1 {
					c.found = nil // the next tab goes on from it
				}
			}
			return nil
		}
	})
}

// cmpLonger is what the names agree in, or where that is less what was typed of them.
func cmpLonger(common, typed string) string {
	if len(common) < len(typed) {
		return typed
	}
	return common
}

// saidOf says why there are no names, or not all; empty where there is nothing to say.
func saidOf(found []string, odd int, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such folder"
	case err != nil:
		return "the folder cannot be read"
	case odd > 0:
		return wording.Plural(odd, "name") + " with signs that cannot be typed"
	case len(found) == 0:
		return "nothing there begins so"
	}
	return ""
}

// namesFor are the names that a path can be completed to: of is what of the path stands
// before them. odd counts those that a line of text cannot have. An address has none.
func namesFor(text string) (of string, found []string, odd int, err error) {
	if strings.Contains(text, "://") {
		return text, nil, 0, nil
	}
	at := strings.LastIndexByte(text, '/') + 1
	if text == "~" {
		return "", []string{"~/"}, 0, nil
	}
	of, begun := text[:at], text[at:]
	dir, err := os.Open(InHome(orHere(of)))
	if err != nil {
		return of, nil, 0, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	entries, err := dir.ReadDir(mostNames)
	if err != nil && !errors.Is(err, io.EOF) {
		return of, nil, 0, err
	}
	for _, fold := range []bool{false, true} {
		for _, e := range entries {
			name := e.Name()
			switch {
			case !begins(name, begun, fold), begun == "" && strings.HasPrefix(name, "."):
			case wording.Line(name) != name:
				odd++
			default:
				if isFolder(dir.Name(), e) {
					name += "/"
				}
				found = append(found, name)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	slices.Sort(found)
	return of, found, odd, nil
}

func begins(name, with string, fold bool) bool {
	if fold {
		return strings.HasPrefix(strings.ToLower(name), strings.ToLower(with))
	}
	return strings.HasPrefix(name, with)
}

func orHere(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func isFolder(dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(filepath.Join(dir, e.Name()))
		return err == nil && info.IsDir()
	}
	return e.IsDir()
}

// commonStart is what all names begin with.
func commonStart(names []string) string {
	if len(names) == 0 {
		return ""
	}
	common := []rune(names[0])
	for _, name := range names[1:] {
		n := 0
		for _, r := range name {
			if n == len(common) || common[n] != r {
				break
			}
			n++
		}
		common = common[:n]
	}
	return string(common)
}

// InHome is a path as the system takes it: ~ is the user's home.
func InHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return home + rest
}

// lines are the names below the line that is typed into, as many as go into three lines.
func (c *paths) lines(s *theme.Styles, w int) []string {
	if c.said != "" && len(c.found) < 2 {
		return []string{s.Faint.Render(c.said)}
	}
	const most, gap = 3, "   "
	var lines []string
	line, room := "", w
	for i, name := range c.found {
		if len(lines) == most-1 {
			room = w - len(gap+"and 9999 more")
		}
		if line != "" && ansi.StringWidth(line+gap+name) > room {
			if lines = append(lines, line); len(lines) == most {
				lines[most-1] += gap + "and " + wording.Count(len(c.found)-i) + " more"
				return widget.Styled(s.Text.Render, lines)
			}
			line = ""
		}
		if line != "" {
			line += gap
		}
		line += name
	}
	return widget.Styled(s.Text.Render, append(lines, line))
}
