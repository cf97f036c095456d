package picture

import (
	"slices"

	"motehound/study/behavior"
)

// nodes makes trees of a layered function sequence.
func (p *Picture) nodes(path []behavior.PathFunction) []*Node {
	var top []*Node
	var open []*Node // the last node of each layer
	for i, f := range path {
		n := &Node{Function: clean(f.Function), Kind: clean(f.Kind), File: clean(base(f.File)), Line: f.Line, First: i + 1, Last: i + 1, Times: 1}
		layer := min(max(f.Layer, 1), len(open)+1)
		n.Layer = layer
		open = open[:layer-1]
		n.Source = p.source(clean(p.guide.path(f.File, f.Line)))
		if layer == 1 {
			top = append(top, n)
		} else {
			caller := open[layer-2]
			p.describe(caller, n, f)
			caller.Calls = append(caller.Calls, n)
		}
		open = append(open, n)
	}
	return top
}

// describe adds what the guide knows of a call.
func (p *Picture) describe(caller, n *Node, f behavior.PathFunction) {
	from, to := funcKey{caller.Function, caller.File}, funcKey{f.Function, base(f.File)}
	if n.Kind == "call" {
		n.Kind = p.guide.compiled(from, to, f.Line)
	}
	if info := p.guide.calls[callKey{from, to}]; info != nil {
		for _, s := range info.sites {
			if at := p.source(clean(s.File)); at >= 0 {
				n.Sites = append(n.Sites, Place{at, s.Line})
			}
		}
	}
}

// folded draws together what is called several times in a row and does the same each time.
func folded(list []*Node) []*Node {
	var out []*Node
	for _, n := range list {
		n.Calls = folded(n.Calls)
		if last := len(out) - 1; last >= 0 && out[last].alike(n) {
			out[last].Times++
			out[last].Last = n.Last
			continue
		}
		out = append(out, n)
	}
	return out
}

// same reports whether two nodes are of the same function and layer.
func (n *Node) same(m *Node) bool {
	return n.Function == m.Function && n.File == m.File && n.Layer == m.Layer && (n.Kind == "post") == (m.Kind == "post")
}

func (n *Node) alike(m *Node) bool {
	return n.same(m) && slices.EqualFunc(n.Calls, m.Calls, func(a, b *Node) bool { return a.Times == b.Times && a.alike(b) })
}

// row is a line of a drawn tree, or of two beside each other. Up is the row of the caller, -1 for none. In a row with both sides
// they may also differ: what is only in one tree stands beside what is only in the other.
type row struct {
	left, right     *Node
	leftUp, rightUp int
	differs         bool
}

// rowsOf is one tree as rows.
func rowsOf(tree []*Node) []row {
	var rows []row
	var add func(list []*Node, up int)
	add = func(list []*Node, up int) {
		for _, n := range list {
			at := len(rows)
			rows = append(rows, row{left: n, leftUp: up, rightUp: -1})
			add(n.Calls, at)
		}
	}
	add(tree, -1)
	return rows
}

// maxRows is how much of a tree is drawn. Nobody looks at more at once, and programs that show pictures do not either.
const maxRows = 400

// around leaves of a long tree the rows around one, with all that they are called by. It tells how many are hidden, and where
// that one is now.
func around(rows []row, center int) (kept []row, hidden, at int) {
	if len(rows) <= maxRows {
		return rows, 0, center
	}
	from := min(max(0, center-maxRows/2), len(rows)-maxRows)
	keep := make([]bool, len(rows))
	for i := from + maxRows - 1; i >= 0; i-- {
		if i < from && !keep[i] {
			continue
		}
		keep[i] = true
		for _, up := range []int{rows[i].leftUp, rows[i].rightUp} {
			if up >= 0 {
				keep[up] = true
			}
		}
	}
	now := make([]int, len(rows))
	for i, r := range rows {
		if !keep[i] {
			continue
		}
		now[i] = len(kept)
		if r.leftUp >= 0 {
			r.leftUp = now[r.leftUp]
		}
		if r.rightUp >= 0 {
			r.rightUp = now[r.rightUp]
		}
		kept = append(kept, r)
	}
	if center < len(rows) {
		return kept, len(rows) - len(kept), now[center]
	}
	return kept, len(rows) - len(kept), len(kept)
}

// maxTable bounds the work of finding what two trees have in common behind their first difference.
const maxTable = 4 << 20

// beside lines two trees up: what they have in common stands in the same row. First is the row of the first difference,
// len(rows) if there is none.
func beside(left, right []*Node) (rows []row, first int) {
	a, b := flat(left), flat(right)
	n := 0
	for n < min(len(a), len(b)) && a[n].same(b[n]) {
		n++
	}
	t := table{callers: map[*Node]*Node{}, rowOf: map[*Node]int{}}
	t.learn(a)
	t.learn(b)
	for i := range n {
		t.put(a[i], b[i], false)
	}
	i, j := n, n
	for _, pair := range append(lcs(a[n:], b[n:]), [2]int{len(a) - n, len(b) - n}) {
		for i < n+pair[0] || j < n+pair[1] {
			var l, r *Node
			if i < n+pair[0] {
				l, i = a[i], i+1
			}
			if j < n+pair[1] {
				r, j = b[j], j+1
			}
			t.put(l, r, true)
		}
		if i < len(a) && j < len(b) {
			t.put(a[i], b[j], false)
			i, j = i+1, j+1
		}
	}
	return t.rows, n
}

// table is rows under way.
type table struct {
	rows    []row
	callers map[*Node]*Node
	rowOf   map[*Node]int
}

func (t *table) learn(list []*Node) {
	for _, n := range list {
		for _, c := range n.Calls {
			t.callers[c] = n
		}
	}
}

// put adds a row; either side may be nil.
func (t *table) put(l, r *Node, differs bool) {
	at := row{left: l, right: r, leftUp: t.up(l), rightUp: t.up(r), differs: differs}
	for _, n := range []*Node{l, r} {
		if n != nil {
			t.rowOf[n] = len(t.rows)
		}
	}
	t.rows = append(t.rows, at)
}

func (t *table) up(n *Node) int {
	if c := t.callers[n]; c != nil {
		return t.rowOf[c]
	}
	return -1
}

// flat is trees in preorder.
func flat(list []*Node) []*Node {
	var all []*Node
	for _, n := range list {
		all = append(append(all, n), flat(n.Calls)...)
	}
	return all
}

// lcs is a longest common subsequence, as pairs of indices; of very long lists only what they end with.
func lcs(a, b []*Node) (pairs [][2]int) {
	if len(a)*len(b) > maxTable {
		i, j := len(a), len(b)
		for i > 0 && j > 0 && a[i-1].same(b[j-1]) {
			i, j = i-1, j-1
		}
		for ; i < len(a); i, j = i+1, j+1 {
			pairs = append(pairs, [2]int{i, j})
		}
		return pairs
	}
	width := len(b) + 1
	long := make([]int32, (len(a)+1)*width) // of what is left from i and j on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].same(b[j]) {
				long[i*width+j] = long[(i+1)*width+j+1] + 1
			} else {
				long[i*width+j] = max(long[(i+1)*width+j], long[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].same(b[j]):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case long[(i+1)*width+j] >= long[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
