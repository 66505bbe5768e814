package indexing

import (
	"fmt"
	"time"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/indexing/source"
)

// Report says what a run did. It is valid after an error too, for what was done
// before.
type Report struct {
	// Pages counts the pages that were read, Added those that were new, Updated
	// those that replaced an older form, Unchanged those that wrote nothing.
	Pages, Added, Updated, Unchanged int
	// Failed are the pages that could not be read or cut.
	Failed []*source.PageError
	// Copies are the pages that have the address and the text of another page of the run:
	// they wrote nothing, and nothing is missing.
	Copies []Copy
	// Replaced are the pages, of those Updated, whose address had a page of another
	// folder: two folders of one name, for example, that a base URL would tell apart.
	Replaced []Replacement
	// Overtaken are the pages, of those Updated, that were given by themselves, in a
	// JSONL file for example, and whose address had another file of a folder.
	Overtaken []Replacement
	// Elsewhere are the pages whose files name an address on another host than the
	// base URL, unchanged pages too.
	Elsewhere []Replacement
	// Claimed are the further addresses that were left out, each another page's own.
	Claimed []Claim
	// Unmatched are the pages with sections whose markdown has no place in the HTML
	// that came with it, of unchanged pages too.
	Unmatched []Unmatched
	// Deleted counts the documents whose pages are gone.
	Deleted int
	// Parents and Children count the chunks that were cut, of unchanged pages
	// too; Embedded the texts that were embedded, Reused the children that got a
	// vector of the corpus or of an equal text, Blank those without words.
	Parents, Children, Embedded, Reused, Blank int
	// Reembedded counts the vectors that were made anew for another embedder.
	Reembedded int
	// Tokenizer is the id of the tokenizer that all sizes were counted with.
	Tokenizer string
	// Calibrated says that the cosine scale was measured.
	Calibrated bool
	Elapsed    time.Duration
}

// Wrote says that the corpus changed.
func (r *Report) Wrote() bool {
	return r.Added+r.Updated+r.Deleted+r.Reembedded > 0 || r.Calibrated
}

// Replacement is a page with an address that it might not be expected to have, such as
// that of a page of another folder. Path is what messages call it.
type Replacement struct{ Path, SourceURL string }

// Copy is a page that says to be another one, as a file under a second name does, and has its
// text. Path and First are what messages call it and the one that was kept.
type Copy struct{ Path, First, SourceURL string }

// Unmatched is a page whose markdown another converter made of its HTML. Of its
// Sections, those of the count Without have no HTML: no part of it shares enough
// words with them. Path is what messages call the page.
type Unmatched struct {
	Path, SourceURL   string
	Sections, Without int
}

// TokenizerError reports a corpus whose token counts are of another tokenizer.
type TokenizerError struct{ Have, Want string }

func (e *TokenizerError) Error() string {
	return fmt.Sprintf("the corpus counts tokens with %s, not with %s: %s, or index into a new corpus", e.Have, e.Want, embedder.TokenizerSetting(e.Have))
}

// DuplicateError reports a page with the canonical address of another page of
// the same run, and another text.
type DuplicateError struct {
	SourceURL string
	// First is what the first page with this address was called.
	First string
	// InFolder says that both are of one folder, so that both name this address themselves.
	InFolder bool
}

func (e *DuplicateError) Error() string {
	if e.InFolder {
		return fmt.Sprintf("it names %s as its address, as %s does, which was kept; they are not the same: give each its own canonical address, or none", e.SourceURL, e.First)
	}
	return fmt.Sprintf("its address %s is that of %s; index folders of one name one by one, each with its own --base-url", e.SourceURL, e.First)
}
