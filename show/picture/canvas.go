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

//go:embed colours.css
var coloursCSS string

// colours are the variables of figure.css, by day: the first that colours.css has of each.
var colours = regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]+);`).FindAllStringSubmatch(coloursCSS, -1)

var variable = regexp.MustCompile(`var\(--([a-z-]+)\)`)

// plainCSS is figure.css without variables, which not every program that shows SVG knows.
func plainCSS() string {
	return variable.ReplaceAllStringFunc(figureCSS, func(v string) string {
		name := v[len("var(--") : len(v)-1]
		for _, c := range colours {
			if c[1] == name {
				return c[2]
			}
		}
		panic("BUG: figure.css uses the colour " + name + ", which there is not")
	})
}
