package calltree

import (
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/world"
)

// variables are those of a kind of motes whose order of use is followed: the application's own that hold data. A flag or a pointer
// says in which state something is, and everybody looks at it at any time.
type variables struct {
	at   []int32 // by data address: 1 + index in list
	list []Touch
	pcs  []uint32
}

// smallest is the size in bytes of a variable that holds data; what is smaller is a flag, a state or an index.
const smallest = 2

func newVariables(k *mote.Kind) *variables {
	v := &variables{}
	im := k.Image
	split := im.HasLibrary()
	for _, x := range im.Vars() {
		if x.Space != image.Data || x.Register || x.Type == nil || x.Type.Size < smallest || split && !im.Own(x.File) || isPointer(x.Type) {
			continue
		}
		if n := elements(x.Type); n > 0 {
			size := x.Type.Size / n
			for i := range n {
				v.add(x.Addr+i*size, size, fmt.Sprintf("%s[%d]", x.Name, i), x.Name+"[]")
			}
			continue
		}
		v.add(x.Addr, x.Type.Size, x.Name, x.Name)
	}
	if len(v.list) > 0 {
		v.find(k.Program())
	}
	return v
}

func plain(t *image.Type) *image.Type {
	for t != nil && t.Kind == image.KindTypedef {
		t = t.Elem
	}
	return t
}

func isPointer(t *image.Type) bool { return plain(t).Kind == image.KindPointer }

// elements is how many structures an array has; 0 if the type is no such array.
func elements(t *image.Type) uint32 {
	t = plain(t)
	if t.Kind != image.KindArray || t.Count == 0 {
		return 0
	}
	if e := plain(t.Elem); e != nil && (e.Kind == image.KindStruct || e.Kind == image.KindUnion) && !strings.HasPrefix(e.Name, "nx_") {
		return t.Count
	}
	return 0
}

func (v *variables) add(addr, size uint32, name, of string) {
	if addr+size > 1<<16 {
		return
	}
	for uint32(len(v.at)) < addr+size {
		v.at = append(v.at, 0)
	}
	v.list = append(v.list, Touch{Variable: name, Of: of})
	for a := addr; a < addr+size; a++ {
		v.at[a] = int32(len(v.list))
	}
}

// find lists the loads and stores that may be of one of them. Pushes, pops and calls are left out: what they touch is the stack.
func (v *variables) find(p *avr.Program) {
	for pc := uint32(0); pc < p.Words(); {
		in := p.At(pc)
		if a := in.Access(); a.Space == avr.DataMemory && (a.Base != 0 || v.of(a.Offset) != 0) {
			v.pcs = append(v.pcs, pc)
		}
		pc += in.Length()
	}
}

func (v *variables) of(addr uint16) int32 {
	if int(addr) < len(v.at) {
		return v.at[addr]
	}
	return 0
}

// visit is what one handler or task does to a variable in one go.
type visit struct {
	by    *context // nil if there is none
	write bool
}

// watchData has loads and stores followed.
func (h *Watcher) watchData(wanted func(mote int) bool) {
	of := map[*mote.Kind]*variables{}
	for _, t := range h.motes {
		if t == nil {
			continue
		}
		if of[t.m.Kind] == nil {
			of[t.m.Kind] = newVariables(t.m.Kind)
		}
		t.variables = of[t.m.Kind]
		t.visits = make([]visit, len(t.variables.list))
		h.data = h.data || len(t.variables.list) > 0
	}
	if !h.data {
		return
	}
	h.moves = h.w.Observe(world.Observer{
		LogOf: wanted,
		DataAt: func(k *mote.Kind) []uint32 {
			if v := of[k]; v != nil {
				return slices.Clip(v.pcs)
			}
			return nil
		},
		CodeAt: func(*mote.Kind) []uint32 { return nil },
		Kept:   func(int, *digest.Digest) {}, // see Watch
		Code: func(i int, _ uint64, pc uint32) bool {
			if t := h.motes[i]; t != nil {
				t.moved()
				t.moves(pc)
			} else {
				h.moves.Moved(i)
			}
			return false
		},
	})
}

// moved follows what was loaded and stored since the last time, all by the same handler or task.
func (t *tracker) moved() {
	if t.h.moves == nil {
		return
	}
	list := t.h.moves.Moved(t.number)
	for i := range list {
		t.touch(list[i].Addr, list[i].Store)
	}
}

// moves follows a load or store that is about to happen, where the log cannot tell of it.
func (t *tracker) moves(pc uint32) {
	if a := t.m.Kind.Program().At(pc).Access(); a.Space == avr.DataMemory {
		t.touch(a.Address(&t.m.Core().State), a.Writes)
	}
}

// touch follows a load or store of the handler or task that executes.
func (t *tracker) touch(addr uint16, write bool) {
	k := t.variables.of(addr)
	c := t.ctx
	if k == 0 || c == nil || c.record == nil && !c.main {
		return
	}
	v := &t.visits[k-1]
	if v.by != c {
		if v.by != nil {
			t.over(k - 1)
		}
		v.by, v.write = c, false
		c.visits = append(c.visits, k-1)
	}
	v.write = v.write || write
}

// over tells of a visit that is over: another one begins, or its handler or task has ended.
func (t *tracker) over(k int32) {
	v, x := &t.visits[k], t.variables.list[k]
	x.Mote, x.In, x.Main, x.Write = t.number, t.l.sources[v.by.head.source].name, v.by.main, v.write
	if !x.Main {
		x.Serial = v.by.record.serial
	}
	v.by = nil
	t.work++
	t.h.opt.Touched(x)
}

// forgetData forgets the visits of what did nothing.
func (t *tracker) forgetData(c *context) {
	for _, k := range c.visits {
		if t.visits[k].by == c {
			t.visits[k].by = nil
		}
	}
}

// leaveData ends the visits of a handler or task that ends.
func (t *tracker) leaveData(c *context) {
	for _, k := range c.visits {
		if t.visits[k].by == c {
			t.over(k)
		}
	}
}
