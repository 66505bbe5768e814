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
	// names are those that the text can be completed to; the next tab puts the one at next
	// in.
	names
	next int
	said string // why there are none, or not all
}

// names are what a path can be completed to.
type names struct {
	// found are the names, folders with a slash; of is what of the path stands before them.
	found []string
	of    string
	// odd counts those that a line of text cannot have; cut is how many were looked
	// at, where the folder has more, else 0.
	odd, cut int
}

// mostNames is how many names of a folder are looked at.
const mostNames = 5000

// errAddress says that a text is no path.
var errAddress = errors.New("an address is taken as it is typed")

// CompletePaths has tab complete what is typed as the path of a file or folder.
func (p *Prompt) CompletePaths(s Shell) {
	p.paths, p.selected = &paths{shell: s}, false // a path is gone on with
	p.Input.Select(false)
}

// complete reads the folder of what is typed, beside the screen, and completes it as far
// as its names agree; where they do not go on, it puts one after the other in.
func (p *Prompt) complete() tea.Cmd {
	c, text := p.paths, p.Input.Value()
	if len(c.found) > 1 { // and nothing was typed since
		p.Input.Set(c.of + c.found[c.next%len(c.found)])
		c.next++
		return nil
	}
	return c.reading.Run(c.shell.Context(), func(context.Context) func() tea.Cmd {
		n, err := namesFor(text, mostNames)
		return func() tea.Cmd {
			if p.Input.Value() == text {
				c.names, c.next, c.said = n, 0, n.said(err)
				p.Input.Set(n.of + cmpLonger(commonStart(n.found), text[len(n.of):]))
				if len(n.found) == 1 {
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

// said says why there are no names, or not all; empty where there is nothing to say.
func (n *names) said(err error) string {
	switch {
	case errors.Is(err, errAddress):
		return err.Error()
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such folder"
	case err != nil:
		return "the folder cannot be read"
	case n.cut > 0 && len(n.found) == 0:
		return "none of the first " + wording.Plural(n.cut, "name") + " there begins so"
	case n.cut > 0:
		return "of the first " + wording.Plural(n.cut, "name") + " there"
	case n.odd > 0:
		return wording.Plural(n.odd, "name") + " with signs that cannot be typed"
	case len(n.found) == 0:
		return "nothing there begins so"
	}
	return ""
}

// namesFor are the names that a path can be completed to: those that it begins or, where
// there are none, those that it begins in other letters of the same kind. An address has
// none, which is [errAddress]. Of a folder as many names as most are looked at.
func namesFor(text string, most int) (n names, err error) {
	if strings.Contains(text, "://") {
		return names{of: text}, errAddress
	}
	if text == "~" {
		return names{found: []string{"~/"}}, nil
	}
	at := strings.LastIndexByte(text, '/') + 1
	begun := text[at:]
	n.of = text[:at]
	dir, err := os.Open(InHome(orHere(n.of)))
	if err != nil {
		return n, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	entries, err := dir.ReadDir(most + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	if len(entries) > most {
		n.cut, entries = most, entries[:most]
	}
	for _, fold := range []bool{false, true} {
		for _, e := range entries {
			name := e.Name()
			switch {
			case !begins(name, begun, fold), begun == "" && strings.HasPrefix(name, "."):
			case wording.Line(name) != name:
				n.odd++
			default:
				if isFolder(dir.Name(), e) {
					name += "/"
				}
				n.found = append(n.found, name)
			}
		}
		if len(n.found) > 0 {
			break
		}
	}
	slices.Sort(n.found)
	return n, nil
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

// lines are the names below the line that is typed into, as many as go into three lines,
// and why there are not more.
func (c *paths) lines(s *theme.Styles, w int) []string {
	lines := widget.Styled(s.Text.Render, c.inLines(w))
	if c.said != "" {
		lines = append(lines, s.Faint.Render(c.said))
	}
	return lines
}

func (c *paths) inLines(w int) (lines []string) {
	if len(c.found) < 2 {
		return nil
	}
	const most, gap = 3, "   "
	line, room := "", w
	for i, name := range c.found {
		if len(lines) == most-1 {
			room = w - len(gap+"and 9999 more")
		}
		if line != "" && ansi.StringWidth(line+gap+name) > room {
			if lines = append(lines, line); len(lines) == most {
				lines[most-1] += gap + "and " + wording.Count(len(c.found)-i) + " more"
				return lines
			}
			line = ""
		}
		if line != "" {
			line += gap
		}
		line += name
	}
	return append(lines, line)
}
