package picture

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"motehound/study/behavior"
)

// dot writes Graphviz. Names of nodes are made of numbers, so that no name of a firmware needs to be one. Drawn from left to right
// Graphviz puts what comes first at the bottom: so clusters and calls are written from the last to the first.
type dot struct {
	strings.Builder
	p        *Picture
	count    int // clusters so far
	clusters []string
}

// WriteDot writes all of a picture for Graphviz: a cluster for each tree, flow and violation.
func (p *Picture) WriteDot(to io.Writer) error {
	d := &dot{p: p}
	d.printf("digraph models {\n")
	d.printf("  graph [rankdir=LR, ordering=out, fontname=\"sans-serif\", label=%s, labelloc=t];\n", quote(p.Title+of(p.Firmware)))
	d.printf("  node [shape=box, style=\"rounded,filled\", fontname=\"monospace\", fontsize=11, height=0.3];\n")
	d.printf("  edge [fontname=\"sans-serif\", fontsize=9, labeldistance=2, arrowsize=0.7];\n")
	begin := d.String()
	for i := range p.Violations {
		d.violation(&p.Violations[i])
	}
	for i := range p.Vectors {
		v := &p.Vectors[i]
		for j := range v.Flows {
			d.flow(v.Name+". "+caption(&v.Flows[j], false), &v.Flows[j])
		}
		for j := range v.Rivals {
			d.flow(v.Name+". "+caption(&v.Rivals[j], true), &v.Rivals[j])
		}
		for _, m := range v.Models {
			d.begin(modelTitle(m) + ". " + m.Summary)
			d.whole(m.Tree, m.Name)
			d.end()
		}
	}
	slices.Reverse(d.clusters)
	_, err := io.WriteString(to, begin+strings.Join(d.clusters, "")+"}\n")
	return err
}

func (d *dot) printf(format string, args ...any) { fmt.Fprintf(d, format, args...) }

func (d *dot) begin(label string) {
	d.Reset()
	d.open(label)
}

// open begins a cluster, maybe within another.
func (d *dot) open(label string) {
	d.count++
	d.printf("  subgraph cluster_%d {\n    label=%s;\n", d.count, quote(label))
}

func (d *dot) end() {
	d.printf("  }\n")
	d.clusters = append(d.clusters, d.String())
}

// quote makes a text a string of dot, in which backslashes and ampersands have a meaning.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text) + `"`
}

// colour is that of figure.css.
func colour(name string) string {
	at := slices.IndexFunc(colours, func(c []string) bool { return c[1] == name })
	return colours[at][2]
}

// whole writes the trees of a model.
func (d *dot) whole(tree []*Node, model string) {
	rows, hidden, _ := around(rowsOf(tree), 0)
	d.tree(rows, left, model, fmt.Sprint("t", d.count), func(*Node) string { return "" })
	if hidden > 0 {
		d.printf("    t%d_more [label=\"… and %d functions more\", shape=plaintext, style=\"\"];\n", d.count, hidden)
	}
}

// tree writes a side of rows under the name of its model; the nodes have names with a prefix. With labels in the middle of edges
// Graphviz would not keep their order.
func (d *dot) tree(rows []row, s side, model, prefix string, more func(*Node) string) {
	d.printf("    %s_0 [label=%s, shape=plaintext, style=\"\"];\n", prefix, quote(model))
	var edges []string
	for i := range rows {
		n, up := rows[i].on(s)
		if n == nil {
			continue
		}
		label := n.Function
		if n.Times > 1 {
			label += fmt.Sprintf(" ×%d", n.Times)
		}
		look, style := looks(n.Kind)
		d.printf("    %s_%d [label=%s, style=%q, fillcolor=%q, color=%q", prefix, n.First, quote(label), style, colour(look), colour(look+"-line"))
		if n.File != "" {
			d.printf(", tooltip=%s", quote(place(n)))
		}
		d.printf("%s];\n", more(n))
		from := 0
		if up >= 0 {
			caller, _ := rows[up].on(s)
			from = caller.First
		}
		edges = append(edges, fmt.Sprintf("    %s_%d -> %s_%d [headlabel=\"%d\"];\n", prefix, from, prefix, n.First, n.First))
	}
	slices.Reverse(edges)
	d.WriteString(strings.Join(edges, ""))
}

// looks is the colour and the style of a kind.
func looks(kind string) (look, style string) {
	switch kind {
	case "interrupt", "task", "post":
		return kind, "rounded,filled"
	case "inlined":
		return kind, "rounded,filled,dashed"
	case "jump":
		return "call", "rounded,filled,dashed"
	}
	return "call", "rounded,filled"
}

// box writes a model of a flow.
func (d *dot) box(id string, s step, look string) {
	m := d.p.model(s.name)
	text := m.Name
	if s.many {
		text += ", two or more"
	}
	label := quote(text)
	for _, l := range brief(m) {
		label = label[:len(label)-1] + `\n` + quote(l)[1:]
	}
	extra := ""
	if s.many {
		extra = ", peripheries=2"
	}
	d.printf("    %s [label=%s, fillcolor=%q%s%s];\n", id, label, colour("card"), extra, look)
}

// chain writes the boxes of a flow one after the other.
func (d *dot) chain(steps []step, prefix string, look func(i int) string) {
	for i, s := range steps {
		d.box(fmt.Sprint(prefix, "_", i), s, look(i))
		if i > 0 {
			d.printf("    %s_%d -> %s_%d;\n", prefix, i-1, prefix, i)
		}
	}
}

func (d *dot) flow(label string, f *Flow) {
	d.begin(label)
	prefix := fmt.Sprint("f", d.count)
	steps := merged(f.Names, -1)
	d.chain(steps, prefix, func(int) string { return "" })
	for i, x := range f.Interleaved {
		id := fmt.Sprintf("%s_x%d", prefix, i)
		look := ""
		if x.New {
			look = fmt.Sprintf(", color=%q, penwidth=2", colour("bad"))
		}
		d.box(id, step{name: x.Model}, look)
		for j, s := range steps { // to the first place at which it may come
			if x.Member != "" && x.Member != s.name || !x.Inside && j == 0 && !s.many {
				continue
			}
			if x.Inside {
				d.printf("    %s -> %s_%d [style=dashed, color=%q, tooltip=\"within members\", constraint=false];\n", id, prefix, j, colour("within"))
			}
			if x.Between {
				d.printf("    %s -> %s_%d [style=dotted, color=%q, tooltip=\"between members\", constraint=false];\n", id, prefix, j, colour("between"))
			}
			break
		}
	}
	d.end()
}

func (d *dot) violation(v *Violation) {
	label := strings.Join(append([]string{v.Title}, v.Says...), " ")
	bad := fmt.Sprintf(", color=%q, penwidth=2.5", colour("bad"))
	switch {
	case v.Kind == behavior.InterleavingViolation:
		d.flow(label, &v.Flow)
	case v.Kind == behavior.JobflowViolation:
		x := lineUp(v)
		d.begin(label)
		a, b := fmt.Sprint("a", d.count), fmt.Sprint("b", d.count)
		d.chain(x.flow, a, func(i int) string {
			if i == x.wanted {
				return fmt.Sprintf(", color=%q, penwidth=2", colour("good"))
			}
			return ""
		})
		d.chain(x.steps[:x.end], b, func(i int) string {
			if i == x.odd {
				return bad
			}
			return ""
		})
		if x.wanted >= 0 {
			d.printf("    %s_%d -> %s_%d [color=%q, style=bold, constraint=false];\n", a, x.wanted, b, x.odd, colour("bad"))
		}
		d.end()
	case v.Rows == nil:
		d.begin(label)
		d.whole(v.tree, v.Model)
		d.end()
	default:
		d.beside(v, label, bad)
	}
}

// beside writes the approved tree and the instance's, with what only one has and where they part.
func (d *dot) beside(v *Violation, label, bad string) {
	only := map[*Node]bool{}
	for _, r := range v.Rows {
		if r.differs {
			only[r.left], only[r.right] = true, true
		}
	}
	d.begin(label)
	outer := d.count
	for s, name := range slices.Backward([]string{"approved: " + v.Nearest, "this run: " + v.Model}) {
		d.open(name)
		d.tree(v.Rows, side(s), []string{v.Nearest, v.Model}[s], fmt.Sprintf("v%d%c", outer, 'a'+s), func(n *Node) string {
			switch {
			case slices.Contains(v.leaving, n):
				return bad
			case only[n] && side(s) == left:
				return fmt.Sprintf(", penwidth=2, fontcolor=%q", colour("good"))
			case only[n]:
				return fmt.Sprintf(", penwidth=2, fontcolor=%q", colour("bad"))
			}
			return ""
		})
		d.printf("  }\n")
	}
	d.end()
}
