package judgment_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/evaluation/judgment"
)

// placed is a text of a page that one judge graded.
func placed(by judgment.Judge, grade judgment.Grade, start, end int) judgment.Anchored {
	return judgment.Anchored{
		Judgment: judgment.Judgment{
			Key:      judgment.Key{QueryID: "q", SourceURL: "p", QuoteHash: "h", CharStart: start, CharEnd: end},
			Opinions: []judgment.Opinion{{Judge: by, Grade: grade}},
		},
		Page: "p", Start: start, End: end,
	}
}

// Worked by hand: [0,10) and [4,24) share 6, which is half of the 10; [0,10) and [6,26) share
// 4, which is not.
func TestDisputesOfTextsThatOverlap(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b judgment.Anchored
		want int
	}{
		"half":       {placed("ana", 3, 0, 10), placed("ben", 1, 4, 24), 2},
		"less":       {placed("ana", 3, 0, 10), placed("ben", 1, 6, 26), 0},
		"one judge":  {placed("ana", 3, 0, 10), placed("ana", 1, 4, 24), 0},
		"same grade": {placed("ana", 3, 0, 10), placed("ben", 3, 4, 24), 0},
		"left":       {placed("ana", 3, 0, 10), placed("ben", judgment.CannotTell, 4, 24), 0},
	} {
		list := (&judgment.Anchors{Judgments: []judgment.Anchored{c.a, c.b}}).Disputes(nil)
		if c.want == 0 && len(list) > 0 || c.want > 0 && (len(list) != 1 || list[0].Spread != c.want || len(list[0].Texts()) != 2) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// The order of two texts does not matter, texts apart are none, and one text is disputed as
// its spread says.
func TestPropertyDisputes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(by judgment.Judge) judgment.Anchored {
			start := rapid.IntRange(0, 20).Draw(t, "start")
			return placed(by, judgment.Grade(rapid.IntRange(-1, 3).Draw(t, "grade")), start, start+rapid.IntRange(1, 20).Draw(t, "length"))
		}
		spread := func(list ...judgment.Anchored) (most int) {
			for _, d := range (&judgment.Anchors{Judgments: list}).Disputes(nil) {
				most = max(most, d.Spread)
			}
			return most
		}
		a, b := draw("ana"), draw("ben")
		if spread(a, b) != spread(b, a) {
			t.Fatalf("%+v and %+v differ by %d, and the other way by %d", a, b, spread(a, b), spread(b, a))
		}
		if min(a.End, b.End) <= max(a.Start, b.Start) && spread(a, b) != 0 {
			t.Fatalf("%+v and %+v are apart", a, b)
		}
		b.Start, b.End = a.Start, a.End
		both := a
		both.Opinions = append(both.Opinions[:1:1], b.Opinions...)
		if spread(both) != both.Spread(nil) || spread(a, b) != both.Spread(nil) {
			t.Fatalf("of one text: %d and %d, want %d", spread(both), spread(a, b), both.Spread(nil))
		}
	})
}

// Quotes that differ where their places overlap are of two states of the page.
func TestTextsOfAnotherStateOfThePageAreNoneThatOverlap(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]int{"efghijkl": 1, "EFghijkl": 0} {
		a, b := placed("ana", 3, 0, 8), placed("ben", 1, 4, 12)
		a.Quote, b.Quote = "abcdefgh", second
		if n := len((&judgment.Anchors{Judgments: []judgment.Anchored{a, b}}).Disputes(nil)); n != want {
			t.Errorf("%q: %d disputes, want %d", second, n, want)
		}
	}
}

// Agreement and disputes speak of the same: where two judges differ on a text or on two that
// overlap there is a dispute of theirs, and where they do not there is none.
func TestPropertyAgreementIsWhatIsNotDisputed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := map[[2]int]int{}
		var list []judgment.Judgment
		for range rapid.IntRange(0, 8).Draw(t, "texts") {
			start := rapid.IntRange(0, 20).Draw(t, "start")
			end := start + rapid.IntRange(1, 20).Draw(t, "length")
			by := judgment.Judge(rapid.SampledFrom([]string{"ana", "ben"}).Draw(t, "by"))
			said := placed(by, judgment.Grade(rapid.IntRange(-1, 3).Draw(t, "grade")), start, end).Judgment
			if i, ok := at[[2]int{start, end}]; !ok {
				at[[2]int{start, end}] = len(list)
				list = append(list, said)
			} else if list[i].Opinions[0].Judge != by && len(list[i].Opinions) == 1 {
				list[i].Opinions = append(list[i].Opinions, said.Opinions...)
			}
		}
		a := judgment.Agree(list, "ana", "ben")
		if back := judgment.Agree(list, "ben", "ana"); a != back {
			t.Fatalf("%+v, and the other way round %+v", a, back)
		}
		if n := len(judgment.Disagreements(list, nil)); n != a.Both-a.Same {
			t.Fatalf("%d disputes, of %d pairs %d agree", n, a.Both, a.Same)
		}
	})
}
