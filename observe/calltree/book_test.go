package calltree_test

import (
	"testing"

	"motehound/observe/calltree"
)

// Equal trees are one node, whoever builds them, and ids count first appearances.
func TestBookInterns(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	f, g := b.Func("f", "a.c", 3), b.Func("g", "a.c", 9)
	if b.Func("f", "a.c", 4) != f || b.Func("f", "b.c", 3) == f {
		t.Error("a function is its name and file")
	}
	if f.Line != 3 || f.ID != 0 || g.ID != 1 {
		t.Errorf("%+v, %+v", f, g)
	}
	leaf := b.Node(calltree.Call, g, calltree.Site{File: "a.c", Line: 5}, nil)
	calls := []*calltree.Node{leaf, leaf}
	n := b.Node(calltree.Call, f, calltree.Site{}, calls)
	calls[1] = n // the Book has its own list
	if n.Calls[1] != leaf || b.Node(calltree.Call, f, calltree.Site{}, []*calltree.Node{leaf, leaf}) != n {
		t.Error("an equal tree is another node")
	}
	others := []*calltree.Node{
		b.Node(calltree.Tail, f, calltree.Site{}, []*calltree.Node{leaf, leaf}),
		b.Node(calltree.Call, g, calltree.Site{}, []*calltree.Node{leaf, leaf}),
		b.Node(calltree.Call, f, calltree.Site{File: "a.c"}, []*calltree.Node{leaf, leaf}),
		b.Node(calltree.Call, f, calltree.Site{Line: 1}, []*calltree.Node{leaf, leaf}),
		b.Node(calltree.Call, f, calltree.Site{}, []*calltree.Node{leaf}),
		b.Node(calltree.Call, f, calltree.Site{}, nil),
	}
	seen := map[*calltree.Node]bool{n: true}
	for i, x := range others {
		if seen[x] {
			t.Errorf("tree %d is another one's node", i)
		}
		seen[x] = true
	}
	if len(b.Nodes()) != 2+len(others) || len(b.Funcs()) != 3 {
		t.Errorf("%d nodes, %d functions", len(b.Nodes()), len(b.Funcs()))
	}
	for i, x := range b.Nodes() {
		if x.ID != i {
			t.Errorf("node %d has id %d", i, x.ID)
		}
	}
}

// Nodes whose hashes are equal are still told apart: sites in different files hash alike.
func TestBookTellsFilesApart(t *testing.T) {
	t.Parallel()
	b := calltree.NewBook()
	f := b.Func("f", "", 0)
	seen := map[*calltree.Node]bool{}
	for _, file := range []string{"a.c", "b.c", "c.c"} {
		for range 2 {
			seen[b.Node(calltree.Call, f, calltree.Site{File: file, Line: 7}, nil)] = true
		}
	}
	if len(seen) != 3 {
		t.Errorf("%d nodes for 3 sites", len(seen))
	}
}
