package convert

import (
	"strings"
	"testing"
)

func TestReadHead(t *testing.T) {
	t.Parallel()
	h := ReadHead(`<!DOCTYPE html><html lang="de"><head><script>"<title>no</title>"</script>
<title> A &amp; B
 c</title><meta name="Description" content="what it is"><meta property="og:title" content="other">
<link rel="stylesheet" href="x.css"><link rel="canonical" href="https://h.example/a">
<base href="/b/"><meta property="article:published_time" content="2020-01-02"><meta name="last-modified" content="2021">
<body><title>no</title><meta name="late" content="x">`)
	for name, is := range map[string]bool{
		"title " + h.Title:             h.Title == "A & B c",
		"description " + h.Description: h.Description == "what it is",
		"language " + h.Language:       h.Language == "de",
		"canonical " + h.Canonical:     h.Canonical == "https://h.example/a",
		"base " + h.Base:               h.Base == "/b/",
		"published " + h.PublishedTime: h.PublishedTime == "2020-01-02",
		"modified " + h.ModifiedTime:   h.ModifiedTime == "2021",
		"meta":                         h.Meta["og:title"] == "other" && h.Meta["late"] == "" && len(h.Meta) == 4,
	} {
		if !is {
			t.Errorf("wrong %s", name)
		}
	}
}

func TestReadHeadFallsBack(t *testing.T) {
	t.Parallel()
	h := ReadHead(`<meta property="og:title" content="T"><meta property="og:description" content="D"><meta http-equiv="Content-Language" content="fr"><p>`)
	if h.Title != "T" || h.Description != "D" || h.Language != "fr" {
		t.Errorf("got %+v", h)
	}
	if h := ReadHead("just text <p> and <title>no</title>"); h.Title != "" {
		t.Errorf("title %q", h.Title)
	}
	if h := ReadHead("<title>" + strings.Repeat("a ", 1<<16)); len(h.Title) != 1<<17-1 {
		t.Errorf("an open title has %d bytes", len(h.Title))
	}
}

func TestPageTakesItsHead(t *testing.T) {
	t.Parallel()
	p := mustConvert(t, fixtures(t)["sphinx.html"])
	if p.Title != "2.4. Sorting streams — Brook 3.1 documentation" || p.Language != "en" ||
		p.Canonical != "https://brook.example/stable/sorting.html" || p.ModifiedTime != "2024-03-01T10:00:00Z" ||
		p.Description != "How Brook keeps a stream in order." {
		t.Errorf("got %+v", []string{p.Title, p.Language, p.Canonical, p.ModifiedTime, p.Description})
	}
}
