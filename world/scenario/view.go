package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"go.starlark.net/starlark"

	"motehound/firmware/image"
)

// network is what a property function gets: net[id], net.motes, net.time.
type network struct {
	opaque
	e *Evaluator
}

var networkAttrs = []string{"motes", "time"}

func (n *network) String() string      { return fmt.Sprintf("<network of %d>", len(n.e.nodes)) }
func (n *network) Type() string        { return "network" }
func (n *network) AttrNames() []string { return networkAttrs }
func (n *network) Len() int            { return len(n.e.nodes) }

// Attr implements starlark.HasAttrs.
func (n *network) Attr(name string) (starlark.Value, error) {
	switch name {
	case "motes":
		list := make([]starlark.Value, len(n.e.nodes))
		for i, node := range n.e.nodes {
			list[i] = node
		}
		return starlark.Tuple(list), nil
	case "time":
		return n.e.now(), nil
	}
	return nil, nil
}

func (e *Evaluator) now() starlark.Value {
	return starlark.MakeUint64(e.look(AspectTime, 0, 0))
}

// Get implements starlark.Mapping: net[id].
func (n *network) Get(key starlark.Value) (starlark.Value, bool, error) {
	i, err := n.e.find(key)
	if err != nil {
		return nil, false, err
	}
	return n.e.nodes[i], true, nil
}

// find is the index of the mote with a node id.
func (e *Evaluator) find(id starlark.Value) (int, error) {
	if other, ok := id.(*node); ok {
		return other.index, nil
	}
	want, err := starlark.AsInt32(id)
	if err != nil {
		return 0, fmt.Errorf("got %s, want a node id", shown(id))
	}
	if want >= 0 && want < len(e.nodes) && int(e.view.ID(want)) == want {
		return want, nil
	}
	for i := range e.nodes {
		if int(e.view.ID(i)) == want {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no mote has id %d", want)
}

// Iterate implements starlark.Iterable: the nodes, in the order of the network.
func (n *network) Iterate() starlark.Iterator { return &nodeIterator{n.e.nodes} }

type nodeIterator struct{ left []*node }

func (it *nodeIterator) Next(p *starlark.Value) bool {
	if len(it.left) == 0 {
		return false
	}
	*p, it.left = it.left[0], it.left[1:]
	return true
}
func (it *nodeIterator) Done() {}

// node is a mote as properties see it. It is also the memory that the image package reads through.
type node struct {
	opaque
	e     *Evaluator
	index int
	image *image.Image
	vars  map[string]*place

	varFn, textFn, enumFn, ledFn, hearsFn, pathFn, chainFn, bytesFn, varsFn *starlark.Builtin
}

var nodeAttrs = []string{"alive", "bytes", "chain", "enum", "frames_received", "frames_sent", "has_path_to", "hears", "id", "led", "leds", "net", "text", "time", "var", "vars"}

func newNode(e *Evaluator, index int) *node {
	n := &node{e: e, index: index}
	n.varFn = starlark.NewBuiltin("var", n.readVar)
	n.textFn = starlark.NewBuiltin("text", n.text)
	n.enumFn = starlark.NewBuiltin("enum", n.enum)
	n.ledFn = starlark.NewBuiltin("led", n.led)
	n.hearsFn = starlark.NewBuiltin("hears", n.hears)
	n.bytesFn = starlark.NewBuiltin("bytes", n.raw)
	n.varsFn = starlark.NewBuiltin("vars", n.names)
	n.chainFn = starlark.NewBuiltin("chain", n.chain)
	n.pathFn = starlark.NewBuiltin("has_path_to", n.hasPathTo)
	return n
}

func (n *node) String() string      { return fmt.Sprintf("<node %d>", n.e.view.ID(n.index)) }
func (n *node) Type() string        { return "node" }
func (n *node) AttrNames() []string { return nodeAttrs }

// Hash makes nodes keys of dicts and members of sets: parent chains are walked that way.
func (n *node) Hash() (uint32, error) { return uint32(n.index), nil }

// Attr implements starlark.HasAttrs.
func (n *node) Attr(name string) (starlark.Value, error) {
	switch name {
	case "var":
		return n.varFn, nil
	case "id":
		return starlark.MakeInt(int(n.e.view.ID(n.index))), nil
	case "alive":
		return starlark.Bool(n.e.alive(n.index)), nil
	case "leds":
		return starlark.MakeUint64(n.e.look(AspectLEDs, n.index, 0)), nil
	case "led":
		return n.ledFn, nil
	case "time":
		return n.e.now(), nil
	case "net":
		return n.e.net, nil
	case "text":
		return n.textFn, nil
	case "enum":
		return n.enumFn, nil
	case "hears":
		return n.hearsFn, nil
	case "chain":
		return n.chainFn, nil
	case "bytes":
		return n.bytesFn, nil
	case "vars":
		return n.varsFn, nil
	case "frames_sent":
		return starlark.MakeUint64(n.e.look(AspectSent, n.index, 0)), nil
	case "frames_received":
		return starlark.MakeUint64(n.e.look(AspectReceived, n.index, 0)), nil
	case "has_path_to":
		return n.pathFn, nil
	}
	return nil, nil
}

// readVar is n.var(path).
func (n *node) readVar(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	path, err := pathArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	return n.read(path)
}

// Get implements starlark.Mapping: n[path] is n.var(path).
func (n *node) Get(key starlark.Value) (starlark.Value, bool, error) {
	path, ok := key.(starlark.String)
	if !ok {
		return nil, false, fmt.Errorf("got %s, want the name of a variable", key.Type())
	}
	v, err := n.read(string(path))
	return v, err == nil, err
}

func (n *node) read(path string) (starlark.Value, error) {
	p, addr, err := n.locate(path)
	if err != nil {
		return nil, err
	}
	return p.layout.value(n, addr), nil
}

// locate finds a variable, and where it is now.
func (n *node) locate(path string) (p *place, addr uint32, err error) {
	if p = n.vars[path]; p == nil {
		if p, err = newPlace(n.image, path); err != nil {
			return nil, 0, err
		}
		n.vars[path] = p
	}
	if p.ref.Indirect() {
		addr, err = p.ref.Resolve(n)
		return p, addr, err
	}
	return p, p.ref.Addr, nil
}

// pathArg is the single argument of var, text and enum: these are called far too often for reflection.
func pathArg(f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (string, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		if s, ok := args[0].(starlark.String); ok {
			return string(s), nil
		}
		return "", fmt.Errorf("%s: got %s, want a string", f.Name(), args[0].Type())
	}
	return "", fmt.Errorf("%s: takes one argument, a name", f.Name())
}

// text is n.text(path): a variable as C would show it.
func (n *node) text(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	path, err := pathArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	ref, err := n.image.Lookup(path)
	if err != nil {
		return nil, err
	}
	v, err := ref.Read(n)
	if err != nil {
		return nil, err
	}
	if v.Kind == image.KindArray { // the quotes of a text are C's, not its own
		if s, err := strconv.Unquote(v.String()); err == nil {
			return starlark.String(s), nil
		}
	}
	return starlark.String(v.String()), nil
}

// enum is n.enum(name): the value of an enumerator.
func (n *node) enum(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	name, err := pathArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	v, ok := n.image.Enum(name)
	if !ok {
		return nil, fmt.Errorf("no enumerator %s in %s", name, n.image.Path)
	}
	return starlark.MakeInt64(v), nil
}

// led is n.led(i).
func (n *node) led(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var number starlark.Value
	if err := starlark.UnpackArgs(f.Name(), args, kwargs, "number", &number); err != nil {
		return nil, err
	}
	i, err := intIn(number, 0, 31)
	if err != nil {
		return nil, fmt.Errorf("%s: number %v", f.Name(), err)
	}
	return starlark.Bool(n.e.look(AspectLEDs, n.index, 0)>>i&1 != 0), nil
}

// hears is n.hears(other): whether frames of the other one can arrive here now.
func (n *node) hears(_ *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	other, err := n.otherArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(n.e.alive(n.index) && n.e.alive(other) && n.e.linked(other, n.index)), nil
}

func (n *node) otherArg(f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (int, error) {
	var other starlark.Value
	if err := starlark.UnpackArgs(f.Name(), args, kwargs, "other", &other); err != nil {
		return 0, err
	}
	i, err := n.e.find(other)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return i, nil
}

// hasPathTo is n.has_path_to(other): over motes that are alive, from link to link.
func (n *node) hasPathTo(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	goal, err := n.otherArg(f, args, kwargs)
	if err != nil {
		return nil, err
	}
	if !n.e.alive(n.index) || !n.e.alive(goal) {
		return starlark.False, nil
	}
	reached := make([]bool, len(n.e.nodes))
	reached[n.index] = true
	for front := []int{n.index}; len(front) > 0 && !reached[goal]; {
		at := front[0]
		front = front[1:]
		thread.Steps += uint64(len(reached))
		for i := range reached {
			if !reached[i] && n.e.linked(at, i) && n.e.alive(i) {
				reached[i] = true
				front = append(front, i)
			}
		}
	}
	return starlark.Bool(reached[goal]), nil
}

// LoadByte implements image.Memory.
func (n *node) LoadByte(addr uint32) uint8 { return uint8(n.e.load(n.index, addr&0xFFFF, 1)) }

// StoreByte implements image.Memory. Properties change nothing.
func (n *node) StoreByte(uint32, uint8) {}

// In implements image.Spaces.
func (n *node) In(space image.Space) image.Memory {
	switch space {
	case image.Data:
		return n
	case image.Flash:
		return constants{n.image}
	}
	return nil
}

// constants is program memory as it was flashed.
type constants struct{ im *image.Image }

func (c constants) LoadByte(addr uint32) uint8 {
	if int(addr) < len(c.im.Flash) {
		return c.im.Flash[addr]
	}
	return 0xFF
}
func (c constants) StoreByte(uint32, uint8) {}

// sortedFields lists the fields of a struct, for dir() and error messages.
func sortedFields(t *image.Type) []string {
	var names []string
	for _, f := range t.Fields {
		if f.Name != "" {
			names = append(names, f.Name)
			continue
		}
		if inner := f.Type.Strip(); inner != nil && len(inner.Fields) > 0 {
			names = append(names, sortedFields(inner)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
