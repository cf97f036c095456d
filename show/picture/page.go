package picture

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

//go:embed page_alone.js
var aloneJS string

// Pane is a picture as a part of another page, whose script has what page.js has.
type Pane struct {
	Body       string          `json:"body"` // HTML, in which all text is escaped
	Sources    []Source        `json:"sources"`
	Violations []PaneViolation `json:"violations"`
}

// PaneViolation is a violation that the pane has as its section violation-0, violation-1 and so on.
type PaneViolation struct {
	ID    string `json:"id"`
	Again string `json:"again"` // the recipe that leads to it; "" if there is none
}

// Pane is the picture as a part of another page.
func (p *Picture) Pane() *Pane {
	x := &Pane{Body: p.body("div"), Sources: append([]Source{}, p.Sources...), Violations: []PaneViolation{}}
	for i := range p.Violations {
		x.Violations = append(x.Violations, PaneViolation{p.Violations[i].ID, p.Violations[i].Again})
	}
	return x
}

// WriteHTML writes a page: one file that needs no other. The pictures are in it as SVG, and are there without its script too.
func (p *Picture) WriteHTML(to io.Writer) error {
	// Marshal escapes <, > and &, so that nothing in the data ends the script element or begins another.
	data, err := json.Marshal(p.Sources)
	if err != nil {
		return err
	}
	if p.Sources == nil {
		data = []byte("[]")
	}
	_, err = strings.NewReplacer("/*TITLE*/", escape("Motehound: "+p.Title+of(p.Firmware)), "/*CSS*/", ":root { color-scheme: light dark; }\n"+coloursCSS+figureCSS+pageCSS, "/*BODY*/", p.body("main"),
		"/*DATA*/", string(data), "/*JS*/", pageJS+aloneJS).WriteString(to, pageHTML)
	return err
}

// body is the list at the left, the pictures in an element of a kind, and the place for code.
func (p *Picture) body(kind string) string {
	var list, main strings.Builder
	fmt.Fprintf(&list, "<nav id=\"list\" aria-label=\"pictures\">\n<h1>%s</h1>\n<p class=\"firmware\">%s</p>\n", escape(p.Title), escape(p.Firmware))
	list.WriteString(`<input id="search" type="search" placeholder="find a function or a model" aria-label="find a function or a model">` + "\n" +
		`<p id="found" role="status"></p>` + "\n")
	if p.Checked != "" {
		class := "verdict"
		if len(p.Violations) > 0 {
			class = "verdict bad"
		}
		fmt.Fprintf(&main, "<p class=\"%s\">%s</p>\n", class, escape(p.Checked))
	}
	p.violationSections(&list, &main)
	for i := range p.Vectors {
		p.vectorSections(&list, &main, i)
	}
	fmt.Fprintf(&list, "<h2>Legend</h2>\n<div class=\"legend\">%s</div>\n<p class=\"firmware\">%s</p>\n</nav>\n", tallLegend(), escape(p.made()))
	return list.String() + "<" + kind + " class=\"pictures\">\n" + main.String() + "</" + kind + ">\n" + `<aside id="code" aria-label="code">
<div id="code-head"><h2 id="code-name">code</h2><p id="code-kind">Choose a function in a picture.</p><div id="places"></div></div>
<div id="text" tabindex="0"></div>
</aside>
`
}

// made says which program made the page, of which firmware.
func (p *Picture) made() string {
	text := "Made by Motehound " + p.Motehound + "."
	if p.SHA256 != "" {
		text += " SHA-256 of the firmware: " + p.SHA256
	}
	return text
}

func (p *Picture) violationSections(list, main *strings.Builder) {
	if len(p.Violations) == 0 {
		return
	}
	fmt.Fprintf(list, "<h2 class=\"bad\">Violations</h2>\n")
	fmt.Fprintf(main, "<h2>Violations</h2>\n")
	for i := range p.Violations {
		v := &p.Violations[i]
		id := fmt.Sprint("violation-", i)
		fmt.Fprintf(list, "<a class=\"bad\" href=\"#%s\"><b>%s</b><span>%s</span><em>%s</em></a>\n", id, escape(v.Model), escape(v.Kind), escape(v.Brief))
		fmt.Fprintf(main, "<section class=\"violation\" id=\"%s\"><h3>%s</h3>\n", id, escape(v.Title))
		for _, s := range v.Says {
			class := ""
			if strings.HasPrefix(s, "Again: ") {
				class = ` class="again"`
			}
			fmt.Fprintf(main, "<p%s>%s</p>\n", class, escape(s))
		}
		fmt.Fprintf(main, "<p class=\"dim\">%s</p>\n", escape(v.ID))
		figure(main, p.drawViolation(v))
		main.WriteString("</section>\n")
	}
}

func (p *Picture) vectorSections(list, main *strings.Builder, at int) {
	v := &p.Vectors[at]
	fmt.Fprintf(list, "<h2>%s</h2>\n", escape(vectorTitle(v)))
	fmt.Fprintf(main, "<h2>%s</h2>\n", escape(vectorTitle(v)))
	if v.Loose {
		fmt.Fprintf(main, "<p>%s</p>\n", loose)
	}
	for n, flows := range [][]Flow{v.Flows, v.Rivals} {
		for i := range flows {
			f := &flows[i]
			id := fmt.Sprintf("flow-%d-%d-%d", at, n, i)
			word := "other stretch"
			switch {
			case n == 1:
				word = "the rest has"
			case f.Main:
				word = "job flow"
			}
			fmt.Fprintf(list, "<a href=\"#%s\">%s <span>%s</span></a>\n", id, word, escape(strings.Join(f.Names, " ")))
			fmt.Fprintf(main, "<section id=\"%s\"><h3>%s</h3>\n", id, escape(caption(f, n == 1)))
			figure(main, p.drawFlow(f))
			main.WriteString("</section>\n")
		}
	}
	for i, m := range v.Models {
		id := fmt.Sprintf("model-%d-%d", at, i)
		count := ""
		if m.Count > 0 {
			count = times(m.Count)
		}
		fmt.Fprintf(list, "<a href=\"#%s\" title=\"%s\"><b>%s</b><span>%s</span><em>%s</em></a>\n", id, escape(m.Summary), escape(m.Name), count, escape(m.Summary))
		fmt.Fprintf(main, "<section id=\"%s\" data-model=\"%s\"><h3>%s</h3>\n<p class=\"dim\">%s</p>\n", id, escape(m.Name), escape(modelTitle(m)), escape(m.Summary))
		figure(main, drawTree(m.Tree))
		main.WriteString("</section>\n")
	}
}

// figure puts a drawing onto the page.
func figure(to *strings.Builder, c *canvas) {
	const pad = 4
	w, h := c.w+2*pad, c.h+2*pad
	fmt.Fprintf(to, "<div class=\"figure\" tabindex=\"0\"><svg data-least=\"%d\" width=\"%d\" height=\"%d\" viewBox=\"%d %d %d %d\">\n%s</svg></div>\n",
		w*3/4, w, h, -pad, -pad, w, h, c.b.String())
}

// tallLegend explains the boxes of trees and what interleaves a flow, one under the other.
func tallLegend() string {
	c := &canvas{}
	for i, k := range kinds {
		c.printf(`<g class="node %s">`, k.kind)
		c.rect("", 2, i*26+2, 16+width(k.says, monoWidth), nodeHeight, 5)
		c.text("name", 10, i*26+16, k.says)
		c.printf("</g>\n")
	}
	y := len(kinds)*26 + 14
	for _, l := range []string{"within", "between"} {
		c.path("hang "+l, fmt.Sprintf("M2,%dh26", y-4))
		c.label("lane "+l, 36, y, l+" members of a flow", sansWidth)
		y += 20
	}
	for _, l := range []struct{ class, says string }{{"missing", "only in the approved model"}, {"extra", "only in this run"}} {
		c.rect("band "+l.class, 2, y-12, 26, 15, 3)
		c.label("lane", 36, y, l.says, sansWidth)
		y += 20
	}
	return fmt.Sprintf("<svg role=\"img\" aria-label=\"legend\" width=\"%d\" height=\"%d\">%s</svg>", c.w+4, c.h+4, c.b.String())
}
