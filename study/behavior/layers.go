package behavior

import (
	"encoding/binary"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"motehound/observe/calltree"
)

// Depth is how deep behaviours are compared (T-Morph, section 4.3), in halves: 1 is the paper's 0.5, 2 its 1, 3 its 1.5.
type Depth int

// MaxDepth is more than any tree has.
const MaxDepth Depth = 2 * 250

// AppDepth is all of the application's own code, and nothing below what that calls: see ownPart.
const AppDepth = MaxDepth + 2

// whole is the number of layers that must be equal.
func (d Depth) whole() int { return int(d) / 2 }

// half tells whether the layer below those is compared too, as a substring.
func (d Depth) half() bool { return d%2 == 1 }

// layers is the deepest layer that is looked at.
func (d Depth) layers() int { return int(d+1) / 2 }

func (d Depth) String() string {
	if d == AppDepth {
		return "app"
	}
	if d.half() {
		return fmt.Sprint(d.whole(), ".5")
	}
	return strconv.Itoa(d.whole())
}

// ParseDepth reads 0.5, 1, 1.5, ... and app.
func ParseDepth(text string) (Depth, error) {
	if text == AppDepth.String() {
		return AppDepth, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if d := Depth(2 * f); err == nil && d >= 1 && d <= MaxDepth && float64(d) == 2*f {
		return d, nil
	}
	return 0, fmt.Errorf("depth %q: give 0.5, 1, 1.5, ... up to %v, or app", text, MaxDepth)
}

// sequenceItem is one function of a layered function sequence. Layer 0, the instance itself, has none.
type sequenceItem struct {
	Node  *calltree.Node
	Layer int
}

// sequence is the layered function sequence down to a layer: the functions in preorder.
func sequence(tree *calltree.Node, layers int) []sequenceItem {
	return appendItems(nil, tree, 1, layers)
}

func appendItems(seq []sequenceItem, n *calltree.Node, layer, layers int) []sequenceItem {
	if layer > layers {
		return seq
	}
	for _, c := range n.Calls {
		seq = appendItems(append(seq, sequenceItem{c, layer}), c, layer+1, layers)
	}
	return seq
}

// Lens compares trees of one Book. What a function is, is its name and the last part of its file's name; a post differs from
// a call. How a call came about (inlined, a jump) and from which line is up to the compiler and not compared.
//
// The digest of a node in a depth is a number that exactly the nodes have that are the same in it; each is computed once.
type Lens struct {
	symbols map[symbolKey]int32
	symbol  []int32 // by Func.ID, 0 for unknown: symbols count from 1
	digests map[digestKey]int32
	numbers map[string]int32
	key     []byte
}

type symbolKey struct{ name, file string }

type digestKey struct{ node, layers int32 }

// newLens makes a Lens.
func newLens() *Lens {
	return &Lens{symbols: map[symbolKey]int32{}, digests: map[digestKey]int32{}, numbers: map[string]int32{}}
}

// symbolOf is the number of a node's function, the same for the same function; negative if it is posted.
func (l *Lens) symbolOf(n *calltree.Node) int32 {
	if n.Func == nil {
		return 0
	}
	for len(l.symbol) <= n.Func.ID {
		l.symbol = append(l.symbol, 0)
	}
	s := l.symbol[n.Func.ID]
	if s == 0 {
		k := symbolKey{n.Func.Name, baseName(n.Func.File)}
		if s = l.symbols[k]; s == 0 {
			s = int32(len(l.symbols) + 1)
			l.symbols[k] = s
		}
		l.symbol[n.Func.ID] = s
	}
	if n.Kind == calltree.Post {
		return -s
	}
	return s
}

// baseName leaves out the directories, which differ between the machines that built a firmware.
func baseName(file string) string {
	if file == "" {
		return ""
	}
	return path.Base(strings.ReplaceAll(file, `\`, "/"))
}

// digest is a number for what a tree does in its first layers.
func (l *Lens) digest(n *calltree.Node, layers int) int32 {
	k := digestKey{int32(n.ID), int32(layers)}
	if d, ok := l.digests[k]; ok {
		return d
	}
	// The key cannot be built in place: digests of the calls use the same buffer.
	var calls []int32
	if layers > 0 {
		calls = make([]int32, len(n.Calls))
		for i, c := range n.Calls {
			calls[i] = l.digest(c, layers-1)
		}
	}
	key := l.key[:0]
	if n.Kind != calltree.Root {
		key = binary.AppendVarint(key, int64(l.symbolOf(n)))
	}
	for _, c := range calls {
		key = binary.AppendUvarint(key, uint64(c))
	}
	l.key = key
	d, ok := l.numbers[string(key)]
	if !ok {
		d = int32(len(l.numbers))
		l.numbers[string(key)] = d
	}
	l.digests[k] = d
	return d
}

// layer is the functions of one layer, from 1 on, in their order.
func (l *Lens) layer(tree *calltree.Node, layer int) []int32 { return l.appendLayer(nil, tree, layer) }

func (l *Lens) appendLayer(list []int32, n *calltree.Node, layer int) []int32 {
	for _, c := range n.Calls {
		if layer == 1 {
			list = append(list, l.symbolOf(c))
		} else {
			list = l.appendLayer(list, c, layer-1)
		}
	}
	return list
}

// related tells whether one list is a substring of the other.
func related(a, b []int32) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return true
	}
	fail, j := borders(a), int32(0)
	for _, c := range b {
		for j > 0 && a[j] != c {
			j = fail[j-1]
		}
		if a[j] == c {
			j++
		}
		if int(j) == len(a) {
			return true
		}
	}
	return false
}

// cutTree is a tree without the layers below a layer.
func cutTree(b *calltree.Book, n *calltree.Node, layers int) *calltree.Node {
	if layers == 0 {
		if len(n.Calls) == 0 {
			return n
		}
		return b.Node(n.Kind, n.Func, n.Site, nil)
	}
	calls := make([]*calltree.Node, len(n.Calls))
	for i, c := range n.Calls {
		calls[i] = cutTree(b, c, layers-1)
	}
	if slices.Equal(calls, n.Calls) {
		return n
	}
	return b.Node(n.Kind, n.Func, n.Site, calls)
}
