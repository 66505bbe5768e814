package whynot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/retrieval/phrase"
	"github.com/webrag/webrag-tui/store"
)

const (
	// mostHopsBack is how many hops away from the seeds a target is looked for.
	mostHopsBack = 4
	// mostNeighbours bounds the sections around the target whose edges are read
	// for that: a few hops lead to most of a corpus.
	mostNeighbours = 1_000
)

// shortestPath is the shortest way along edges from what the search found to the target:
// one that the parameters would go if they went far enough, else any. It is nil
// when the search found the target's section itself, in a store without edges, where
// none are followed and none lead there, and where not all of them were kept.
func (pr *prober) shortestPath(present *retrieval.Result, ev *retrieval.Evidence) (_ *GraphPath, err error) {
	if !pr.from.hasEdges() || present.Mode == param.ModeFullContext {
		return nil, nil
	}
	seeds := ev.Seeds(pr.base, present.Floor)
	if slices.ContainsFunc(pr.sought.nodes, func(id string) bool { return seeds[id] }) {
		return nil, nil
	}
	view, err := pr.from.read(pr.ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, view.Close()) }()
	within := 0
	for _, open := range []func(GraphStep) bool{pr.follows, func(GraphStep) bool { return true }} {
		path, err := pr.search(view, seeds, open)
		if errors.Is(err, ErrUnkept) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read edges of corpus %s: %w", pr.from.name(), err)
		}
		if path.Hops > 0 {
			path.Reason = pr.blocks(path)
			for _, a := range pr.unblock(path) {
				path.Settings = append(path.Settings, a.Field)
			}
			if err := path.name(pr.ctx, view); err != nil {
				return nil, fmt.Errorf("read chunks of corpus %s: %w", pr.from.name(), err)
			}
			return path, nil
		}
		within = path.Within
	}
	if pr.base.MaxHops == 0 {
		return nil, nil
	}
	return &GraphPath{Used: true, Reason: phrase.ReasonUnreached, Within: within}, nil
}

// name fills the headings of the sections on the path.
func (g *GraphPath) name(ctx context.Context, view view) error {
	ids := []string{g.Steps[0].From}
	for i := range g.Steps {
		ids = append(ids, g.Steps[i].To)
	}
	chunks, err := view.Chunks(ctx, ids, 0)
	if err != nil {
		return err
	}
	names := make(map[string]string, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		names[c.ID] = cmp.Or(retrieval.NearestHeading(c.SectionHeading, c.HeadingPath), c.Title)
	}
	for i := range g.Steps {
		g.Steps[i].FromName, g.Steps[i].ToName = names[g.Steps[i].From], names[g.Steps[i].To]
	}
	return nil
}

// search goes backwards, from the target to the nearest seed.
func (pr *prober) search(view view, seeds map[string]bool, open func(GraphStep) bool) (*GraphPath, error) {
	path := &GraphPath{Used: pr.base.MaxHops > 0}
	onward := map[string]GraphStep{}
	for _, id := range pr.sought.nodes {
		onward[id] = GraphStep{}
	}
	frontier := pr.sought.nodes
	read := 0
	for hop := 1; hop <= mostHopsBack && len(frontier) > 0; hop++ {
		if read += len(frontier); read > mostNeighbours && hop > 1 {
			path.Within = hop - 1
			return path, nil
		}
		next, err := pr.stepBack(view, frontier, onward, open)
		if err != nil {
			return nil, err
		}
		for _, id := range next {
			if seeds[id] {
				path.Hops = hop
				for at := id; onward[at].To != ""; at = onward[at].To {
					path.Steps = append(path.Steps, onward[at])
				}
				return path, nil
			}
		}
		frontier = next
	}
	return path, nil
}

// follows reports whether the parameters let an edge be walked.
func (pr *prober) follows(s GraphStep) bool {
	p := &pr.base
	return (!s.Reversed || p.Bidirectional) && p.Relations.Has(s.Relation) && s.Weight >= p.MinTraversalScore
}

// stepBack reads the edges at nodes and notes for each new node the edge that
// leads on from it: one in its own direction rather than one against it, then the
// heaviest.
func (pr *prober) stepBack(view view, nodes []string, onward map[string]GraphStep, open func(GraphStep) bool) ([]string, error) {
	q := store.EdgeQuery{Nodes: nodes, Direction: store.Both, PerNode: retrieval.EdgesPerNode}
	if pr.base.GraphFilterScope == param.FilterAll {
		q.Scope = pr.from.scope()
	}
	edges, err := view.Edges(pr.ctx, q)
	if err != nil {
		return nil, err
	}
	from := make(map[string]bool, len(nodes))
	for _, id := range nodes {
		from[id] = true
	}
	steps := make([]GraphStep, 0, len(edges))
	for i := range edges {
		e := &edges[i]
		if from[e.TargetID] {
			steps = append(steps, GraphStep{From: e.SourceID, To: e.TargetID, Relation: e.Relation, Weight: e.Weight})
		}
		if from[e.SourceID] {
			steps = append(steps, GraphStep{From: e.TargetID, To: e.SourceID, Relation: e.Relation, Weight: e.Weight, Reversed: true})
		}
	}
	slices.SortFunc(steps, func(a, b GraphStep) int {
		if a.Reversed != b.Reversed {
			if a.Reversed {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Relation, b.Relation))
	})
	var next []string
	for _, s := range steps {
		if _, known := onward[s.From]; !known && open(s) {
			onward[s.From] = s
			next = append(next, s.From)
		}
	}
	return next, nil
}

// blocks is why the parameters do not follow a path, empty when they do.
func (pr *prober) blocks(path *GraphPath) string {
	p := &pr.base
	hops := p.MaxHops
	if p.GraphScoring == param.ScoringDocumented {
		hops = min(hops, p.HopDecay.Len()-1)
	}
	switch {
	case slices.ContainsFunc(path.Steps, func(s GraphStep) bool { return !pr.follows(s) }):
		return phrase.ReasonEdgeFiltered
	case path.Hops > hops:
		return phrase.ReasonUnreached
	default:
		return ""
	}
}

// unblock are the changes that let each step of a path be followed. Each is tried
// together with a second change, since one alone may not be enough.
func (pr *prober) unblock(path *GraphPath) []Adjustment {
	if path == nil || path.Hops == 0 {
		return nil
	}
	var list []Adjustment
	open := func(field, to string) {
		if from := pr.base.Get(field); from != to {
			list = append(list, Adjustment{Change: param.Change{Field: field, From: from, To: to}})
		}
	}
	if path.Hops > pr.base.MaxHops {
		open(param.FieldMaxHops, fmt.Sprint(path.Hops))
	}
	least := 1.0
	for _, s := range path.Steps {
		least = min(least, s.Weight)
		if s.Reversed {
			open(param.FieldBidirectional, "true")
		}
		if !pr.base.Relations.Has(s.Relation) {
			open(param.FieldRelations, param.Relations(0).String())
		}
	}
	if least < pr.base.MinTraversalScore {
		open(param.FieldMinTraversalScore, phrase.Number(least))
	}
	slices.SortFunc(list, func(a, b Adjustment) int { return cmp.Compare(a.Field, b.Field) })
	return slices.CompactFunc(list, func(a, b Adjustment) bool { return a.Field == b.Field })
}
