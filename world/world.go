// Package world runs motes under one clock. Everything uncertain is asked of a Chooser, everything that comes from
// outside is in the Config, and so a run is a function of its Config and Chooser: the same on every machine, however it
// is cut into pieces, snapshot or resumed.
//
// Invariants: a world's state is its motes' states and the counters here; no maps, no goroutines, no wall clock.
// Observers see everything and change nothing.
package world

import (
	"fmt"

	"motehound/mote"
	"motehound/mote/cell"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/world/medium"
)

// Picoseconds per second and per millisecond: the world's unit of time is the picosecond.
const (
	Second      = 1_000_000_000_000
	Millisecond = Second / 1000
	Microsecond = Second / 1_000_000
)

// Config is what a world is made of. It must not change once a world was made of it.
type Config struct {
	Motes   []MoteConfig
	Serial  []Serial
	Sensors []Sensor
	Resets  []Reset
	Net     *medium.Net // who hears whom; nil when nobody does
	Drift   uint32      // crystals are off by a choice of up to this many ppm
	Stagger uint32      // motes are switched on at a choice of up to this many microseconds
}

// MoteConfig is one mote.
type MoteConfig struct {
	Kind *mote.Kind
	ID   uint16
}

// Serial is bytes that reach a mote's USART from outside.
type Serial struct {
	Mote  int
	USART uint8
	At    uint64 // picoseconds since the start
	Bytes []byte
}

// Sensor says what an ADC channel reads from a moment on.
type Sensor struct {
	Mote    int
	Channel uint8
	At      uint64
	Value   uint16
}

// Reset is somebody pressing a mote's reset button, in the order of time.
type Reset struct {
	Mote int
	At   uint64
}

// state is what changes in a world besides its motes.
type state struct {
	Now uint64
}

// moteState is what a world keeps for each mote.
type moteState struct {
	boot     uint64 // when it was switched on
	asked    [numChoiceKinds]uint32
	resets   uint32 // how many of the Config's resets it has had
	sent     uint32
	received uint32
	bytes    uint32 // of the transmission under way
	Pad      uint32
}

// World is motes under one clock.
type World struct {
	cfg     *Config
	choose  Chooser
	motes   []*mote.Mote
	st      state
	per     []moteState
	air     []airState
	lines   []lines
	observe observers
	sched   schedule
	sending []Frame   // by mote: what it sends now, for observers
	due     []airItem // scratch
}

// New makes a world at time 0.
func New(cfg *Config, choose Chooser) (*World, error) {
	if len(cfg.Motes) == 0 {
		return nil, fmt.Errorf("a world needs at least one mote")
	}
	w := &World{cfg: cfg, choose: choose, per: make([]moteState, len(cfg.Motes))}
	w.prepare()
	for i, mc := range cfg.Motes {
		if cfg.Stagger > 0 {
			w.per[i].boot = uint64(w.ask(i, ChoiceBoot, cfg.Stagger+1)) * Microsecond
		}
		w.motes = append(w.motes, mc.Kind.New(mc.ID, w.drift(i), env{w, i}))
	}
	for _, s := range cfg.Serial {
		if s.Mote < 0 || s.Mote >= len(w.motes) {
			return nil, fmt.Errorf("serial input for mote %d, but there are only %d", s.Mote, len(w.motes))
		}
		if int(s.USART) >= w.motes[s.Mote].USARTs() {
			return nil, fmt.Errorf("serial input for USART %d of mote %d, but its %s has only %d",
				s.USART, s.Mote, w.motes[s.Mote].Chip().Name, w.motes[s.Mote].USARTs())
		}
		w.serialIn(s)
	}
	for _, r := range cfg.Resets {
		if r.Mote < 0 || r.Mote >= len(w.motes) {
			return nil, fmt.Errorf("reset of mote %d, but there are only %d", r.Mote, len(w.motes))
		}
	}
	return w, nil
}

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

// prepare makes room for what belongs to each mote.
func (w *World) prepare() {
	n := len(w.cfg.Motes)
	w.air, w.lines, w.sending = make([]airState, n), make([]lines, n), make([]Frame, n)
	w.sched.next, w.sched.promise, w.sched.dirty = make([]uint64, n), make([]uint64, n), make([]bool, n)
}

// ask puts a question to the chooser.
func (w *World) ask(i int, k ChoiceKind, options uint32) uint32 {
	n := &w.per[i].asked[k]
	c := Choice{Kind: k, Mote: i, Number: *n, Options: options}
	*n++
	return w.answer(c)
}

// askWeighted is ask for answers that are not equally likely in nature.
func (w *World) askWeighted(i int, k ChoiceKind, options uint32, weights []uint32) uint32 {
	n := &w.per[i].asked[k]
	c := Choice{Kind: k, Mote: i, Number: *n, Options: options, Weights: weights}
	*n++
	return w.answer(c)
}

func (w *World) answer(c Choice) uint32 {
	a := w.choose.Choose(c)
	if a >= c.Options {
		panic(fmt.Sprintf("BUG: chooser answered %d to a choice of %d options", a, c.Options))
	}
	for _, f := range w.observe.choice {
		f(c, a)
	}
	return a
}

// Motes are the motes, in the order of the Config.
func (w *World) Motes() []*mote.Mote { return w.motes }

// Now is how far the world has got, in picoseconds.
func (w *World) Now() uint64 { return w.st.Now }

// Reset resets a mote now, as its reset button does. It belongs to the run's recipe from then on.
func (w *World) Reset(i int) {
	cfg := *w.cfg
	cfg.Resets = append(cfg.Resets[:len(cfg.Resets):len(cfg.Resets)], Reset{Mote: i, At: w.st.Now})
	w.cfg = &cfg
	w.RunUntil(w.st.Now)
}

// Stopped tells whether no mote can go on by itself.
func (w *World) Stopped() bool {
	for _, m := range w.motes {
		if m.Stopped() == mcu.Running {
			return false
		}
	}
	return true
}

// SerialIn adds bytes that reach a mote's USART from outside, now or later. They belong to the run's recipe from then
// on: see Inputs.
func (w *World) SerialIn(s Serial) {
	s.At = max(s.At, w.st.Now, w.per[s.Mote].boot+w.motes[s.Mote].Time())
	cfg := *w.cfg
	cfg.Serial = append(cfg.Serial[:len(cfg.Serial):len(cfg.Serial)], s)
	w.cfg = &cfg
	w.serialIn(s)
}

func (w *World) serialIn(s Serial) {
	cells := make([]cell.Cell, len(s.Bytes))
	for i, b := range s.Bytes {
		cells[i] = cell.Of(b)
	}
	boot := w.per[s.Mote].boot
	w.motes[s.Mote].SerialIn(s.USART, mote.Input{At: max(s.At, boot) - boot, Bytes: cells})
}

// Config is what the world is made of, with all input that was added on the way.
func (w *World) Config() *Config { return w.cfg }

// Clone makes a second world in the same state. It has no observers.
func (w *World) Clone() *World {
	c := &World{cfg: w.cfg, choose: w.choose, st: w.st, per: append([]moteState(nil), w.per...)}
	c.prepare()
	c.motes = mote.CloneAll(w.motes, func(i int) mote.Env { return env{c, i} })
	for i := range w.motes {
		c.air[i].copyFrom(&w.air[i])
		c.lines[i].copyFrom(&w.lines[i])
	}
	return c
}

// CopyFrom puts the world into the state of another one of the same Config. Observers stay.
func (w *World) CopyFrom(from *World) {
	w.cfg, w.choose, w.st = from.cfg, from.choose, from.st
	copy(w.per, from.per)
	for i, m := range w.motes {
		m.CopyFrom(from.motes[i])
		w.air[i].copyFrom(&from.air[i])
		w.lines[i].copyFrom(&from.lines[i])
	}
}

// Hash identifies the world's state: the same on every machine for the same recipe.
func (w *World) Hash() digest.Sum {
	d := digest.New()
	digest.Struct(&d, &w.st)
	for i, m := range w.motes {
		digest.Struct(&d, &w.per[i])
		w.air[i].appendState(&d)
		w.lines[i].appendState(&d)
		m.AppendState(&d)
	}
	return d.Sum()
}

// env is the world as one of its motes sees it.
type env struct {
	w *World
	i int
}

// Sensor implements mote.Env.
func (e env) Sensor(m *mote.Mote, channel uint8) (uint16, uint32, uint32) {
	now := e.w.per[e.i].boot + m.Time()
	value, known := uint16(0), false
	for _, s := range e.w.cfg.Sensors {
		if s.Mote == e.i && s.Channel == channel && s.At <= now {
			value, known = s.Value, true
		}
	}
	if !known {
		value = uint16(e.w.ask(e.i, ChoiceSensor, 1024))
	}
	return value, 0, 0
}

// Sent implements mote.Env.
func (e env) Sent(_ *mote.Mote, usart uint8, c periph.SerialChar) {
	for _, f := range e.w.observe.serial {
		f(e.i, usart, c)
	}
}

// Pad implements mote.Env.
func (e env) Pad(m *mote.Mote, p periph.Pin, level bool) {
	for _, f := range e.w.observe.pad {
		f(e.i, e.w.per[e.i].boot+m.Time(), p, level)
	}
}

// LED implements mote.Env.
func (e env) LED(m *mote.Mote, led int, on bool) {
	for _, f := range e.w.observe.led {
		f(e.i, e.w.per[e.i].boot+m.Time(), led, on)
	}
}

// Interrupt implements mote.Env.
func (e env) Interrupt(m *mote.Mote, vector uint8) {
	for _, f := range e.w.observe.interrupt {
		f(e.i, m.Cycles(), vector)
	}
}

// Hook implements mote.Env.
func (e env) Hook(m *mote.Mote, pc uint32) bool {
	stop := false
	for _, f := range e.w.observe.code {
		stop = f(e.i, m.Cycles(), pc) || stop
	}
	return stop
}

// Notice implements mote.Env.
func (e env) Notice(m *mote.Mote, n mcu.Note) {
	for _, f := range e.w.observe.notice {
		f(e.i, n)
	}
}
