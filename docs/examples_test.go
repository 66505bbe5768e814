package docs_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/webrag/webrag-tui/embedder"
	"github.com/webrag/webrag-tui/retrieval/param"
	"github.com/webrag/webrag-tui/store"
)

// number reads a number as the guide writes it: "1,024.0 million", "153.6 MB".
func number(t *testing.T, s string) float64 {
	t.Helper()
	s, _, _ = strings.Cut(strings.ReplaceAll(s, ",", ""), " ")
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// same holds that a cell is what the guide's own words compute.
func same(t *testing.T, p *page, cell, want string) {
	t.Helper()
	if strings.ReplaceAll(cell, ",", "") != want {
		t.Errorf("%s says %s, computed %s", p.path, cell, want)
	}
}

func decayed(similarity, depth float64) float64 {
	return similarity * max(1-depth*0.05, 0.80)
}

// raw is the raw cosine of a calibrated one.
func raw(calibrated, p50, p995 float64) float64 {
	if calibrated <= 0.3 {
		return p50 + calibrated/0.3*(p995-p50)
	}
	return p995 + (calibrated-0.3)/0.7*(1-p995)
}

func idf(n, of float64) float64 { return math.Log(1 + (of-n+0.5)/(n+0.5)) }

// repeated is what a word is worth that occurs times times in a passage of
// average length, in its idf.
func repeated(times float64) float64 { return times * 2.2 / (times + 1.2) }

// TestTablesCompute recomputes the tables of worked examples.
func TestTablesCompute(t *testing.T) {
	t.Parallel()
	pages := guidePages(t)

	p := pages["guide/ranking.md"]
	for _, row := range p.table(t, "depth", "multiplier") {
		same(t, p, row[1], fmt.Sprintf("%.2f", decayed(1, number(t, row[0]))))
	}
	ranked := p.table(t, "section", "similarity", "depth", "score", "rank")
	for _, row := range ranked {
		score := decayed(number(t, row[1]), number(t, row[2]))
		same(t, p, row[3], fmt.Sprintf("%.3f", score))
		rank := 1
		for _, other := range ranked {
			if decayed(number(t, other[1]), number(t, other[2])) > score {
				rank++
			}
		}
		same(t, p, row[4], strconv.Itoa(rank))
	}

	p = pages["guide/chunking.html"]
	passage, filled := 1, 0
	for _, row := range p.table(t, "block", "tokens", "passage so far", "passage") {
		tokens := int(number(t, row[1]))
		if filled+tokens > 256 {
			passage, filled = passage+1, 0
		}
		filled += tokens
		same(t, p, row[2], strconv.Itoa(filled))
		same(t, p, row[3], strconv.Itoa(passage))
	}

	p = pages["guide/scores.html"]
	for _, row := range p.table(t, "dimensions", "noise") {
		// Half of the last digit is rounded up: 0.0625 is written 0.063.
		same(t, p, row[1], fmt.Sprintf("%.3f", 1/math.Sqrt(number(t, row[0]))+1e-9))
	}
	for _, row := range p.table(t, "calibrated floor", "computation", "raw cosine") {
		same(t, p, row[2], fmt.Sprintf("%.3f", raw(number(t, row[0]), 0.05, 0.33)))
	}

	p = pages["guide/search.md"]
	for _, row := range p.table(t, "passages", "dimensions", "multiplications", "memory") {
		cells := number(t, row[0]) * number(t, row[1])
		same(t, p, row[2], fmt.Sprintf("%.1f million", cells/1e6))
		same(t, p, row[3], fmt.Sprintf("%.1f MB", cells*4/1e6))
	}

	p = pages["guide/fusion.html"]
	for _, row := range p.table(t, "passages with the word", "idf") {
		same(t, p, row[1], fmt.Sprintf("%.3f", idf(number(t, row[0]), 1000)))
	}
	last := math.Inf(1)
	for _, row := range p.table(t, "passage", "vector rank", "keyword rank", "rrf", "normalised") {
		score := 0.0
		if row[1] != "" {
			score += (1 - 0.3) / (60 + number(t, row[1]))
		}
		if row[2] != "" {
			score += 0.3 / (60 + number(t, row[2]))
		}
		same(t, p, row[3], fmt.Sprintf("%.6f", score+1e-12)) // half up, as above
		same(t, p, row[4], fmt.Sprintf("%.3f", 61*score))
		if score >= last {
			t.Errorf("%s: row %s is out of order", p.path, row[0])
		}
		last = score
	}

	p = pages["guide/citations.md"]
	for _, row := range p.table(t, "text", "code points", "UTF-8 bytes", "UTF-16 units") {
		same(t, p, row[1], strconv.Itoa(utf8.RuneCountInString(row[0])))
		same(t, p, row[2], strconv.Itoa(len(row[0])))
		same(t, p, row[3], strconv.Itoa(len(utf16.Encode([]rune(row[0])))))
	}
}

// TestBudgetTableComputes runs both policies over the table's four sections.
func TestBudgetTableComputes(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/budget.html"]
	const budget = 900
	stop, skip, stopped := 0, 0, false
	for _, row := range p.table(t, "rank", "tokens", "stop", "sum", "skip", "sum") {
		tokens := int(number(t, row[1]))
		verdict := "taken"
		switch {
		case stopped:
			verdict = "after the stop"
		case stop+tokens > budget:
			verdict, stopped = "over budget", true
		default:
			stop += tokens
		}
		same(t, p, row[2], verdict)
		same(t, p, row[3], strconv.Itoa(stop))
		verdict = "taken"
		if skip+tokens > budget {
			verdict = "over budget"
		} else {
			skip += tokens
		}
		same(t, p, row[4], verdict)
		same(t, p, row[5], strconv.Itoa(skip))
	}
}

// TestWordPairs asks the built-in embedder for the cosines that the guide gives.
func TestWordPairs(t *testing.T) {
	t.Parallel()
	p := guidePages(t)["guide/embedding.md"]
	e := embedder.NewBuiltin()
	for _, row := range p.table(t, "query", "text", "cosine") {
		a, err := e.EmbedOne(context.Background(), row[0], embedder.RoleQuery)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.EmbedOne(context.Background(), row[1], embedder.RoleDocument)
		if err != nil {
			t.Fatal(err)
		}
		cosine := 0.0
		for i := range a {
			cosine += float64(a[i]) * float64(b[i])
		}
		if got := fmt.Sprintf("%.3f", math.Abs(cosine)); got != row[2] {
			t.Errorf("%s says cosine(%s, %s) = %s, computed %s", p.path, row[0], row[1], row[2], got)
		}
	}
}

// settingName matches the names of settings and of fields in code.
var settingName = regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)

// TestSettingsExist holds that every name in code is a retrieval setting, or one
// of the names that are not.
func TestSettingsExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{
		"char_start": true, "char_end": true, "chunk_text": true, "ef_search": true, "ef_construction": true,
		"has_table": true, "has_code": true, "has_math": true, "has_definition_list": true, "has_admonition": true,
		"has_steps": true, "has_image": true,
	}
	for _, s := range param.Specs() {
		known[s.Field] = true
	}
	for _, r := range store.Relations() {
		known[string(r)] = true
	}
	found := 0
	for name, p := range guidePages(t) {
		for _, code := range p.all("code") {
			switch text := textOf(code); {
			case !settingName.MatchString(text):
			case known[text]:
				found++
			default:
				t.Errorf("%s: there is no setting %s", name, text)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d names found", found)
	}
}

// TestSentencesCompute recomputes the numbers inside sentences.
func TestSentencesCompute(t *testing.T) {
	t.Parallel()
	pages := guidePages(t)
	p50, p995 := embedder.NewBuiltin().DefaultCalibration()
	cut := raw(0.3, p50, p995)
	for _, c := range []struct{ page, want string }{
		{"ranking.md", fmt.Sprintf("The sum would be %.3f", 0.644+0.571+0.498)},
		{"ranking.md", fmt.Sprintf("the mean would be %.3f", (0.644+0.571+0.498)/3)},
		{"ranking.md", fmt.Sprintf("1 / 0.90 = %.3f times as high: against 0.500 it needs %.3f", 1/0.9, 0.5/0.9)},
		{"ranking.md", fmt.Sprintf("%.3f similarity × depth", decayed(0.644, 1))},
		{"ranking.md", fmt.Sprintf("final score of %.2f can therefore stand above a floor of 0.30", decayed(0.301, 2))},
		{"chunking.html", fmt.Sprintf("brought the first passage to %d tokens", 6+90+120+150)},
		{"chunking.html", fmt.Sprintf("The section has %d tokens", 6+90+120+150+60)},
		{"scores.html", fmt.Sprintf("2 + 2 + 4 = %d, and each has the length %.0f", 2*1+1*2+2*2, math.Sqrt(2*2+1*1+2*2))},
		{"scores.html", fmt.Sprintf("8/9 = %.3f", 8.0/9)},
		{"scores.html", fmt.Sprintf("%.2f and %.2f for the built-in one, so that a floor of 0.3 cuts at a raw cosine of %.2f", p50, p995, cut)},
		{"scores.html", fmt.Sprintf(".300 cal = %s raw", strings.TrimPrefix(fmt.Sprintf("%.3f", cut), "0"))},
		{"budget.html", fmt.Sprintf("floor stays at 0.3, which on a corpus of this size is a raw cosine of %.2f", cut)},
		{"embedding.md", fmt.Sprintf("counts %.2f times as much", 1+math.Log(2))},
		{"embedding.md", fmt.Sprintf("1,000 passages make %s requests", map[int]string{4: "four"}[int(math.Ceil(1000.0/256))])},
		{"search.md", fmt.Sprintf("about 62,500 nodes in layer 1, 3,906 in layer 2 and %.0f in layer 3", 1e6/16/16/16)},
		{"search.md", fmt.Sprintf("57 of 60 is a recall of %.2f", 57.0/60)},
		{"fusion.html", fmt.Sprintf("the first place is worth %.2f times the tenth; with k = 2 it is worth %.0f times", 70.0/61, 12.0/3)},
		{"fusion.html", fmt.Sprintf("once %.2f idf, twice %.2f, four times %.2f, and never more than %.1f", repeated(1), repeated(2), repeated(4), store.BM25K1+1)},
		{"fusion.html", fmt.Sprintf("with k = 60 that is %.5f", 1.0/61)},
		{"fusion.html", fmt.Sprintf("0.685 − 0.663 = %.3f", 0.685-0.663)},
		{"strategies.md", fmt.Sprintf("0.7 × 1 for the seed and 0.3 × 0.7 × 1 for the edge: %.2f", 0.7*1+0.3*0.7*1)},
		{"graph.html", fmt.Sprintf("a link gives 0.3 × 0.7 × 1.0 = %.3f at the first hop and 0.3 × 0.5 × 1.0 = %.3f at the second", 0.3*0.7*store.WeightReferences, 0.3*0.5*store.WeightReferences)},
		{"graph.html", fmt.Sprintf("edge gives 0.3 × 0.7 × 0.8 = %.3f", 0.3*0.7*store.WeightPartOf)},
		{"graph.html", fmt.Sprintf("Restore has %.3f in the example, and Storage %.3f", 0.7*0.5, 0.3*0.7*0.8)},
		{"missing.md", fallenShort(t, pages["guide/missing.md"].text())},
		{"rerank.html", fmt.Sprintf("9 of 10, that is %.2f", 9.0/10)},
		{"tuning.md", fmt.Sprintf("depth 2 is multiplied by %.2f and depth 4 by %.2f", max(1-2*0.2, 0.2), max(1-4*0.2, 0.2))},
		{"citations.md", fmt.Sprintf("1391 − 1200 = %d", 1391-1200)},
		{"citations.md", fmt.Sprintf("1450 − 1200 = %d", 1450-1200)},
		{"citations.md", fmt.Sprintf("the %d characters", 1450-1391)},
	} {
		if text := pages["guide/"+c.page].text(); !strings.Contains(text, c.want) {
			t.Errorf("%s does not say %q", c.page, c.want)
		}
	}
}

// standing matches where the verdict in the guide says that a passage stands.
var standing = regexp.MustCompile(`rank (\d+), cosine (\.\d+) · floor (\.\d+) .*? limit (\d+)`)

// fallenShort is the sentence about that verdict, which is printed by the program.
func fallenShort(t *testing.T, text string) string {
	t.Helper()
	m := standing.FindStringSubmatch(text)
	if m == nil {
		t.Fatal("missing.md shows no verdict with a rank, a cosine, a floor and a limit")
	}
	rank, cosine, floor, limit := number(t, m[1]), number(t, m[2]), number(t, m[3]), number(t, m[4])
	return fmt.Sprintf("%.3f − %.3f = %.3f short of the floor and %.0f − %.0f = %.0f places", floor, cosine, floor-cosine, limit, rank, limit-rank)
}
