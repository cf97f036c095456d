package explore

import (
	"slices"

	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/world"
	"motehound/world/scenario"
)

// Resources of footprints: those of a mote, then those of the network. What a mote has besides RAM is two resources: all devices
// together, and its time. Whatever waits, or has to do with a device, writes the time, which conflicts with everything else that the
// mote does. What only computes reads it: two such transitions each make the mote so many cycles older, in either order. So does what
// besides only reads a counter, as long as the counter does not tick meanwhile; and what serves an interrupt, as long as that is not flagged
// again before it is served.
const (
	perMote    = 1 << 20
	devices    = 0x10000
	clock      = 0x10001
	queueHeads = 0x10100 // two for each that is heard: head and tail
	lineQueues = 0x18000
	allBudgets = 0xFFF0_0000
)

func moteResource(i int) uint32       { return uint32(i) * perMote }
func headResource(i, n int) uint32    { return moteResource(i) + queueHeads + 2*uint32(n) }
func tailResource(i, n int) uint32    { return headResource(i, n) + 1 }
func lineResource(i, n int) uint32    { return moteResource(i) + lineQueues + uint32(n) }
func budgetResource(fault int) uint32 { return allBudgets + uint32(fault) }

// tracking is the footprint of a transition while it happens.
type tracking struct {
	foot    *check.Footprint
	base    uint32
	sp      uint16 // where the mote rested: what is below is nobody's
	timely  bool   // it has to do with time
	natural bool   // its mote has interrupts that are served as they come
	whole   bool   // all of the mote is in the footprint already
	began   uint64 // cycle
	slack   uint64 // by how many cycles later it could begin and do the same
	// before, if not nil, is the RAM as it was. What waits for something conflicts with all else that its mote does, whatever it reads
	// and writes; others, if anybody, look at what it has changed. So where many interrupts come meanwhile they are not followed.
	before []uint8
}

// begin starts to follow a transition, if somebody needs to know.
func (s *System) begin(i int, x *seat, o *outlook, e check.Event) *tracking {
	b := s.body
	b.track = nil
	if !s.track || x.amid() || e.Intrudes() {
		return nil // what is interrupted depends on everything
	}
	m := b.w.Motes()[i]
	t := &tracking{foot: new(check.Footprint), base: moteResource(i), sp: m.Core().SP, began: m.Cycles(), slack: check.Whenever,
		natural: s.sh.motes[i].natural != 0}
	_, asleep := m.Asleep()
	switch e.Class {
	case check.Interrupt:
		t.timely = asleep || o.ready>>e.Source&1 == 0
	case check.Task:
		if t.timely = asleep || e.Source == timePasses || e.Pauses() || o.lull; o.lull {
			t.all()
		}
	default:
		t.timely = true
	}
	if s.sh.opt.Skew != 0 {
		t.timely = true
	}
	if e.Class == check.Interrupt && !t.timely {
		again, ok := m.AgainOf(uint8(e.Source))
		t.by(again, ok)
	}
	switch e.Class {
	case check.Frame:
		if e.Source < wireSource {
			n := indexOf(s.sh.motes[i].from, int(e.Source))
			t.foot.Write(headResource(i, n), headResource(i, n)+1)
		} else {
			n := indexOf(s.sh.motes[i].wires, int(e.Source-wireSource))
			t.foot.Write(lineResource(i, n), lineResource(i, n)+1)
		}
	case check.Fault, check.Input:
		t.all()
		if s.lasts(e) {
			for j := range s.seats {
				t.foot.Write(moteResource(j)+clock, moteResource(j)+clock+1)
			}
		}
	}
	if t.timely && t.natural && !t.whole {
		t.before = slices.Clone(m.RAM())
	}
	b.track = t
	return t
}

// all has all of the mote be in the footprint.
func (t *tracking) all() {
	t.foot.Write(t.base, t.base+queueHeads)
	t.whole = true
}

// lasts tells whether an event begins or ends an outage, whose length is told by the clocks of the others. It writes these, since what
// only computes makes its mote older too, and only reads its clock.
func (s *System) lasts(e check.Event) bool {
	if e.Class == check.Input {
		return e.Source == powerSource
	}
	k := s.sh.faults[e.Source].Kind
	return k == world.Outage || k == world.LateBoot
}

func indexOf(list []int, v int) int {
	for i, x := range list {
		if x == v {
			return i
		}
	}
	return -1
}

// follow runs a mote as body.run does, instruction by instruction, and has what each touches noted by those who are not nil. Those that touch nothing are
// executed together.
func follow(m *mote.Mote, until uint64, t *tracking, o *overtaking) {
	c := m.Core()
	for m.Cycles() < until && m.Stopped() == mcu.Running {
		quiet := uint64(0)
		if _, asleep := m.Asleep(); !asleep {
			if quiet = c.Quiet(); quiet == 0 {
				note(m, t, o)
			}
		}
		if paused := m.StepsOn(max(quiet, 1), until); paused || t == nil && o.leaves() {
			return
		}
	}
}

// note notes what the next instruction touches.
func note(m *mote.Mote, t *tracking, o *overtaking) {
	c := m.Core()
	in := c.Coming()
	touch, ok := c.TouchOf(in)
	if ok && t != nil {
		t.touch(m, touch.Addr, touch.Read, touch.Write)
	}
	if ok && o != nil {
		o.touch(c.PC, touch)
	}
	if t != nil {
		t.timely = t.timely || in.Op == avr.OpWdr
	}
}

// touch notes an access.
func (t *tracking) touch(m *mote.Mote, addr uint16, read, write bool) {
	at := t.base + uint32(addr)
	switch {
	case addr < m.Chip().RAMBase:
		t.device(m, addr, write)
	case addr <= t.sp && addr > m.Core().SP:
		// The transition's own stack.
	default:
		if read {
			t.foot.Read(at, at+1)
		}
		if write {
			t.foot.Write(at, at+1)
		}
	}
}

// device notes an access to a register of a device.
func (t *tracking) device(m *mote.Mote, addr uint16, write bool) {
	until, ok := m.Steady(addr)
	if until != periph.Never {
		until -= min(until, m.Cycles()-t.began)
	}
	t.by(until, ok && !write)
}

// response is how many cycles it takes, at most, until an interrupt is served or an instruction has read.
const response = 8

// by notes that the transition has to begin before a cycle, if that is known.
func (t *tracking) by(cycle uint64, known bool) {
	switch {
	case !known:
		t.timely = true
	case cycle != periph.Never:
		t.slack = min(t.slack, cycle-min(cycle, t.began+response))
	}
}

// finish gives the footprint.
func (t *tracking) finish(b *body, m *mote.Mote) *check.Footprint {
	_, asleep := m.Asleep()
	if t.natural {
		// Nor may an interrupt come into it that is served as it comes.
		if next := m.Upcoming(); next != periph.Never {
			t.slack = min(t.slack, next-min(next, m.Cycles()+response))
		}
	}
	if t.timely || asleep {
		t.foot.Write(t.base+devices, t.base+clock+1)
	} else {
		t.foot.Read(t.base+clock, t.base+clock+1)
		t.foot.Takes(t.base+clock, m.Cycles()-t.began, t.slack)
	}
	if t.before != nil {
		t.differences(m)
	}
	b.reads(t.foot)
	return t.foot
}

// differences notes the RAM that has changed.
func (t *tracking) differences(m *mote.Mote) {
	base := t.base + uint32(m.Chip().RAMBase)
	for i, v := range m.RAM() {
		if at := base + uint32(i); v != t.before[i] {
			t.foot.Write(at, at+1)
		}
	}
}

// reads adds what the properties read that were evaluated.
func (b *body) reads(f *check.Footprint) {
	if b.suite == nil {
		return
	}
	var set scenario.ReadSet
	b.suite.ReadSet(&set)
	for _, r := range set.Memory {
		f.Read(moteResource(r.Mote)+r.Lo, moteResource(r.Mote)+r.Hi)
	}
	for _, fact := range set.Facts {
		at := moteResource(max(0, fact.Mote)) + devices
		f.Read(at, at+1)
	}
}
