package spans

import (
	"strings"
	"testing"
)

// linked lists what a terminal shows as links, as "text → address", and the
// text of all lines. Pieces of one link are joined.
func linked(r *Rendering) (links []string, shown string) {
	text, link := "", ""
	end := func(next string) {
		if next == link {
			return
		}
		if link != "" {
			links = append(links, strings.Join(strings.Fields(text), " ")+" → "+link)
		}
		text, link = "", next
	}
	for _, l := range r.Mark(nil, Palette{}).Lines(0, r.Height(), -1) {
		for _, c := range screen(l) {
			shown += c.text
			address := strings.TrimRight(c.link, "\a")
			if address != "" || strings.TrimSpace(c.text) != "" {
				end(address)
			}
			text += c.text
		}
		shown += "\n"
	}
	end("")
	return links, shown
}

func TestLinksShowTheirTextAndLeadToTheirAddress(t *testing.T) {
	t.Parallel()
	const page = "https://example.org/docs/ranking?v=1"
	for _, tt := range []struct {
		name, text string
		base       string
		want       string // of the links, joined
	}{
		{"absolute", "see [the guide](https://a.example/x) now", "", "the guide → https://a.example/x"},
		{"relative", "see [the guide](../budget.html#cut) now", page, "the guide → https://example.org/budget.html#cut"},
		{"from the root", "see [the guide](/b?x=1&y=2) now", page, "the guide → https://example.org/b?x=1&y=2"},
		{"in the page", "see [the guide](#floor) now", page, "the guide → https://example.org/docs/ranking?v=1#floor"},
		{"relative without a page", "see [the guide](/b) now", "", ""},
		{"relative to a file", "see [the guide](/b) now", "file:guide/ranking.md", ""},
		{"entity in the address", "[a](https://a.example/?x=1&amp;copy=2)", "", "a → https://a.example/?x=1&copy=2"},
		{"semicolon and backslash", `[a](https://a.example/x;y\z)`, "", "a → https://a.example/x%3By%5Cz"},
		{"letters of others", "[a](https://a.example/é?q=ü#ö) [b](https://é.example/)", "", "a → https://a.example/%C3%A9?q=%C3%BC#%C3%B6, b → https://%C3%A9.example/"},
		{"by reference", "[a][r]\n\n[r]: https://a.example/r", "", "a → https://a.example/r"},
		{"bare", "at https://a.example/x?a=1&copy=2 now", "", "https://a.example/x?a=1&copy=2 → https://a.example/x?a=1&copy=2"},
		{"bare without a scheme", "at www.a.example now", "", "www.a.example → http://www.a.example"},
		{"mail", "ask me@a.example now", "", "me@a.example → mailto:me@a.example"},
		{"emphasis and code inside", "[a *b* `c`](https://a.example)", "", "a b c → https://a.example"},
		{"in a table", "| h |\n|---|\n| [a](/b) |", page, "a → https://example.org/b"},
		{"without a text", "[](b.html)", page, "b.html → https://example.org/docs/b.html"},
		{"image", "![a cat](/i.png?a=1&b=2)", page, "a cat /i.png?a=1&b=2 → https://example.org/i.png?a=1&b=2"},
		{"image with a long address", "![a cat](https://a.example/" + strings.Repeat("x", 60) + "/cat.png)", page, "a cat …" + strings.Repeat("x", 39) + "/cat.png → https://a.example/" + strings.Repeat("x", 60) + "/cat.png"},
		{"image of data", "![a cat](data:image/png;base64,AAAA)", page, ""},
		{"image without a text", "![](/img/cat.png)", page, "cat.png → https://example.org/img/cat.png"},
		{"image in a link", "[![a cat](i.png)](https://a.example/x)", page, "a cat → https://a.example/x"},
		{"no scheme of the web", "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](x-app:y) [d](http:e)", page, ""},
		{"hostile", "[a](https://a.example/&#27;]52;c;x&#7;)", "", "a → https://a.example/%1B%5D52%3Bc%3Bx%07"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{"dark", "light", "dracula", "pink"} {
				r := render(t, tt.text, Options{Width: 70, Theme: themes[name], Base: tt.base})
				links, shown := linked(r)
				if got := strings.Join(links, ", "); got != tt.want {
					t.Errorf("%s: links %q, want %q", name, got, tt.want)
				}
				text, address, _ := strings.Cut(tt.want, " → ")
				if text != address && address != "" && strings.Contains(shown, address) {
					t.Errorf("%s: the address is printed: %q", name, shown)
				}
				for _, l := range r.Mark(nil, Palette{}).Lines(0, r.Height(), -1) {
					checkTerminalSafe(t, l)
				}
			}
		})
	}
}
