package whynot

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// stairs is an axis of whole numbers whose outcome is a letter of steps; a ? is not
// known, and after most looks there is no time left.
func stairs(steps string, most int) (x *axis[int, byte], looked *[]int) {
	looked = new([]int)
	return &axis[int, byte]{
		look: func(at int) (byte, bool, error) {
			if len(*looked) == most {
				return 0, false, errors.New("no time")
			}
			*looked = append(*looked, at)
			return steps[at], steps[at] != '?', nil
		},
		same: func(a, b byte) bool { return a == b },
		middle: func(a, b int) (int, bool) {
			return (a + b) / 2, max(a, b)-min(a, b) > 1
		},
	}, looked
}

func TestAxis(t *testing.T) {
	for _, c := range []struct {
		steps          string
		present        int
		on             []int // what is looked at on the way
		most           int
		found, nearest string
	}{
		{"aaaaabbbbb", 0, []int{5, 9}, 99, "4|5", "4|5"},
		{"aaaaabbbbb", 9, []int{0}, 99, "5|4", "5|4"},
		{"aaaaabbbbb", 4, []int{0, 9}, 99, "4|5", "4|5"},
		{"aabbbbcccc", 0, []int{9}, 99, "1|2 5|6", "1|2"},
		{"bbbaaaaacc", 5, []int{0, 9}, 99, "3|2 7|8", "3|2 7|8"},
		{"aabaaaaaaa", 0, []int{9}, 99, "", ""},       // crosses back between two that are looked at
		{"aaaa?bbbbb", 0, []int{9}, 99, "0|9", "0|9"}, // the middle says nothing
		{"aaaa?bbbbb", 0, []int{4, 9}, 99, "", ""},    // nothing is compared with what is not known
		{"aabbbbcccc", 0, []int{9}, 5, "1|2", "1|2"},  // stopped at the second
		{"aabbbbcccc", 0, []int{9}, 2, "", "0|9"},     // stopped on the way to the first
		{"abababababab", 0, []int{1, 2}, 99, "0|1 1|2", "0|1 1|2"},
	} {
		run := func(narrow bool) (found string, err error) {
			x, _ := stairs(c.steps, c.most)
			present, ok := x.see(c.present)
			if !ok {
				t.Fatal("not even the present value was looked at")
			}
			var list []string
			for far := range x.outwards(present, func(yield func(int, int) bool) {
				for _, at := range c.on {
					side := 0
					if at > c.present {
						side = 1
					}
					if !yield(side, at) {
						return
					}
				}
			}) {
				if !narrow {
					near := x.nearest(far)
					list = append(list, fmt.Sprintf("%d|%d", near.from.at, near.to.at))
					continue
				}
				for near := range x.narrow(far) {
					if near.from.is == near.to.is {
						t.Errorf("%s: no crossing between %d and %d", c.steps, near.from.at, near.to.at)
					}
					list = append(list, fmt.Sprintf("%d|%d", near.from.at, near.to.at))
				}
			}
			return fmt.Sprint(list), x.err
		}
		all, err := run(true)
		if all != "["+c.found+"]" || (err != nil) != (c.most < 99) {
			t.Errorf("%s from %d: found %s, %v, want %s", c.steps, c.present, all, err, c.found)
		}
		if first, _ := run(false); first != "["+c.nearest+"]" {
			t.Errorf("%s from %d: nearest %s, want %s", c.steps, c.present, first, c.nearest)
		}
	}
}

// Nothing is looked at twice, nor at all once there is no time.
func TestAxisLooksOnce(t *testing.T) {
	x, looked := stairs("aaaaaaaabbbbbbbb", 99)
	present, _ := x.see(0)
	for far := range x.outwards(present, func(yield func(int, int) bool) { yield(1, 15) }) {
		x.nearest(far)
	}
	if want := []int{0, 15, 7, 11, 9, 8}; !slices.Equal(*looked, want) {
		t.Errorf("looked at %v, want %v", *looked, want)
	}
	x, looked = stairs("ab", 1)
	present, _ = x.see(0)
	for range x.outwards(present, slices.All([]int{1: 1})) {
		t.Error("a crossing that nobody looked at")
	}
	if _, ok := x.see(1); ok || len(*looked) != 1 {
		t.Errorf("looked at %v without time", *looked)
	}
}
