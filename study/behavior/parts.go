package behavior

import "slices"

// A part of an event procedure is its handler, or one of its tasks, with what that calls. Which other tasks run in the same procedure is up to
// when they were posted: a task that sends what waits in a queue runs after a timer, after a packet, or after both. So an order in which data is
// used is approved if the parts that use it were seen to use it in this order, whatever procedures they were parts of.

// parts are the approved orders of data, by parts.
type parts struct {
	cast   *Cast
	of     map[partKey][]int32 // digests; more than one if a task ran several times and did not do the same
	orders map[partOrder]bool
	users  map[string][]string // by variable: functions that take part in all its uses
}

type partKey struct {
	model int32
	in    string
}

// partOrder is an order of data between parts: a digest is -1 for what only the system does.
type partOrder struct {
	variable  string
	after, at int32
	inA, inB  string
	write     bool
}

const systemPart = -1

func newParts(c *Cast) *parts {
	return &parts{cast: c, of: map[partKey][]int32{}, orders: map[partOrder]bool{}, users: map[string][]string{}}
}

// digests are those of a handler or task in a model.
func (p *parts) digests(model int32, in string) []int32 {
	k := partKey{model, in}
	if p.of[k] == nil {
		if model >= 0 {
			m := p.cast.Models[model]
			for _, n := range partsOf(m.Common, in) {
				p.of[k] = append(p.of[k], p.cast.Lens.digest(n, m.Depth.layers()))
			}
		}
		if p.of[k] == nil {
			p.of[k] = []int32{systemPart}
		}
	}
	return p.of[k]
}

// partsOf are the handlers and tasks of a tree with a name.
func partsOf(tree *Node, in string) []*Node {
	var list []*Node
	for _, n := range tree.Calls {
		if n.Func.Name == in {
			list = append(list, n)
		}
	}
	return list
}

func (p *parts) each(k orderKey, visit func(partOrder) (more bool)) {
	for _, a := range p.digests(k.after, k.inA) {
		for _, b := range p.digests(k.at, k.inB) {
			if !visit(partOrder{k.variable, a, b, k.inA, k.inB, k.write}) {
				return
			}
		}
	}
}

func (p *parts) learn(k orderKey) {
	p.each(k, func(o partOrder) bool {
		p.orders[o] = true
		return true
	})
	if k.after >= 0 || k.at >= 0 {
		users, known := p.users[k.variable]
		p.users[k.variable] = p.common(users, known, k)
	}
}

// approve tells whether an order was seen between the same parts. What one function, or one task, keeps for itself is used in any order: nobody else
// hands it over or takes it.
func (p *parts) approve(k orderKey) (ok bool) {
	p.each(k, func(o partOrder) bool {
		ok = p.orders[o]
		return !ok
	})
	users, known := p.users[k.variable]
	return ok || known && len(p.common(users, true, k)) > 0
}

// common is which of the users take part in both uses of an order, too. What main does at the start does not count.
func (p *parts) common(users []string, known bool, k orderKey) []string {
	for _, x := range []partKey{{k.after, k.inA}, {k.at, k.inB}} {
		if x.model < 0 {
			continue
		}
		now := []string{x.in}
		if m := p.cast.Models[x.model]; m.Depth == AppDepth {
			for _, n := range partsOf(m.Common, x.in) {
				for _, c := range n.Calls {
					now = append(now, c.Func.Name)
				}
			}
		}
		if known {
			now = slices.DeleteFunc(now, func(name string) bool { return !slices.Contains(users, name) })
		}
		users, known = now, true
	}
	return users
}
