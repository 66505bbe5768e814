// Package docs holds the guide: pages on how retrieval works and how to tune it.
// They are documentation to read, and at the same time the corpus that the demo
// indexes and opens, so the program carries them in itself.
//
// The pages are markdown with YAML front matter (title, description, depth,
// tags) and HTML with the same facts in its head (title, meta description, meta
// webrag:depth, meta keywords). A page's depth is the least number of links
// that lead to it from guide/index.md; images lie in guide/images.
package docs

import "embed"

// Guide is the folder "guide" with its pages and images, without the table of the
// specifications: that is to be looked up in, and as part of the corpus it would be
// found in place of the pages whose words it repeats.
//
//go:embed guide/images guide/*.html guide/[^s]*.md guide/s[^p]*.md
var Guide embed.FS

// Judged is the folder "judged", a query set on the guide: questions as somebody asks them
// who has not read it, and what the sections that retrieval finds first are worth to each.
// Package evaluation/judgment makes a copy of it that one's own judgments can be added to.
//
//go:embed judged/set.json judged/queries.tsv judged/judgments.jsonl
var Judged embed.FS
