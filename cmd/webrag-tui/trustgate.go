package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/store/postgres"
)

// mustTrust refuses settings whose .env file decides where data goes, or with whose
// key, unless somebody said yes to the file as it is. At a terminal it asks.
func (a *app) mustTrust(c *config.Config) error {
	e := untrusted(c)
	switch {
	case e == nil:
		return nil
	case !a.mayAsk():
		return e
	}
	fmt.Fprintf(a.err, "%s\nSay yes to this file as it is now? [y/N] ", offset.Line(e.what()))
	answer, _ := bufio.NewReader(a.answers).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return a.remember(e.path, c.DotEnvSum())
	case "":
		fmt.Fprintln(a.err)
	}
	return e
}

// untrusted is why settings are refused, nil if they are not.
func untrusted(c *config.Config) *untrustedError {
	if len(deciding(c, false)) == 0 {
		return nil
	}
	path := dotEnvOf(c)
	known, err := readTrusted()
	sum, once := known[path]
	if err == nil && once && sum == c.DotEnvSum() {
		return nil
	}
	// The yes is to the whole file, so all is named that it may come to decide.
	return &untrustedError{path: path, names: deciding(c, true), changed: once, list: err}
}

// mayAsk says that somebody is there to answer.
func (a *app) mayAsk() bool {
	return !a.json && a.answers != nil && isTerminal(a.in) && isTerminal(a.process.err)
}

// untrustedError refuses a .env file that nobody said yes to.
type untrustedError struct {
	path string
	// names are the settings, as they may be shown.
	names []string
	// changed says that another content of the file was trusted.
	changed bool
	// list is what is wrong with the list of trusted files, nil for nothing.
	list error
}

func (e *untrustedError) what() string {
	since := "and is not trusted"
	if e.changed {
		since = "and has changed since it was trusted"
	}
	return fmt.Sprintf("%s decides where data goes, %s: %s", e.path, since, strings.Join(e.names, ", "))
}

func (e *untrustedError) Error() string {
	words := e.what() + "; look at it, and say yes with 'webrag-tui trust', or set these variables in the environment"
	if e.list != nil {
		words += "\n" + e.list.Error()
	}
	return words
}

// dotEnvOf is the .env file that settings were read from.
func dotEnvOf(c *config.Config) string {
	for _, v := range c.Values() {
		if given, ok := c.InDotEnv(v.Setting.Key); ok {
			return given.Origin.Name
		}
	}
	return ""
}

// deciding are the values of the .env file that decide where data goes, or with
// whose key, as they may be shown: of those in force, or of all that stand in it.
// What only says how retrieval works is not among them, and neither is an address
// that nothing is sent to because the embedder needs no server.
func deciding(c *config.Config, all bool) (names []string) {
	for _, v := range c.Values() {
		given, ok := c.InDotEnv(v.Setting.Key)
		if !ok || !all && !v.Origin.IsDotEnv() || !decides(c, given, all) {
			continue
		}
		names = append(names, fmt.Sprintf("%s=%s (line %d)", given.Setting.Env, destination(given), given.Origin.Line))
	}
	return names
}

// destination is what a value decides: of an address the host as the client reads it,
// and no more. Whatever else stands in an address may make it look like another.
func destination(v config.Value) string {
	host := ""
	switch v.Setting.Key {
	case "embedding.base_url", "llm.base_url", "retrieval.rerank_base_url":
		if u, err := url.Parse(v.Text); err == nil && u.Host != "" {
			host = u.Scheme + "://" + u.Host
		}
	case "corpus.path":
		at := placeOf(v.Text)
		if !at.isDatabase {
			return v.Shown()
		}
		if hosts := postgres.Hosts(v.Text); len(hosts) > 0 {
			host = "a database at " + strings.Join(hosts, " or ")
		}
	default:
		if v.Setting.Secret {
			return "(a key)"
		}
		return v.Shown()
	}
	if host == "" {
		return "(an address that cannot be read)"
	}
	// Letters of other scripts look like those of known hosts.
	return strings.Trim(strconv.QuoteToASCII(host), `"`)
}

func decides(c *config.Config, v config.Value, all bool) bool {
	switch v.Setting.Key {
	case "corpus.path":
		at := placeOf(v.Text)
		return at.isDatabase || leavesFolder(v, at.path)
	case "evaluation.sets":
		return leavesFolder(v, v.Text)
	case "embedding.provider":
		return v.Text == providerOpenAI
	case "embedding.base_url", "embedding.api_key":
		return all || provider(c) == providerOpenAI
	case "embedding.model":
		return provider(c) == providerModel2Vec && leavesFolder(v, v.Text)
	case "embedding.tokenizer":
		_, path, isFile := strings.Cut(v.Text, ":")
		return isFile && leavesFolder(v, path)
	case "llm.base_url", "llm.api_key", "retrieval.rerank_base_url", "retrieval.rerank_api_key":
		return true
	}
	return false
}

// leavesFolder says that a path leads out of the folder of the file that gives it,
// also by a link. Any ".." may: whether it is taken before a link is followed, or a
// folder that is missing, depends on who opens the path.
func leavesFolder(v config.Value, path string) bool {
	if slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == filepath.Separator }), "..") {
		return true
	}
	folder := filepath.Dir(v.Origin.Name)
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return true
		}
		path = rel
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return true
	}
	defer root.Close()
	_, err = root.Stat(path)
	return err != nil && !errors.Is(err, os.ErrNotExist)
}
