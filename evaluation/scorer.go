package evaluation

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// ownPrefix begins the text of a measure of one's own.
const ownPrefix = "expr:"

// What an expression may be and see: enough for any formula of the field, and too little to run
// long.
const (
	mostNodes = 200
	mostPool  = MostDepth // grades
)

// scorer is a measure of one's own: an expression, compiled.
type scorer struct {
	name, text string
	k          int
	program    *vm.Program
}

// String is what was parsed.
func (s *scorer) String() string {
	if s.k > 0 {
		return fmt.Sprintf("%s%s@%d=%s", ownPrefix, s.name, s.k, s.text)
	}
	return ownPrefix + s.name + "=" + s.text
}

// own is what an expression sees. The names in it are part of the format.
type own struct {
	Results []ownResult `expr:"results"`
	Ideal   []ownResult `expr:"ideal"`
	Grades  []int       `expr:"grades"`
	Pool    []int       `expr:"pool"`
	K       int         `expr:"k"`
}

type ownResult struct {
	Rank   int  `expr:"rank"`
	Grade  int  `expr:"grade"`
	Judged bool `expr:"judged"`
}

var ownName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// parseOwn reads NAME=EXPRESSION or NAME@k=EXPRESSION.
func parseOwn(text string) (Measure, error) {
	head, expression, ok := strings.Cut(text, "=")
	if !ok {
		return Measure{}, fmt.Errorf("a measure of your own is %sNAME=EXPRESSION, and this has no =", ownPrefix)
	}
	s := &scorer{text: strings.TrimSpace(expression)}
	name, cut, hasCut := cutLast(head, "@")
	if s.name = strings.TrimSpace(name); !ownName.MatchString(s.name) {
		return Measure{}, fmt.Errorf("the name of a measure of your own has letters, digits, - and _, and this is %q", s.name)
	}
	if hasCut {
		k, err := parseDepth(cut)
		if err != nil {
			return Measure{}, err
		}
		s.k = k
	}
	if err := s.compile(); err != nil {
		return Measure{}, err
	}
	return Measure{kind: ownScore, k: s.k, rel: defaultRel, own: s}, nil
}

// compile checks the expression and tries it: what fails for some ranking should do so
// now, where somebody reads it, and not count 0 later.
func (s *scorer) compile() error {
	tree, err := parser.Parse(s.text)
	if err != nil {
		return where(err)
	}
	check := &permitted{}
	ast.Walk(&tree.Node, check)
	if check.err != nil {
		return where(check.err.Bind(tree.Source))
	}
	options := []expr.Option{expr.Env(own{}), expr.AsFloat64(), expr.MaxNodes(mostNodes)}
	for name, f := range ownFunctions() {
		options = append(options, function(name, f))
	}
	if s.program, err = expr.Compile(s.text, options...); err != nil {
		return where(err)
	}
	for _, try := range []Judged{
		{},
		{Grades: []int{Unjudged}, Pool: NewPool([]int{1})},
		{Grades: []int{2, Unjudged, 0, 1}, Pool: NewPool([]int{3, 2, 1, 0})},
	} {
		if _, err := s.run(try.Grades, try.Pool); err != nil {
			return fmt.Errorf("for a ranking of %d results there is no value: %w; say what it is then, as in len(grades) == 0 ? 0 : mean(grades)", len(try.Grades), where(err))
		}
	}
	return nil
}

// where says in a line what is wrong with an expression, and where.
func where(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return err
	}
	return fmt.Errorf("at character %d of the expression: %s", at.Column+1, at.Message)
}

// of evaluates the expression for a ranking that was cut.
func (s *scorer) of(cut []int, pool *Pool) float64 {
	x, err := s.run(cut, pool)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func (s *scorer) run(cut []int, pool *Pool) (float64, error) {
	cut = cut[:min(len(cut), MostDepth)]
	sees := own{K: s.k, Results: ownResults(cut), Grades: make([]int, len(cut))}
	for i, grade := range cut {
		sees.Grades[i] = max(0, grade)
	}
	if pool != nil {
		sees.Pool = pool.grades[:min(len(pool.grades), mostPool)]
	}
	sees.Ideal = ownResults(sees.Pool)
	if s.k == 0 {
		sees.K = len(cut)
	} else {
		sees.Ideal = sees.Ideal[:min(s.k, len(sees.Ideal))]
	}
	x, err := expr.Run(s.program, sees)
	if err != nil {
		return 0, err
	}
	number, ok := x.(float64)
	if !ok {
		return 0, fmt.Errorf("the expression is %v and no number", x)
	}
	return number, nil
}

func ownResults(grades []int) []ownResult {
	list := make([]ownResult, len(grades))
	for i, grade := range grades {
		list[i] = ownResult{Rank: i + 1, Grade: max(0, grade), Judged: grade >= 0}
	}
	return list
}

// ownFunctions are those that expressions have beside the library's.
func ownFunctions() map[string]func(float64) float64 {
	return map[string]func(float64) float64{"log2": math.Log2, "log": math.Log, "exp": math.Exp, "sqrt": math.Sqrt}
}

// function makes f known by its name for numbers of both kinds.
func function(name string, f func(float64) float64) expr.Option {
	return expr.Function(name, func(arguments ...any) (any, error) {
		switch x := arguments[0].(type) {
		case float64:
			return f(x), nil
		case int:
			return f(float64(x)), nil
		default:
			return nil, fmt.Errorf("%s takes a number, and got %v", name, x)
		}
	}, new(func(float64) float64), new(func(int) float64))
}

// permitted finds what an expression may not have. Without lists inside of what goes through a
// list, without lists of its own and without what folds a list into something that grows, time
// and memory are at most the length of the expression times that of the ranking.
type permitted struct{ err *file.Error }

// Visit implements [ast.Visitor].
func (p *permitted) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.IdentifierNode, *ast.UnaryNode, *ast.ConditionalNode, *ast.PointerNode, *ast.SliceNode:
	case *ast.StringNode: // names a field; elsewhere nothing takes it
	case *ast.BinaryNode:
		p.operator(n)
	case *ast.MemberNode:
		p.member(n)
	case *ast.CallNode:
		if name := n.Callee.String(); ownFunctions()[name] == nil {
			p.refuse(n, "there is no function %s here", name)
		}
	case *ast.BuiltinNode:
		if !slices.Contains(builtins, n.Name) {
			p.refuse(n, "%s cannot be used here", n.Name)
		}
	case *ast.PredicateNode:
		ast.Walk(&n.Node, &listless{p})
	default:
		p.refuse(*node, "this cannot be used here: an expression has numbers, operators, functions and the lists of the ranking")
	}
}

// builtins are the functions of the library that an expression may use: they take no time and
// no memory beyond that of the list that they are given.
var builtins = []string{
	"abs", "all", "any", "ceil", "count", "filter", "float", "floor", "int", "len", "map",
	"max", "mean", "median", "min", "none", "one", "round", "sort", "sum", "take",
}

func (p *permitted) operator(n *ast.BinaryNode) {
	switch n.Operator {
	case "+", "-", "*", "/", "%", "**", "^", "==", "!=", "<", "<=", ">", ">=", "and", "&&", "or", "||":
	default:
		p.refuse(n, "the operator %q cannot be used here", n.Operator)
	}
}

// member lets fields of a result pass.
func (p *permitted) member(n *ast.MemberNode) {
	if field, ok := n.Property.(*ast.StringNode); !ok || !slices.Contains([]string{"rank", "grade", "judged"}, field.Value) {
		p.refuse(n, "a result has .rank, .grade and .judged, and nothing else can be taken out of anything: sum(grades[:1]) is the first grade")
	}
}

func (p *permitted) refuse(n ast.Node, why string, values ...any) {
	if p.err == nil {
		p.err = &file.Error{Location: n.Location(), Message: fmt.Sprintf(why, values...)}
	}
}

// listless refuses to name a list where one is gone through.
type listless struct{ *permitted }

// Visit implements [ast.Visitor].
func (l *listless) Visit(node *ast.Node) {
	if n, ok := (*node).(*ast.IdentifierNode); ok && slices.Contains([]string{"results", "ideal", "grades", "pool"}, n.Value) {
		l.refuse(n, "%s is a list, and what is done for each result cannot go through a list again", n.Value)
	}
}
