package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/webrag/webrag-tui/citations"
	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/wire"
)

// promptFlags say what a language model would be asked about, and in which form
// that is printed.
type promptFlags struct {
	ground                         bool
	shape                          string
	selectedText, docPath, section string
	isSelection                    bool
}

func (f *promptFlags) register(fs *pflag.FlagSet) {
	fs.BoolVar(&f.ground, "ground", false, "add the instruction that holds a language model to the sources, fence the sources and list their addresses")
	// An empty name, as of a variable that is not set, must not become a search.
	fs.Func("selected-text", "ask about the passage in this `file` (- for standard input) and search nothing", func(path string) error {
		f.selectedText, f.isSelection = path, true
		return nil
	})
	fs.StringVar(&f.docPath, "doc-path", "", "the `path` of the document that the passage was selected in")
	fs.StringVar(&f.section, "section", "", "the `heading` above the passage")
}

// registerShape adds the flag of the commands that print results.
func (f *promptFlags) registerShape(fs *pflag.FlagSet) {
	shapes := eachOf(wire.Shapes(), func(s wire.Shape) string { return string(s) })
	fs.StringVar(&f.shape, "shape", "", "print JSON as this `kind` of retriever returns it ("+strings.Join(shapes, ", ")+")")
}

// check reports flags that do not go together; text is what is asked.
func (f *promptFlags) check(text string) error {
	switch {
	case f.isSelection && f.selectedText == "":
		return errors.New("--selected-text has no name; give it a file, or - for standard input")
	case f.isSelection && f.selectedText == "-" && text == "-":
		return errors.New("standard input cannot hold both the questions and the passage; give --selected-text a file")
	case !f.isSelection && f.docPath != "":
		return errors.New("--doc-path says where a passage was selected; give the passage with --selected-text FILE")
	case !f.isSelection && f.section != "":
		return errors.New("--section says where a passage was selected; give the passage with --selected-text FILE, or restrict a search with --heading")
	default:
		return nil
	}
}

// openPassage reads the selected passage. It opens neither a corpus nor an
// embedder.
func (q *asker) openPassage(ctx context.Context) error {
	c, err := q.app.loadConfig()
	if err != nil {
		return err
	}
	q.encode = q.encodeOptions(c, "")
	f := &q.flags.prompt
	text, err := q.app.readPassage(ctx, f.selectedText)
	if err != nil {
		return err
	}
	q.passage = &retrieval.Request{Mode: retrieval.ModeSelectedText, SelectedText: text, DocPath: f.docPath, Section: f.section}
	return nil
}

// readPassage reads a selected passage from a file or standard input.
func (a *app) readPassage(ctx context.Context, path string) (string, error) {
	in, err := a.openInput(ctx, path, file.Unlimited)
	if err != nil {
		return "", fmt.Errorf("read the selected text: %w", err)
	}
	defer in.Close()
	name := nameOfInput(path)
	raw, err := io.ReadAll(io.LimitReader(in, retrieval.MaxSelection+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the selected text from %s: %w", name, err)
	case len(raw) > retrieval.MaxSelection:
		return "", fmt.Errorf("%s is longer than 1 MB (%d bytes), the most that can be selected; give a shorter passage, or make a corpus of it with 'webrag-tui index'",
			name, retrieval.MaxSelection)
	case strings.ContainsRune(string(raw), 0):
		return "", fmt.Errorf("%s is not text: it has zero bytes; save the passage as plain text", name)
	}
	return offset.Document(string(raw)), nil
}

// encodeOptions say how results are written as JSON. The shape of a textbook's
// retriever has the prompt that this makes, to the letter.
func (q *asker) encodeOptions(c *config.Config, preset string) wire.Options {
	o := wire.Options{WithEmbedding: q.flags.withEmbedding, Ground: q.flags.prompt.ground}
	o.Links.BaseURL = c.Text("citations.base_url")
	if q.shape == wire.ShapeTextbook {
		return o
	}
	if preset != param.PresetTextbook {
		o.Policy = citations.GeneralPolicy()
	}
	o.Policy.Fenced, o.Policy.Offsets, o.Policy.Links = o.Ground, true, o.Links
	return o
}
