package behavior

import (
	"cmp"
	"slices"
	"strings"
)

// summary says in one line what a model does that its siblings do not: the tasks that it runs, and up to three functions,
// those first that the fewest siblings have, and of those the deepest.
func summary(l *Lens, m *Model, siblings []*Model) string {
	have := map[int32]int{} // in how many models a function is
	for _, s := range siblings {
		for symbol := range symbolsOf(l, s.Common) {
			have[symbol]++
		}
	}
	type named struct {
		name         string
		models, item int
		layer        int
	}
	var tasks []string
	var list []named
	seen := map[int32]bool{}
	for i, it := range sequence(m.Common, m.Depth.layers()) {
		symbol := l.symbolOf(it.Node)
		if seen[symbol] || it.Node.Kind == Interrupt {
			continue
		}
		seen[symbol] = true
		if it.Node.Kind == Task {
			tasks = append(tasks, it.Node.Func.Name)
			continue
		}
		list = append(list, named{it.Node.Func.Name, have[symbol], i, it.Layer})
	}
	slices.SortFunc(list, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.models, b.models), cmp.Compare(b.layer, a.layer), cmp.Compare(a.item, b.item))
	})
	list = list[:min(len(list), 3)]
	slices.SortFunc(list, func(a, b named) int { return cmp.Compare(a.item, b.item) })
	var parts []string
	if len(tasks) > 0 {
		parts = append(parts, "runs "+strings.Join(tasks, ", "))
	}
	var names []string
	for _, n := range list {
		names = append(names, n.name)
	}
	if len(names) > 0 {
		parts = append(parts, strings.Join(names, ", "))
	}
	if len(parts) == 0 {
		return "only the handler"
	}
	return strings.Join(parts, "; ")
}

// symbolsOf are the functions of a tree.
func symbolsOf(l *Lens, tree *Node) map[int32]bool {
	set := map[int32]bool{}
	for _, it := range sequence(tree, int(MaxDepth)) {
		set[l.symbolOf(it.Node)] = true
	}
	return set
}
