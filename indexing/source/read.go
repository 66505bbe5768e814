package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/webrag/webrag-tui/indexing/convert"
)

// yielder receives pages and page errors, and returns false to stop.
type yielder = func(Page, error) bool

// read yields the page or pages of one file.
func (s *Set) read(e *entry, yield yielder) bool {
	if e.stdin != nil {
		return s.readStream(e, yield)
	}
	refuse := func(err error) bool {
		return yield(Page{}, &PageError{Path: e.shown, URL: s.address(e.root, e.below), Err: err})
	}
	file, err := e.open()
	if err != nil {
		return refuse(bare(err))
	}
	defer file.Close()
	modified := s.o.Now
	if info, err := file.Stat(); err == nil && !info.ModTime().IsZero() {
		modified = info.ModTime()
	}
	if e.format == formatJSONL {
		return s.readLines(e, file, modified, yield)
	}
	raw, err := s.readAll(file, e.size)
	if err != nil {
		return refuse(bare(err))
	}
	return yield(s.file(e, raw, e.format, modified, s.address(e.root, e.below)), nil)
}

// file is the page of one file's bytes; address is its own, for messages.
func (s *Set) file(e *entry, raw []byte, f format, modified time.Time, address string) Page {
	return Page{
		Path: e.shown, Root: e.mark,
		Sum: s.sum(raw, "file", strconv.FormatBool(e.stdin != nil), strconv.Itoa(int(f)), e.root, e.below),
		Read: func() (NormalizedDocument, error) {
			doc, err := s.page(e, raw, f)
			if err != nil {
				return NormalizedDocument{}, &PageError{Path: e.shown, URL: address, Err: err}
			}
			doc.FetchedAt = modified.UTC()
			return doc, nil
		},
	}
}

// readStream reads standard input: lines of JSON, an HTML page or text.
func (s *Set) readStream(e *entry, yield yielder) bool {
	head := make([]byte, 512)
	n, err := io.ReadFull(e.stdin, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return yield(Page{}, &PageError{Path: e.shown, Err: err})
	}
	all := io.MultiReader(bytes.NewReader(head[:n]), e.stdin)
	f := sniff(head[:n])
	if f == formatJSONL {
		return s.readLines(e, all, s.o.Now, yield)
	}
	raw, err := s.readAll(all, 0)
	if err != nil {
		return yield(Page{}, &PageError{Path: e.shown, Err: err})
	}
	return yield(s.file(e, raw, f, s.o.Now, ""), nil)
}

// readAll reads a page of at most the limit, and of about so many bytes.
func (s *Set) readAll(r io.Reader, size int64) ([]byte, error) {
	var raw bytes.Buffer
	raw.Grow(int(min(size, s.o.MaxBytes)) + bytes.MinRead)
	if _, err := raw.ReadFrom(io.LimitReader(r, s.o.MaxBytes+1)); err != nil {
		return nil, err
	}
	if int64(raw.Len()) > s.o.MaxBytes {
		return nil, s.tooLarge()
	}
	return raw.Bytes(), nil
}

// tooLarge says what the limit is and what to do.
func (s *Set) tooLarge() error {
	return fmt.Errorf("%w (%d MB): split it into several pages", ErrTooLarge, s.o.MaxBytes>>20)
}

// bare takes the operation and the path off an error of the file system: the
// page error names the file already.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// sniff tells the format of a text without a name.
func sniff(head []byte) format {
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	lower := bytes.ToLower(start[:min(len(start), 64)])
	switch {
	case bytes.HasPrefix(start, []byte("{")) && bytes.Contains(head, []byte(`"`)):
		return formatJSONL
	case bytes.HasPrefix(lower, []byte("<!doctype")), bytes.HasPrefix(lower, []byte("<html")), bytes.HasPrefix(lower, []byte("<?xml")):
		return formatHTML
	}
	return formatMarkdown
}

// page makes a document of one file's bytes.
func (s *Set) page(e *entry, raw []byte, f format) (NormalizedDocument, error) {
	if f == formatUnknown {
		if f = sniff(raw[:min(len(raw), 512)]); f == formatJSONL {
			f = formatMarkdown
		}
	}
	text, err := decode(raw, f == formatHTML)
	switch {
	case err != nil:
		return NormalizedDocument{}, err
	case strings.TrimSpace(text) == "":
		return NormalizedDocument{}, ErrEmpty
	}
	doc := NormalizedDocument{Owner: s.o.Owner, SourceType: "upload", Path: e.shown, Root: e.mark}
	own := s.address(e.root, e.below)
	if e.stdin != nil {
		doc.SourceType = "text"
		if own = s.o.BaseURL; own == "" {
			own = "text:" + hashOf(text)[:16]
		}
	} else {
		doc.Filename = path.Base(e.below)
		doc.DocPath = e.below
	}
	if f == formatHTML {
		doc.DocType, doc.HTML = "html", text
		readHead(&doc, own, text)
	} else {
		doc.DocType, doc.Markdown = "markdown", readFrontMatter(&doc, own, text)
		if strings.TrimSpace(doc.Markdown) == "" {
			return NormalizedDocument{}, fmt.Errorf("%w below its front matter", ErrEmpty)
		}
		doc.ContentHash = hashOf(doc.Markdown)
	}
	if doc.SourceURL == "" {
		doc.SourceURL = own
	}
	doc.URL = doc.SourceURL
	doc.IsElsewhere = s.o.BaseURL != "" && !isOneHost(s.o.BaseURL, doc.SourceURL)
	if e.stdin == nil && doc.SourceURL != own {
		// The file's own address stays known, so that a run can tell which
		// documents came from a folder.
		doc.URLAliases = append(doc.URLAliases, own)
	}
	s.note(&doc)
	return doc, nil
}

// readHead takes over what a page's head says.
func readHead(doc *NormalizedDocument, base, html string) {
	head := convert.ReadHead(html)
	doc.Title, doc.Description, doc.Language = head.Title, head.Description, head.Language
	doc.PublishedTime, doc.ModifiedTime = head.PublishedTime, head.ModifiedTime
	doc.SourceURL = canonical(base, head.Canonical)
	readOwnMeta(doc, base, head.Meta)
}

// canonical returns the address that a page gives itself, or "" unless it is one
// of the web.
func canonical(base, ref string) string {
	if ref == "" {
		return ""
	}
	target, _ := convert.Resolve(base, ref)
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return target
}

// isOneHost reports whether two addresses are on one host and port, whatever their
// schemes.
func isOneHost(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && strings.EqualFold(x.Host, y.Host)
}

// address is that of a file that names none itself: below the base URL, or one
// of this machine that does not name the machine.
func (s *Set) address(root, below string) string {
	if s.o.BaseURL != "" {
		return s.o.BaseURL + "/" + escapePath(below)
	}
	return "file:" + escapePath(path.Join(root, below))
}

func escapePath(p string) string { return (&url.URL{Path: p}).EscapedPath() }
