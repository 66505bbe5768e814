package hostilepages

import "strings"

const doctype = "<!doctype html><title>t</title><body>"

func htmlPages() []Page {
	rep := strings.Repeat
	one := func(name, text string) Page { return repeat(".html", name, doctype, text, "") }
	return []Page{
		repeat(".html", "headings of one letter", doctype, "<h2>a</h2>", ""),
		repeat(".html", "headings and a letter", doctype, "<h2>a</h2>b", ""),
		count(".html", "headings, all different", doctype, "<h2 id=a%d>a%d</h2>b%d", ""),
		repeat(".html", "headings of all levels", doctype, "<h1>a</h1><h2>a</h2><h3>a</h3><h4>a</h4><h5>a</h5><h6>a</h6>b", ""),
		halves(".html", "a heading of half the page", doctype+"<h1>", "long ", "</h1>", "<h2>a</h2><p>b", ""),
		halves(".html", "a title of half the page", "<!doctype html><title>", "long ", "</title><body>", "<h2>a</h2><p>b", ""),
		repeat(".html", "long headings over short text", doctype, "<h2>"+rep("long ", 200)+"</h2><h3>a</h3>b<h3>a</h3>b<h3>a</h3>b<h3>a</h3>b", ""),
		one("paragraphs of one letter", "<p>a"),
		one("definitions of one letter", "<dl><dt>a<dd>b</dl>"),
		one("one definition list", "<dt>a<dd>b"),
		one("list items of one letter", "<li>a"),
		one("admonitions", "<div class=admonition>a</div>"),
		one("code blocks of one letter", "<pre>a</pre>"),
		one("tables of one cell", "<table><tr><td>a<td>b</table>"),
		count(".html", "links", doctype, "<a href=p%d>a</a> ", ""),
		count(".html", "links under a long base", "<!doctype html><base href='http://h.example/"+rep("d/", 900)+"'><body>", "<a href=p%d>a</a> ", ""),
		count(".html", "links under a long base in headings", "<!doctype html><base href='http://h.example/"+rep("d/", 900)+"'><body>", "<h2><a href=p%d>a</a></h2>", ""),
		count(".html", "images under a long base", "<!doctype html><base href='http://h.example/"+rep("d/", 900)+"'><body>", "<img src=p%d alt=a> ", ""),
		count(".html", "fragments", doctype, "<a id=a%d></a>", "x"),
		one("fragments, all equal", "<p id=a>b"),
		count(".html", "attributes", doctype+"<p ", "a%d=b ", ">x"),
		one("formulas", "<math><mi>a</mi></math>"),
		one("wide cells", "<table><tr><td colspan=1000000>a<td>b</table>"),
		repeat(".html", "tall cells", doctype+"<table>", "<tr><td rowspan=1000000 colspan=1000000>a<td>b", "</table>"),
		repeat(".html", "one table", doctype+"<table>", "<tr><td>a<td>b", "</table>"),
		repeat(".html", "one row", doctype+"<table><tr>", "<td>a", "</table>"),
		one("tables in tables", rep("<table><tr><td>x", 50)+rep("</table>", 50)),
		one("open tables", "<table><tr><td>x"),
		one("open divisions", "<div>"),
		one("quotations", rep("<blockquote>", 60)+"a"+rep("</blockquote>", 60)),
		one("lists in lists", rep("<ul><li>a", 60)+rep("</ul>", 60)),
		one("open formats", "<b><i>a"),
		repeat(".html", "formats that every paragraph reopens", doctype+numbered("<b a=%d>", 400), "<p>x", ""),
		repeat(".html", "formats that every cell reopens", doctype+numbered("<b a=%d>", 400)+"<table>", "x<tr>", ""),
		one("formats that cross", "<b><p>a</b><i>b</p></i>"),
		one("links that cross", "<a href=x><p>a<a href=y>b</p></a>"),
		one("text between ends of nothing", "a</q>"),
		one("text in a table", "<table>a<tr>b</table>"),
		repeat(".html", "text of one table", doctype+"<table>", "a<tr>", "</table>"),
		one("a line of code", "a "),
		repeat(".html", "code of one line", doctype+"<pre>", "a ", "</pre>"),
		repeat(".html", "one word", doctype+"<p>", "a", ""),
		repeat(".html", "one word of code", doctype+"<pre>", "`", "</pre>"),
		repeat(".html", "Chinese", doctype+"<p>", "中", ""),
		repeat(".html", "marks on one letter", doctype+"<p>a", "\u0301", ""),
		one("entities", "&amp;lt;"),
		one("line breaks", "<br>"),
		one("spaces", " "),
		one("signs of markdown", "*_`[]"),
	}
}
