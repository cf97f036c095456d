package picture

import (
	"fmt"
	"slices"
	"strings"
)

// Trees are drawn a node a row, a layer a step to the right; an edge has the position of the call in the layered function sequence.
const (
	rowHeight  = 26
	nodeHeight = 20
	indent     = 38
	firstLayer = 34 // where layer 1 begins: left of it is its number
	elbow      = 12 // where an edge leaves its caller
	mark0      = 16 // room for the sign that folds a node
	gap        = 34 // between two trees
)

func layerX(layer int) int { return firstLayer + (layer-1)*indent }

// drawTree draws one tree.
func drawTree(tree []*Node) *canvas {
	rows, hidden, _ := around(rowsOf(tree), 0)
	c := &canvas{}
	c.layers(rows, 0)
	c.rows(rows, -1, nil, sideWidth(rows, left), 0)
	c.more(hidden)
	return c
}

// more tells how many rows are not drawn.
func (c *canvas) more(hidden int) {
	if hidden > 0 {
		c.label("note", firstLayer, c.h+14, fmt.Sprintf("… and %s functions more, which 'motehound model show' prints", grouped(uint64(hidden))), sansWidth)
	}
}

type side int

const (
	left side = iota
	right
)

func (r *row) on(s side) (n *Node, up int) {
	if s == left {
		return r.left, r.leftUp
	}
	return r.right, r.rightUp
}

// layers writes the numbers of the layers over the rows.
func (c *canvas) layers(rows []row, x int) {
	deepest := 0
	for i := range rows {
		for s := left; s <= right; s++ {
			if n, _ := rows[i].on(s); n != nil {
				deepest = max(deepest, n.Layer)
			}
		}
	}
	c.label("layer", x, 12, "layer", sansWidth)
	for l := 1; l <= deepest; l++ {
		c.label("layer", x+layerX(l)+4, 12, fmt.Sprint(l), sansWidth)
	}
}

// headHeight is what the numbers of the layers take.
const headHeight = 20

// rows draws rows: of one tree, or of two if the second has a width. Leaving is the node in which the paths part, on either side.
func (c *canvas) rows(rows []row, first int, leaving []*Node, leftWidth, rightWidth int) {
	total := leftWidth
	if rightWidth > 0 {
		total += gap + rightWidth
	}
	c.grow(total, headHeight+len(rows)*rowHeight)
	for i := range rows {
		r := &rows[i]
		c.printf(`<g class="row" transform="translate(0,%d)">`, headHeight+i*rowHeight)
		for s := left; s <= right; s++ {
			n, up := r.on(s)
			if n == nil {
				continue
			}
			x, w, class := 0, leftWidth, "band missing"
			if s == right {
				x, w, class = leftWidth+gap, rightWidth, "band extra"
			}
			if i == first {
				class += " first"
			}
			c.printf(`<g class="side" data-side="%d">`, s)
			if r.differs {
				c.printf(`<rect class="%s" x="%d" y="-2" width="%d" height="%d" rx="3"/>`, class, x, w, rowHeight-2)
			}
			c.node(n, x, i, up, slices.Contains(leaving, n))
			if r.placed(s) {
				c.text("place", x+layerX(n.Layer)+nodeWidth(n)+7, 14, place(n))
			}
			c.printf("</g>")
		}
		c.printf("</g>\n")
	}
}

// node draws a node in its row, and the edge from its caller. The page's script moves rows, and finds in the attributes what it
// needs for that, and what is to be shown of the node.
func (c *canvas) node(n *Node, x, at, up int, leaving bool) {
	nx := x + layerX(n.Layer)
	if up >= 0 {
		px := nx - indent + elbow
		c.printf(`<path class="edge" data-up="%d" data-x="%d" data-to="%d" d="M%d,%dV%dH%d"/>`, up, px, nx, px, (up-at)*rowHeight+nodeHeight, nodeHeight/2, nx)
		c.pill(nx-(indent-elbow)/2, n)
	} else {
		c.pill(nx-16, n)
	}
	class := "node " + n.Kind
	if leaving {
		class += " leaving"
	}
	c.printf(`<g class="%s"%s>`, escape(class), attributes(n))
	c.printf(`<rect x="%d" y="0" width="%d" height="%d" rx="5"/>`, nx, nodeWidth(n), nodeHeight)
	tx := nx + 8
	if len(n.Calls) > 0 {
		c.printf(`<path class="fold tip" data-fold="%d" data-at="%d" d="M%d,7h8l-4,6z"/>`, at, nx+6, nx+6)
		tx = nx + 4 + mark0
	}
	c.text("name", tx, 14, n.Function)
	if n.Times > 1 {
		c.text("times", tx+width(n.Function, monoWidth)+6, 14, fmt.Sprintf("×%d", n.Times))
	}
	c.printf(`</g>`)
}

// placed reports whether the file and line are written: of what both trees have, once.
func (r *row) placed(s side) bool {
	n, _ := r.on(s)
	return n.File != "" && (s == left || r.differs)
}

func place(n *Node) string { return fmt.Sprintf("%s:%d", n.File, n.Line) }

// pill is the number on an edge.
func (c *canvas) pill(x int, n *Node) {
	text := fmt.Sprint(n.First)
	w := 8 + 6*len(text)
	c.printf(`<rect class="pill" x="%d" y="%d" width="%d" height="13" rx="6"/>`, x-w/2, nodeHeight/2-7, w)
	c.text("number", x, nodeHeight/2+3, text)
}

// attributes are what the page's script shows of a node.
func attributes(n *Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, ` data-name="%s"`, escape(n.Function))
	if n.Source >= 0 {
		fmt.Fprintf(&b, ` data-source="%d" data-line="%d"`, n.Source, n.Line)
	}
	if len(n.Sites) > 0 {
		list := make([]string, len(n.Sites))
		for i, s := range n.Sites {
			list[i] = fmt.Sprintf("%d:%d", s.Source, s.Line)
		}
		fmt.Fprintf(&b, ` data-sites="%s"`, strings.Join(list, " "))
	}
	return b.String()
}

func nodeWidth(n *Node) int {
	w := 16 + width(n.Function, monoWidth)
	if len(n.Calls) > 0 {
		w += mark0 - 4
	}
	if n.Times > 1 {
		w += 6 + width(fmt.Sprintf("×%d", n.Times), smallWidth)
	}
	return w
}

// sideWidth is the room that a tree needs.
func sideWidth(rows []row, s side) int {
	w := 0
	for i := range rows {
		if n, _ := rows[i].on(s); n != nil {
			end := layerX(n.Layer) + nodeWidth(n)
			if rows[i].placed(s) {
				end += 7 + width(place(n), smallWidth)
			}
			w = max(w, end+6)
		}
	}
	return w
}
