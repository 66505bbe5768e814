package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/file"
)

// defaultMaxBytes is the largest page that is read. The HTML converter takes no
// more, and the largest page met in the documentation of a dozen projects has a
// third of it.
const defaultMaxBytes = 8 << 20

// Options say where pages come from and what is noted about them.
type Options struct {
	// BaseURL is the address that the given roots are published under. Pages that
	// name no canonical address get it with their path below the root; without
	// it their address is "file:" with the root's base name and that path.
	BaseURL string
	// Depth is recorded for every page. When nil, a page's own word counts
	// ("depth" in front matter, <meta name="webrag:depth">), else 0.
	Depth *int
	// Owner, Metadata and Tags are recorded for every page, beside its own; an
	// owner or a value of a key that the page has too replaces it. See
	// [ParseMetadata] and [ParseTags].
	Owner    string
	Metadata map[string]string
	Tags     []string
	// SourceType is recorded for every page: "web", "upload" or "text". When
	// empty, a file is an upload, standard input text, and a line of JSONL what it
	// says, else of the web.
	SourceType string
	// MaxBytes is the largest page that is read, and a quarter of the longest
	// line of a JSONL file. Defaults to 8 MB.
	MaxBytes int64
	// Stdin is what the path "-" reads.
	Stdin io.Reader
	// Now is the time of pages that have none of their own: those of standard
	// input and of file systems without modification times. Defaults to the
	// present.
	Now time.Time
}

// PathError reports a path given by the user that cannot be read.
type PathError struct {
	Path string
	Err  error
}

func (e *PathError) Error() string {
	var inner *fs.PathError
	err := e.Err
	if errors.As(err, &inner) {
		err = inner.Err // its path is the same or a part of it
	}
	return fmt.Sprintf("read %s: %v", e.Path, err)
}

func (e *PathError) Unwrap() error { return e.Err }

// PageError reports one page that could not be read or indexed. Reading goes on
// with the next.
type PageError struct {
	// Path is the file, with ":line" in a JSONL file; URL the page's address as
	// far as it is known.
	Path, URL string
	Err       error
}

func (e *PageError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

func (e *PageError) Unwrap() error { return e.Err }

// Why a page is refused.
var (
	ErrTooLarge = errors.New("larger than the limit for a page")
	ErrBinary   = errors.New("not text")
	ErrEmpty    = errors.New("empty")
)

// Skipped is a file that was not read, and why.
type Skipped struct{ Path, Reason string }

// entry is one file that was found.
type entry struct {
	// open opens it, a regular file.
	open func() (fs.File, error)
	// below is the path below the given root; shown what messages call it.
	below, shown string
	root         string // base name of the given root
	mark         string // the given root's Mark
	format       format
	stdin        io.Reader
	size         int64
}

type format uint8

const (
	formatUnknown format = iota
	formatHTML
	formatMarkdown
	formatJSONL
)

// Set is what a scan found. It is read once.
type Set struct {
	o        Options
	settings []string // see settings
	entries  []entry
	pages    int
	counted  bool
	skipped  []Skipped
	outside  []string
	failed   []*PageError
	roots    []Root
}

// Root is a folder that was given.
type Root struct {
	// Path is the folder as it was given.
	Path string
	// Address is a prefix of the address of every page of the folder that gives
	// itself none, and of an alias of every other.
	Address string
	// Mark tells this folder from all others, those of the same name and address
	// among them. It is a hash of its absolute path, or of the name of a file
	// system, and of the base URL, so that it says nothing about the machine.
	Mark string
}

// rootMark makes Root.Mark; kind keeps paths and names apart.
func rootMark(kind, name, baseURL string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + name + "\x00" + baseURL))
	return hex.EncodeToString(sum[:8])
}

// Scan finds the pages of files and folders; "-" is Options.Stdin. A path that
// cannot be read is a PathError. Folders are walked in lexical order without
// hidden files, generated indexes, query sets, what is not a page, and links that lead
// out of the folder; see [Set.Skipped].
func Scan(ctx context.Context, paths []string, o Options) (*Set, error) {
	s := newSet(o)
	for _, p := range paths {
		if err := s.add(ctx, p); err != nil {
			return nil, err
		}
	}
	s.count(ctx)
	return s, nil
}

// ScanFS finds the pages of a file system, such as one embedded in a binary.
// name stands for the root's base name.
func ScanFS(ctx context.Context, fsys fs.FS, name string, o Options) (*Set, error) {
	s := newSet(o)
	root := Root{Path: name, Address: s.rootAddress(name), Mark: rootMark("fs", name, s.o.BaseURL)}
	if err := s.walk(ctx, fsys, name, root); err != nil {
		return nil, err
	}
	s.count(ctx)
	return s, nil
}

func newSet(o Options) *Set {
	if o.MaxBytes <= 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	return &Set{o: o, settings: settings(&o), counted: true}
}

func (s *Set) add(ctx context.Context, p string) error {
	if p == "-" {
		if s.o.Stdin == nil {
			return &PathError{Path: p, Err: errors.New("there is no standard input")}
		}
		s.entries = append(s.entries, entry{shown: "standard input", stdin: s.o.Stdin})
		return nil
	}
	info, err := os.Stat(p)
	if err != nil {
		return &PathError{Path: p, Err: err}
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		return &PathError{Path: p, Err: err}
	}
	base := filepath.Base(abs)
	switch {
	case info.IsDir():
		folder, err := file.OpenFolder(p)
		if err != nil {
			return &PathError{Path: p, Err: err}
		}
		return s.walk(ctx, folder, base, Root{Path: p, Address: s.rootAddress(base), Mark: rootMark("path", abs, s.o.BaseURL)})
	case !info.Mode().IsRegular():
		return &PathError{Path: p, Err: fmt.Errorf("%s is neither a file nor a folder; pipe what comes out of it into this command, and give - in its place", (&file.KindError{Mode: info.Mode()}).Kind())}
	}
	// A file that is named is read whatever it is called, and wherever it leads.
	open := func() (fs.File, error) { return file.Open(abs, file.Unlimited) }
	f, err := open()
	if err != nil {
		return &PathError{Path: p, Err: err}
	}
	if err := f.Close(); err != nil {
		return &PathError{Path: p, Err: err}
	}
	s.entries = append(s.entries, entry{open: open, below: base, shown: p, format: formatOf(base), size: info.Size()})
	return nil
}

// walk finds the pages of a folder with the base name root.
func (s *Set) walk(ctx context.Context, fsys fs.FS, root string, given Root) error {
	if !slices.ContainsFunc(s.roots, func(r Root) bool { return r.Mark == given.Mark }) {
		s.roots = append(s.roots, given)
	}
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		at := path.Join(filepath.ToSlash(given.Path), name)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return &PathError{Path: given.Path, Err: err}
		case err != nil:
			url := s.address(root, name)
			if d.IsDir() {
				url += "/"
			}
			s.failed = append(s.failed, &PageError{Path: at, URL: url, Err: err})
			return fs.SkipDir
		case name == ".":
			return nil
		case d.IsDir():
			if why := skipFolder(d.Name()); why != "" {
				s.skipped = append(s.skipped, Skipped{at, why})
				return fs.SkipDir
			}
			return nil
		}
		open := name
		if folder, ok := fsys.(*file.Folder); ok && d.Type()&fs.ModeSymlink != 0 && !strings.HasPrefix(d.Name(), ".") {
			open, err = folder.Resolve(name)
			if errors.Is(err, file.ErrOutside) {
				s.outside = append(s.outside, at)
				s.skipped = append(s.skipped, Skipped{at, file.ErrOutside.Error()})
				return nil
			}
		}
		why := skipFile(d.Name())
		if why == "" {
			why = skipJudged(fsys, name)
		}
		if why != "" {
			s.skipped = append(s.skipped, Skipped{at, why})
			return nil
		}
		var info fs.FileInfo
		if err == nil {
			info, err = fs.Stat(fsys, open)
		}
		switch {
		case err != nil:
			s.failed = append(s.failed, &PageError{Path: at, URL: s.address(root, name), Err: err})
			return nil //nolint:nilerr // the walk goes on, and All reports it
		case !info.Mode().IsRegular():
			s.skipped = append(s.skipped, Skipped{at, "not a file"})
			return nil
		}
		s.entries = append(s.entries, entry{
			open:  func() (fs.File, error) { return fsys.Open(open) },
			below: name, shown: at, root: root, mark: given.Mark,
			format: formatOf(name), size: info.Size(),
		})
		return nil
	})
}

// count finds out how many pages there are, reading the JSONL files once.
func (s *Set) count(ctx context.Context) {
	for _, e := range s.entries {
		switch {
		case e.stdin != nil:
			s.counted = false
		case e.format == formatJSONL:
			n, err := countLines(ctx, e, endless*4*s.o.MaxBytes)
			if err != nil {
				s.counted = false
			}
			s.pages += n
		default:
			s.pages++
		}
	}
	s.pages += len(s.failed)
}

// Len is the number of pages that All will yield, errors included, or 0 when
// that is not known before standard input is read.
func (s *Set) Len() int {
	if !s.counted {
		return 0
	}
	return s.pages
}

// Skipped lists what the scan left out, in order.
func (s *Set) Skipped() []Skipped { return s.skipped }

// Outside lists the links in given folders that lead out of them. What they lead
// to is not read: a folder that somebody else made could have any file of this
// machine in it that way. They are in Skipped too.
func (s *Set) Outside() []string { return s.outside }

// Roots are the given folders, for indexing.Options.Prune.
func (s *Set) Roots() []Root { return s.roots }

func (s *Set) rootAddress(root string) string {
	if s.o.BaseURL != "" {
		return s.o.BaseURL + "/"
	}
	return "file:" + escapePath(root) + "/"
}

// fewPages are so many as do not come by most of a large corpus.
const fewPages = 16

// IsFew says that a few files were named, and no folder: to look through all of a corpus for
// damage first would take longer than they do, and what they come by is looked at anyway.
func (s *Set) IsFew() bool { return len(s.Roots()) == 0 && s.Len() > 0 && s.Len() <= fewPages }

// All reads the pages. A page that cannot be read comes as a *PageError and
// reading goes on; any other error is the last.
func (s *Set) All(ctx context.Context) iter.Seq2[NormalizedDocument, error] {
	return func(yield func(NormalizedDocument, error) bool) {
		for page, err := range s.Pages(ctx) {
			var doc NormalizedDocument
			if err == nil {
				doc, err = page.Read()
			}
			if !yield(doc, err) {
				return
			}
		}
	}
}

// Pages is All for who need not know what every page says: it reads their bytes alone.
func (s *Set) Pages(ctx context.Context) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for _, err := range s.failed {
			if !yield(Page{}, err) {
				return
			}
		}
		for i := range s.entries {
			if err := ctx.Err(); err != nil {
				yield(Page{}, err)
				return
			}
			if !s.read(&s.entries[i], yield) {
				return
			}
		}
	}
}

// formatOf tells a format by the name's extension.
func formatOf(name string) format {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return formatHTML
	case ".md", ".markdown", ".mdown", ".mkd":
		return formatMarkdown
	case ".jsonl", ".ndjson":
		return formatJSONL
	}
	return formatUnknown
}

// skipFolder says why a folder is not entered.
func skipFolder(name string) string {
	switch {
	case strings.HasPrefix(name, "."):
		return "hidden"
	case name == "_sources":
		return "sources of the pages beside it"
	case name == "_modules":
		return "generated source listing"
	case name == "_static":
		return "files of the theme"
	}
	return ""
}

// skipFile says why a file of a folder is not read. A generated index is one
// giant row of links that swamps every search.
func skipFile(name string) string {
	lower := strings.ToLower(name)
	stem := strings.TrimSuffix(lower, path.Ext(lower))
	switch {
	case strings.HasPrefix(name, "."):
		return "hidden"
	case strings.HasSuffix(lower, ".gz"):
		return "compressed"
	case formatOf(name) == formatUnknown:
		return "not a page"
	case stem == "genindex" || strings.HasPrefix(stem, "genindex-"):
		return "generated index"
	case stem == "search" && formatOf(name) == formatHTML:
		return "search form"
	}
	return ""
}

// skipJudged says why a file is not read by what stands beside it: the judgments of a query
// set and the queries of a collection in the layout of BEIR are lines of JSON, and no pages.
func skipJudged(fsys fs.FS, name string) string {
	besides, why := []string{"queries.tsv", "set.json"}, "judgments of a query set"
	switch path.Base(name) {
	case "judgments.jsonl":
	case "queries.jsonl":
		besides, why = []string{"corpus.jsonl"}, "queries of a collection"
	default:
		return ""
	}
	for _, beside := range besides {
		if info, err := fs.Stat(fsys, path.Join(path.Dir(name), beside)); err == nil && info.Mode().IsRegular() {
			return why
		}
	}
	return ""
}
