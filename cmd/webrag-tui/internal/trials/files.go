package trials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/webrag/webrag-tui/evaluation"
	"github.com/webrag/webrag-tui/evaluation/exchange"
	"github.com/webrag/webrag-tui/file"
)

// mostFile is the most bytes of a file of judgments or rankings: the largest collections
// have a tenth.
const mostFile = 2 << 30

// readFile opens a file and reads it.
func readFile[T any](name string, read func(r io.Reader, name string) (T, error)) (v T, err error) {
	f, err := file.Open(name, mostFile)
	if err != nil {
		return v, err
	}
	defer f.Close()
	return read(f, name)
}

// evaluateFiles measures rankings that are in files by judgments that are.
func (p *Program) evaluateFiles(ctx context.Context, args []string, f *evaluateFlags) error {
	switch {
	case f.qrels == "":
		return errors.New("--run needs judgments: --qrels FILE")
	case len(f.runs) == 0:
		return errors.New("--qrels needs rankings: --run FILE, once for each system")
	case len(args) > 0 || len(f.profiles) > 0:
		return errors.New("--qrels and --run measure files; leave out the query set and --profile")
	}
	o, limits, err := f.options()
	if err != nil {
		return err
	}
	then, err := readBaseline(f.baseline)
	if err != nil {
		return err
	}
	qrels, err := readFile(f.qrels, exchange.ReadQrels)
	if err != nil {
		return err
	}
	t := &trial{name: filepath.Base(f.qrels)}
	for _, name := range f.runs {
		s, err := readSystem(name, qrels, o)
		if err != nil {
			return err
		}
		for i := range t.systems {
			if t.systems[i].name == s.name {
				s.name = name // two of one tag are told apart by their files
			}
		}
		t.systems = append(t.systems, s)
	}
	t.judge(o)
	now := t.encode(f.perQuery || f.saveBaseline != "" || then != nil)
	fallen, err := t.fallen(ctx, now, then, f.drop)
	if err != nil {
		return err
	}
	return p.conclude(t, now, append(t.short(limits), fallen...), f)
}

// readSystem measures one file.
func readSystem(name string, qrels map[string]map[string]int, o evaluation.Options) (system, error) {
	run, err := readFile(name, exchange.ReadRun)
	if err != nil {
		return system{}, err
	}
	report, err := evaluation.Evaluate(qrels, run.ByQuery(), o)
	if err != nil {
		return system{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(report.Queries) == 0 {
		return system{}, fmt.Errorf("%s: no query counts: none of the judgments that count has a ranking in it", name)
	}
	tag := run.Tag
	if tag == "" {
		tag = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return system{name: tag, report: report}, nil
}
