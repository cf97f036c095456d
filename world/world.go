// Package world runs motes under one clock. A Chooser decides everything uncertain, and everything that comes from outside is in the
// Config. So a run depends only on its Config and Chooser: it is the same on every machine, however it is cut into pieces, snapshot or
// resumed.
//
// Invariants: a world's state is its motes' states and the counters here; no maps, no goroutines, no wall clock. Observers see
// everything and change nothing.
package world

import (
	"fmt"
	"slices"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/world/medium"
	"motehound/world/reception"
)

// MaxMotes is how many motes a world may have, wherever it is described.
const MaxMotes = 10_000

// Picoseconds per second and per millisecond: the world's unit of time is the picosecond.
const (
	Second      = 1_000_000_000_000
	Millisecond = Second / 1000
	Microsecond = Second / 1_000_000
)

// state is what changes in a world besides its motes.
type state struct {
	Now uint64
}

// moteState is what a world keeps for each mote.
type moteState struct {
	boot     uint64 // when it was first switched on
	onAt     uint64 // when it is switched on again, while an outage that a choice made lasts; Never otherwise
	asked    [NumChoiceKinds]uint32
	acts     uint32 // how many of its plan's acts it has had
	sent     uint32
	received uint32
	bytes    uint32 // of the transmission under way
	started  uint32 // the reset after which its variables were set
	off      bool   // without power
	strike   uint8  // what befalls it as soon as its instruction has ended: an option of ChoiceFault
	Pad      [2]uint8
}

// seat is all that a world has for one mote.
type seat struct {
	moteState
	readings readings
	air      airState
	lines    reception.Lines
	frames   reception.Frames // if there are Edits
	rest     mote.Rest        // the mote's state while the world rests
	*body                     // the mote itself while it does not
}

// body is a mote that can run. All here is derived from the state, or is none of it.
type body struct {
	sending Frame // what it sends now, for observers
	env     env
	room    mote.Room
}

// World is motes under one clock.
type World struct {
	cfg     *Config
	owns    bool // the room behind the serial input of cfg: nobody else adds to it there
	pool    *pool
	plan    *plan
	choose  Chooser
	motes   []*mote.Mote
	st      state
	per     []seat
	used    []uint32 // by fault: how much of its budget
	observe *observers
	sched   schedule
	turns   turns
	guided  bool      // see Guide
	packets []*Packet // that were sent since Packets was last asked
	chars   []Char    // likewise, on wires
}

// New makes a world at time 0.
func New(cfg *Config, choose Chooser) (*World, error) {
	if len(cfg.Motes) == 0 {
		return nil, fmt.Errorf("a world needs at least one mote")
	}
	p, err := newPlan(cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Net == nil && len(cfg.Faults) > 0 {
		alone := *cfg // faults are taken in turns, which is a matter of networks
		if alone.Net, err = medium.New(len(cfg.Motes), nil); err != nil {
			return nil, err
		}
		cfg = &alone
	}
	w := &World{pool: new(pool), per: make([]seat, len(cfg.Motes)), observe: &nobody, cfg: cfg, plan: p, choose: choose, used: make([]uint32, len(cfg.Faults))}
	w.prepare()
	for i, mc := range cfg.Motes {
		w.per[i].onAt = medium.Never
		w.per[i].boot = w.bootTime(i)
		s := &w.per[i]
		w.motes[i] = mc.Kind.NewIn(&s.room, mc.ID, int64(mc.Drift)+w.drift(i), &s.env)
		w.watch(i)
	}
	for _, s := range cfg.Serial {
		if int(s.USART) >= w.motes[s.Mote].USARTs() {
			return nil, fmt.Errorf("serial input for USART %d of mote %d, but its %s has only %d",
				s.USART, w.motes[s.Mote].ID(), w.motes[s.Mote].Chip().Name, w.motes[s.Mote].USARTs())
		}
		w.serialIn(s)
	}
	return w, nil
}

// TimeOf is the moment of a mote's cycle since the world's start, if its clock rate has not changed since.
func (w *World) TimeOf(mote int, cycle uint64) uint64 {
	return w.per[mote].boot + w.motes[mote].TimeOf(cycle)
}

// bootTime is when a mote is switched on.
func (w *World) bootTime(i int) uint64 {
	mc := &w.cfg.Motes[i]
	at := mc.BootFrom
	if span := (max(mc.BootUntil, at)-at)/Microsecond + uint64(w.cfg.Stagger); span > 0 {
		at += uint64(w.ask(i, ChoiceBoot, uint32(span+1))) * Microsecond
	}
	if f := w.open(LateBoot, i, at); f >= 0 && w.askFault(i, 1<<FaultLate) == FaultLate {
		w.used[f]++
		at += uint64(w.ask(i, ChoiceBoot, uint32(w.cfg.Faults[f].Span/Microsecond))+1) * Microsecond
	}
	return at
}

// drift is what a mote's crystal is off by choice.
func (w *World) drift(i int) int64 {
	if w.cfg.Drift == 0 {
		return 0
	}
	a := int64(w.ask(i, ChoiceDrift, 2*w.cfg.Drift+1))
	if a%2 == 1 {
		return (a + 1) / 2
	}
	return -a / 2
}

// prepare makes room for motes that can run.
func (w *World) prepare() {
	n := len(w.per)
	bodies := make([]body, n)
	for i := range bodies {
		bodies[i].env = env{w, i}
		w.per[i].body = &bodies[i]
	}
	w.motes = make([]*mote.Mote, n)
	times := make([]uint64, 3*n)
	w.sched.next, w.sched.promise = times[:n], times[n:2*n]
	for i := range w.sched.promise {
		w.stale(i)
	}
	w.turns = newTurns(times[2*n:], w.plan.shared)
}

// Motes are the motes, in the order of the Config.
func (w *World) Motes() []*mote.Mote {
	w.wake()
	return w.motes
}

// Now is how far the world has got, in picoseconds.
func (w *World) Now() uint64 { return w.st.Now }

// Reset resets a mote now, as its reset button does. It belongs to the run's recipe from then on.
func (w *World) Reset(i int) {
	cfg := *w.cfg
	r := Reset{Mote: i, At: w.st.Now}
	cfg.Resets = append(cfg.Resets[:len(cfg.Resets):len(cfg.Resets)], r)
	w.cfg, w.plan = &cfg, w.plan.withReset(r)
	w.RunUntil(w.st.Now)
}

// Stopped reports whether no mote can go on, neither by itself nor by what the Config has in store for it.
func (w *World) Stopped() bool {
	w.wake()
	for i, m := range w.motes {
		if _, more := w.nextAct(i); more || m.Stopped() == mcu.Running {
			return false
		}
	}
	return true
}

// Alive reports whether a mote has power now, and its CPU has not stopped for good.
func (w *World) Alive(i int) bool {
	w.wake()
	return w.per[i].boot <= w.st.Now && w.motes[i].Stopped() == mcu.Running
}

// SerialIn adds bytes that reach a mote's USART from outside, now or later. They belong to the run's recipe from then
// on: see Inputs.
func (w *World) SerialIn(s Serial) {
	w.wake()
	s.At = max(s.At, w.st.Now, w.per[s.Mote].boot+w.motes[s.Mote].Time())
	cfg := *w.cfg
	if !w.owns { // another world, or whoever made the Config, may add to it too
		cfg.Serial = slices.Clip(cfg.Serial)
		w.owns = true
	}
	cfg.Serial = append(cfg.Serial, s)
	w.cfg = &cfg
	w.serialIn(s)
}

func (w *World) serialIn(s Serial) {
	cells := make([]cell.Cell, len(s.Bytes))
	for i, b := range s.Bytes {
		cells[i] = cell.Of(b)
	}
	boot := w.per[s.Mote].boot
	w.motes[s.Mote].SerialIn(s.USART, mote.Input{At: max(s.At, boot) - boot, BitTime: s.BitTime(), Bytes: cells})
}

// Config is what the world is made of, with all input that was added on the way.
func (w *World) Config() *Config { return w.cfg }

// Hash identifies the world's state: the same on every machine for the same recipe.
func (w *World) Hash() digest.Sum {
	w.wake()
	d := digest.New()
	digest.Struct(&d, &w.st)
	for _, n := range w.used {
		d.Word(uint64(n))
	}
	for i, m := range w.motes {
		digest.Struct(&d, &w.per[i].moteState)
		w.per[i].air.Append(&d, 0)
		w.per[i].lines.Append(&d)
		w.per[i].frames.Append(&d)
		m.AppendState(&d)
	}
	return d.Sum()
}
