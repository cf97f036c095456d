package world

import (
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/mote/radio"
)

// Observer is told what happens in a world. Every field may be nil: what nobody asks for costs nothing. Times are in
// picoseconds since the world's start, cycles in the mote's own.
type Observer struct {
	// Serial: a mote's USART has sent a character.
	Serial func(mote int, usart uint8, c periph.SerialChar)
	// LED: a light of a mote's board went on or off.
	LED func(mote int, ps uint64, led int, on bool)
	// Pad: a pad of a mote's chip changed its level.
	Pad func(mote int, ps uint64, p periph.Pin, level bool)
	// Interrupt: a mote serves a vector (the datasheet's number); its cycle counter is at the handler's first instruction.
	Interrupt func(mote int, cycle uint64, vector uint8)
	// Code: a mote is before one of the instructions in CodeAt. True stops the mote there; Mote.Resume lets it go on.
	Code func(mote int, cycle uint64, pc uint32) bool
	// CodeAt are the word addresses that Code is called for, in motes of a kind.
	CodeAt func(k *mote.Kind) []uint32
	// Kept, if not nil, feeds all that Code and Interrupt keep of a mote to a digest, except for what is kept of the last time only. While a mote waits in
	// a loop that leaves it the same, Code is called in the last iteration of many.
	Kept func(mote int, d *digest.Digest)
	// PointsAt are word addresses, in motes of a kind, that Log.Passed will tell of, and DataAt those of loads and stores that
	// Log.Moved will. Code is called where they cannot.
	PointsAt func(k *mote.Kind) []uint32
	DataAt   func(k *mote.Kind) []uint32
	// LogOf says whose logs will be read; nil for those of all motes.
	LogOf func(mote int) bool
	// BlocksAt are the word addresses whose execution is counted, in motes of a kind: see World.Counts. All who count in motes of a kind
	// have the same blocks, and share one count: observe/counters has a count of its own for each of them.
	BlocksAt func(k *mote.Kind) []uint32
	// Notice: something that a user should know, once for each mote and thing.
	Notice func(mote int, n mcu.Note)
	// Frame: a mote's transmission has ended, or its end is certain. Frames of different motes may come out of order, by
	// less than a millisecond.
	Frame func(f Frame)
	// Heard: a mote's radio has heard a transmission from its first byte to its end, which is now. The sender is -1 for a frame that is no mote's.
	Heard func(mote int, ps uint64, sender int)
	// Draws: a mote's radio takes power for something else, from now on.
	Draws func(mote int, ps uint64, d radio.Draw)
	// Choice: the world asked, and was answered.
	Choice func(c Choice, answer uint32)
}

type observers struct {
	some      bool // there is one
	serial    []func(int, uint8, periph.SerialChar)
	led       []func(int, uint64, int, bool)
	pad       []func(int, uint64, periph.Pin, bool)
	interrupt []func(int, uint64, uint8)
	watched   []*watchedKind
	of        []*watchedKind // by mote
	notice    []func(int, mcu.Note)
	choice    []func(Choice, uint32)
	frame     []func(Frame)
	heard     []func(int, uint64, int)
	draws     []func(int, uint64, radio.Draw)
	kept      []func(int, *digest.Digest)
	shared    []any
}

// nobody is the observers of a world that has none. It is never changed.
var nobody observers

// Observe adds an observer, and gives what it reads its logs by.
func (w *World) Observe(o Observer) *Log {
	w.wake()
	if w.observe == &nobody {
		w.observe = &observers{some: true, of: make([]*watchedKind, len(w.motes))}
	}
	w.observe.serial = appendIf(w.observe.serial, o.Serial, o.Serial != nil)
	w.observe.led = appendIf(w.observe.led, o.LED, o.LED != nil)
	w.observe.pad = appendIf(w.observe.pad, o.Pad, o.Pad != nil)
	w.observe.interrupt = appendIf(w.observe.interrupt, o.Interrupt, o.Interrupt != nil)
	w.observe.notice = appendIf(w.observe.notice, o.Notice, o.Notice != nil)
	w.observe.choice = appendIf(w.observe.choice, o.Choice, o.Choice != nil)
	w.observe.frame = appendIf(w.observe.frame, o.Frame, o.Frame != nil)
	w.observe.heard = appendIf(w.observe.heard, o.Heard, o.Heard != nil)
	w.observe.draws = appendIf(w.observe.draws, o.Draws, o.Draws != nil)
	w.observe.kept = appendIf(w.observe.kept, o.Kept, o.Kept != nil)
	for _, m := range w.motes {
		if o.Code != nil || o.BlocksAt != nil {
			w.watchedKind(m.Kind)
		}
	}
	log := newLog(w, o.LogOf)
	for _, k := range w.observe.watched {
		k.add(&o, log)
	}
	for i := range w.motes {
		w.watch(i)
	}
	return log
}

// Shared is something that all observers of a world have in common, of which there is one of its type: what make gives for the first of them.
func Shared[T any](w *World, make func() T) T {
	for _, x := range w.observe.shared {
		if t, ok := x.(T); ok {
			return t
		}
	}
	w.Observe(Observer{}) // there may be no list yet
	t := make()
	w.observe.shared = append(w.observe.shared, t)
	return t
}

// watch tells a mote what its observers want, and the world itself.
func (w *World) watch(i int) {
	m := w.motes[i]
	var want mote.Watching
	if len(w.observe.pad) > 0 {
		want |= mote.WatchPads
	}
	if len(w.observe.interrupt) > 0 {
		want |= mote.WatchInterrupts
	}
	if len(w.observe.draws) > 0 {
		want |= mote.WatchRadio
	}
	m.Watch(want)
	if len(w.observe.watched) > 0 {
		k := w.watchedKind(m.Kind)
		w.observe.of[i] = k
		m.WatchCode(k.watch, k.code)
	} else if len(w.plan.vars[i]) > 0 {
		s := w.plan.start(m.Kind)
		m.WatchCode(mcu.Watch{At: []uint32{s.main}}, s.code)
	}
}

func appendIf[F any](list []F, f F, ok bool) []F {
	if ok {
		return append(list, f)
	}
	return list
}

// Counts is how often each of a mote's counted blocks was entered, in the order of BlocksAt. It changes as the mote runs; who counts
// may clear it.
func (w *World) Counts(i int) *avr.Counts { return &w.motes[i].Core().Counts }
