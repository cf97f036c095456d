package travel

import (
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/world"
)

// film is the snapshots of a timed run, from its start to as far as anybody has been, with what was written between them. When they become too
// many, every second one goes, and the next ones are further apart. They are as far apart as it takes to run from one to the next, by instructions: a
// busy minute has more of them than a quiet one.
type film struct {
	head   *world.World // as far as it has got; somebody watches it
	log    *world.Log
	frames []frame
	ram    [][]uint8 // by mote: as it was at the last snapshot
	done   uint64    // how many instructions there had been at the last snapshot
	apart  uint64    // how many instructions two snapshots are apart
	most   int       // how many there may be
	then   func()    // see Attend; nil for nobody
}

// frame is a snapshot.
type frame struct {
	at *world.World
	// wrote has a bit for each byte of each mote's data space that may have been written until the next snapshot: by a store, or as a part of the stack, or
	// because it has another value. Changed has one for those that may have got another value.
	wrote, changed [][]uint64
}

// Two snapshots are at least this far apart, in time and in instructions, and there may be at least this many.
const (
	shortestApart = 10 * world.Millisecond
	fewestApart   = 10_000
	fewestFrames  = 16
)

func newFilm(w *world.World, memory int) *film {
	size := 0
	for _, m := range w.Motes() {
		size += len(m.RAM())*10/8 + moteBytes
	}
	f := &film{head: w.Clone(), ram: make([][]uint8, len(w.Motes())), apart: fewestApart, most: max(memory/size, fewestFrames)}
	f.log = f.head.Observe(world.Observer{
		Code:   func(i int, _ uint64, _ uint32) bool { f.full(i); return false },
		CodeAt: func(*mote.Kind) []uint32 { return nil },
		DataAt: storesOf,
	})
	f.keep()
	return f
}

// moteBytes is about what a mote's state takes besides its RAM: registers, devices, radio, and pages of flash that have changed. Snapshots share most of it.
const moteBytes = 8 << 10

// storesOf are the stores of a program.
func storesOf(k *mote.Kind) (list []uint32) {
	p := k.Program()
	for pc := range p.Words() {
		if a := p.At(pc).Access(); a.Writes && a.Space == avr.DataMemory {
			list = append(list, pc)
		}
	}
	return list
}

// full takes over what a mote has stored: its log is full, or it stores to something that no log is kept of.
func (f *film) full(i int) {
	m := f.head.Motes()[i]
	f.take(i)
	if t, values, ok := access(m); ok && t.writes {
		f.mark(i, t.from, values[0] != m.Peek(t.from))
	}
}

// settle notes what motes wrote by other means than stores.
func (f *film) settle() {
	for i, m := range f.head.Motes() {
		f.take(i)
		base, ram := m.Core().RAMBase, m.RAM()
		stack := max(int(m.Core().SP)-stackMargin-int(base), 0)
		for n, v := range ram {
			if v != f.ram[i][n] || n >= stack {
				f.mark(i, base+uint16(n), true)
			}
		}
	}
}

// stackMargin is how far a stack may grow beyond where it is at the end of a stretch.
const stackMargin = 512

func (f *film) take(i int) {
	for _, x := range f.log.Moved(i) {
		if x.Store {
			f.mark(i, x.Addr, x.New != x.Old)
		}
	}
}

func (f *film) mark(i int, addr uint16, changes bool) {
	x := &f.frames[len(f.frames)-1]
	if int(addr/64) >= len(x.wrote[i]) {
		return
	}
	x.wrote[i][addr/64] |= 1 << (addr % 64)
	if changes {
		x.changed[i][addr/64] |= 1 << (addr % 64)
	}
}

// keep takes a snapshot of how far it is.
func (f *film) keep() {
	x := frame{at: f.head.Clone()}
	for i, m := range f.head.Motes() {
		words := (int(m.Core().RAMBase)+len(m.RAM()))/64 + 1
		x.wrote, x.changed = append(x.wrote, make([]uint64, words)), append(x.changed, make([]uint64, words))
		f.ram[i] = append(f.ram[i][:0], m.RAM()...)
	}
	f.frames, f.done = append(f.frames, x), f.instructions()
	if len(f.frames) > f.most {
		f.thin()
	}
}

// thin lets every second snapshot go.
func (f *film) thin() {
	kept := f.frames[:0]
	for i, x := range f.frames {
		if i%2 == 0 {
			kept = append(kept, x)
			continue
		}
		into := kept[len(kept)-1]
		for m := range into.wrote {
			for n := range into.wrote[m] {
				into.wrote[m][n] |= x.wrote[m][n]
				into.changed[m][n] |= x.changed[m][n]
			}
		}
		x.at.Release()
	}
	clear(f.frames[len(kept):])
	f.frames = kept
	f.apart *= 2
}

// reach has the film go on up to a moment.
func (f *film) reach(ps uint64, stop func() bool) error {
	if f.head.Now() >= ps {
		return nil
	}
	defer f.settle()
	for f.head.Now() < ps {
		next := (f.head.Now()/shortestApart + 1) * shortestApart
		if !f.head.RunUnless(stop, min(ps, next)) {
			return ErrInterrupted
		}
		if f.head.Now() < next {
			return nil
		}
		if f.then != nil {
			f.then()
		}
		if f.instructions()-f.done >= f.apart {
			f.settle()
			f.keep()
		}
	}
	return nil
}

// instructions is how many all motes have executed.
func (f *film) instructions() (n uint64) {
	for _, m := range f.head.Motes() {
		n += m.Core().Instructions
	}
	return n
}

// before is the last snapshot that is not behind a moment.
func (f *film) before(ps uint64) *world.World { return f.frames[f.index(ps)].at }

// index is the number of that snapshot.
func (f *film) index(ps uint64) int {
	low, high := 0, len(f.frames)
	for high-low > 1 {
		if mid := (low + high) / 2; f.frames[mid].at.Now() <= ps {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// unwritten goes back over the stretches in which nobody wrote to some bytes: to the end of the last one before the moment in which somebody did, or
// the moment itself.
func (f *film) unwritten(ps uint64, r Range, changed bool) uint64 {
	for i := f.index(max(ps, 1) - 1); i >= 0; i-- {
		x := &f.frames[i]
		set := x.wrote[r.Mote]
		if changed {
			set = x.changed[r.Mote]
		}
		if holdsSome(set, r) {
			break
		}
		ps = x.at.Now()
	}
	return ps
}

// holdsSome reports whether a set of addresses has one of some bytes.
func holdsSome(set []uint64, r Range) bool {
	for n := range r.Bytes {
		if a := r.Addr + n; int(a/64) < len(set) && set[a/64]>>(a%64)&1 != 0 {
			return true
		}
	}
	return false
}
