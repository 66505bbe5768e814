package catalog

import "testing"

func FuzzSplitName(f *testing.F) {
	f.Add("docs")
	f.Add(`"else where".Docs`)
	f.Add(`"a""b"."c`)
	f.Add("a.b.c")
	f.Fuzz(func(t *testing.T, name string) {
		parts, err := splitName(name)
		if err != nil {
			return
		}
		if len(parts) < 1 || len(parts) > 2 {
			t.Fatalf("%d parts", len(parts))
		}
		quoted := make([]string, len(parts))
		for i, p := range parts {
			quoted[i] = p.exact
		}
		again, err := splitName(Quote(quoted...))
		if err != nil || len(again) != len(parts) || again[0].exact != parts[0].exact {
			t.Errorf("%q is read as %q, and that as %+v (%v)", name, quoted, again, err)
		}
	})
}
