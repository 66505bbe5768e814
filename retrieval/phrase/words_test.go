package phrase_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// worked has an example of every sentence that takes parts.
var worked = map[string]struct {
	said phrase.Phrase
	want string
}{
	"VerdictPresent":         {phrase.VerdictPresent.With(2, 0.5), "It is in the result, as number 2 with a score of .500."},
	"VerdictParts":           {phrase.VerdictParts.With(3, 1, 0.5), "3 of its sections and passages are in the result, the best as number 1 with a score of .500."},
	"VerdictPassage":         {phrase.VerdictPassage.With(2, 0.5, ": it has no embedding itself"), "Its section is in the result, as number 2 with a score of .500, but another passage brought it: it has no embedding itself."},
	"VerdictEdges":           {phrase.VerdictEdges.With(2, 0.5, ""), "Its section is in the result, as number 2 with a score of .500, since edges lead to it."},
	"NoWayWithin":            {phrase.NoWayWithin.With(phrase.Several(3, "hop")), " No edges lead to it within 3 hops, and more was not read."},
	"WayTooFar":              {phrase.WayTooFar.With(phrase.Several(1, "hop")), " The nearest seed is 1 hop away, further than edges are followed."},
	"WayBlocked":             {phrase.WayBlocked.With(phrase.AgainstDirection.With("bidirectional")), " Edges lead to it, but not as they are followed: some against their direction (bidirectional)."},
	"AgainstDirection":       {phrase.AgainstDirection.With("bidirectional"), "some against their direction (bidirectional)"},
	"OtherRelations":         {phrase.OtherRelations.With("relations"), "some of a relation that is left out (relations)"},
	"TooLight":               {phrase.TooLight.With("min_traversal_score"), "some too light (min_traversal_score)"},
	"TooManyHops":            {phrase.TooManyHops.With("max_hops"), "too many hops (max_hops)"},
	"NoArmUnindexed":         {phrase.NoArmUnindexed.With("keyword_unindexed=true"), ", or have the texts read one by one with keyword_unindexed=true"},
	"KeywordUnindexed":       {phrase.KeywordUnindexed.With("keyword_unindexed=true"), "; keyword_unindexed=true reads the texts one by one, up to a bound"},
	"NoEdgesWithin":          {phrase.NoEdgesWithin.With(phrase.Several(3, "hop")), "none lead to it from what was found within 3 hops; more was not read"},
	"NoEdgesBrief":           {phrase.NoEdgesBrief.With(phrase.Several(3, "hop")), "none lead to it within 3 hops; more was not read"},
	"EdgesLead":              {phrase.EdgesLead.With(phrase.Several(2, "hop"), phrase.Titled("Top")), "2 hops from what was found: Top"},
	"EdgeStep":               {phrase.EdgeStep.With(phrase.Titled("Top"), phrase.Signed("─"), phrase.Named("links_to"), phrase.Signed("→"), 0.5), "Top ─links_to→ .500 "},
	"RankingsMade":           {phrase.RankingsMade.With(phrase.Several(44, "ranking")), "44 rankings tried: every parameter alone, then pairs of them. The text and the query have too little in common; ask in its words."},
	"LetsIn":                 {phrase.LetsIn.With("Top k 6", "it", phrase.Of.With(6, 6), ""), "Top k 6 lets it in as number 6 of 6."},
	"LetIn":                  {phrase.LetIn.With("max hops 3 and hop decay 1", "its section", phrase.Of.With(6, 7), ", along edges"), "No change alone lets it in; max hops 3 and hop decay 1 let its section in as number 6 of 7, along edges."},
	"Rank":                   {phrase.Rank.With(14), "rank 14"},
	"RankOf":                 {phrase.RankOf.With(14, 300), "rank 14 of 300"},
	"RankAtLeast":            {phrase.RankAtLeast.With(14), "rank 14 or worse"},
	"Cosine":                 {phrase.Cosine.With(0.327), "cosine .327"},
	"BM25":                   {phrase.BM25.With(7.25), "BM25 7.250"},
	"HasWords":               {phrase.HasWords.With(phrase.Named("depth")), "its text has depth"},
	"LacksWords":             {phrase.LacksWords.With(phrase.Named("decay")), "it lacks decay"},
	"LacksBrief":             {phrase.LacksBrief.With(phrase.Named("decay")), "lacks decay"},
	"NotFoundSince":          {phrase.NotFoundSince.With(phrase.Reason{Code: phrase.ReasonNoEmbedding}.Say(phrase.Label)), "not found: no embedding"},
	"Nearest":                {phrase.Nearest.With(phrase.Several(3, "passage")), "the nearest of 3 passages that are meant"},
	"BestOf":                 {phrase.BestOf.With(phrase.Several(3, "passage")), "the best of 3 passages"},
	"EachArmsBest":           {phrase.EachArmsBest.With(phrase.Several(3, "passage")), "3 passages; each search shows its best"},
	"PassageOf":              {phrase.PassageOf.With(2, 3), "passage 2 of 3 of the page, by similarity"},
	"OneOfPlaces":            {phrase.OneOfPlaces.With(3, 2), "the text is in 3 places; this is number 2"},
	"DroppedAt":              {phrase.DroppedAt.With("dedup", "repeats a better one"), "by the stage dedup: repeats a better one"},
	"NotReached":             {phrase.NotReached.With("depth, budget"), "not reached: depth, budget"},
	"EndsAt":                 {phrase.EndsAt.With(900, 4000), "its end is at 900 of 4000 tokens of the budget"},
	"WouldMoveIt":            {phrase.WouldMoveIt.With(4), "what would change its rank, 4"},
	"Tried":                  {phrase.Tried.With(phrase.Several(44, "ranking")), "44 rankings tried"},
	"ChangeTo":               {phrase.ChangeTo.With("similarity floor", ".21", phrase.AsCosine.With(.114)), "similarity floor .21 (cosine .114)"},
	"BeginsAt":               {phrase.BeginsAt.With("rrf k", "12"), "it begins to let it in at rrf k 12"},
	"AsCosine":               {phrase.AsCosine.With(.114), " (cosine .114)"},
	"Enters":                 {phrase.Enters.With(phrase.Named("Depth")), "Depth enters"},
	"Enter":                  {phrase.Enter.With(2), "2 enter"},
	"Leaves":                 {phrase.Leaves.With(phrase.Named("Depth")), "Depth leaves"},
	"Leave":                  {phrase.Leave.With(2), "2 leave"},
	"Passes":                 {phrase.Passes.With(phrase.Named("Depth"), phrase.Named("Age")), "Depth passes Age"},
	"FallsBehind":            {phrase.FallsBehind.With(phrase.Named("Depth"), 3), "Depth falls behind 3"},
	"ChangePlaces":           {phrase.ChangePlaces.With(3), "3 change places"},
	"BothSame":               {phrase.BothSame.With(phrase.Several(5, "result")), "Both return the same 5 results in the same order."},
	"NothingCommon":          {phrase.NothingCommon.With(5, 6), "They have nothing in common: a returns 5, b 6."},
	"BothDiffer":             {phrase.BothDiffer.With(phrase.Several(1, "result"), 2, 5, 3, 3), "b brings 1 result that a has not, drops 2 of a's 5, and ranks 3 of the 3 common ones differently."},
	"SameRank":               {phrase.SameRank.With(phrase.Several(2, "result")), "2 results at the same rank as before, only with another score"},
	"Without":                {phrase.Without.With(1, 2, 3), "1 enter, 2 leave, 3 move"},
	"AsMarkdown":             {phrase.AsMarkdown.With(phrase.Several(2, "section")), "2 sections would be sent as markdown, not as HTML"},
	"CutName":                {phrase.CutName.With("floor", 0.341), "floor .341"},
	"CutCalibrated":          {phrase.CutCalibrated.With("floor", 0.341, 0.3), "floor .341 (set as .300)"},
	"CutSpare":               {phrase.CutSpare.With(phrase.CutName.With("limit", 60), ":", 46), "limit 60: 46 to spare"},
	"CutTooFar":              {phrase.CutTooFar.With(phrase.CutName.With("limit", 60), ",", 1), "limit 60, 1 too far"},
	"CutAbove":               {phrase.CutAbove.With(phrase.CutName.With("floor", .341), ":", .1), "floor .341: .100 above"},
	"CutShort":               {phrase.CutShort.With(phrase.CutName.With("floor", .341), .014), "floor .341: .014 short"},
	"CutShortBy":             {phrase.CutShortBy.With(phrase.CutName.With("floor", .341), .014), "floor .341, short by .014"},
	"Change":                 {phrase.Change.With("top k", "5", phrase.Signed("→"), "6", " rows"), "top k 5 → 6 rows"},
	"Rows":                   {phrase.Rows.With(phrase.Several(1, "row")), "each search then returns 1 row"},
	"RowsAfter":              {phrase.RowsAfter.With(phrase.Several(80, "row")), "; each search then returns 80 rows"},
	"RowsBrief":              {phrase.RowsBrief.With(80), ": each search then returns 80 rows"},
	"Gain":                   {phrase.Gain.With(6, 7, " along edges", "1 moved", "; each search then returns 80 rows"), "as number 6 of 7 along edges, 1 moved; each search then returns 80 rows"},
	"GainBrief":              {phrase.GainBrief.With(phrase.Of.With(6, 7), 1, 0), "rank 6 of 7, 1 also in, 0 out"},
	"Of":                     {phrase.Of.With(6, 7), "6 of 7"},
	"ComesIn":                {phrase.ComesIn.With("“Depth 1/2”"), "“Depth 1/2” is what comes in"},
	"MoreLetIn":              {phrase.MoreLetIn.With(2), "2 more let in"},
	"PushedOut":              {phrase.PushedOut.With(1), "1 pushed out"},
	"Moved":                  {phrase.Moved.With(3), "3 moved"},
	"Placed":                 {phrase.Placed.With(4, phrase.Titled("Top")), "number 4 Top"},
	"NothingSimilar":         {phrase.NothingSimilar.With(0.2, phrase.Floor{Cosine: .3}.Number()), "No section is similar enough: the nearest has a cosine of .200, and the floor is .300. These came nearest:"},
	"NothingAbove":           {phrase.NothingAbove.With(".300 cal = .327 raw"), "nothing above the floor of .300 cal = .327 raw; nearest:"},
	"NothingLeft":            {phrase.NothingLeft.With("214 children"), "No section is left of 214 children."},
	"NothingLeftBut":         {phrase.NothingLeftBut.With("1 child"), "No section is left of 1 child. These came nearest:"},
	"NoticeThresholdClamped": {phrase.NoticeThresholdClamped.Words.With(30000, 20000, 20000), "everything would be sent up to 30000 tokens, but the budget is 20000: 20000 is used"},
	"NoticeUncalibrated":     {phrase.NoticeUncalibrated.Words.With(0.3), "the corpus has no calibrated scale for this embedder: the floor of .300 is taken as a raw cosine"},
	"NoticeEmptyQuery":       {phrase.NoticeEmptyQuery.Words.With(), "the query is empty: nothing was searched"},
	"NoticeEmptyScope":       {phrase.NoticeEmptyScope.Words.With(), "no page of the corpus is in the scope asked for"},
	"NoticeEmptyForeign":     {phrase.NoticeEmptyForeign.Words.With(), "the corpus is empty: let the program that made it index pages"},
	"NoticeEmptyCorpus":      {phrase.NoticeEmptyCorpus.Words.With(), "the corpus is empty: index some pages first"},
	"NoticeBeyondEvidence":   {phrase.NoticeBeyondEvidence.Words.With("it needs 80 rows"), "these settings reach beyond what was gathered (it needs 80 rows): ask again"},
	"NoticeCorpusChanged":    {phrase.NoticeCorpusChanged.Words.With(), "the corpus was changed while it was read: ask again to see it as it is now"},
	"NoticeQueryCut":         {phrase.NoticeQueryCut.Words.With(8000), "the query is very long: only its first 8000 characters were searched"},
	"NoticeUnembeddedWhole":  {phrase.NoticeUnembeddedWhole.Words.With("refused"), "the query could not be compared with the sections, which are all returned: refused"},
	"NoticeEmbedderFailed":   {phrase.NoticeEmbedderFailed.Words.With("refused"), "the query could not be embedded, so only its words were searched: refused"},
	"NoticeNoWords":          {phrase.NoticeNoWords.Words.With(), "the query has no searchable words, so nothing was found: add a word that names the subject"},
	"NoticeNoVectors":        {phrase.NoticeNoVectors.Words.With(), "no section in scope has a vector: the search found nothing"},
	"NoticeNothingAbove":     {phrase.NoticeNothingAbove.Words.With(".300", 0.25, phrase.InSection.With(`"Depth"`, `"https://x.example/"`)), `nothing is above the floor of .300; the nearest is .250, "Depth" in "https://x.example/"`},
	"NoticeUnderReturn":      {phrase.NoticeUnderReturn.Words.With(10, 60), "the index returned 10 of 60 rows asked for: a filter or its ef_search holds it back"},
	"NoticeNoArm":            {phrase.NoticeNoArm.Words.With("refused", phrase.NoArmMissing.With("no index"), phrase.NoArmUnindexed.With("keyword_unindexed=true")), "nothing was searched: the query could not be embedded (refused), and there is no keyword search here (no index); configure the embedder that made the vectors, or have the texts read one by one with keyword_unindexed=true"},
	"NoticeOrphansDropped":   {phrase.NoticeOrphansDropped.Words.With(2), "2 of the passages found belong to no section and were left out"},
	"NoticeNoParents":        {phrase.NoticeNoParents.Words.With(2), "2 of the passages found belong to no section and are returned as they are"},
	"NoticeKeywordMissing":   {phrase.NoticeKeywordMissing.Words.With(phrase.SoOnlyVectors, "no index", phrase.KeywordUnindexed.With("keyword_unindexed=true")), "there is no keyword search here, so only vectors were searched: no index; keyword_unindexed=true reads the texts one by one, up to a bound"},
	"NoticeKeywordFailed":    {phrase.NoticeKeywordFailed.Words.With(phrase.SoNothing, "damaged"), "the keyword search failed, so nothing was found: damaged"},
	"NoticeNoQueryWords":     {phrase.NoticeNoQueryWords.Words.With(phrase.SoOnlyVectors), "the query has no words to search for, so only vectors were searched"},
	"NoticeKeywordEmpty":     {phrase.NoticeKeywordEmpty.Words.With("keyword_match=and", ""), "no passage holds the query's words (keyword_match=and)"},
	"NoticeUnindexedPart":    {phrase.NoticeUnindexedPart.Words.With(), "the words were counted without an index, in the first texts only: rank and rarity of a word are those of what was read"},
	"NoticeKeywordUnindexed": {phrase.NoticeKeywordUnindexed.Words.With(), "the words were counted without an index, in all texts in scope"},
	"NoticeKeywordSampled":   {phrase.NoticeKeywordSampled.Words.With(90000), "the query's words are so common that only some of the 90000 matches were ranked"},
	"NoticeSingleArmWords":   {phrase.NoticeSingleArmWords.Words.With("0.5"), "only the keyword search found anything, and weighs 0.5: these scores do not compare with those of other queries"},
	"NoticeSingleArm":        {phrase.NoticeSingleArm.Words.With("1", 0.61), "only the vector search found anything, and weighs 1: these scores do not compare with those of other queries; its best cosine is .610"},
	"NoticeBothLexical":      {phrase.NoticeBothLexical.Words.With("fusion=convex"), "the embedder is lexical, so both searches look at words: fusing their ranks changes little, fusing their scores (fusion=convex) more"},
	"NoticeGraphMissing":     {phrase.NoticeGraphMissing.Words.With("no table of edges"), "there are no edges here, so only seeds are returned: no table of edges"},
	"NoticeGraphFailed":      {phrase.NoticeGraphFailed.Words.With("gone"), "the edges could not be read, so only seeds are returned: gone"},
	"NoticeNoEdges":          {phrase.NoticeNoEdges.Words.With(), "no edge leads away from the seeds; webrag-tui doctor says whether any are left out; a corpus indexed by an older version has none until it is indexed again"},
	"NoticeOutsideScope":     {phrase.NoticeOutsideScope.Words.With(2, "graph_filter_scope=all"), "2 of the results were reached by edges from outside of the scope; graph_filter_scope=all leaves them out"},
	"NoticeDedupUnderfills":  {phrase.NoticeDedupUnderfills.Words.With(2, 6, 8), "2 near-duplicates were left out and are not made up for: 6 of 8 results"},
	"NoticeRerankFailed":     {phrase.NoticeRerankFailed.Words.With("refused"), "the reranking failed, so the order is as before: refused"},
	"NoticeRerankSilent":     {phrase.NoticeRerankSilent.Words.With("words"), "words scored nothing, so the order is as before"},
	"NoticeRerankCut":        {phrase.NoticeRerankCut.Words.With("words", 200, 300), "words was asked about the first 200 of 300 candidates; the others stand below them on their old scale"},
	"NoticeRerankPartial":    {phrase.NoticeRerankPartial.Words.With("words", 2), "words said nothing about 2 of the results; their scores are on the old scale"},
	"NoticeForeignScale":     {phrase.NoticeForeignScale.Words.With("min_score", "words", "logit"), "min_score is not compared with the scores of words (logit)"},
	"NoticeNearDuplicates":   {phrase.NoticeNearDuplicates.Words.With(2, 8, "dedup_threshold=0.95"), "2 of 8 results nearly repeat a better one; dedup_threshold=0.95 leaves them out"},
	"NoticeCrowding":         {phrase.NoticeCrowding.Words.With(5, 8, `"https://x.example/"`), `5 of 8 results are from one page, "https://x.example/"`},
	"NoticeOverflow":         {phrase.NoticeOverflow.Words.With(20000, 3, 12), "the corpus exceeds the budget of 20000 tokens: 3 of 12 sections were left out"},
	"NoticeOversize":         {phrase.NoticeOversize.Words.With(21000, 1000, 20000), "the first section alone has 21000 tokens, 1000 over the budget of 20000: it is returned all the same"},
	"NoticeSurfaceOver":      {phrase.NoticeSurfaceOver.Words.With(19000, 20000, 25000, "budget_count=surface"), "19000 of 20000 tokens are counted, as markdown; 25000 are sent, because some sections go out as HTML: budget_count=surface counts those"},
	"NoticePassagesLifted":   {phrase.NoticePassagesLifted.Words.With(phrase.Several(5, "passage"), phrase.Several(1, "section")), "its 5 passages stand for their 1 section, since the other side returns sections"},
	"NoticeIncomplete":       {phrase.NoticeIncomplete.Words.With(phrase.UntriedReranks.With(8)), "not everything was tried: nothing that asks the reranker more than 8 times"},
	"NoticeKeptRanks":        {phrase.NoticeKeptRanks.Words.With(), "the search was approximate: its ranks are said here, and an exact one may give others"},
	"NoArmMissing":           {phrase.NoArmMissing.With("no index"), "there is no keyword search here (no index)"},
	"NoArmFailed":            {phrase.NoArmFailed.With("damaged"), "the keyword search failed (damaged)"},
	"InPage":                 {phrase.InPage.With(`"https://x.example/"`), `, in "https://x.example/"`},
	"InSection":              {phrase.InSection.With(`"Depth"`, `"https://x.example/"`), `, "Depth" in "https://x.example/"`},
	"Untried":                {phrase.Untried.With("top_k"), "not every value of top_k"},
	"TriedCoarsely":          {phrase.TriedCoarsely.With("top_k, unit"), "only some values of top_k, unit"},
	"UntriedEdges":           {phrase.UntriedEdges.With("max_hops", 2000), "nothing of max_hops that reads the edges of more than 2000 sections"},
	"UntriedReranks":         {phrase.UntriedReranks.With(8), "nothing that asks the reranker more than 8 times"},
}

func TestWorkedExamples(t *testing.T) {
	for name, c := range worked {
		if got := c.said.String(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Whoever adds a sentence with numbers shows how it reads.
func TestEverySentenceHasAnExample(t *testing.T) {
	found := 0
	for _, file := range []string{"why.go", "notices.go"} {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !spec.Names[0].IsExported() {
				return true
			}
			takes := false
			ast.Inspect(spec.Values[0], func(n ast.Node) bool {
				text, ok := n.(*ast.BasicLit)
				takes = takes || ok && strings.Contains(text.Value, "{}")
				return true
			})
			if takes {
				found++
				if _, ok := worked[spec.Names[0].Name]; !ok {
					t.Errorf("%s: no example of %s", file, spec.Names[0].Name)
				}
			}
			return true
		})
	}
	if found < 110 {
		t.Errorf("only %d sentences found", found)
	}
}
