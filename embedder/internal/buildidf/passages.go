package main

import (
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	passageWords   = 200  // separated by white space
	shortest       = 60   // words; what is left of a page below this is dropped
	maxPerSource   = 4000 // so that no manual outweighs the others
	sampleSeedSalt = 1
)

// readPassages cuts every HTML file below folder into passages, in the order of
// the paths.
func readPassages(folder string) ([]string, error) {
	var passages []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.Type().IsRegular() || filepath.Ext(path) != ".html" {
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		text, err := plainText(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
		passages = append(passages, cut(text)...)
		return nil
	})
	return passages, err
}

// plainText returns the text of a page, a space for each tag, without what is
// not prose of the page.
func plainText(r io.Reader) (string, error) {
	var sb strings.Builder
	skip := 0
	for z := html.NewTokenizer(r); ; {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return "", err
			}
			return sb.String(), nil
		case html.TextToken:
			if skip == 0 {
				sb.Write(z.Text())
			}
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			if isSkipped(atom.Lookup(name)) {
				if kind == html.StartTagToken {
					skip++
				} else {
					skip = max(0, skip-1)
				}
			}
			sb.WriteByte(' ')
		case html.SelfClosingTagToken, html.CommentToken, html.DoctypeToken:
			sb.WriteByte(' ')
		}
	}
}

func isSkipped(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Nav, atom.Head:
		return true
	}
	return false
}

func cut(text string) []string {
	fields := strings.Fields(text)
	var passages []string
	for p := range slices.Chunk(fields, passageWords) {
		if len(p) >= shortest {
			passages = append(passages, strings.Join(p, " "))
		}
	}
	return passages
}

// sample takes at most maxPerSource of passages, always the same ones.
func sample(passages []string, name string) []string {
	if len(passages) <= maxPerSource {
		return passages
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	rnd := rand.New(rand.NewPCG(h.Sum64(), sampleSeedSalt))
	rnd.Shuffle(len(passages), func(i, j int) { passages[i], passages[j] = passages[j], passages[i] })
	return passages[:maxPerSource]
}
