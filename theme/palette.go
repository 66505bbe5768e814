package theme

// palette holds the colours of one theme on one background, as "#rrggbb" or as
// an ANSI number. An empty colour leaves the terminal's own.
type palette struct {
	// text is ordinary text: nearly always the terminal's own colour.
	text string
	// faint is for what is secondary, dropped or a hint; rule for separators.
	faint, rule string
	// accent is the one accent: query, focus, selected row, headings.
	accent string
	// score is for numbers of relevance, warm for bars, from weak to strong: a
	// bar is much ink, so it is paler than a number.
	score string
	warm  [3]string
	// up and down are for change only, warning and failure for what went wrong.
	up, down, warning, failure string
	// ink is written on the marks, from the weak match to the strong one.
	marks [3]ground
	found ground
	cited ground
	// The colours of code.
	code, keyword, literal, comment, function string
}

// ground is a mark: a background and the text colour that reads well on it.
type ground struct{ back, ink string }

// pair is a theme: a palette for each kind of background.
type pair struct{ dark, light palette }

// The names of the built-in themes, in the order in which they are offered.
const (
	// Lamp is the default: the terminal's own text, a blue accent and an amber
	// scale of relevance.
	Lamp = "lamp"
	// Contrast keeps every text at a contrast of at least 7 to 1.
	Contrast = "contrast"
	// Okabe uses the colours of Okabe and Ito, which people with any of the
	// common colour deficiencies can tell apart.
	Okabe = "okabe"
	// ANSI16 uses the terminal's sixteen colours only, and so its user's own.
	ANSI16 = "ansi16"
	// Mono uses no colours.
	Mono = "mono"
)

// Names lists the built-in themes.
func Names() []string { return []string{Lamp, Contrast, Okabe, ANSI16, Mono} }

// palettes returns the palettes of a built-in theme.
func palettes(name string) (pair, bool) {
	switch name {
	case Lamp:
		return pair{
			dark: palette{
				faint: "#868e99", rule: "#454b54", accent: "#6cb6ff",
				score: "#f0b541", warm: [3]string{"#6a5738", "#8f6e37", "#b98a3c"},
				up: "#6bc46d", down: "#f47067", warning: "#e3b341", failure: "#ff7b72",
				marks: [3]ground{{"#3a3222", "#eadfc8"}, {"#5a4418", "#f6e7c6"}, {"#8a6210", "#fff6e0"}},
				found: ground{"#e3b341", "#1c1c1c"}, cited: ground{"#0e5a63", "#e2fbff"},
				code: "#c9b18c", keyword: "#8dbbff", literal: "#a5d6a7", comment: "#868e99", function: "#d7b0f5",
			},
			light: palette{
				faint: "#667079", rule: "#c3cad1", accent: "#0a58ca",
				score: "#8f4d00", warm: [3]string{"#dcc9a8", "#d0a765", "#bf7f24"},
				up: "#1a7f37", down: "#c0281e", warning: "#855f00", failure: "#b3261e",
				marks: [3]ground{{"#fbf1da", "#33290f"}, {"#ffe2a0", "#2b2208"}, {"#ffc64d", "#1d1602"}},
				found: ground{"#ffe600", "#000000"}, cited: ground{"#b4eaf0", "#052b30"},
				code: "#7a4d00", keyword: "#0a4fb5", literal: "#1a6b2e", comment: "#667079", function: "#6f3db8",
			},
		}, true
	case Contrast:
		return pair{
			dark: palette{
				text: "#ffffff", faint: "#c0c6cc", rule: "#9aa3ab", accent: "#8ec9ff",
				score: "#ffd33d", warm: [3]string{"#ffd27a", "#ffc233", "#ffb300"},
				up: "#7ee787", down: "#ffa198", warning: "#ffd33d", failure: "#ffb1a8",
				marks: [3]ground{{"#4a3a00", "#ffffff"}, {"#6b5300", "#ffffff"}, {"#ffd33d", "#000000"}},
				found: ground{"#ffffff", "#000000"}, cited: ground{"#00e5ff", "#000000"},
				code: "#ffe0a3", keyword: "#a8d4ff", literal: "#b5f2c0", comment: "#c0c6cc", function: "#e5ccff",
			},
			light: palette{
				text: "#000000", faint: "#3d444b", rule: "#59626b", accent: "#003a99",
				score: "#4a2800", warm: [3]string{"#6b4200", "#5c3500", "#4a2800"},
				up: "#004d1a", down: "#8a0000", warning: "#5c3d00", failure: "#8a0000",
				marks: [3]ground{{"#ffedc2", "#000000"}, {"#ffd980", "#000000"}, {"#5c3500", "#ffffff"}},
				found: ground{"#000000", "#ffffff"}, cited: ground{"#003f4a", "#ffffff"},
				code: "#5c3500", keyword: "#003a99", literal: "#004d1a", comment: "#3d444b", function: "#4b1d8f",
			},
		}, true
	case Okabe:
		return pair{
			dark: palette{
				faint: "#8b939c", rule: "#474d55", accent: "#56b4e9",
				score: "#f0e442", warm: [3]string{"#6b5a3c", "#a87400", "#e69f00"},
				up: "#56b4e9", down: "#e69f00", warning: "#f0e442", failure: "#e69f00",
				marks: [3]ground{{"#4a3500", "#f7ead0"}, {"#8f6300", "#fff6e0"}, {"#e69f00", "#111111"}},
				found: ground{"#f0e442", "#111111"}, cited: ground{"#0072b2", "#ffffff"},
				code: "#d9c08a", keyword: "#56b4e9", literal: "#8fd6bf", comment: "#8b939c", function: "#dfa6c4",
			},
			light: palette{
				faint: "#626a72", rule: "#c3cad1", accent: "#0072b2",
				score: "#8f4a00", warm: [3]string{"#e2cfa6", "#dba94a", "#e69f00"},
				up: "#0072b2", down: "#a34500", warning: "#7a5c00", failure: "#a34500",
				marks: [3]ground{{"#fff0cf", "#2b2208"}, {"#ffd98a", "#221a02"}, {"#e69f00", "#111111"}},
				found: ground{"#f0e442", "#111111"}, cited: ground{"#a6d8f2", "#002b45"},
				code: "#7a4d00", keyword: "#005a8f", literal: "#00614a", comment: "#626a72", function: "#8a3f68",
			},
		}, true
	case ANSI16:
		dark := palette{
			faint: "8", rule: "8", accent: "12",
			score: "11", warm: [3]string{"3", "3", "11"},
			up: "10", down: "9", warning: "11", failure: "9",
			marks: [3]ground{{"", "3"}, {"3", "0"}, {"11", "0"}},
			found: ground{"15", "0"}, cited: ground{"6", "0"},
			code: "3", keyword: "12", literal: "10", comment: "8", function: "13",
		}
		light := dark
		light.accent, light.score, light.warm = "4", "1", [3]string{"3", "3", "1"}
		light.up, light.down, light.warning, light.failure = "2", "1", "3", "1"
		light.keyword, light.literal, light.function = "4", "2", "5"
		light.found = ground{"0", "15"}
		return pair{dark: dark, light: light}, true
	case Mono:
		return pair{}, true
	}
	return pair{}, false
}
