package memory

import (
	"fmt"
	"slices"
	"sync"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
)

// Tags say which constant a byte is part of a pointer from. From tagFirst on they number constants, then pointers to locals.
const (
	tagNone  = 0
	tagMixed = 1 // made from several pointers: nothing is known
	tagSP    = 2 // made from the stack pointer
	tagFirst = 8
	tagMinus = 0x8000 // added to one of the above from tagFirst on: the pointer, negated

	tagReturn    = 0xFFFE // in SRAM: part of a return address
	tagUnwritten = 0xFFFF // in SRAM: nothing wrote it

	maxConstants = 30000
	maxSites     = 8000
	maxPointers  = 512 // pointers to locals, of one local in one frame each
)

// site is a place in the code that points to a local: so far from Y, in a function.
type site struct {
	frame int
	k     uint16
}

// table is what is worked out once for a kind of motes. It never changes.
type table struct {
	kind      *mote.Kind
	im        *image.Image
	ramBase   uint16
	ramSize   int
	floor     uint16 // first address behind the variables: the stack must stay above
	brk       int    // SRAM index of the heap's end, as avr-libc keeps it; -1 without a heap
	objects   []object
	constants []constant
	frames    []frame
	sites     []site
	initial   []uint16 // by SRAM index: tag that initialised variables begin with
	start     []uint32 // by word address: the ops of its step; 0 for none
	at        []uint32 // the word addresses that have one
	ops       []op
	io        []bool // I/O addresses without a register
	isCode    []bool // by word address
	startup   []bool // likewise: the C run-time's own code
	retBytes  uint16 // size of a return address

	mu   sync.Mutex
	over []layer
}

// layer is a program, and the same with the table's steps marked.
type layer struct{ below, marked *avr.Program }

// maxLayers bounds how many are kept.
const maxLayers = 8

// newTable works out what a kind of motes does to tags.
func newTable(k *mote.Kind) (*table, error) {
	chip := k.Board.Chip
	t := &table{kind: k, im: k.Image, ramBase: chip.RAMBase, ramSize: int(chip.RAMSize), retBytes: uint16(chip.Has.ReturnBytes()), brk: -1}
	start, end := t.extent()
	t.floor = end
	t.objects = globals(t.im, start, end)
	if s, ok := t.im.Symbol("__brkval"); ok && s.Space == image.Data {
		t.brk = int(s.Addr) - int(t.ramBase)
	}
	t.io = make([]bool, chip.RAMBase)
	for addr := 0x20; addr < len(t.io); addr++ {
		t.io[addr] = true
	}
	for _, r := range chip.Registers {
		t.io[r.Addr] = false
	}
	c := scan(t.im, k.Program(), len(chip.Vectors)-1)
	t.isCode, t.startup = c.executable(), c.startup
	t.start = make([]uint32, k.Program().Words())
	consts := findConstants(c, t.objects, start, end)
	t.initial = consts.initialised(t.ramBase, t.ramSize)
	b := &compiler{t: t, code: c, k: consts, frames: map[uint32]int{}, io: t.io}
	b.compile()
	t.constants = consts.list
	for i := range t.constants {
		c := &t.constants[i]
		o := find(t.objects, c.v)
		c.start = o != nil && o.named && o.lo == c.v
	}
	for i, n := range t.initial {
		if n != 0 {
			t.initial[i] = tagFirst + n - 1
		}
	}
	slices.Sort(t.at)
	if len(t.constants)+maxPointers+tagFirst > tagMinus {
		return nil, fmt.Errorf("%s has %d address constants, more than the memory checks can follow", t.im.Path, len(t.constants))
	}
	return t, nil
}

// extent is where variables are: from the start of .data to the end of .bss and .noinit.
func (t *table) extent() (start, end uint16) {
	lo, hi := uint32(0xFFFF), uint32(t.ramBase)
	grow := func(from, to uint32) {
		if from >= uint32(t.ramBase) && to <= uint32(t.ramBase)+uint32(t.ramSize) && from <= to {
			lo, hi = min(lo, from), max(hi, to)
		}
	}
	for _, name := range []string{"__data_start", "__data_end", "__bss_start", "__bss_end", "__noinit_start", "__noinit_end", "__heap_start"} {
		if s, ok := t.im.Symbol(name); ok && (s.Space == image.Data || s.Space == image.Absolute) {
			grow(s.Addr, s.Addr)
		}
	}
	for _, s := range t.im.Symbols {
		if s.Space == image.Data && s.Kind == image.Object {
			grow(s.Addr, s.Addr+s.Size)
		}
	}
	return uint16(min(lo, hi)), uint16(hi)
}

// frame is the number of the frame of the function around an instruction, -1 if it keeps no locals in one.
func (b *compiler) frame(pc uint32) int {
	f, ok := b.code.im.FunctionAt(pc * 2)
	if !ok {
		return -1
	}
	key, _ := f.Entry()
	n, known := b.frames[key]
	if !known {
		n = -1
		if fr := frameOf(f); len(fr.locals) > 0 {
			n = len(b.t.frames)
			b.t.frames = append(b.t.frames, fr)
		}
		b.frames[key] = n
	}
	return n
}

// local is the number of the site for a local so far from Y in the function around an instruction, 0 if there is none.
func (b *compiler) local(pc uint32, k uint16) uint16 {
	n := b.frame(pc)
	if n < 0 || find(b.t.frames[n].locals, k) == nil || len(b.t.sites) >= maxSites {
		return 0
	}
	b.t.sites = append(b.t.sites, site{n, k})
	return uint16(len(b.t.sites))
}

// localArray is local for arrays only: what a displaced access through a copy of Y, plus an index, is made for.
func (b *compiler) localArray(pc uint32, k uint16) uint16 {
	n := b.local(pc, k)
	if n == 0 {
		return 0
	}
	if o := find(b.t.frames[b.t.sites[n-1].frame].locals, k); !o.array(k - o.lo) {
		b.t.sites = b.t.sites[:n-1]
		return 0
	}
	return n
}

// marked is a program with the table's steps marked, if it is one of the table's kind.
func (t *table) marked(plain, p *avr.Program) *avr.Program {
	if plain != t.kind.Program() {
		return p
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.over {
		if l.below == p {
			return l.marked
		}
	}
	marked := p.Shadowed(t.at)
	if len(t.over) == maxLayers {
		t.over = append(t.over[:0], t.over[1:]...)
	}
	t.over = append(t.over, layer{p, marked})
	return marked
}
