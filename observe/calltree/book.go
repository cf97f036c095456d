package calltree

import "slices"

// Book interns functions and invocation trees: what is equal is the same pointer. It knows names and lines only, so one
// Book serves many motes, images and runs. It is for one goroutine at a time.
//
// Ids count up from 0 in order of first appearance, so equal runs give equal ids.
type Book struct {
	funcs []*Func
	nodes []*Node
	named map[funcKey]*Func
	heads map[uint64]int32 // by hash: 1 + the last node that has it
	next  []int32          // by node: 1 + the one before with the same hash
}

type funcKey struct{ name, file string }

// NewBook makes an empty Book.
func NewBook() *Book { return &Book{named: map[funcKey]*Func{}, heads: map[uint64]int32{}} }

// Func gives the function of a name and file. Its line is the one it was first seen with.
func (b *Book) Func(name, file string, line int) *Func {
	k := funcKey{name, file}
	if f := b.named[k]; f != nil {
		return f
	}
	f := &Func{Name: name, File: file, Line: line, ID: len(b.funcs)}
	b.funcs = append(b.funcs, f)
	b.named[k] = f
	return f
}

// Node gives the node of a call. The function and the calls must be of this Book; the list is copied if the node is new.
func (b *Book) Node(kind CallKind, fn *Func, site Site, calls []*Node) *Node {
	h := hashNode(kind, fn, site, calls)
	head := b.heads[h]
	for i := head; i != 0; i = b.next[i-1] {
		if n := b.nodes[i-1]; n.Func == fn && n.Kind == kind && n.Site == site && slices.Equal(n.Calls, calls) {
			return n
		}
	}
	n := &Node{Func: fn, Kind: kind, Site: site, Calls: slices.Clip(slices.Clone(calls)), ID: len(b.nodes)}
	if len(calls) == 0 {
		n.Calls = nil
	}
	b.nodes = append(b.nodes, n)
	b.next = append(b.next, head)
	b.heads[h] = int32(len(b.nodes))
	return n
}

// hashNode leaves the name of the site's file out: its line says enough, and hashing text takes time.
func hashNode(kind CallKind, fn *Func, site Site, calls []*Node) uint64 {
	const prime = 0x9E3779B97F4A7C15
	h := (uint64(fn.ID)<<32 | uint64(uint32(site.Line))<<4 | uint64(kind)) * prime
	for _, c := range calls {
		h = (h ^ h>>29 ^ uint64(c.ID) + 1) * prime
	}
	return h ^ h>>32
}

// Funcs are the functions by id. The caller must not change the list.
func (b *Book) Funcs() []*Func { return b.funcs }

// Nodes are the nodes by id: calls come before their callers. The caller must not change the list.
func (b *Book) Nodes() []*Node { return b.nodes }
