package main

import (
	"fmt"
	"strings"
)

// animate makes an SVG that shows screens one after the other, again and again.
// Each row is drawn once, however many screens have it. Whoever wants no motion, or
// cannot have it, sees the last one.
func animate(frames []frame, cols, rows int, light bool) string {
	bg, fg := ground(light)
	var b, shows, style strings.Builder
	begin(&b, cols, rows, bg)
	total := 0.0
	for _, f := range frames {
		total += f.seconds
	}
	names := map[string]int{}
	b.WriteString("<defs>\n")
	at := 0.0
	for i, f := range frames {
		fmt.Fprintf(&shows, `<g class="s s%d">`, i)
		for y, row := range drawRows(f.screen, rows, bg, fg) {
			if row == "" {
				continue
			}
			n, known := names[row]
			if !known {
				n = len(names)
				names[row] = n
				fmt.Fprintf(&b, `<g id="r%d">%s</g>`+"\n", n, row)
			}
			fmt.Fprintf(&shows, `<use href="#r%d" y="%d"/>`, n, y*cellHeight+margin)
		}
		shows.WriteString("</g>\n")
		from, to := 100*at/total, 100*(at+f.seconds)/total
		at += f.seconds
		fmt.Fprintf(&style, "@keyframes k%d{", i)
		if i > 0 {
			style.WriteString("0%{visibility:hidden}")
		}
		fmt.Fprintf(&style, "%.3f%%{visibility:visible}", from)
		if i < len(frames)-1 {
			fmt.Fprintf(&style, "%.3f%%{visibility:hidden}", to)
		}
		style.WriteString("100%{visibility:hidden}}\n")
		fmt.Fprintf(&style, ".s%d{animation:k%d %.2fs step-end infinite}\n", i, i, total)
	}
	fmt.Fprintf(&style, ".s{visibility:hidden}.s%d{visibility:visible}\n@media (prefers-reduced-motion:reduce){.s{animation:none!important}}\n", len(frames)-1)
	b.WriteString("</defs>\n<style>\n" + style.String() + "</style>\n" + shows.String() + "</svg>\n")
	return b.String()
}
