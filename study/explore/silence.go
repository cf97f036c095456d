package explore

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"

	"motehound/mote"
)

// A mote whose radio hands over single bytes is interrupted for each of them, also while nobody sends: then by zeros (radio.Silence). And
// it sends the same byte again and again while the task that would stop it has to wait. Once such a byte has changed nothing but the
// time, neither will the next ones, as long as nothing else happens. These are passed over. The last byte of a stretch always has its
// interrupt, so that what its handler leaves behind is there: in dead registers, below the stack, in what the checks remember and in a
// footprint.
//
// What a handler has to find in order to change nothing is a habit. Habits are learned where a body looks ahead, and all bodies share
// them. What motes do does not depend on which are known: only how long it takes does.

// habit is how a mote, at rest, takes one of a row of bytes without changing anything: what it has read has these values, and it would
// write what is there already.
type habit struct {
	sends  bool // the bytes are sent, not heard
	data   uint8
	pc     uint32
	sp     uint16
	rampz  uint8
	asleep bool
	regs   uint32 // registers that it reads, as they were
	flags  uint8  // bits of SREG that it reads, likewise
	sreg   uint8
	reg    [32]uint8
	cells  []cellValue // of RAM, and registers of devices that only hold a value
	cycles uint64      // from the moment the byte is there to the next rest, at most
}

// cellValue is a byte of the data space.
type cellValue struct {
	addr  uint16
	value uint8
}

// holds tells whether a mote that rests is in the habit.
func (h *habit) holds(m *mote.Mote, row *mote.Row) bool {
	if h.sends != row.Sends || h.data != row.Data {
		return false
	}
	c := m.Core()
	_, asleep := m.Asleep()
	if c.PC != h.pc || c.SP != h.sp || c.RAMPZ != h.rampz || asleep != h.asleep || c.I != 1 || (c.SREG()^h.sreg)&h.flags != 0 {
		return false
	}
	for set := h.regs; set != 0; set &= set - 1 {
		if r := lowest(uint64(set)); c.R[r] != h.reg[r] {
			return false
		}
	}
	for _, x := range h.cells {
		if m.Peek(x.addr) != x.value {
			return false
		}
	}
	return true
}

// habits are the known ones of motes of one kind, the latest first.
type habits struct {
	known atomic.Pointer[[]*habit]
	mu    sync.Mutex
}

// maxHabits is how many are remembered of a kind. A mote has few at a time.
const maxHabits = 128

// of finds the habit that a mote at rest is in; nil if none is known.
func (k *habits) of(m *mote.Mote, row *mote.Row) *habit {
	list := k.known.Load()
	if list == nil {
		return nil
	}
	for _, h := range *list {
		if h.holds(m, row) {
			return h
		}
	}
	return nil
}

// learn adds a habit.
func (k *habits) learn(h *habit) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var list []*habit
	if old := k.known.Load(); old != nil {
		list = *old
	}
	list = slices.Insert(slices.Clone(list), 0, h)
	list = list[:min(len(list), maxHabits)]
	k.known.Store(&list)
}

// hush passes over bytes that change nothing, as far as they are over by a cycle, but for the last. It gives the cycle at which to ask
// again: something else comes before the next byte.
func (b *body) hush(i int, x *seat, until uint64) uint64 {
	m, info := b.w.Motes()[i], &b.sh.motes[i]
	if b.ear != nil {
		b.ear.rehearsed, b.ear.habit = false, nil
	}
	row, ok := m.Row()
	if _, asleep := m.Asleep(); !ok || asleep == (x.waiting > 0) {
		return until
	}
	if next := m.CycleAt(row.At); row.Until <= next {
		return min(until, max(row.Until, m.Cycles())+1)
	}
	h := info.kind.habits.of(m, &row)
	if b.ear != nil {
		b.ear.expect(m, h, lowest(info.natural), &row)
	}
	if h == nil || b.sh.loud {
		return until
	}
	const spare = 64 // cycles: an event that comes in the middle of a handler must not be passed over
	now := m.Cycles()
	end := m.TimeOf(min(until, row.Until))
	takes := m.TimeOf(now+h.cycles+spare) - m.TimeOf(now)
	if takes < row.Span && row.At+takes < end {
		sent := m.PassRow((end - takes - row.At) / row.Span)
		if b.ear == nil { // nobody asks what is sent in a world that only looks ahead
			b.w.Repeat(i, &sent)
		}
	}
	return until
}

// ear is what a body that looks ahead learns of the interrupts that are served as they come.
type ear struct {
	stirs     uint64 // when one of them first did something that matters, in picoseconds
	work      int    // how many did
	changed   bool   // the last one changed a variable
	rehearsed bool   // the next one was rehearsed
	habit     *habit // that the next one seems to be
	before    []uint8
}

// enough is after how many interrupts that do something a body looks no further ahead.
const enough = 6

// expect works out whether the next interrupt is a habit, known or not. Behind one that changed something it probably is none.
func (e *ear) expect(m *mote.Mote, known *habit, vector int, row *mote.Row) {
	e.habit = known
	if known == nil && !e.changed {
		e.rehearsed, e.habit = true, rehearse(m, vector, row)
	}
}

// listen has a mote serve an interrupt as it comes, and notes whether that did something: which must not depend on what is known already.
func (b *body) listen(i int, x *seat, vector int) {
	m, e := b.w.Motes()[i], b.ear
	low, high := m.Variables()
	e.before = append(append(e.before[:0], low...), high...)
	waiting, now := x.waiting, m.Time()
	b.deliver(i, x, vector)
	low, high = m.Variables()
	e.changed = x.waiting != waiting || !bytes.Equal(e.before[:len(low)], low) || !bytes.Equal(e.before[len(low):], high)
	switch {
	case e.changed || e.rehearsed && e.habit == nil:
		e.work++
		e.stirs = min(e.stirs, now)
	case e.rehearsed:
		b.sh.motes[i].kind.habits.learn(e.habit)
	}
	e.rehearsed, e.habit = false, nil
}
