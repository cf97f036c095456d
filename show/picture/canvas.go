package picture

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// canvas is an SVG drawing under way. Looks are by class: figure.css has them for the SVG file and for the page.
type canvas struct {
	b    strings.Builder
	w, h int
}

// The widths of a character in the fonts of figure.css, in tenths. Names are in a fixed-width font, so that they fit their boxes
// wherever they are shown.
const (
	monoWidth  = 73 // 12 pixels
	smallWidth = 64 // 10.5 pixels
	sansWidth  = 68 // 12.5 pixels, about
)

func width(text string, perChar int) int { return (utf8.RuneCountInString(text)*perChar + 9) / 10 }

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// grow makes room for what ends there.
func (c *canvas) grow(x, y int) { c.w, c.h = max(c.w, x), max(c.h, y) }

func (c *canvas) rect(class string, x, y, w, h, r int) {
	c.grow(x+w, y+h)
	c.printf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, class, x, y, w, h, r)
}

func (c *canvas) text(class string, x, y int, text string) {
	c.printf(`<text class="%s" x="%d" y="%d">%s</text>`, class, x, y, escape(text))
}

// label is a text that needs room.
func (c *canvas) label(class string, x, y int, text string, perChar int) {
	c.grow(x+width(text, perChar), y+4)
	c.text(class, x, y, text)
}

func (c *canvas) path(class, d string) { c.printf(`<path class="%s" d="%s"/>`, class, d) }

// paste puts a drawing at a place.
func (c *canvas) paste(d *canvas, x, y int) {
	c.grow(x+d.w, y+d.h)
	c.printf("<g transform=\"translate(%d,%d)\">\n%s</g>\n", x, y, d.b.String())
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// escape makes a text fit for XML and HTML, also in an attribute.
func escape(text string) string { return escaper.Replace(text) }

// cut shortens a text to so many characters; what is dropped is its beginning, since functions end with what they do.
func cut(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return "…" + string(r[len(r)-n+1:])
}

// grouped is a number with commas.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return grouped(n) + " times"
}

//go:embed figure.css
var figureCSS string

// colours are the variables of figure.css, by day and by night.
var colours = []struct{ name, light, dark string }{
	{"bg", "#fbfbfa", "#17191d"}, {"card", "#ffffff", "#1f2227"}, {"fg", "#1d1f23", "#e4e6e8"}, {"dim", "#6b7077", "#9aa0a6"},
	{"line", "#d5d8da", "#3a3f46"}, {"edge", "#8b9299", "#7d858d"}, {"accent", "#2458c5", "#8ab0ff"}, {"pick", "#eef3ff", "#26304a"},
	{"interrupt", "#fdebd8", "#43301c"}, {"interrupt-line", "#c8691c", "#e09a55"},
	{"task", "#e1ebff", "#20304f"}, {"task-line", "#2458c5", "#7da5f5"},
	{"call", "#f3f4f5", "#2a2e33"}, {"call-line", "#8b9299", "#7d858d"},
	{"inlined", "#f5efff", "#312745"}, {"inlined-line", "#8657c9", "#b794ee"},
	{"post", "#e6f6eb", "#1e3527"}, {"post-line", "#1d7a46", "#6fd39a"},
	{"bad", "#c0271c", "#ff8177"}, {"bad-bg", "#fdeae8", "#3f2220"},
	{"good", "#1d7a46", "#6fd39a"}, {"good-bg", "#eaf6ee", "#1c3226"},
	{"within", "#0f7c86", "#5cc8d2"}, {"between", "#a15c00", "#e0a24e"},
}

var variable = regexp.MustCompile(`var\(--([a-z-]+)\)`)

// plainCSS is figure.css without variables, which not every program that shows SVG knows.
func plainCSS() string {
	return variable.ReplaceAllStringFunc(figureCSS, func(v string) string {
		name := v[len("var(--") : len(v)-1]
		for _, c := range colours {
			if c.name == name {
				return c.light
			}
		}
		panic("BUG: figure.css uses the colour " + name + ", which there is not")
	})
}

// variables are the colours for the page.
func variables(pick func(light, dark string) string) string {
	var b strings.Builder
	for _, c := range colours {
		fmt.Fprintf(&b, " --%s: %s;", c.name, pick(c.light, c.dark))
	}
	return b.String()
}
