package picture

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
	"motehound/study/behavior"
)

// outline writes trees as text.
func outline(list []*Node) string {
	var b strings.Builder
	for _, n := range flat(list) {
		fmt.Fprintf(&b, "%s%d-%d %s %s x%d\n", strings.Repeat(" ", n.Layer), n.First, n.Last, n.Kind, n.Function, n.Times)
	}
	return b.String()
}

func TestEqualCallsInARowAreDrawnOnce(t *testing.T) {
	t.Parallel()
	lines := []string{"int: ADC", "  a", "    b", "    b", "  a", "    b", "    b", "  a", "    b", "  c"}
	p := drawn(t, handMade(), nil)
	tree := folded(p.nodes(pathOf(t, lines)))
	const want = " 1-1 interrupt ADC x1\n  2-5 call a x2\n   3-4 call b x2\n  8-8 call a x1\n   9-9 call b x1\n  10-10 call c x1\n"
	if got := outline(tree); got != want {
		t.Errorf("got\n%s", got)
	}
	if got, want := outline(unfolded(tree)), outline(p.nodes(pathOf(t, lines))); got != want {
		t.Errorf("unfolded\n%s", got)
	}
}

// randomTree is a tree with few functions, so that two have much in common.
func randomTree(r *rand.Rand, layer int, first *int) []*Node {
	var list []*Node
	for range r.IntN(4) {
		*first++
		n := &Node{Function: string(rune('a' + r.IntN(3))), Kind: "call", Layer: layer, First: *first, Last: *first, Times: 1}
		if layer < 5 {
			n.Calls = randomTree(r, layer+1, first)
		}
		list = append(list, n)
	}
	return list
}

// TestBeside: both trees are in the rows as they are; rows that do not differ have the same function; the first that does is the
// first difference; and as much is common as can be, found by trying all.
func TestBeside(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		var n, m int
		a, b := randomTree(r, 1, &n), randomTree(r, 1, &m)
		rows, first := beside(a, b)
		var left, right []*Node
		shared := 0
		for i, row := range rows {
			if row.left != nil {
				left = append(left, row.left)
			}
			if row.right != nil {
				right = append(right, row.right)
			}
			if !row.differs {
				shared++
				if row.left == nil || row.right == nil || !row.left.same(row.right) {
					t.Fatal("a common row has two functions")
				}
			}
			if row.differs != (i == first) && i <= first {
				t.Fatalf("row %d differs: %v, the first is %d", i, row.differs, first)
			}
			if row.leftUp >= i || row.rightUp >= i || row.leftUp >= 0 && !slices.Contains(rows[row.leftUp].left.Calls, row.left) ||
				row.rightUp >= 0 && !slices.Contains(rows[row.rightUp].right.Calls, row.right) {
				t.Fatal("the caller is in another row")
			}
		}
		if !slices.Equal(left, flat(a)) || !slices.Equal(right, flat(b)) {
			t.Fatal("the rows are not the trees")
		}
		// The greedy beginning costs nothing: some longest common subsequence begins with what both begin with.
		if best := longest(flat(a), flat(b), map[[2]int]int{}); shared != best {
			t.Fatalf("%d rows are common, %d can be", shared, best)
		}
	}
}

func longest(a, b []*Node, known map[[2]int]int) int {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	k := [2]int{len(a), len(b)}
	if n, ok := known[k]; ok {
		return n
	}
	n := max(longest(a[1:], b, known), longest(a, b[1:], known))
	if a[0].same(b[0]) {
		n = max(n, 1+longest(a[1:], b[1:], known))
	}
	known[k] = n
	return n
}

// TestLargeTreesAreLinedUpAtTheirEnds, not in a table of their sizes.
func TestLargeTreesAreLinedUpAtTheirEnds(t *testing.T) {
	t.Parallel()
	chain := func(odd string) []*Node {
		var list []*Node
		for i := range 3000 {
			name := "f"
			if i%1000 == 500 {
				name = odd
			}
			list = append(list, &Node{Function: name, Layer: 1, First: i + 1, Times: 1})
		}
		return list
	}
	rows, first := beside(chain("a"), chain("b"))
	differing := 0
	for _, r := range rows {
		if r.differs {
			differing++
		}
	}
	if len(rows) != 3000 || first != 500 || differing != 2001 {
		t.Errorf("%d rows, first %d, %d differ", len(rows), first, differing)
	}
}

// TestViolationBeside: mote 0 of case 3 leaves the approved path in selectRoute.
func TestViolationBeside(t *testing.T) {
	t.Parallel()
	v := drawn(t, handMade(), violations(t)).Violations[0]
	r := v.Rows[v.First]
	if r.left.Function != "getRoute" || r.right.Function != "type" || len(v.leaving) != 2 || v.leaving[0].Function != "selectRoute" || v.leaving[1].Function != "selectRoute" {
		t.Errorf("%+v, leaving %+v", r, v.leaving)
	}
	last := v.Rows[len(v.Rows)-1]
	if last.differs || last.left.Function != "stop" {
		t.Errorf("what both end with is not common: %+v", last)
	}
	if !strings.Contains(v.Says[0], "leaves it in selectRoute (fwd.c:50), after address (fwd.c:99): approved is getRoute (engine.c:7); here comes type (packet.c:3)") {
		t.Error(v.Says[0])
	}
}

// TestGuide: a run tells in which folder sources are, how calls were compiled and where they are.
func TestGuide(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	f := func(name, file string, line int) *calltree.Func { return b.Func(name, file, line) }
	site := func(line int) calltree.Site { return calltree.Site{File: "src/radio.c", Line: line} }
	crc, send := f("crc", "src/lib/crc.h", 3), f("AMSend.send", "src/relay.c", 60)
	receive := b.Node(calltree.Inlined, f("Receive.receive", "src/relay.c", 20), site(1), []*calltree.Node{
		b.Node(calltree.Call, crc, site(21), nil), b.Node(calltree.Inlined, crc, site(22), nil), b.Node(calltree.Tail, send, site(23), nil)})
	b.Node(calltree.Task, f("received", "src/relay.c", 12), calltree.Site{}, []*calltree.Node{receive})
	g := NewGuide()
	g.Book(b)
	p, err := New(handMade(), g)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range flat(p.models["B18"].Tree[1:]) {
		text := n.Kind + " " + n.Function + " " + p.Sources[n.Source].File
		for _, s := range n.Sites {
			text += fmt.Sprintf(" %s:%d", p.Sources[s.Source].File, s.Line)
		}
		got = append(got, text)
	}
	want := []string{"task received src/relay.c", "inlined Receive.receive src/relay.c src/radio.c:1",
		"call crc src/lib/crc.h src/radio.c:21 src/radio.c:22", "jump AMSend.send src/relay.c src/radio.c:23"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	g = NewGuide()
	g.Function("src/lib/crc.h", 3, true)
	if p, err = New(handMade(), g); err != nil {
		t.Fatal(err)
	}
	if n := p.models["B18"].Tree[1].Calls[0].Calls[0]; n.Kind != "inlined" || p.Sources[n.Source].File != "src/lib/crc.h" {
		t.Errorf("%+v", *n)
	}
}

// TestFigure9: a second packet is received before the first is sent.
func TestFigure9(t *testing.T) {
	t.Parallel()
	v := drawn(t, handMade(), violations(t)).Violations[1]
	d := lineUp(&v)
	names := func(list []step) string {
		var b []string
		for _, s := range list {
			if s.many {
				s.name += "+"
			}
			b = append(b, s.name)
		}
		return strings.Join(b, " ")
	}
	if names(d.flow) != "A18+ B18 A18+ C18" || names(d.steps) != "A18+ B18 A18+ B18 A18+ C18" || d.odd != 3 || d.wanted != 3 || d.shift != 0 || d.late != 5 {
		t.Errorf("%+v", d)
	}
	if got := ordinal(&v, d.steps, 1) + ordinal(&v, d.steps, 3) + ordinal(&v, d.steps, 5); got != "1st2nd" {
		t.Error(got)
	}
	if !strings.Contains(v.Says[0], "goes on with C18 (runs sent). Here comes B18 (runs received) instead. Before C18 (runs sent) ends the flow, there is once more: A18, B18") {
		t.Error(v.Says[0])
	}
}

// TestLineUp: the model that was expected stands over the one that came, also if the stretch begins within the flow, and if two
// of the same model are not one box because the second is odd.
func TestLineUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flow, sequence, expected   string
		odd                        int
		oddCol, wanted, shift, len int
	}{
		{"A A B C D", "B C A A", "D", 2, 2, 3, -1, 3},
		{"A B C", "A A B C", "B", 1, 1, 1, 0, 4},
		{"A B A C", "A B A B A C", "C", 3, 3, 3, 0, 6},
		{"", "A B", "", 1, 1, -1, 0, 2},
	} {
		v := Violation{Flow: Flow{Names: names(c.flow)}, Sequence: names(c.sequence), Expected: c.expected, Odd: c.odd}
		if d := lineUp(&v); d.odd != c.oddCol || d.wanted != c.wanted || d.shift != c.shift || len(d.steps) != c.len {
			t.Errorf("%s in %s: %+v", c.sequence, c.flow, d)
		}
	}
}

// TestLongStretchesAreCut: of 512 models some are drawn, and how many are not is said.
func TestLongStretchesAreCut(t *testing.T) {
	t.Parallel()
	p := drawn(t, handMade(), nil)
	sequence := strings.TrimSpace(strings.Repeat("A18 B18 ", 200) + "C18 " + strings.Repeat("B18 A18 ", 55))
	p.AddViolation(&behavior.Violation{Kind: behavior.JobflowViolation, Vector: 18, Model: "C18", Count: 1, Motes: []int{1}, Functions: pathOf(t, sentTree),
		Flow: "A18 B18", Sequence: sequence, Odd: 400, Expected: "A18", More: 1000}, "SPI_STC", "")
	svg := written(t, p.WriteSVG)
	if !strings.Contains(svg, "… and 1081 more") || !strings.Contains(svg, "here it departs") {
		t.Error("it does not say so")
	}
	if n := strings.Count(svg, `data-model="B18"`); n > 60 {
		t.Errorf("B18 is drawn %d times", n)
	}
}

// TestLargeTreesAreDrawnInPart: what is drawn has its callers, the row that matters is in it, and what is left out is counted.
func TestLargeTreesAreDrawnInPart(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var tree []*Node
		n := 0
		for n < 3*maxRows {
			tree = append(tree, randomTree(r, 1, &n)...)
		}
		rows := rowsOf(tree)
		center := r.IntN(len(rows) + 1)
		kept, hidden, at := around(rows, center)
		if len(kept)+hidden != len(rows) || len(kept) < maxRows || len(kept) > maxRows+5 {
			t.Fatalf("%d rows of %d, %d hidden", len(kept), len(rows), hidden)
		}
		if center < len(rows) && kept[at].left != rows[center].left {
			t.Fatal("the row that matters is not there")
		}
		for i, k := range kept {
			if k.leftUp >= i || k.leftUp < 0 != (k.left.Layer == 1) || k.leftUp >= 0 && !slices.Contains(kept[k.leftUp].left.Calls, k.left) {
				t.Fatal("a caller is missing")
			}
		}
	}
	lines := []string{"int: ADC"}
	for i := range 2000 {
		lines = append(lines, fmt.Sprintf("  f%d", i))
	}
	f := &behavior.File{Version: 1, Depth: "3", Vectors: []behavior.FileVector{{Vector: 22, Depth: "3", Models: []behavior.FileModel{{Name: "A22", Functions: lines}}}}}
	p := drawn(t, f, nil)
	for _, text := range []string{written(t, p.WriteSVG), written(t, p.WriteDot)} {
		if !strings.Contains(text, "functions more") || strings.Contains(text, "f1999") || !strings.Contains(text, "f100") {
			t.Error("it is drawn whole, or not at all")
		}
	}
}
