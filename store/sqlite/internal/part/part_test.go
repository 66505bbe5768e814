package part

import (
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/webrag/webrag-tui/store"
)

// chunks draws the chunks of a document: parents, children of them and of none, in any
// order, embedded or not, with hashes of either kind.
func chunks() *rapid.Generator[[]Chunk] {
	return rapid.Custom(func(t *rapid.T) []Chunk {
		text := rapid.SampledFrom([]string{"", "a", "Heading", `["a","b"]`, "größer"})
		place := rapid.Int32Range(0, 8<<20)
		id := func(n int) (u uuid.UUID) {
			u[0], u[15] = byte(n*37), byte(n+1)
			return u
		}
		var all []Chunk
		one := func(t *rapid.T) Chunk {
			c := Chunk{Row: Row{
				ID: id(len(all)), Seq: rapid.Int64Range(1, 1<<40).Draw(t, "seq"), Index: rapid.Int32Range(0, 5).Draw(t, "index"),
				CharStart: place.Draw(t, "start"), TokenStart: place.Draw(t, "token"), HTMLTokens: rapid.Int32Range(0, 100).Draw(t, "html"), Parent: -1,
				Flags: store.Flags(rapid.Uint8Range(0, 127).Draw(t, "flags")), State: State(rapid.Uint8Range(0, 3).Draw(t, "state")),
			}, Under: Section{text.Draw(t, "heading"), text.Draw(t, "anchor"), text.Draw(t, "path"), text.Draw(t, "omitted")}}
			c.CharEnd, c.TokenEnd = c.CharStart+rapid.Int32Range(0, 999).Draw(t, "length"), c.TokenStart+rapid.Int32Range(0, 99).Draw(t, "tokens")
			return c
		}
		parents := rapid.IntRange(0, 4).Draw(t, "parents")
		for range parents {
			all = append(all, one(t))
		}
		for range rapid.IntRange(0, 8).Draw(t, "children") {
			c := one(t)
			c.ParentID = id(rapid.IntRange(0, parents).Draw(t, "parent") + 100*rapid.IntRange(0, 1).Draw(t, "other"))
			hash := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash")
			c.Hash = rapid.SampledFrom([]string{"", "odd", hex.EncodeToString(hash)}).Draw(t, "hash or none")
			all = append(all, c)
		}
		return rapid.Permutation(all).Draw(t, "order")
	})
}

// What is encoded is decoded, and every read of it says the same.
func TestPartComesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		all := chunks().Draw(rt, "chunks")
		kept := slices.Clone(all)
		p := Assemble(all)
		p.Stale = rapid.IntRange(0, 3).Draw(rt, "stale")
		b := p.Encode("owner", "ingestion")
		got, owner, ingestion, err := Decode(b)
		if err != nil || owner != "owner" || ingestion != "ingestion" {
			rt.Fatalf("%q, %q, %v", owner, ingestion, err)
		}
		if !reflect.DeepEqual(got.Rows, p.Rows) || !slices.Equal(got.Sections, p.Sections) || got.Stale != p.Stale || got.Vectors != p.Vectors || got.Parents != p.Parents {
			rt.Fatalf("got %+v, want %+v", got, p)
		}
		vectors := 0
		for r := range p.Rows {
			x := &p.Rows[r]
			i := slices.IndexFunc(kept, func(c Chunk) bool { return c.ID == x.ID })
			if want := kept[i]; got.EmbedHash(int32(r)) != want.Hash || got.Sections[x.Section] != want.Under {
				rt.Fatalf("row %d has hash %q in section %+v, want %+v", r, got.EmbedHash(int32(r)), got.Sections[x.Section], want)
			}
			if slot := got.VectorOf(int32(r)); x.State&Embedded == 0 && slot != -1 || x.State&Embedded != 0 && (slot != vectors || got.RowOf(vectors) != int32(r)) {
				rt.Fatalf("row %d has its vector in slot %d, want %d", r, slot, vectors)
			}
			if x.State&Embedded != 0 {
				vectors++
			}
		}
		// What is cut off is told.
		at := rapid.IntRange(0, len(b)-1).Draw(rt, "at")
		if _, _, _, err := Decode(b[:at]); !errors.Is(err, ErrDamaged) {
			rt.Fatalf("cut off at %d of %d: %v", at, len(b), err)
		}
	})
}

// A page of a section with two passages is put together and taken apart by hand.
func TestAssembleSorts(t *testing.T) {
	t.Parallel()
	section, lost := uuid.UUID{1}, uuid.UUID{9}
	p := Assemble([]Chunk{
		{Row: Row{ID: uuid.UUID{3}, Seq: 3, Index: 1, State: Embedded}, ParentID: section},
		{Row: Row{ID: uuid.UUID{4}, Seq: 4}, ParentID: lost},
		{Row: Row{ID: uuid.UUID{2}, Seq: 2, State: Embedded}, ParentID: section},
		{Row: Row{ID: section, Seq: 1}},
	})
	var order []byte
	for r := range p.Rows {
		order = append(order, p.Rows[r].ID[0])
	}
	if !slices.Equal(order, []byte{1, 2, 3}) || p.Parents != 1 || p.Vectors != 2 || p.ParentID(2) != section.String() || p.ParentOf(2) != 0 {
		t.Errorf("%v of %+v", order, p)
	}
	if from, to := p.ChildrenOf(0); from != 1 || to != 3 {
		t.Errorf("its children are rows %d to %d", from, to)
	}
}

// No bytes make reading go wrong, and what is read can be written and read again.
func FuzzDecode(f *testing.F) {
	c := Chunk{Row: Row{ID: uuid.UUID{2}, State: Embedded}, ParentID: uuid.UUID{1}, Hash: "odd", Under: Section{Heading: "h"}}
	f.Add(Assemble([]Chunk{{Row: Row{ID: uuid.UUID{1}}}, c}).Encode("", "i"))
	f.Add(Assemble(nil).Encode("o", ""))
	f.Add([]byte{1, 0, 0, 0, 1, 1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		p, owner, ingestion, err := Decode(b)
		if err != nil {
			return
		}
		for r := range p.Rows {
			_, _, _ = p.EmbedHash(int32(r)), p.ParentID(int32(r)), p.VectorOf(int32(r))
			_ = p.Sections[p.Rows[r].Section].Headings()
		}
		again, o, i, err := Decode(p.Encode(owner, ingestion))
		if err != nil || o != owner || i != ingestion || !reflect.DeepEqual(again, p) {
			t.Errorf("%+v comes back as %+v, %v", p, again, err)
		}
	})
}
