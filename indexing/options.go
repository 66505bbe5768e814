package indexing

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing/source"
)

// ChildMode says how children are made of the blocks of a parent.
type ChildMode string

const (
	// Merged puts small paragraphs together up to the target size.
	Merged ChildMode = "merged"
	// Paragraph makes each block a child, as the indexing specification says
	// literally: a median child of 29 tokens and 2.7 times as many vectors.
	Paragraph ChildMode = "paragraph"
)

// Options tune a run. Embedder and Tokenizer are required; the other zero values
// are useful.
type Options struct {
	Embedder  embedder.Embedder
	Tokenizer embedder.Tokenizer

	// ChildTargetTokens and ParentMaxTokens are hard ceilings, in tokens of the
	// tokenizer: 32 to 4096, and at least the child's.
	//
	// Default to 256 and 1000.
	ChildTargetTokens, ParentMaxTokens int
	// Children defaults to Merged.
	Children ChildMode
	// HTMLChildren stores the HTML of flagged children too, not of parents only.
	HTMLChildren bool

	// Reembed embeds all stored children anew with Embedder, before any page is
	// read. Without it a corpus of another embedder is refused.
	Reembed bool
	// Calibrate measures the cosine scale even when embedding costs money.
	Calibrate bool
	// Prune names the folders (see source.Set.Roots) whose documents are deleted
	// when no page of this run has their address. A folder of which no page was
	// read is refused with a [PruneError].
	Prune []source.Root

	// Program names the program that runs, so that no two builds of it that may make
	// something else of a page have one name. With it, a run notes in the corpus what
	// became of each page's bytes, and a page whose bytes were noted, by a program of
	// this name and with these options, is not read again while its document is still
	// what it became. Without it, or where the store keeps no notes (see
	// [store.SourceNoter]), every page is read and cut.
	Program string

	// BatchTexts is how many texts are embedded in one go: enough to keep all
	// requests of an embedder busy, and few enough that little is lost when a run
	// is stopped.
	//
	// Defaults to 1024, four requests of 256.
	BatchTexts int
	// Workers is how many pages are cut at once. Defaults to GOMAXPROCS.
	Workers int
	// Pages is how many pages will come, 0 when that is not known. It is only
	// reported.
	Pages int
	// Progress is called from Run's goroutine, often; it must not wait.
	Progress func(Progress)
	// Log is told what helps to find a fault in this package; nil logs nothing.
	Log *slog.Logger
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// withDefaults fills in and validates a copy.
func (o Options) withDefaults() (Options, error) {
	if o.ChildTargetTokens == 0 {
		o.ChildTargetTokens = 256
	}
	if o.ParentMaxTokens == 0 {
		o.ParentMaxTokens = 1000
	}
	if o.Children == "" {
		o.Children = Merged
	}
	if o.BatchTexts <= 0 {
		o.BatchTexts = 1024
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	switch {
	case o.Embedder == nil || o.Tokenizer == nil:
		return o, errors.New("indexing needs an embedder and a tokenizer")
	case o.ChildTargetTokens < 32 || o.ChildTargetTokens > 4096:
		return o, fmt.Errorf("child_target_tokens is %d, must be 32 to 4096", o.ChildTargetTokens)
	case o.ParentMaxTokens < o.ChildTargetTokens:
		return o, fmt.Errorf("parent_max_tokens is %d, must be at least child_target_tokens (%d)", o.ParentMaxTokens, o.ChildTargetTokens)
	case o.Children != Merged && o.Children != Paragraph:
		return o, fmt.Errorf("chunk_children is %q, must be %q or %q", o.Children, Merged, Paragraph)
	}
	return o, nil
}

// pipelineVersion grows with every change of the converter or the chunker that
// changes what they make of the same page.
const pipelineVersion = 4

// fingerprint names everything besides the page that decides about its rows.
func (o *Options) fingerprint() string {
	info := o.Embedder.Info()
	parts := []string{
		fmt.Sprintf("pipeline=%d", pipelineVersion),
		fmt.Sprintf("child=%d", o.ChildTargetTokens),
		fmt.Sprintf("parent=%d", o.ParentMaxTokens),
		"children=" + string(o.Children),
		fmt.Sprintf("html_children=%t", o.HTMLChildren),
		"tokenizer=" + o.Tokenizer.ID(),
		"embedder=" + info.ID,
		fmt.Sprintf("dimensions=%d", info.Dims),
	}
	return strings.Join(parts, ";")
}
