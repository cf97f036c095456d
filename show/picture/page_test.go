package picture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"motehound/internal/peer/chromium"
)

// open has the browser open the page with a script behind its own, and returns what that wrote.
func open(t *testing.T, p *Picture, script string) (dom, wrote string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	page := written(t, p.WriteHTML) + `<output id="wrote"></output><script>document.getElementById("wrote").textContent = (() => {` + script + `})();</script>`
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	dom = chromium.DOM(t, path)
	if !strings.Contains(dom, `data-ready="yes"`) {
		t.Fatal("the page's script did not run to its end")
	}
	_, wrote, _ = strings.Cut(dom, `<output id="wrote">`)
	wrote, _, _ = strings.Cut(wrote, "</output>")
	return dom, wrote
}

func withSources(t *testing.T) *Picture {
	p := drawn(t, handMade(), violations(t))
	p.Checked = "Violated."
	p.FindSources(func(file string) ([]string, string) {
		if file == "fwd.c" {
			lines := make([]string, 100)
			lines[49] = "\troute_t selectRoute(void) /* " + hostile + " */"
			return lines, ""
		}
		return nil, "not here"
	})
	return p
}

// TestPage: the page begins with the code where the first violation leaves the approved path; all pictures are there.
func TestPage(t *testing.T) {
	t.Parallel()
	dom, _ := open(t, withSources(t), "return ''")
	main := dom[strings.Index(dom, "<main"):strings.Index(dom, `<script id="data"`)]
	for what, n := range map[string]int{
		`class="violation"`:            3,
		`<section`:                     3 + 3 + 4, // violations, flows, models
		`node call leaving`:            2,
		`class="band extra first"`:     1,
		`class="band missing first"`:   1,
		`class="box odd"`:              1,
		`class="box fresh"`:            1,
		`class="hang fresh"`:           3, // to the bracket and from it, and "instead"
		`▲ here it departs`:            1,
		`▲ only here comes C18`:        1,
		`class="line at"`:              1,
		`data-line="50"><span>50</spa`: 1,
	} {
		if got := strings.Count(main, what); got != n {
			t.Errorf("%s is there %d times, want %d", what, got, n)
		}
	}
}

// TestPageIsUsed: trees fold, code appears, boxes lead to their models, and functions are found.
func TestPageIsUsed(t *testing.T) {
	t.Parallel()
	_, got := open(t, withSources(t), `
		const said = [];
		const shown = (s) => [...s.querySelectorAll(".side")].filter((g) => g.style.display !== "none").length;
		const click = (x) => x.dispatchEvent(new MouseEvent("click", { bubbles: true }));
		const tree = document.querySelector("section[data-model=A16]"), svg = tree.querySelector("svg");
		said.push(shown(tree), svg.getAttribute("height"));
		click(tree.querySelector(".node[data-name=selectRoute] .fold"));
		said.push(shown(tree), svg.getAttribute("height"), tree.querySelector(".node[data-name=startOneShot]").closest(".row").getAttribute("transform"));
		click(tree.querySelector(".node[data-name=selectRoute] .fold"));
		said.push(shown(tree));
		click(tree.querySelector("[data-layers='2']"));
		said.push(shown(tree));
		const pair = document.querySelector(".violation"), before = shown(pair);
		click(pair.querySelector(".node[data-name=selectRoute] .fold"));
		said.push(before, shown(pair));
		click(tree.querySelector(".node[data-name=selectRoute]"));
		said.push(document.getElementById("code-name").textContent, document.querySelector("#text .line.at").textContent.includes("selectRoute"));
		click(document.querySelector("#violation-1 .box[data-model=C18]"));
		said.push(document.querySelector("#list a.here").textContent.slice(0, 3), document.querySelector("#text").textContent);
		const search = document.getElementById("search");
		search.value = "GETROUTE";
		search.dispatchEvent(new Event("input"));
		said.push(document.getElementById("found").textContent, [...document.querySelectorAll("main section")].filter((s) => !s.hidden).length, shown(tree));
		return said.join("|");`)
	want := "8|236|5|158|translate(0,98)|8|3|15|9|selectRoute|true|C18|spi.c: not here.|2 functions in 2 pictures|2|7"
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}

// TestPageHostile: names and sources are text, whatever is in them.
func TestPageHostile(t *testing.T) {
	t.Parallel()
	p := drawn(t, hostileFile(), violations(t))
	p.FindSources(func(string) ([]string, string) { return []string{hostile, hostile, hostile}, hostile })
	for _, page := range []*Picture{p, withSources(t)} {
		dom, got := open(t, page, `
			for (const n of document.querySelectorAll(".node")) n.dispatchEvent(new MouseEvent("click"));
			(document.querySelector(".node.leaving") || document.querySelector(".node")).dispatchEvent(new MouseEvent("click"));
			return document.querySelectorAll("img").length + " " + document.scripts.length + " " + document.documentElement.dataset.harm;`)
		if got != "0 3 undefined" { // its data, its script, and this one
			t.Errorf("something in it ran: %s", got)
		}
		if !strings.Contains(dom, "&lt;img") {
			t.Error("it is not shown")
		}
	}
}

// TestPageAlone: nothing in the page leads elsewhere.
func TestPageAlone(t *testing.T) {
	t.Parallel()
	text := written(t, withSources(t).WriteHTML)
	for _, sign := range []string{"http:", "https:", "@import", "<link", "url(", "src=\""} {
		if strings.Contains(strings.ReplaceAll(text, hostile, ""), sign) {
			t.Errorf("the page has %q", sign)
		}
	}
}
