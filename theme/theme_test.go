package theme

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/glamour/v2/ansi"
	"github.com/charmbracelet/colorprofile"
)

func every(t *testing.T, f func(t *testing.T, s *Styles)) {
	t.Helper()
	for _, name := range Names() {
		for _, dark := range []bool{true, false} {
			for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI, colorprofile.ASCII} {
				s, err := New(name, Options{Dark: dark, Profile: p})
				if err != nil {
					t.Fatal(err)
				}
				t.Run(fmt.Sprintf("%s dark %v %v", name, dark, p), func(t *testing.T) { f(t, s) })
			}
		}
	}
}

func TestUnknownTheme(t *testing.T) {
	_, err := New("lampe", Options{})
	if err == nil || !strings.Contains(err.Error(), Lamp) {
		t.Errorf("got %v, want the names that exist", err)
	}
}

func TestMarkdownKeepsTheSourceMapRight(t *testing.T) {
	every(t, func(t *testing.T, s *Styles) {
		if s.Markdown.Document.Color != nil || s.Markdown.Document.BackgroundColor != nil {
			t.Error("a colour of the document makes every padding blank carry it")
		}
		eachPrimitive(reflect.ValueOf(s.Markdown), func(p ansi.StylePrimitive) {
			if p.Upper != nil || p.Lower != nil || p.Title != nil {
				t.Error("a style changes case: it would also change escape sequences")
			}
		})
	})
}

// Headings look like headings and not like their source, and a reader sees the
// level without colours too, as marks have colours of their own.
func TestHeadingsShowTheirLevelWithoutSigns(t *testing.T) {
	every(t, func(t *testing.T, s *Styles) {
		m := s.Markdown
		type look struct{ underline, bold, italic bool }
		var looks []look
		for i, h := range []ansi.StyleBlock{m.H1, m.H2, m.H3, m.H4, m.H5, m.H6} {
			if h.Prefix+h.Suffix+h.BlockPrefix+h.Format != "" {
				t.Errorf("level %d writes signs around its text", i+1)
			}
			looks = append(looks, look{*h.Underline, *h.Bold, *h.Italic})
		}
		if slices.Contains(looks, look{}) {
			t.Error("a heading looks like text")
		}
		if steps := len(slices.Compact(looks)); steps < 4 {
			t.Errorf("six levels have %d looks, want 4", steps)
		}
	})
}

func eachPrimitive(v reflect.Value, f func(ansi.StylePrimitive)) {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	if p, ok := v.Interface().(ansi.StylePrimitive); ok {
		f(p)
		return
	}
	for i := range v.NumField() {
		eachPrimitive(v.Field(i), f)
	}
}

// Every kind of mark has to be told from plain text and from the others, by
// colour or by lines.
func TestMarksDiffer(t *testing.T) {
	every(t, func(t *testing.T, s *Styles) {
		seen := map[Mark]string{{}: "plain text"}
		for name, m := range map[string]Mark{
			"weak": s.MatchWeak, "medium": s.MatchMedium, "strong": s.MatchStrong, "found": s.Found, "cited": s.Cited,
		} {
			if other, ok := seen[m]; ok {
				t.Errorf("%s looks like %s", name, other)
			}
			seen[m] = name
		}
		if s.Focus == (Mark{}) {
			t.Error("the focused mark looks like any other")
		}
	})
}

func TestMonoHasNoColours(t *testing.T) {
	s, err := New(Lamp, Options{Profile: colorprofile.ASCII})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []Mark{s.MatchWeak, s.MatchMedium, s.MatchStrong, s.Found, s.Cited, s.Focus, s.Gutter} {
		if m.Foreground != "" || m.Background != "" {
			t.Errorf("%+v has a colour", m)
		}
	}
	eachPrimitive(reflect.ValueOf(s.Markdown), func(p ansi.StylePrimitive) {
		if p.Color != nil || p.BackgroundColor != nil {
			t.Errorf("%+v has a colour", p)
		}
	})
	if !s.Plain {
		t.Error("bars are drawn in eighths")
	}
}
