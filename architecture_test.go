package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The drawing of docs/architecture.md has one room a line, from the roof down, and the
// imports between them point down it.
func TestArchitectureDrawsTheRooms(t *testing.T) {
	text := architecture(t)
	_, drawing, _ := strings.Cut(text, "```\n")
	drawing, _, _ = strings.Cut(drawing, "```")
	floor := map[string]int{}
	for at, line := range strings.Split(strings.TrimSpace(drawing), "\n") {
		names, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		for _, name := range strings.Fields(names) {
			if _, err := os.Stat(name); err != nil {
				t.Errorf("the drawing has %s: %v", name, err)
			}
			floor[name] = at
		}
	}
	if len(floor) < 8 {
		t.Fatalf("%d rooms are drawn", len(floor))
	}
	room := func(folder string) string {
		for ; folder != "."; folder = path.Dir(folder) {
			if _, ok := floor[folder]; ok {
				return folder
			}
		}
		return ""
	}
	inRetrieval := map[string]bool{}
	for _, f := range sourceFiles(t) {
		if f.test {
			continue
		}
		from := room(path.Dir(f.path))
		if from != "" && strings.HasPrefix(from, "retrieval") {
			inRetrieval[from] = true
		}
		for _, name := range f.imports {
			ours, ok := strings.CutPrefix(name, module)
			if to := room(ours); ok && from != "" && to != "" && to != from && floor[to] <= floor[from] {
				t.Errorf("%s imports %s, which the drawing has above or beside it", f.path, ours)
			}
		}
	}
	err := filepath.WalkDir("retrieval", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && !strings.HasSuffix(name, "test") && d.Name() != "testdata" && !inRetrieval[filepath.ToSlash(name)] {
			if files, _ := filepath.Glob(filepath.Join(name, "*.go")); len(files) > 0 {
				t.Errorf("%s is not drawn", name)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Files and names that docs/architecture.md mentions are there.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	text := architecture(t)
	quoted := regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(text, -1)
	declared := map[string][]string{} // by package and by file
	files, names := 0, 0
	for _, q := range quoted {
		name := q[1]
		switch {
		case strings.HasPrefix(name, "query."):
			actions, err := os.ReadFile(filepath.FromSlash("ui/actions.go"))
			if err != nil || !strings.Contains(string(actions), `ID: "`+name+`"`) {
				t.Errorf("no action %s, %v", name, err)
			}
		case strings.Contains(name, " ") || strings.Contains(name, "NAME"):
		case strings.Contains(name, "/"):
			files++
			if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case regexp.MustCompile(`^(retrieval|store|param|phrase|rerank|whynot|wire)\.[A-Z]\w*$`).MatchString(name):
			names++
			folder, id, _ := strings.Cut(name, ".")
			if _, err := os.Stat(filepath.Join("retrieval", folder)); err == nil {
				folder = "retrieval/" + folder
			}
			if declared[folder] == nil {
				declared[folder] = declarations(t, folder)
			}
			if !slices.Contains(declared[folder], id) {
				t.Errorf("%s is not declared", name)
			}
		}
	}
	if files < 15 || names < 6 {
		t.Errorf("%d files and %d names were looked for", files, names)
	}
	// Functions named beside a file, as "`name` (`file.go`)", are declared in it.
	for _, q := range regexp.MustCompile("`([A-Za-z.]+)`\\s+\\(`([^`]+\\.go)`\\)").FindAllStringSubmatch(text, -1) {
		_, id, qualified := strings.Cut(q[1], ".")
		if !qualified {
			id = q[1]
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(q[2]), nil, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		if !slices.Contains(declaredIn(file), id) {
			t.Errorf("%s does not declare %s", q[2], q[1])
		}
	}
}

func architecture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash("docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// declarations are the names that the files of a folder declare, tests left out.
func declarations(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, declaredIn(file)...)
	}
	return names
}

// declaredIn are the functions, methods, types, constants and variables of a file.
func declaredIn(file *ast.File) []string {
	var names []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						names = append(names, n.Name)
					}
				}
			}
		}
	}
	return names
}
