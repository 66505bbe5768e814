package exchange

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// rated is a query with ratings of documents a, b and so on.
func rated(values ...float64) []QueryRatings {
	q := QueryRatings{Query: "q"}
	for i, v := range values {
		q.Ratings = append(q.Ratings, Rating{string(rune('a' + i)), v})
	}
	return []QueryRatings{q}
}

func TestScalesAreProposed(t *testing.T) {
	for name, c := range map[string]struct {
		ratings []float64
		want    string
	}{
		"0 to 1, whole":  {[]float64{0, 1}, "0=0,1=3"},
		"0 to 1":         {[]float64{0, .25, 1}, "0..0.167=0,0.167..0.5=1,0.5..0.833=2,0.833..1=3"},
		"0 to 3":         {[]float64{3, 0, 2}, "0=0,1=1,2=2,3=3"},
		"0 to 3, no 3":   {[]float64{2, 0}, "0=0,1=1,2=2,3=3"},
		"0 to 10":        {[]float64{7, 0, 10}, "0..1=0,2..5=1,6..8=2,9..10=3"},
		"beyond 100":     {[]float64{300, 0}, "0..50=0,51..150=1,151..250=2,251..300=3"},
		"none":           {nil, "0=0,1=3"},
		"a negative one": {[]float64{-1, 1}, "0=0,1=3"},
	} {
		if got := ProposeScale(rated(c.ratings...), 3).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A proposed scale has a grade for every rating that is not negative, never a lower one
// for a higher rating, 0 for 0, and the top for the highest of the ratings' scale.
func TestProposedScalesHoldAllRatings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 20), rapid.Map(rapid.IntRange(0, 150), func(i int) float64 { return float64(i) }))
		values, top := rapid.SliceOf(value).Draw(t, "ratings"), rapid.IntRange(1, worst).Draw(t, "top")
		s := ProposeScale(rated(values...), top)
		last := 0
		for _, v := range slices.Sorted(slices.Values(values)) {
			grade, ok := s.Grade(v)
			if !ok || grade < last || grade > top || v == 0 && grade != 0 {
				t.Fatalf("%v has the grade %d (%t) after %d by %s", v, grade, ok, last, s)
			}
			last = grade
		}
		if end := s[len(s)-1]; end.Grade != top {
			t.Fatalf("%s does not end at %d", s, top)
		}
	})
}

func TestScalesOfCranfield(t *testing.T) {
	graded, err := ParseScale("1=4,2=3,3=2,4=1,5=0,-1=0")
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]map[string]int{"1": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": -1}}
	for _, c := range []struct {
		scale Scale
		text  string
		want  map[string]int
	}{
		{CranfieldBinary(), "1..4=1,5=0,-1=0", map[string]int{"a": 1, "b": 1, "c": 1, "d": 1, "e": 0, "f": 0}},
		{graded, "1=4,2=3,3=2,4=1,5=0,-1=0", map[string]int{"a": 4, "b": 3, "c": 2, "d": 1, "e": 0, "f": 0}},
	} {
		got, err := c.scale.Regrade(codes)
		if err != nil || !reflect.DeepEqual(got["1"], c.want) || c.scale.String() != c.text {
			t.Errorf("%s: %v, %v", c.scale, got, err)
		}
	}
}

func TestRatingsOffTheScaleAreCountedAndRefused(t *testing.T) {
	scale := Scale{{0, 1, 0}, {2, 3, 1}}
	qrels, err := scale.Qrels(rated(0, 9, 1.5, 3, 9))
	says(t, "ratings", err, "3 of the ratings", "0..1=0,2..3=1", "9 (2), 1.5 (1)", "such as 9=0")
	var off *OffScaleError
	if qrels != nil || !errors.As(err, &off) || off.Counts[9] != 2 || off.Counts[1.5] != 1 {
		t.Errorf("%v, %+v", qrels, off)
	}
	_, err = scale.Regrade(map[string]map[string]int{"q": {"a": 4, "b": 5, "c": 6, "d": 7, "e": 8, "f": 9}})
	says(t, "codes", err, "6 of the ratings", "and 1 more")
	mapped, err := append(scale, Step{1.5, 1.5, 1}, Step{9, 9, 3}).Qrels(rated(0, 9, 1.5, 3, 9))
	if err != nil || !reflect.DeepEqual(mapped["q"], map[string]int{"a": 0, "b": 3, "c": 1, "d": 1, "e": 3}) {
		t.Errorf("with steps for them: %v, %v", mapped, err)
	}
	if empty, err := scale.Qrels([]QueryRatings{{Query: "q"}}); err != nil || len(empty) != 0 {
		t.Errorf("a query that was not judged: %v, %v", empty, err)
	}
}

func TestScalesThatAreWrongSayWhere(t *testing.T) {
	for text, want := range map[string]string{
		"": "RATING=GRADE", "1": "RATING=GRADE", "1=1,x=2": `"x"`, "1=x": `"x"`, "1=200": `"200"`, "3..1=2": "before it begins", "NaN=1": "finite", "0..inf=1": "finite",
	} {
		_, err := ParseScale(text)
		says(t, text, err, "scale", want)
	}
}

func FuzzParseScale(f *testing.F) {
	for _, seed := range []string{"0..0.5=0,0.5..1=3", "-1=0", " 1 .. 2 = 3 ", "1e300..1e301=1", "-0=0", "1...2=3", "0x1p4=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScale(text)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if again, err := ParseScale(s.String()); err != nil || !slices.Equal(again, s) {
			t.Fatalf("%q is %s, and then %s, %v", text, s, again, err)
		}
	})
}
