// Package lifecycle watches the motes of a running world through the profiles of their kernels, and reports interrupts,
// posts and tasks as lifecycle items.
//
// A mote's kernel is followed once, whoever wants to know: a Recorder that comes later joins the one that is there, unless somebody has
// described the kernel in another way.
//
// Invariants: observing changes nothing in the world; the items of one mote come in the order of their cycles, those of
// different motes in the order in which the world happened to run them; the state of a Recorder is plain data, which can be
// saved and restored together with the world's state.
package lifecycle

import (
	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/world"
)

// Sink gets what happens at one moment: a mote serves an interrupt, or it is before an instruction that its kernel's profile has a hook
// at. Mote is the index in the world, pc a word address, or served. There may be no items; then a Sink that keeps something has to be an Observer with Kept, too.
// Items are good until the Sink returns.
type Sink func(mote int, cycle uint64, pc uint32, items []kernel.Item)

// served is the pc of a Sink when an interrupt is served.
const served = ^uint32(0)

// Recorder watches motes of a world.
type Recorder struct {
	Watches []*kernel.Watch // by mote; nil for those that are not wanted
}

// followers are what follows the motes of a world.
type followers struct{ list []*follower }

// follower follows some motes.
type follower struct {
	watches []*kernel.Watch // by mote; nil for those that another one follows, or nobody
	sinks   [][]Sink        // by mote
	told    []uint64        // by mote: how many items there were
}

// Record has sink called with every item of every mote, from now on: best from the world's start, for a Recorder believes
// that no handler and no task is active. Mote is the index in the world. Each firmware's kernel is found by kernel.Detect.
func Record(w *world.World, sink func(mote int, it kernel.Item)) (*Recorder, error) {
	return RecordSome(w, nil, nil, sink)
}

// RecordSome is Record for motes whose kernel may be described, and only for those that are wanted; nil means all.
func RecordSome(w *world.World, d kernel.Descriptions, wanted func(mote int) bool, sink func(mote int, it kernel.Item)) (*Recorder, error) {
	profiles, err := profilesOf(w, d, wanted)
	if err != nil {
		return nil, err
	}
	return follow(w, profiles, sink), nil
}

// profilesOf are the profiles of the motes that are wanted.
func profilesOf(w *world.World, d kernel.Descriptions, wanted func(mote int) bool) ([]*kernel.Profile, error) {
	profiles := make([]*kernel.Profile, len(w.Motes()))
	known := map[*mote.Kind]*kernel.Profile{}
	for i, m := range w.Motes() {
		if wanted != nil && !wanted(i) {
			continue
		}
		if known[m.Kind] == nil {
			p, err := d.Profile(m.Kind.Image, m.Kind.Program())
			if err != nil {
				return nil, err
			}
			known[m.Kind] = p
		}
		profiles[i] = known[m.Kind]
	}
	return profiles, nil
}

// RecordRounds is RecordSome with the rounds of main programs that have no kernel.
func RecordRounds(w *world.World, d kernel.Descriptions, wanted func(mote int) bool, sink func(mote int, it kernel.Item)) (*Recorder, error) {
	profiles, err := profilesOf(w, d, wanted)
	if err != nil {
		return nil, err
	}
	rounds := map[*kernel.Profile]*kernel.Profile{}
	for i, p := range profiles {
		if p == nil {
			continue
		}
		if rounds[p] == nil {
			rounds[p] = p.Rounds()
		}
		profiles[i] = rounds[p]
		w.Motes()[i].CountWrites()
	}
	return follow(w, profiles, sink), nil
}

// follow is Follow for one item after the other.
func follow(w *world.World, profiles []*kernel.Profile, sink func(mote int, it kernel.Item)) *Recorder {
	return Follow(w, profiles, func(i int, _ uint64, _ uint32, items []kernel.Item) {
		for _, it := range items {
			sink(i, it)
		}
	})
}

// Follow has sink called with all that happens in the kernels of motes, by their profiles; nil for motes that are not wanted.
func Follow(w *world.World, profiles []*kernel.Profile, sink Sink) *Recorder {
	all := world.Shared(w, func() *followers { return new(followers) })
	r := &Recorder{Watches: make([]*kernel.Watch, len(profiles))}
	mine := &follower{watches: make([]*kernel.Watch, len(profiles)), sinks: make([][]Sink, len(profiles)), told: make([]uint64, len(profiles))}
	begins := false
	for i, p := range profiles {
		if p == nil {
			continue
		}
		f := all.of(i, p)
		if f == nil {
			f, begins = mine, true
			f.watches[i] = p.Watch(cpu{w.Motes()[i]})
		}
		r.Watches[i], f.sinks[i] = f.watches[i], append(f.sinks[i], sink)
	}
	if begins {
		all.list = append(all.list, mine)
		mine.begin(w)
	}
	return r
}

// of is who follows a mote by a profile.
func (x *followers) of(mote int, p *kernel.Profile) *follower {
	for _, f := range x.list {
		if w := f.watches[mote]; w != nil && w.Profile().Same(p) {
			return f
		}
	}
	return nil
}

// begin looks at the world.
func (f *follower) begin(w *world.World) {
	w.Observe(world.Observer{
		Interrupt: func(i int, cycle uint64, vector uint8) {
			if f.watches[i] != nil {
				f.tell(i, cycle, served, f.watches[i].Interrupt(cycle, vector))
			}
		},
		Code: func(i int, cycle uint64, pc uint32) bool {
			if f.watches[i] != nil {
				f.tell(i, cycle, pc, f.watches[i].At(cycle, pc))
			}
			return false
		},
		Kept: func(i int, d *digest.Digest) {
			if w := f.watches[i]; w != nil {
				digest.Struct(d, &w.Tracker)
				d.Word(f.told[i])
			}
		},
		CodeAt: func(k *mote.Kind) []uint32 {
			for i, m := range w.Motes() {
				if m.Kind == k && f.watches[i] != nil {
					return f.watches[i].Profile().Hooks()
				}
			}
			return nil // no mote of this kind is wanted
		},
	})
}

func (f *follower) tell(mote int, cycle uint64, pc uint32, items []kernel.Item) {
	for _, it := range items {
		if it.Kind != kernel.Round || it.Arg != kernel.Idle {
			f.told[mote]++ // of what is not the same again and again
		}
	}
	for _, sink := range f.sinks[mote] {
		sink(mote, cycle, pc, items)
	}
}

// Profile is the kernel of a mote that is wanted, which names its tasks.
func (r *Recorder) Profile(mote int) *kernel.Profile { return r.Watches[mote].Profile() }

// cpu is a mote as a kernel.Watch looks at it.
type cpu struct{ m *mote.Mote }

func (c cpu) Reg(n int) uint8        { return c.m.Core().R[n] }
func (c cpu) SP() uint16             { return c.m.Core().SP }
func (c cpu) Peek(addr uint16) uint8 { return c.m.Peek(addr) }

// Sum implements kernel.CPU.
func (c cpu) Sum(registers uint32) uint64 {
	low, high := c.m.Variables()
	sum := sumOf(low, 0) + sumOf(high, int(c.m.Chip().RAMSize)-len(high)) + term(ofWrites, c.m.Written())
	for r, v := range c.m.Core().R {
		if registers>>r&1 != 0 {
			sum += term(ofRegisters+r, uint64(v))
		}
	}
	c.m.Ports(func(port int, value, direction uint8) { sum += term(ofPorts+port, uint64(value)|uint64(direction)<<8) })
	return sum
}

// Where terms of a Sum are that are not in SRAM.
const (
	ofRegisters = 1<<20 + 32*iota
	ofPorts
	ofWrites
)

// sumOf is the sum over bytes that begin at an offset.
func sumOf(list []uint8, at int) (sum uint64) {
	for len(list) > 0 {
		n := min(8-at%8, len(list))
		v := uint64(0)
		for i, b := range list[:n] {
			v |= uint64(b) << (8 * ((at + i) % 8))
		}
		if v != 0 {
			sum += term(at/8, v)
		}
		list, at = list[n:], at+n
	}
	return sum
}

// term mixes a value with its place.
func term(at int, v uint64) uint64 {
	x := v ^ uint64(at+1)*0x9E37_79B9_7F4A_7C15
	x = (x ^ x>>32) * 0xD6E8_FEB8_6659_FD93
	return x ^ x>>32
}
