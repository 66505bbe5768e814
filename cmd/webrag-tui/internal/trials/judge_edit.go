package trials

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/webrag/webrag-tui/offset"
)

// editFlags say what becomes of a query.
type editFlags struct {
	text   string
	tags   []string
	remove bool
}

func newJudgeEdit(p *Program) *cobra.Command {
	var f editFlags
	cmd := &cobra.Command{
		Use:   "edit SET QUERY",
		Short: "Change a query of a set, or take it out",
		Long: "edit gives a query, which is named by its id or its text, another text or other tags. What was\n" +
			"judged for it stays. A query that is taken out leaves its judgments in their file, and they\n" +
			"count again once a query of its id is added.",
		Example: "webrag-tui judge edit docs how-do-i-retry --text 'how do I retry a request' --tag howto\n" +
			"webrag-tui judge edit docs how-do-i-retry --remove",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return errors.New("judge edit needs a query set and a query of it: webrag-tui judge edit docs how-do-i-retry --text TEXT")
			}
			changes := cmd.Flags().Changed("text") || cmd.Flags().Changed("tag")
			switch {
			case !changes && !f.remove:
				return errors.New("judge edit needs to know what: --text TEXT, --tag TAG, or --remove")
			case changes && f.remove:
				return errors.New("a query that is taken out has no --text and no --tag: leave them out, or --remove")
			}
			return p.judgeEdit(cmd.Context(), args[0], args[1], &f, cmd.Flags().Changed("tag"))
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.text, "text", "", "the new `text`")
	fs.StringSliceVar(&f.tags, "tag", nil, "a `tag`, in place of those that it has (repeatable; '' for none)")
	fs.BoolVar(&f.remove, "remove", false, "take the query out")
	return cmd
}

func (p *Program) judgeEdit(ctx context.Context, name, query string, f *editFlags, retagged bool) error {
	set, err := p.openSet(name)
	if err != nil {
		return err
	}
	found, err := findQuery(set, query)
	if err != nil {
		return err
	}
	q := *found
	if f.remove {
		if err := set.RemoveQuery(ctx, q.ID); err != nil {
			return err
		}
		p.note("query %s is no query of %s any more; its judgments stay in their file", q.ID, offset.Line(set.Name))
		return nil
	}
	if f.text != "" {
		q.Text = f.text
	}
	if retagged {
		q.Tags = slices.DeleteFunc(slices.Clone(f.tags), func(tag string) bool { return tag == "" })
	}
	if err := set.ChangeQuery(ctx, q); err != nil {
		return err
	}
	p.note("query %s of %s: %s", q.ID, offset.Line(set.Name), (&shownQuery{Text: set.Query(q.ID).Text, Tags: set.Query(q.ID).Tags}).words(4*mostTextCells))
	return nil
}
