// Package spans renders markdown for the terminal and knows, for every cell of
// the result, which code points of the source it came from. Spans of the source
// are then painted over the finished lines without moving a character.
//
//	r, err := spans.Render(ctx, chunk.Text, spans.Options{Width: 80, Theme: theme})
//	marked := r.Mark([]spans.Span{{Start: 120, End: 180, Level: spans.Citation, Label: "1"}}, palette)
//	first, _ := marked.At(0)
//	lines := marked.Lines(first, first+height, 0)
//
// # How a cell knows its source
//
// glamour hides where its words come from, and any character put into the text
// to mark a place moves it. So the text is parsed once, each word of the tree is
// wrapped in an underline colour that is its number, and the tree is rendered
// without colours and decoded: glamour and lipgloss carry the colour along
// wherever they wrap, pad and indent, and draw nothing of it. What is shown is a
// second rendering, without numbers. Both must have the same lines; where they
// differ, marks cover whole lines and [Rendering.Approximate] says so.
//
// On the way the tree is repaired: hard line breaks, the paragraphs of one list
// item and HTML keep apart, entities and escapes read as the standard has them,
// links and images hide their targets behind their text, alerts have a name and
// formulas are code, tables that are too narrow become records, and deep nesting
// is laid out flat.
//
// # Marks on another form of a text
//
// A section can be shown from its HTML while marks count in its markdown. [Align]
// reads both texts as a reader would, letter by letter without blanks, finds what
// they share, and [Alignment.Place] says where a span of the one stands in the
// other.
//
// # What is safe
//
// Any text may come in. It passes [offset.Display] first, entities pass it after
// they are decoded, and of the renderer's output only styles and links are kept,
// so nothing else reaches the terminal.
//
// Rendering takes milliseconds (a few for a kilobyte, some tens for ten), so it
// belongs off the update loop, cached by the caller per (text, width, theme);
// painting takes microseconds and happens for visible lines only. The package
// knows no model and no corpus.
package spans
