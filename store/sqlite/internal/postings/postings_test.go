package postings

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/internal/keyword"
)

// Child 0 has "tree" once in its body, child 3 twice in the body, child 4 once in the
// title, child 70 in all fields:
//
//	n 4 | 0-(-1)-1=0<<2|0 | 3-0-1=2<<2|1, 2 | 0<<2|3 | 65<<2|2 = 262 = 0x86 0x02, 1, 2, 3
func TestListWorkedExample(t *testing.T) {
	t.Parallel()
	var b listBuilder
	b.add(0, store.FieldCounts{Body: 1})
	b.add(3, store.FieldCounts{Body: 2})
	b.add(4, store.FieldCounts{Title: 1})
	b.add(70, store.FieldCounts{Body: 1, Heading: 2, Title: 3})
	want := List{4, 0, 2<<2 | 1, 2, 3, 0x86, 0x02, 1, 2, 3}
	if got := b.list(); !slices.Equal(got, want) || got.Len() != 4 {
		t.Errorf("the list is %v, want %v", got, want)
	}
}

type child struct {
	seq    int64
	fields keyword.Fields
}

func anyChildren(rt *rapid.T, first int64) []child {
	words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("a b c dd e_f 変換 é tree zebra")), 0, 6)
	out := make([]child, rapid.IntRange(0, 20).Draw(rt, "children"))
	for i := range out {
		field := func(name string) []byte { return []byte(strings.Join(words.Draw(rt, name), " ")) }
		first += rapid.Int64Range(1, 300).Draw(rt, "distance")
		out[i] = child{first, keyword.Fields{Body: field("body"), Heading: field("heading"), Title: field("title")}}
	}
	return out
}

// counted are the counts by term and seq, as a segment must have them.
func counted(children []child, keep func(seq int64) bool) map[string]store.FieldCounts {
	out := map[string]store.FieldCounts{}
	for _, c := range children {
		if !keep(c.seq) {
			continue
		}
		add := func(terms []byte, one store.FieldCounts) {
			for _, term := range strings.Fields(string(terms)) {
				key := fmt.Sprint(term, " ", c.seq)
				n := out[key]
				out[key] = store.FieldCounts{Body: n.Body + one.Body, Heading: n.Heading + one.Heading, Title: n.Title + one.Title}
			}
		}
		add(c.fields.Body, store.FieldCounts{Body: 1})
		add(c.fields.Heading, store.FieldCounts{Heading: 1})
		add(c.fields.Title, store.FieldCounts{Title: 1})
	}
	return out
}

// read returns what blocks hold.
func read(t *rapid.T, blocks []Block, members []Member) map[string]store.FieldCounts {
	out := map[string]store.FieldCounts{}
	last := ""
	for _, b := range blocks {
		err := b.Each(func(term string, l List) error {
			if term <= last {
				t.Fatalf("%q comes after %q", term, last)
			}
			last = term
			if found, err := b.Find(term); err != nil || !slices.Equal(found, l) {
				t.Fatalf("%q is not found in its block: %v", term, err)
			}
			n := 0
			c := l.Cursor()
			for ; c.Next(); n++ {
				out[fmt.Sprint(term, " ", members[c.Child].Seq)] = c.Counts
			}
			if n != l.Len() || c.Damaged {
				t.Fatalf("%d postings of %q, want %d", n, term, l.Len())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if l, err := b.Find("no such term"); l != nil || err != nil {
			t.Fatalf("found %v, %v", l, err)
		}
	}
	return out
}

func build(children []child) (b Builder, blocks []Block) {
	for i := range children {
		b.Add(children[i].seq, &children[i].fields)
	}
	_ = b.Blocks(func(first string, block Block) error {
		blocks = append(blocks, slices.Clone(block))
		return nil
	})
	return b, blocks
}

// What is added is read back, and merged segments hold what theirs did of the
// children that are kept.
func TestSegmentsHoldWhatWasAdded(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var all []child
		var sources []*Source
		var members []Member
		modulus := rapid.Int64Range(1, 4).Draw(rt, "modulus")
		keep := func(seq int64) bool { return modulus == 1 || seq%modulus != 0 }
		last := int64(0)
		for range rapid.IntRange(0, 4).Draw(rt, "segments") {
			children := anyChildren(rt, last)
			if n := len(children); n > 0 {
				last = children[n-1].seq
			}
			b, blocks := build(children)
			if got, want := read(rt, blocks, b.Members()), counted(children, func(int64) bool { return true }); !reflect.DeepEqual(got, want) {
				rt.Fatalf("the segment has %v, want %v", got, want)
			}
			for term, l := range b.Lists() {
				if !slices.ContainsFunc(blocks, func(x Block) bool { found, _ := x.Find(term); return slices.Equal(found, l) }) {
					rt.Fatalf("%q has another list in its block", term)
				}
			}
			if got, err := RosterOf(b.Members()).Members(len(b.Members())); err != nil || !slices.Equal(got, b.Members()) {
				rt.Fatalf("the roster is read as %v, %v", got, err)
			}
			s := &Source{Next: func() (Block, error) {
				if len(blocks) == 0 {
					return nil, nil
				}
				b := blocks[0]
				blocks = blocks[1:]
				return b, nil
			}}
			for _, m := range b.Members() {
				s.Renumber = append(s.Renumber, -1)
				if keep(m.Seq) {
					s.Renumber[len(s.Renumber)-1] = int32(len(members))
					members = append(members, m)
				}
			}
			sources, all = append(sources, s), append(all, children...)
		}
		var merged []Block
		err := Merge(sources, func(first string, b Block) error {
			merged = append(merged, slices.Clone(b))
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		if got, want := read(rt, merged, members), counted(all, keep); !reflect.DeepEqual(got, want) {
			rt.Fatalf("the merged segment has %v, want %v", got, want)
		}
	})
}

// Large lists make blocks of their own, and each block begins with its first term.
func TestBlocksAreCut(t *testing.T) {
	t.Parallel()
	var b Builder
	for i := range 2000 {
		b.Add(int64(1+i), &keyword.Fields{Body: fmt.Appendf(nil, "common w%d", i)})
	}
	var firsts []string
	err := b.Blocks(func(first string, block Block) error {
		firsts = append(firsts, first)
		if l, err := block.Find(first); err != nil || l == nil || len(block) > 3*blockSize {
			t.Errorf("a block of %d bytes does not begin with %q", len(block), first)
		}
		return nil
	})
	if err != nil || len(firsts) < 5 || !slices.IsSorted(firsts) {
		t.Errorf("the blocks begin with %q, %v", firsts, err)
	}
	full := errors.New("full")
	if err := b.Blocks(func(string, Block) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestLargeNumbers(t *testing.T) {
	t.Parallel()
	var b listBuilder
	want := store.FieldCounts{Body: math.MaxInt32, Heading: 1 << 20, Title: 200}
	b.add(math.MaxInt32, want)
	c := b.list().Cursor()
	if !c.Next() || c.Child != math.MaxInt32 || c.Counts != want || c.Next() || c.Damaged {
		t.Errorf("read %+v", c)
	}
}

// Any bytes are read without harm: to their end, or to damage.
func FuzzRead(f *testing.F) {
	var b Builder
	b.Add(3, &keyword.Fields{Body: []byte("tree leaf tree"), Title: []byte("tree")})
	b.Add(300, &keyword.Fields{Heading: []byte("leaf")})
	f.Add([]byte(RosterOf(b.Members())), 2)
	_ = b.Blocks(func(_ string, block Block) error {
		f.Add([]byte(block), 2)
		return nil
	})
	f.Add([]byte{}, 0)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, 1)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if members, err := Roster(data).Members(n); err == nil && len(members) != n {
			t.Errorf("%d members, want %d", len(members), n)
		}
		_, _ = Block(data).Find("tree")
		_ = Block(data).Each(func(_ string, l List) error { return drain(t, l) })
		_ = drain(t, List(data))
		s := []*Source{{Renumber: []int32{0, -1, 1}, Next: func() func() (Block, error) {
			left := Block(data)
			return func() (Block, error) {
				b := left
				left = nil
				return b, nil
			}
		}()}}
		_ = Merge(s, func(string, Block) error { return nil })
	})
}

func drain(t *testing.T, l List) error {
	last, n := int32(-1), 0
	c := l.Cursor()
	for ; c.Next(); n++ {
		if c.Child <= last || c.Counts.Body < 0 || c.Counts.Heading < 0 || c.Counts.Title < 0 {
			t.Fatalf("%+v comes after %d", c, last)
		}
		last = c.Child
	}
	if !c.Damaged && n != l.Len() {
		t.Fatalf("%d postings, want %d", n, l.Len())
	}
	return nil
}
