package theme

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// grounds are the backgrounds of common terminals, by shade: the themes do not
// set any.
var grounds = map[string][]string{
	"dark":  {"#000000", "#16181d", "#1e1e1e"},
	"light": {"#ffffff", "#fafafa"},
}

// What is read keeps a contrast that can be read, in terms of WCAG 2: text of 4.5
// to 1 (its level AA), in the theme for high contrast of 7 to 1 (AAA), and bars of
// 3 to 1 there. Faint text is text too.
func TestContrast(t *testing.T) {
	for name, least := range map[string]float64{Lamp: 4.5, Okabe: 4.5, Contrast: 7} {
		both, _ := palettes(name)
		for shade, p := range map[string]palette{"dark": both.dark, "light": both.light} {
			for _, role := range roles {
				if g := p.ground(role); g != nil {
					if got := contrast(t, g.ink, g.back); got < least {
						t.Errorf("%s, %s: the text of %s has a contrast of %.2f, want %.1f", name, shade, role, got, least)
					}
					continue
				}
				ink, wanted := *p.ink(role), least
				switch {
				case ink == "" || role == "rule" && name != Contrast:
					continue // the terminal's own, or a line that only separates
				case strings.HasPrefix(role, "bar_") && name != Contrast:
					continue // the number stands beside it
				case role == "rule", strings.HasPrefix(role, "bar_"):
					wanted = 3
				}
				for _, back := range grounds[shade] {
					if got := contrast(t, ink, back); got < wanted {
						t.Errorf("%s, %s: %s has a contrast of %.2f on %s, want %.1f", name, shade, role, got, back, wanted)
					}
				}
			}
		}
	}
}

// With any of the common colour deficiencies, what differs in meaning differs to
// the eye in the theme made for that: up and down, the steps of a bar, and the
// marks. A just noticeable difference is 2.3; side by side, 10 is plain to see.
func TestOkabeWithColourDeficiencies(t *testing.T) {
	both, _ := palettes(Okabe)
	for shade, p := range map[string]palette{"dark": both.dark, "light": both.light} {
		for deficiency, m := range deficiencies {
			apart := func(what, a, b string, least float64) {
				if got := difference(seen(t, a, m), seen(t, b, m)); got < least {
					t.Errorf("%s, %s: %s are %.1f apart, want %.0f", shade, deficiency, what, got, least)
				}
			}
			apart("up and down", p.up, p.down, 30)
			apart("up and failure", p.up, p.failure, 30)
			apart("the lower steps of a bar", p.warm[0], p.warm[1], 10)
			apart("the upper steps of a bar", p.warm[1], p.warm[2], 10)
			apart("weak and medium matches", p.marks[0].back, p.marks[1].back, 10)
			apart("medium and strong matches", p.marks[1].back, p.marks[2].back, 10)
			apart("found and cited", p.found.back, p.cited.back, 30)
			apart("strong matches and cited", p.marks[2].back, p.cited.back, 30)
		}
	}
}

// The test above can tell: the green and red of another theme lose most of what
// sets them apart.
func TestDeficienciesConfuseRedAndGreen(t *testing.T) {
	both, _ := palettes(Lamp)
	up, down := both.dark.up, both.dark.down
	all := difference(seen(t, up, fullSight), seen(t, down, fullSight))
	left := difference(seen(t, up, deficiencies["deuteranopia"]), seen(t, down, deficiencies["deuteranopia"]))
	if left > all/2 {
		t.Errorf("green and red are %.1f apart, and still %.1f with deuteranopia", all, left)
	}
}

var fullSight = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// deficiencies are the matrices of Machado, Oliveira and Fernandes (2009) for a
// cone that is missing, in linear RGB.
var deficiencies = map[string][3][3]float64{
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a colour as an eye with the deficiency m sees it, in CIELAB under D65.
func seen(t *testing.T, hex string, m [3][3]float64) [3]float64 {
	t.Helper()
	rgb := linear(t, hex)
	var out [3]float64
	for i := range out {
		for j := range rgb {
			out[i] += m[i][j] * rgb[j]
		}
		out[i] = max(0, min(1, out[i]))
	}
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*out[0] + 0.3575761*out[1] + 0.1804375*out[2]) / 0.95047)
	y := f(0.2126729*out[0] + 0.7151522*out[1] + 0.0721750*out[2])
	z := f((0.0193339*out[0] + 0.1191920*out[1] + 0.9503041*out[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// difference is the colour difference of 1976: the distance in CIELAB.
func difference(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// contrast is the contrast ratio of WCAG 2: white on black has 21.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	c := linear(t, hex)
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

// linear are the parts of a colour of sRGB in proportion to their light.
func linear(t *testing.T, hex string) [3]float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		t.Fatalf("%q is not a colour", hex)
	}
	var out [3]float64
	for i := range out {
		c := float64(n>>(16-8*i)&0xff) / 255
		out[i] = math.Pow((c+0.055)/1.055, 2.4)
		if c <= 0.04045 {
			out[i] = c / 12.92
		}
	}
	return out
}

func TestContrastOfBlackAndWhite(t *testing.T) {
	if got := contrast(t, "#ffffff", "#000000"); math.Abs(got-21) > 1e-9 {
		t.Errorf("got %v, want 21", got)
	}
}

// Published values: CIELAB of pure red under D65, and its distance from green.
func TestLabOfRed(t *testing.T) {
	red := seen(t, "#ff0000", fullSight)
	if math.Abs(red[0]-53.24) > 0.05 || math.Abs(red[1]-80.09) > 0.05 || math.Abs(red[2]-67.20) > 0.05 {
		t.Errorf("red is %v, want 53.24, 80.09, 67.20", red)
	}
	if got := difference(red, seen(t, "#00ff00", fullSight)); math.Abs(got-170.6) > 0.2 {
		t.Errorf("red and green are %.1f apart, want 170.6", got)
	}
}
