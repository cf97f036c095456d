package scenario

import (
	"fmt"

	"go.starlark.net/starlark"
)

// chain is the motes that one leads to: its parent, that one's parent, and so on. It ends at a mote that leads to itself, to one
// that was there before, to one that is not alive, or to no mote at all.
type chain struct {
	opaque
	nodes []starlark.Value
	next  starlark.Value // what the last of them leads to, as the firmware has it
	loop  bool           // that is one before the last
}

var chainAttrs = []string{"last", "loop", "next", "nodes"}

func (c *chain) String() string             { return fmt.Sprintf("<chain of %d>", len(c.nodes)) }
func (c *chain) Type() string               { return "chain" }
func (c *chain) AttrNames() []string        { return chainAttrs }
func (c *chain) Len() int                   { return len(c.nodes) }
func (c *chain) Index(i int) starlark.Value { return c.nodes[i] }
func (c *chain) Iterate() starlark.Iterator { return starlark.Tuple(c.nodes).Iterate() }

// Attr implements starlark.HasAttrs.
func (c *chain) Attr(name string) (starlark.Value, error) {
	switch name {
	case "nodes":
		return starlark.Tuple(c.nodes), nil
	case "last":
		return c.nodes[len(c.nodes)-1], nil
	case "next":
		return c.next, nil
	case "loop":
		return starlark.Bool(c.loop), nil
	}
	return nil, nil
}

// chain is n.chain(parent), where parent is the path of the variable with the next mote's id, or a function of a node that tells
// it.
func (n *node) chain(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var parent starlark.Value
	if err := starlark.UnpackArgs(f.Name(), args, kwargs, "parent", &parent); err != nil {
		return nil, err
	}
	follow, err := parentOf(thread, parent)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	c, seen := &chain{}, make([]bool, len(n.e.nodes))
	for at := n; ; {
		seen[at.index] = true
		c.nodes = append(c.nodes, at)
		if c.next, err = follow(at); err != nil {
			return nil, err
		}
		if _, ok := c.next.(starlark.Int); !ok {
			return nil, fmt.Errorf("%s: node %d leads to %s, want a node id", f.Name(), n.e.view.ID(at.index), shown(c.next))
		}
		i, err := n.e.find(c.next)
		if err != nil || !n.e.alive(i) {
			return c, nil
		}
		if seen[i] {
			c.loop = i != at.index
			return c, nil
		}
		thread.Steps++
		at = n.e.nodes[i]
	}
}

// parentOf is how to get from a node to the next one's id.
func parentOf(thread *starlark.Thread, parent starlark.Value) (func(*node) (starlark.Value, error), error) {
	switch p := parent.(type) {
	case starlark.String:
		return func(n *node) (starlark.Value, error) { return n.read(string(p)) }, nil
	case starlark.Callable:
		return func(n *node) (starlark.Value, error) { return starlark.Call(thread, p, starlark.Tuple{n}, nil) }, nil
	}
	return nil, fmt.Errorf("parent is a %s: give the name of the variable that holds the next mote's id, or a function of a node that returns it",
		parent.Type())
}
