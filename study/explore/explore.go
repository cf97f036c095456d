// Package explore lets the motes of a network handle one event after the other, in any order that their hardware allows. It is the
// System that package check walks through and searches. The motes run unchanged firmware, on the emulator.
//
// A mote rests when its CPU sleeps, or when a handler or task has ended while another task waits. From there it handles one event at a
// time, and each is one transition: an interrupt is served and its handler runs to its end; the kernel runs the task that waits; a
// frame from another mote arrives, or is lost; a byte comes in on a serial line; a fault happens. After a handler or task the mote
// continues to where it rests again.
//
// Interrupt flags are set at their time, by the mote's own clock. Only when their interrupts are served is a choice: at once, or after
// others that came later. A mote's clock may not pass the moment at which a waiting timer flag would be set again, so no tick is ever
// lost. Inside a transition time passes normally, so code that polls a device works. Motes have no common clock: a frame arrives when it
// is chosen, after it was sent; the order on one link is kept.
//
// Interrupts may come in the middle of tasks, handlers and main programs (preempt.go), and what they destroy there is found (race.go). A main
// program without a kernel goes round and round (mainloop.go). Where a radio delivers single bytes, a frame is still one event, but walks also let tasks run
// while one arrives (arriving.go).
//
// Not explored: interrupts in the loop of a kernel between its tasks, collisions on the air, sensor
// readings that the scenario does not mention, which are always 512, and noise. A radio that delivers single bytes hears zeros while no
// mote sends, and bytes that change nothing are skipped (silence.go).
//
// Invariants: what a transition does depends only on the state and the event. A System is used by one goroutine at a time; what
// systems share is immutable, or locked.
package explore

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"motehound/firmware/kernel"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/study/check"
	"motehound/study/property"
	"motehound/study/property/wait"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/medium"
)

// Options say how to explore.
type Options struct {
	Kernels kernel.Descriptions // those that are not among the known ones
	// Skew, if not 0, is by how much a mote may do something too early: an event may come before another one of the same mote only
	// if its natural time is at most so many picoseconds later.
	Skew uint64
	// AnyOrder says that things may wait as long as they like: see Overdue.
	AnyOrder bool
	// Preempt is how many interrupts of a run may come in the middle of something.
	Preempt int
	// Inputs says that inputs are made up: walks are guided by code and values, not by the order of events.
	Inputs bool
	// Benign names variables whose races are not told.
	Benign []string
	// Plan is what is checked; nil for nothing.
	Plan *property.Prepared
	// Stop, if not nil, tells that nobody waits any more: New ends with verdict.ErrInterrupted then.
	Stop func() bool
}

// UsualPreempt is how many interrupts of a run may come in the middle of something, if nothing is said.
const UsualPreempt = 2

// shared is what all clones of a System have in common.
type shared struct {
	opt     Options
	cfg     *world.Config // without what the explorer itself brings about
	faults  world.Faults
	kinds   []kind
	motes   []moteInfo
	version atomic.Uint64
	offered []atomic.Bool // by fault: it was possible somewhere
	crowded atomic.Bool   // not all preemptions were tried somewhere: there are too many
	cut     atomic.Bool   // somewhere the bytes of a frame were not tried in a task
	loud    bool          // nothing is passed over: see silence.go. For tests

	benign []benign // variables whose races are not told
	spared []bool   // which of them have some; locked by mu

	sections []Section     // that are run with interrupts off
	waited   atomic.Uint64 // the most cycles of one

	made madeFrames

	mu   sync.Mutex
	free []*body
}

// kind is what is known of the motes with one firmware on one board.
type kind struct {
	kind     *mote.Kind
	profile  *kernel.Profile
	habits   *habits
	nests    uint64 // vectors whose handlers may allow interrupts
	ports    uint64 // devices that are ports
	spi      uint64 // the device that is the SPI
	adc      uint64 // and the ADC
	scalars  *scalars
	outlets  []string // by address: registers through which bytes get outside
	latches  []latch
	settings []setting
	temps    []temp
	loop     mainLoop
	end      uint32 // what is repeated once main has returned: see endOf
	waits    *wait.Loops

	counters [][]uint16 // by vector, as in countersOf
	stores   []store
	id       uint64          // tells kinds apart
	blocks   []uint32        // where the blocks of its code begin
	reached  []atomic.Uint64 // a bit for each that somebody who scouts has seen run
	flags    *flags

	arrays     []uint16 // by byte of the variables, as in arraysOf
	arrayNames []string
	fillers    uint64   // vectors whose handlers may store in them
	readers    uint64   // and those whose handlers may read them
	streamed   []uint32 // where the variables begin that the interrupt for a byte of the radio touches
	sleeps     bool     // its main program goes to sleep
}

// moteInfo is what is known of a mote.
type moteInfo struct {
	kind    *kind
	guard   uint64 // vectors that are served by choice
	natural uint64 // those that are served when they come
	pins    uint64 // those that a radio's pins cause
	from    []int  // motes that it hears
	wires   []int  // wires that lead to it
	frail   bool   // some fault may befall it
	timed   uint64 // from this moment on, by its clock, nothing depends on what time it is
	serial  []world.Serial
	acts    []act
}

// act is something that a scenario has happen to a mote.
type act struct {
	at    uint64
	kind  world.EventKind
	reset bool
	set   world.Variable
	pin   periph.Pin
	drive periph.Drive
	frame []byte
}

// New makes a System of a world's Config, all motes booted. It does what the Config says in the order that it gives for each mote,
// not at its times.
func New(cfg *world.Config, opt Options) (*System, error) {
	sh := &shared{opt: opt, faults: cfg.Faults, offered: make([]atomic.Bool, len(cfg.Faults))}
	own := *cfg
	own.Serial, own.Events, own.Resets, own.Faults, own.Drift, own.Stagger = nil, nil, nil, nil, 0, 0
	own.Motes = slices.Clone(cfg.Motes)
	for i := range own.Motes {
		own.Motes[i].BootFrom, own.Motes[i].BootUntil = 0, 0
	}
	sh.cfg = &own
	if err := sh.survey(cfg); err != nil {
		return nil, err
	}
	return sh.boot()
}

// boot makes the System in which all motes have just booted.
func (sh *shared) boot() (*System, error) {
	b, err := sh.newBody(true)
	if err != nil {
		return nil, err
	}
	for i, m := range b.w.Motes() {
		sh.motes[i].kind.devices(m)
	}
	s := &System{sh: sh, body: b, seats: make([]seat, len(sh.motes)), used: make([]uint32, len(sh.faults))}
	var restless error // a mote does not come to rest
	for i := range s.seats {
		if stop := sh.opt.Stop; stop != nil && stop() {
			return nil, verdict.ErrInterrupted
		}
		x := &s.seats[i]
		x.queues = make([]flights, len(sh.motes[i].from))
		x.party = int16(i)
		x.lines = make([][]char, len(sh.motes[i].wires))
		x.wires = make([]wired, len(sh.motes[i].wires))
		x.life = b.life[i].Tracker
		restless = cmp.Or(restless, s.boot(i))
	}
	s.drain(nil)
	if b.suite != nil {
		if s.early, err = b.suite.Look(-1); err != nil {
			return nil, err
		}
	}
	if restless != nil && len(s.early) == 0 {
		return nil, restless
	}
	for i := range s.seats {
		if v, ok := s.crashed(i); ok && len(s.early) == 0 {
			s.early = append(s.early, v)
		}
	}
	return s, nil
}

// Offered reports whether a fault of the Config was possible in some state that was looked at.
func (s *System) Offered(fault int) bool { return s.sh.offered[fault].Load() }

// Crowded reports whether there were places for interrupts in the middle of something that were not tried.
func (s *System) Crowded() bool { return s.sh.crowded.Load() }

// Cut reports whether a search met a task into which the interrupt for a byte of a frame might come: it does not try that.
func (s *System) Cut() bool { return s.sh.cut.Load() }

// survey works out what is known of each mote.
func (sh *shared) survey(cfg *world.Config) error {
	sh.kinds = make([]kind, 0, len(cfg.Motes)) // never grows beyond: pointers into it stay
	sh.motes = make([]moteInfo, len(cfg.Motes))
	for i := range cfg.Motes {
		k, err := sh.kindOf(cfg.Motes[i].Kind)
		if err != nil {
			return err
		}
		m := &sh.motes[i]
		m.kind = k
		m.natural, m.pins = k.kind.RadioVectors()
		m.guard = ^uint64(3) &^ m.natural
		for _, f := range cfg.Faults {
			m.frail = m.frail || !f.Kind.OnFrames() && (f.Mote == world.Everyone || f.Mote == i)
		}
	}
	if cfg.Net != nil {
		for _, l := range cfg.Net.Links() {
			if !slices.Contains(sh.motes[l.To].from, l.From) {
				sh.motes[l.To].from = append(sh.motes[l.To].from, l.From)
			}
		}
		for n, x := range cfg.Net.Wires {
			sh.motes[x.A.Mote].wires = append(sh.motes[x.A.Mote].wires, n)
			if x.B.Mote != x.A.Mote {
				sh.motes[x.B.Mote].wires = append(sh.motes[x.B.Mote].wires, n)
			}
		}
	}
	for i := range sh.motes {
		slices.Sort(sh.motes[i].from)
	}
	sh.script(cfg)
	sh.timetable(cfg)
	return sh.spare()
}

// timetable finds out until when it matters what time it is: sensors read one thing now and another one later, links are cut for a
// while, faults may happen from a moment on. That is by the clock of the mote that it is about, which the state has to tell then.
func (sh *shared) timetable(cfg *world.Config) {
	for _, x := range cfg.Sensors {
		sh.motes[x.Mote].timed = max(sh.motes[x.Mote].timed, x.At)
	}
	all := uint64(0)
	for _, f := range cfg.Faults {
		all = max(all, f.After, f.Until)
	}
	if cfg.Net != nil {
		for _, c := range cfg.Net.Cuts {
			all = max(all, c.At)
			if c.Until != medium.Never {
				all = max(all, c.Until)
			}
		}
	}
	for i := range sh.motes {
		sh.motes[i].timed = max(sh.motes[i].timed, all)
	}
}

// script sorts by mote what the Config has come from outside.
func (sh *shared) script(cfg *world.Config) {
	for _, s := range cfg.Serial {
		sh.motes[s.Mote].serial = append(sh.motes[s.Mote].serial, s)
	}
	for _, e := range cfg.Events {
		sh.motes[e.Mote].acts = append(sh.motes[e.Mote].acts, act{at: e.At, kind: e.Kind, set: e.Var, pin: e.Pin, drive: e.Drive, frame: e.Frame})
	}
	for _, r := range cfg.Resets {
		sh.motes[r.Mote].acts = append(sh.motes[r.Mote].acts, act{at: r.At, reset: true})
	}
	for i := range sh.motes {
		m := &sh.motes[i]
		slices.SortStableFunc(m.serial, func(a, b world.Serial) int { return compare(a.At, b.At) })
		slices.SortStableFunc(m.acts, func(a, b act) int { return compare(a.at, b.at) })
	}
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (sh *shared) kindOf(k *mote.Kind) (*kind, error) {
	for i := range sh.kinds {
		if sh.kinds[i].kind == k {
			return &sh.kinds[i], nil
		}
	}
	p, err := sh.opt.Kernels.Profile(k.Image, k.Program())
	if err != nil {
		return nil, err
	}
	blocks, vars := blocksOf(k), scalarsOf(k)
	sh.kinds = append(sh.kinds, kind{id: uint64(len(sh.kinds)), blocks: blocks, reached: make([]atomic.Uint64, (len(blocks)+63)/64), flags: flagsOf(k, blocks, vars), kind: k, profile: p, habits: new(habits), nests: nesting(k, p), outlets: outlets(k), latches: latchesOf(k.Board.Chip), settings: settingsOf(k.Board.Chip), temps: tempsOf(k.Board.Chip), scalars: vars, loop: mainLoopOf(p), waits: wait.Find(k), counters: countersOf(k), stores: storesOf(k), end: endOf(k)})
	last := &sh.kinds[len(sh.kinds)-1]
	last.arrays, last.arrayNames = arraysOf(vars, p.Queue)
	last.fillers, last.readers = last.fillersOf()
	stream, _ := k.RadioVectors()
	last.streamed = streamedOf(k, stream, vars)
	last.sleeps = sleeps(k.Program())
	return last, nil
}

var _ check.System = (*System)(nil)

// errNotEnabled says that an event cannot be fired.
func (s *System) errNotEnabled(e check.Event) error {
	return fmt.Errorf("%s cannot happen now", s.Describe(e))
}
