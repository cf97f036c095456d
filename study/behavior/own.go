package behavior

import "motehound/observe/calltree"

// ownPart is what an instance does as the application's programmer sees it: the handler; tasks, if they are the
// application's or lead into it; all functions of the application, at any depth; and what those call directly. A library
// function between two that are shown is left out, and what it calls counts as its caller's. More than two equal calls in a
// row are two, as in model sequences: how often a loop went round is data.
//
// It is the view at which a bug in an application shows, and what a radio's driver does from byte to byte does not.
func (c *Cast) ownPart(tree *calltree.Node) *calltree.Node {
	for len(c.own) <= tree.ID {
		c.own = append(c.own, nil)
	}
	if c.own[tree.ID] == nil {
		var calls []*calltree.Node
		for _, n := range tree.Calls {
			below := c.ownBelow(nil, n)
			if n.Kind == calltree.Interrupt || !n.Func.Library || len(below) > 0 {
				calls = appendFolded(calls, c.with(n, below))
			}
		}
		own := c.with(tree, calls)
		for len(c.own) <= own.ID {
			c.own = append(c.own, nil)
		}
		c.own[tree.ID], c.own[own.ID] = own, own
	}
	return c.own[tree.ID]
}

// ownBelow appends what is shown below a node.
func (c *Cast) ownBelow(list []*calltree.Node, n *calltree.Node) []*calltree.Node {
	for _, call := range n.Calls {
		switch {
		case !n.Func.Library, !call.Func.Library && call.Kind != calltree.Post:
			list = appendFolded(list, c.with(call, c.ownBelow(nil, call)))
		default:
			list = c.ownBelow(list, call)
		}
	}
	return list
}

func (c *Cast) with(n *calltree.Node, calls []*calltree.Node) *calltree.Node {
	return c.Book.Node(n.Kind, n.Func, calltree.Site{}, calls)
}

func appendFolded(list []*calltree.Node, n *calltree.Node) []*calltree.Node {
	if k := len(list); k >= 2 && list[k-1] == n && list[k-2] == n {
		return list
	}
	return append(list, n)
}
