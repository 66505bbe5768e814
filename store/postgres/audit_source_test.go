package postgres

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// auditor reads a package's source for what it puts into SQL. It follows strings
// through the variables of a function; what comes from elsewhere must be known.
type auditor struct {
	fset *token.FileSet
	// constants are the package's string constants.
	constants map[string]string
	// known are the functions whose results may stand in SQL, parameters the
	// parameters and fields that may.
	known, parameters map[string]string
	used              map[string]bool
	// function is the one that is being read, assigned what its variables get.
	function *ast.FuncDecl
	assigned map[string][]ast.Expr
	visiting map[string]bool
	found    []finding
	// texts are the statements, or the pieces of them, by function.
	texts []text
}

// text is SQL with … for what is only known when it runs.
type text struct{ function, sql string }

// finding is a place in the source and what is wrong there.
type finding struct {
	at   token.Position
	what string
}

// piece is what SQL is recognised by in a string literal.
var piece = regexp.MustCompile(`\b(SELECT|INSERT|UPDATE|DELETE|WHERE|JOIN|FROM|ORDER BY|GROUP BY|ON CONFLICT|ALTER|CREATE|DROP|SET|EXPLAIN|EXISTS|CASE|LIMIT|OFFSET|RETURNING|AND|OR|IN|ANY|IS)\b|<=>|::\w|\$\d`)

// newAuditor parses the files of a folder that are not tests, and of sources.
func newAuditor(t *testing.T, folder string, sources map[string]string) (*auditor, []*ast.File) {
	t.Helper()
	a := &auditor{fset: token.NewFileSet(), constants: map[string]string{}, used: map[string]bool{}}
	a.known, a.parameters = knownFunctions(), knownParameters()
	var files []*ast.File
	parse := func(name string, source any) {
		file, err := parser.ParseFile(a.fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if folder != "" {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				parse(name, nil)
			}
		}
	}
	for name, source := range sources {
		parse(name, source)
	}
	for _, file := range files {
		a.readConstants(file)
	}
	return a, files
}

// readConstants remembers the constants of a file, those in functions, too: none
// of them can be a value that somebody gave.
func (a *auditor) readConstants(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		for _, s := range d.Specs {
			spec := s.(*ast.ValueSpec) // of a const declaration
			for i, name := range spec.Names {
				if i < len(spec.Values) {
					a.constants[name.Name] = a.render(spec.Values[i])
				}
			}
		}
		return true
	})
}

// read looks at all functions of a file.
func (a *auditor) read(file *ast.File) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		a.function, a.assigned, a.visiting = f, assignments(f), map[string]bool{}
		_, returnsSQL := a.known[f.Name.Name]
		returnsSQL = returnsSQL && returnsText(f)
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && isSentence(e) && isText(e) {
				return false
			}
			switch e := n.(type) {
			case *ast.BasicLit:
				if e.Kind == token.STRING && a.isSQL(e) {
					a.keep(e)
				}
			case *ast.FuncLit:
				returnsSQL = false // what stands in it returns something else
			case *ast.ReturnStmt:
				if returnsSQL && len(e.Results) > 0 && !isSentence(e.Results[0]) {
					a.check(e.Results[0])
				}
			case *ast.BinaryExpr:
				if e.Op == token.ADD && a.isSQL(e) {
					a.keep(e)
					a.check(e)
					return false
				}
			case *ast.CallExpr:
				if callee(e) == "Sprintf" && a.isSQL(e.Args[0]) {
					a.check(e)
					return false
				}
				a.checkSent(e)
			}
			return true
		})
	}
}

// returnsText reports whether the first result of a function is a text or a list of
// texts. Methods of other types can bear the same name.
func returnsText(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	of := f.Type.Results.List[0].Type
	if list, ok := of.(*ast.ArrayType); ok {
		of = list.Elt
	}
	name, ok := of.(*ast.Ident)
	return ok && name.Name == "string"
}

// isText reports whether an expression puts a text together.
func isText(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.BinaryExpr:
		return x.Op == token.ADD
	case *ast.CallExpr:
		return slices.Contains([]string{"Sprintf", "Errorf", "Printable"}, callee(x))
	}
	return false
}

// isSentence reports whether an expression makes a sentence for people, who are
// told what to run: names stand in it as they are printed.
func isSentence(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		is = is || ok && (callee(call) == "Printable" || callee(call) == "Label")
		return !is
	})
	return is
}

// keep remembers a piece of SQL.
func (a *auditor) keep(e ast.Expr) {
	sql := strings.Join(strings.Fields(a.render(e)), " ")
	a.texts = append(a.texts, text{a.function.Name.Name, sql})
}

// checkSent looks at the statement of a call that sends one: a variable may hold
// what was never put together here.
func (a *auditor) checkSent(e *ast.CallExpr) {
	at, sends := map[string]int{"Exec": 1, "Query": 1, "QueryRow": 1, "Queue": 0}[callee(e)]
	if !sends || len(e.Args) <= at {
		return
	}
	if _, isMethod := e.Fun.(*ast.SelectorExpr); !isMethod {
		return
	}
	if _, isFunction := e.Args[at].(*ast.FuncLit); !isFunction {
		a.check(e.Args[at])
	}
}

// assignments are the expressions that a function assigns to each variable.
func assignments(f *ast.FuncDecl) map[string][]ast.Expr {
	all := map[string][]ast.Expr{}
	put := func(left, right ast.Expr) {
		if element, ok := left.(*ast.IndexExpr); ok {
			left = element.X
		}
		if name, ok := left.(*ast.Ident); ok {
			all[name.Name] = append(all[name.Name], right)
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			for i, left := range s.Lhs {
				put(left, s.Rhs[min(i, len(s.Rhs)-1)])
			}
		case *ast.ValueSpec:
			for i, name := range s.Names {
				if i < len(s.Values) {
					put(name, s.Values[i])
				} else {
					put(name, &ast.BasicLit{Kind: token.STRING, Value: `""`})
				}
			}
		case *ast.RangeStmt:
			if s.Value != nil {
				put(s.Value, s.X)
			}
		case *ast.CallExpr:
			if f, ok := s.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "WriteString" {
				put(f.X, s.Args[0])
			}
		}
		return true
	})
	return all
}

// isSQL reports whether an expression has a piece of SQL among its literals.
func (a *auditor) isSQL(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.BasicLit:
			found = found || x.Kind == token.STRING && piece.MatchString(literal(x))
		case *ast.CallExpr:
			return callee(x) == "Sprintf" || x == e
		}
		return !found
	})
	return found
}

// check reports the parts of an expression that may be values.
func (a *auditor) check(e ast.Expr) {
	f := finding{a.fset.Position(e.Pos()), a.doubt(e)}
	if f.what != "" && !slices.Contains(a.found, f) {
		a.found = append(a.found, f)
	}
}

// doubt says what of an expression does not belong into SQL, empty for nothing.
func (a *auditor) doubt(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit, *ast.FuncLit:
		return ""
	case *ast.ParenExpr:
		return a.doubt(x.X)
	case *ast.BinaryExpr:
		if why := a.doubt(x.X); why != "" {
			return why
		}
		return a.doubt(x.Y)
	case *ast.Ident:
		return a.doubtVariable(x.Name)
	case *ast.SelectorExpr:
		return a.doubtNamed(a.parameters, "."+x.Sel.Name, "the field "+x.Sel.Name)
	case *ast.IndexExpr:
		return a.doubt(x.X)
	case *ast.SliceExpr:
		return a.doubt(x.X)
	case *ast.StarExpr:
		return a.doubt(x.X)
	case *ast.CompositeLit:
		return a.doubtAll(x.Elts)
	case *ast.KeyValueExpr:
		return a.doubt(x.Value)
	case *ast.CallExpr:
		return a.doubtCall(x)
	}
	return fmt.Sprintf("an expression %T", e)
}

func (a *auditor) doubtAll(list []ast.Expr) string {
	for _, e := range list {
		if why := a.doubt(e); why != "" {
			return why
		}
	}
	return ""
}

// doubtCall lets through what is known, and what hands on nothing but its
// arguments if these are.
func (a *auditor) doubtCall(x *ast.CallExpr) string {
	name := callee(x)
	if f, ok := x.Fun.(*ast.SelectorExpr); ok && name == "String" {
		return a.doubt(f.X) // a builder of what was written to it
	}
	if _, ok := x.Fun.(*ast.ArrayType); ok {
		return a.doubtAll(x.Args) // a conversion
	}
	switch name {
	case "make":
		return ""
	case "all", "append", "Concat", "Join", "ReplaceAll", "Or", "TrimSpace", "string":
		return a.doubtAll(x.Args)
	case "Sprintf":
		return a.doubtFormat(x)
	}
	if f, ok := x.Fun.(*ast.Ident); ok && a.assigned[f.Name] != nil {
		return a.doubtClosure(f.Name)
	}
	return a.doubtNamed(a.known, name, "the function "+name)
}

// doubtClosure looks at what a function in a variable returns.
func (a *auditor) doubtClosure(name string) (why string) {
	for _, e := range a.assigned[name] {
		f, ok := e.(*ast.FuncLit)
		if !ok {
			return "the function in the variable " + name
		}
		for _, field := range f.Type.Params.List {
			for _, p := range field.Names {
				// Its arguments are looked at where it is called.
				a.visiting[p.Name] = true
				defer delete(a.visiting, p.Name)
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if r, ok := n.(*ast.ReturnStmt); ok && why == "" && len(r.Results) > 0 {
				why = a.doubt(r.Results[0])
			}
			return why == ""
		})
	}
	return why
}

// doubtFormat lets numbers through.
func (a *auditor) doubtFormat(x *ast.CallExpr) string {
	format, ok := x.Args[0].(*ast.BasicLit)
	if !ok {
		return "a format that is no literal"
	}
	verbs := regexp.MustCompile(`%[a-z]`).FindAllString(literal(format), -1)
	for i, verb := range verbs {
		if verb != "%d" && i+1 < len(x.Args) {
			if why := a.doubt(x.Args[i+1]); why != "" {
				return why
			}
		}
	}
	return ""
}

func (a *auditor) doubtVariable(name string) string {
	if _, ok := a.constants[name]; ok || name == "nil" || a.visiting[name] {
		return ""
	}
	values, ok := a.assigned[name]
	if !ok {
		return a.doubtNamed(a.parameters, a.function.Name.Name+"."+name, "the variable "+name)
	}
	a.visiting[name] = true
	defer delete(a.visiting, name)
	return a.doubtAll(values)
}

func (a *auditor) doubtNamed(known map[string]string, name, what string) string {
	if _, ok := known[name]; ok {
		a.used[name] = true
		return ""
	}
	return what + " (" + name + ")"
}

// callee is the name of what is called, without its package or receiver.
func callee(x *ast.CallExpr) string {
	switch f := x.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func literal(x *ast.BasicLit) string {
	s, err := strconv.Unquote(x.Value)
	if err != nil {
		return x.Value
	}
	return s
}

// render writes an expression as the SQL that it makes, … for what is only known
// when it runs.
func (a *auditor) render(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		return literal(x)
	case *ast.ParenExpr:
		return a.render(x.X)
	case *ast.BinaryExpr:
		return a.render(x.X) + a.render(x.Y)
	case *ast.Ident:
		if s, ok := a.constants[x.Name]; ok {
			return s
		}
		if a.visiting[x.Name] || a.assigned[x.Name] == nil {
			break
		}
		a.visiting[x.Name] = true
		defer delete(a.visiting, x.Name)
		return a.renderAll(a.assigned[x.Name])
	case *ast.CallExpr:
		switch name := callee(x); {
		case name == "all" || name == "append" || name == "Concat":
			return a.renderAll(x.Args)
		case name == "table" && len(x.Args) == 1:
			return a.render(x.Args[0])
		case name == "chunksFrom":
			return "chunks c JOIN documents d ON d.id = c.document_id"
		case name == "Sprintf":
			return a.render(x.Args[0])
		}
	}
	return "…"
}

func (a *auditor) renderAll(list []ast.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = a.render(e)
	}
	return strings.Join(parts, " ")
}

func (f finding) String() string { return f.at.String() + ": " + f.what }
