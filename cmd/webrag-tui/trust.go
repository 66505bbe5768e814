package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/config"
	"github.com/webrag/webrag-tui/file"
	"github.com/webrag/webrag-tui/offset"
)

func newTrust(a *app) *cobra.Command {
	var list, revoke bool
	cmd := &cobra.Command{
		Use:   "trust [FILE|FOLDER]",
		Short: "Say yes to a folder's .env file that decides where data goes",
		Long: "trust remembers a .env file with its content, and prints what it decides. Without a yes a\n" +
			".env may tune retrieval, but not name a server, a database, a file outside of its folder,\n" +
			"or a key: whoever made the folder could have your texts sent to them. A file that changes\n" +
			"needs a new yes. Even then a key of yours goes to no address that stands in a .env.",
		Example: "webrag-tui trust\n" +
			"webrag-tui trust --list\n" +
			"webrag-tui trust --revoke ~/projects/docs",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := dotEnvPath(cmp.Or(append(args, "")[0], "."))
			switch {
			case err != nil:
				return err
			case list && revoke:
				return errors.New("give --list or --revoke, not both")
			case list && len(args) > 0:
				return errors.New("--list takes no file: it prints all that are trusted")
			case list:
				return a.listTrusted()
			case revoke:
				return a.revoke(path)
			}
			return a.trust(path)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "print the files that are trusted")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take the yes back")
	return cmd
}

// dotEnvPath is the .env file of a folder, or the file itself, by the name that it
// is remembered by: absolute, without links in its folder's path.
func dotEnvPath(at string) (string, error) {
	path, err := filepath.Abs(at)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", at, err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, ".env")
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	return path, nil
}

// trust remembers a file as it is now.
func (a *app) trust(path string) error {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("there is no file to trust: %w", err)
	}
	c, err := config.Load(settings(), config.Inputs{DotEnvFile: path, OwnPrefixes: ownPrefixes, Reserved: reservedVariables})
	if err != nil {
		return err
	}
	if err := a.remember(path, c.DotEnvSum()); err != nil {
		return err
	}
	if a.quiet {
		return nil
	}
	names := deciding(c, true)
	if len(names) == 0 {
		names = []string{"nothing that decides where data goes"}
	}
	_, err = fmt.Fprintf(a.out, "trusted %s as it is now, with %s\n", offset.Line(path), offset.Line(strings.Join(names, ", ")))
	return err
}

func (a *app) remember(path, sum string) error {
	known, err := readTrusted()
	if err != nil {
		fmt.Fprintf(a.err, "! warning: %s; a new list is begun\n", offset.Line(err.Error()))
		known = map[string]string{}
	}
	known[path] = sum
	return writeTrusted(known)
}

func (a *app) revoke(path string) error {
	known, err := readTrusted()
	if err != nil {
		return err
	}
	if _, ok := known[path]; !ok {
		return fmt.Errorf("%s is not trusted; 'webrag-tui trust --list' prints what is", path)
	}
	delete(known, path)
	if err := writeTrusted(known); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.out, "%s is not trusted any more\n", offset.Line(path))
	}
	return nil
}

func (a *app) listTrusted() error {
	known, err := readTrusted()
	if err != nil {
		return err
	}
	paths := append([]string{}, slices.Sorted(maps.Keys(known))...)
	return printRows(a, paths, offset.Line)
}

// trustedFile is the list of the files that are trusted: their paths, each with the
// SHA-256 of the content that was said yes to.
func trustedFile() string { return filepath.Join(stateFolder(), "trusted.json") }

// readTrusted reads the list. One that cannot be read trusts nothing.
func readTrusted() (map[string]string, error) {
	raw, err := file.Read(trustedFile(), config.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of trusted files: %w", err)
	}
	known := map[string]string{}
	if json.Unmarshal(raw, &known) != nil || known == nil {
		return nil, fmt.Errorf("the list of trusted files, %s, is damaged, so no file counts as trusted; remove it and say yes again", trustedFile())
	}
	return known, nil
}

// writeTrusted replaces the list in one step, for its owner alone.
func writeTrusted(known map[string]string) error {
	raw, err := json.MarshalIndent(known, "", "  ")
	if err != nil {
		return fmt.Errorf("write the list of trusted files: %w", err)
	}
	if err := file.ReplaceAtOnce(trustedFile(), 0o600, append(raw, '\n')); err != nil {
		return fmt.Errorf("write the list of trusted files: %w", err)
	}
	return nil
}
