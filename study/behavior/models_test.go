package behavior

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"motehound/observe/calltree"
)

// tree makes a tree of lines as a model file has them.
func tree(t testing.TB, b *calltree.Book, text string) *calltree.Node {
	t.Helper()
	n, err := parseTree(b, strings.Split(strings.Trim(text, "\n"), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// randomTree has a handler, perhaps a task, and calls of few functions.
func randomTree(r *rand.Rand, b *calltree.Book, vector uint16, functions, depth int) *calltree.Node {
	var calls func(depth int) []*calltree.Node
	calls = func(depth int) (list []*calltree.Node) {
		if depth == 0 {
			return nil
		}
		for range r.IntN(3) {
			kind := []calltree.CallKind{calltree.Call, calltree.Call, calltree.Inlined, calltree.Tail, calltree.Post}[r.IntN(5)]
			var below []*calltree.Node
			if kind != calltree.Post {
				below = calls(depth - 1)
			}
			list = append(list, b.Node(kind, b.Func(fmt.Sprint("f", r.IntN(functions)), "f.c", 1), calltree.Site{File: "f.c", Line: r.IntN(2)}, below))
		}
		return list
	}
	top := []*calltree.Node{b.Node(calltree.Interrupt, b.Func(fmt.Sprint("INT", vector), "", 0), calltree.Site{}, calls(depth))}
	if r.IntN(3) == 0 {
		top = append(top, b.Node(calltree.Task, b.Func("work", "f.c", 9), calltree.Site{}, calls(depth)))
	}
	return b.Node(calltree.Root, b.Func("instance", "", 0), calltree.Site{}, top)
}

// layered is a layered function sequence as a string: what 4.3 compares.
func layered(n *calltree.Node, layers int) string {
	var s strings.Builder
	for _, it := range sequence(n, layers) {
		fmt.Fprintf(&s, "%s/%v:%d ", it.Node.Func.Name, it.Node.Kind == calltree.Post, it.Layer)
	}
	return s.String()
}

func layerText(n *calltree.Node, layer int) string {
	s := " "
	for _, it := range sequence(n, layer) {
		if it.Layer == layer {
			s += fmt.Sprint(it.Node.Func.Name, it.Node.Kind == calltree.Post, " ")
		}
	}
	return s
}

// sameByDefinition is 4.3 word by word.
func sameByDefinition(a, b *calltree.Node, d Depth) bool {
	if layered(a, d.whole()) != layered(b, d.whole()) {
		return false
	}
	x, y := layerText(a, d.layers()), layerText(b, d.layers())
	return !d.half() || strings.Contains(x, y) || strings.Contains(y, x)
}

func TestPaperFigure4(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	n := tree(t, b, "int: I18\n  a\n    d\n  post: b\n  c\ntask: b\n  e")
	want := "I18/false:1 a/false:2 d/false:3 b/true:2 c/false:2 b/false:1 e/false:2 "
	if got := layered(n, 9); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSameIsAsDefined(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	b, l := calltree.NewBook(), newLens()
	same := 0
	for range 60_000 {
		x, y := randomTree(r, b, 18, 2, 3), randomTree(r, b, 18, 2, 3)
		d := Depth(1 + r.IntN(9))
		got, want := l.Same(x, y, d), sameByDefinition(x, y, d)
		if got != want || got != l.Same(y, x, d) || !l.Same(x, x, d) {
			t.Fatalf("depth %v: %v, want %v:\n%s\n%s", d, got, want, layered(x, 9), layered(y, 9))
		}
		if got {
			same++
		}
	}
	if same < 1000 {
		t.Fatalf("only %d pairs were the same: the test shows little", same)
	}
}

func TestDepthIsReadAndWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0.5", "1", "1.5", "17", "250"} {
		if d, err := ParseDepth(text); err != nil || d.String() != text {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "0.7", "NaN", "Inf", "251", "x"} {
		if d, err := ParseDepth(text); err == nil {
			t.Errorf("%q gave %v", text, d)
		}
	}
}

func TestModelsAreClassesOfTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for range 400 {
		b := calltree.NewBook()
		d := Depth(1 + r.IntN(8))
		c := newClassifier(newCast(b), 18, d)
		again := newClassifier(newCast(b), 18, d)
		members := map[*Model][]*calltree.Node{}
		var order []*Model
		var trees []*calltree.Node
		for range 60 {
			n := randomTree(r, b, 18, 2, 3)
			trees = append(trees, n)
			m := c.take(n)
			if again.take(n).Name != m.Name {
				t.Fatal("the same instances in the same order gave other models")
			}
			if members[m] == nil {
				order = append(order, m)
			}
			members[m] = append(members[m], n)
		}
		if !slices.Equal(order, c.models) {
			t.Fatal("models are not in order of first appearance")
		}
		for i, m := range c.models {
			if m.Name != letters(i)+"18" {
				t.Fatalf("model %d is %s", i, m.Name)
			}
			for _, x := range members[m] {
				for _, y := range members[m] {
					if !sameByDefinition(x, y, d) {
						t.Fatalf("depth %v: %s and %s are both %s", d, layered(x, 9), layered(y, 9), m.Name)
					}
				}
			}
			checkCommon(t, m, members[m])
		}
		// In a whole depth models are exactly the classes, in whichever order instances come.
		if !d.half() {
			for i, x := range trees {
				for _, y := range trees[:i] {
					if (c.take(x) == c.take(y)) != sameByDefinition(x, y, d) {
						t.Fatalf("depth %v: %s, %s", d, layered(x, 9), layered(y, 9))
					}
				}
			}
		}
		// What was learnt is found again without learning.
		for _, x := range trees {
			if c.find(x) != c.take(x) {
				t.Fatal("find and take differ")
			}
		}
	}
}

// checkCommon compares a common part with what 4.3 says: the layers that are the same, and with a half depth the functions
// of the next layer that all members have.
func checkCommon(t *testing.T, m *Model, members []*calltree.Node) {
	t.Helper()
	d := m.Depth
	if layered(m.Common, d.whole()) != layered(members[0], d.whole()) || len(sequence(m.Common, 99)) != len(sequence(m.Common, d.layers())) {
		t.Fatalf("common part of %s: %s", m.Name, layered(m.Common, 99))
	}
	if !d.half() {
		return
	}
	common := layerText(m.Common, d.layers())
	shortest := false
	for _, x := range members {
		own := layerText(x, d.layers())
		shortest = shortest || own == common
		if !strings.Contains(own, common) {
			t.Fatalf("%s is not in %s", common, own)
		}
	}
	if !shortest {
		t.Fatalf("%s is no member's", common)
	}
}

func TestHalfDepthIsNotTransitive(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	c := newClassifier(newCast(b), 18, 3)
	names := ""
	for _, calls := range []string{"b c", "a b c", "b c d", "b", "a b c d", "b c d", "x"} {
		text := "int: I"
		for _, f := range strings.Fields(calls) {
			text += "\n  " + f
		}
		names += c.take(tree(t, b, text)).Name + " "
	}
	// bc and abc; bcd is not the same as abc; b is the same as both of the first.
	if want := "A18 A18 B18 A18 A18 B18 C18 "; names != want {
		t.Errorf("got %s, want %s", names, want)
	}
	if got := layerText(c.models[0].Common, 2); got != " bfalse " {
		t.Errorf("common part %s", got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for i, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		if got := letters(i); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
	seen := map[string]bool{}
	for i := range 2000 {
		if seen[letters(i)] {
			t.Fatal("twice", letters(i))
		}
		seen[letters(i)] = true
	}
	for _, bad := range []string{"", "A", "18", "a18", "A18x", "A018", "A70000", "A-1"} {
		if v, err := VectorOf(bad); err == nil {
			t.Errorf("%q gave %d", bad, v)
		}
	}
}

// TestPaperFigure5 drops S at a small depth, and tells R1 from R2 at a greater one.
func TestPaperFigure5(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	receive := tree(t, b, "int: I18\n  spi\n    state\n      rx\n        byte")
	received := tree(t, b, "int: I18\n  spi\n    state\n      rx\n        signal")
	send := tree(t, b, "int: I18\n  spi\n    state\n      tx\n        byte")
	classes := func(p Plan) string {
		s, got := newSorter(newCast(b), 18, &p), ""
		for _, n := range []*calltree.Node{receive, send, receive, received, send} {
			if m := s.take(n); m.Dropped {
				got += "-"
			} else {
				got += m.Name[:1]
			}
		}
		return got
	}
	for _, c := range []struct {
		plan Plan
		want string
	}{
		{Plan{Depth: 2 * 3}, "AAAAA"},
		{Plan{Depth: 2 * 4}, "ABAAB"},
		{Plan{Depth: 2 * 5}, "ABACB"},
		{Plan{Depth: 2 * 5, Drops: []Drop{{"B18", 2 * 4}}}, "A-AB-"},
		{Plan{Depth: 2 * 4, Drops: []Drop{{"B18", 2 * 4}}}, "A-AA-"},
		{Plan{Depth: 1, Depths: map[uint16]Depth{18: 2 * 5}, Drops: []Drop{{"B18", 2 * 4}, {"A18", 2 * 5}}}, "---B-"},
	} {
		if err := c.plan.Check(); err != nil {
			t.Error(err)
		}
		if got := classes(c.plan); got != c.want {
			t.Errorf("%+v: %s, want %s", c.plan, got, c.want)
		}
	}
	bad := Plan{Depth: 2, Drops: []Drop{{"B18", 2 * 4}}}
	if bad.Check() == nil {
		t.Error("a drop below the depth was taken")
	}
}

func TestSummariesNameWhatSiblingsDoNotDo(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	c := newClassifier(newCast(b), 18, 2*4)
	c.take(tree(t, b, "int: I18\n  spi\n    rx"))
	c.take(tree(t, b, "int: I18\n  spi\n    rx\n      signal\ntask: deliver\n  Receive.receive"))
	c.take(tree(t, b, "int: I18"))
	for i, want := range []string{"spi, rx", "runs deliver; rx, signal, Receive.receive", "only the handler"} {
		if got := summary(c.cast.Lens, c.models[i], c.models); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}

// Same tells whether two trees are the same in a depth.
func (l *Lens) Same(a, b *calltree.Node, d Depth) bool {
	if l.digest(a, d.whole()) != l.digest(b, d.whole()) {
		return false
	}
	return !d.half() || related(l.layer(a, d.layers()), l.layer(b, d.layers()))
}
