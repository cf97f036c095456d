// Package signals reports what a logic analyser on the motes would show, and what a debugger's watch window would: levels of pads, lights,
// port registers, interrupt handlers and named variables, each change at its time.
//
// Invariants: watching changes nothing in the world; the changes of one signal come in order of time, those of different signals nearly so; a
// variable of several bytes changes once, when its last byte is written.
package signals

import (
	"fmt"
	"strconv"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/digest"
	"motehound/mote/periph"
	"motehound/observe/lifecycle"
	"motehound/world"
)

// Kind is what a signal is.
type Kind uint8

// The kinds of signals.
const (
	Pad       Kind = iota // a pad's level, named as in the datasheet
	LED                   // a light
	Register              // PORTx or DDRx
	Interrupt             // a handler is active
	Variable
)

// Signal is something of a mote that has a value at any time.
type Signal struct {
	Kind  Kind
	Name  string
	Width int  // bits
	Real  bool // its values are floating-point numbers
}

// Value is a signal's value: the first, or the second if the signal is real.
type Value struct {
	Int  int64
	Real float64
}

// Change is a signal that has another value.
type Change struct {
	Mote   int
	PS     uint64 // picoseconds since the world's start
	Signal int    // index in the mote's list
	Value
}

// Options say what to watch.
type Options struct {
	Kinds     []Kind
	Variables [][]string // by mote: paths, see image.Lookup; for the kind Variable
}

// Watcher watches one world.
type Watcher struct {
	w     *world.World
	sink  func(Change)
	motes []*watched
	after map[*mote.Kind][]uint32 // where registers and variables are looked at
}

// watched is the signals of one mote.
type watched struct {
	number  int
	m       *mote.Mote
	signals []Signal
	now     []Value
	pads    [256]int16 // by pad: 1 + signal
	leds    int        // the first
	ports   []int      // by port: PORTx; DDRx follows
	vectors [64]int16  // 1 + signal
	vars    []variable
}

// variable is one that is looked at, and the change of which the last byte may not have been written yet.
type variable struct {
	ref     image.Ref
	signal  int
	pending bool
	cycle   uint64
	value   Value
}

// torn is how many cycles may pass between two stores to one variable that are one change.
const torn = 8

// Watch begins to watch. Sink gets each signal's value at the start, too.
func Watch(w *world.World, opt Options, sink func(Change)) (*Watcher, error) {
	x := &Watcher{w: w, sink: sink, after: map[*mote.Kind][]uint32{}}
	wants := [Variable + 1]bool{}
	for _, k := range opt.Kinds {
		wants[k] = true
	}
	for i, m := range w.Motes() {
		s := &watched{number: i, m: m}
		x.motes = append(x.motes, s)
		s.hardware(wants)
		if wants[Variable] && opt.Variables != nil {
			if err := s.variables(opt.Variables[i]); err != nil {
				return nil, err
			}
		}
		s.now = make([]Value, len(s.signals))
		x.after[m.Kind] = append(x.after[m.Kind], s.stores()...)
	}
	if wants[Interrupt] {
		if _, err := lifecycle.Record(w, x.item); err != nil {
			return nil, err
		}
	}
	x.observe(wants)
	for _, s := range x.motes {
		x.first(s)
	}
	return x, nil
}

// Signals are those of a mote.
func (x *Watcher) Signals(mote int) []Signal { return x.motes[mote].signals }

// Close reports changes that were held back.
func (x *Watcher) Close() {
	for _, s := range x.motes {
		for k := range s.vars {
			x.settle(s, &s.vars[k])
		}
	}
}

// hardware lists the signals that are not variables.
func (s *watched) hardware(wants [Variable + 1]bool) {
	chip := s.m.Chip()
	for i := range chip.Ports {
		p := &chip.Ports[i]
		for bit := range uint8(8) {
			if wants[Pad] && p.Pads>>bit&1 != 0 {
				pad := periph.P(p.Name, bit)
				s.pads[pad] = s.add(Pad, pad.String(), 1) + 1
			}
		}
	}
	if s.leds = len(s.signals); wants[LED] {
		for _, l := range s.m.Board().LEDs {
			s.add(LED, l.Name, 1)
		}
	}
	for i := range chip.Ports {
		if wants[Register] {
			name := string(rune(chip.Ports[i].Name))
			s.ports = append(s.ports, int(s.add(Register, "PORT"+name, 8)))
			s.add(Register, "DDR"+name, 8)
		}
	}
	for v, pc := range s.m.Kind.Handlers() {
		if wants[Interrupt] && pc != 0 && v < len(s.vectors) {
			s.vectors[v] = s.add(Interrupt, chip.VectorName(uint8(v)), 1) + 1
		}
	}
}

func (s *watched) add(k Kind, name string, width int) int16 {
	s.signals = append(s.signals, Signal{Kind: k, Name: name, Width: width})
	return int16(len(s.signals) - 1)
}

// variables adds those that are named.
func (s *watched) variables(paths []string) error {
	for _, path := range paths {
		ref, err := s.m.Kind.Image.Lookup(path)
		if err != nil {
			return err
		}
		v, err := ref.Read(s.m.Memory())
		switch {
		case ref.Indirect():
			return fmt.Errorf("%s lies behind a pointer, so its changes cannot be followed: name the variable itself", path)
		case err != nil:
			return err
		case v.Kind == image.KindStruct || v.Kind == image.KindUnion || v.Kind == image.KindArray:
			return fmt.Errorf("%s is no number: name one of its fields or elements, such as %s", path, part(path, v))
		}
		at := s.add(Variable, path, 8*int(ref.Type.Size))
		s.signals[at].Real = v.Kind == image.KindFloat
		s.vars = append(s.vars, variable{ref: ref, signal: int(at)})
	}
	return nil
}

// part names a part of a variable.
func part(path string, v image.Value) string {
	if v.Kind == image.KindArray || len(v.Fields) == 0 {
		return path + "[0]"
	}
	return path + "." + v.Fields[0].Name
}

// stores are the instructions behind those that may write what the mote's signals are.
func (s *watched) stores() []uint32 {
	if len(s.ports)+len(s.vars) == 0 {
		return nil
	}
	at := map[uint16]bool{}
	if len(s.ports) > 0 {
		for i := range s.m.Chip().Ports {
			p := &s.m.Chip().Ports[i]
			at[p.PORT], at[p.DDR], at[p.PIN] = true, true, true
		}
	}
	for _, v := range s.vars {
		for i := range v.ref.Type.Size {
			at[uint16(v.ref.Addr+i)] = true
		}
	}
	list, p := []uint32{0}, s.m.Kind.Program()
	for pc := range p.Words() { // every word: what is data is never reached
		in := p.At(pc)
		a := in.Access()
		if a.Writes && (a.Space == avr.DataMemory || a.Space == avr.IORegister) && (a.Base != 0 || at[a.Offset]) {
			list = append(list, pc+in.Length())
		}
	}
	return list
}

// observe asks the world for what is needed.
func (x *Watcher) observe(wants [Variable + 1]bool) {
	var o world.Observer
	if wants[Pad] || wants[Register] {
		o.Pad = func(i int, ps uint64, p periph.Pin, level bool) {
			s := x.motes[i]
			if at := s.pads[p]; at != 0 {
				x.set(s, ps, int(at-1), bit(level))
			}
			x.registers(s, ps)
		}
	}
	if wants[LED] {
		o.LED = func(i int, ps uint64, led int, on bool) { x.set(x.motes[i], ps, x.motes[i].leds+led, bit(on)) }
	}
	if wants[Register] || wants[Variable] {
		o.Code = func(i int, cycle uint64, _ uint32) bool {
			x.look(x.motes[i], cycle)
			return false
		}
		o.CodeAt = func(k *mote.Kind) []uint32 { return x.after[k] }
		o.Kept = func(int, *digest.Digest) {} // what is looked at is the mote's own
	}
	x.w.Observe(o)
}

func bit(on bool) Value {
	if on {
		return Value{Int: 1}
	}
	return Value{}
}

// first reports how a mote's signals begin.
func (x *Watcher) first(s *watched) {
	for p, at := range s.pads {
		if at != 0 {
			s.now[at-1] = bit(s.m.Level(periph.Pin(p)))
		}
	}
	for n := range s.m.Board().LEDs {
		if at := s.leds + n; at < len(s.signals) && s.signals[at].Kind == LED {
			s.now[at] = bit(s.m.LEDs()>>n&1 != 0)
		}
	}
	for k := range s.vars {
		s.now[s.vars[k].signal] = s.vars[k].read(s.m)
	}
	for n, v := range s.now {
		x.sink(Change{Mote: s.number, PS: x.w.Now(), Signal: n, Value: v})
	}
	x.registers(s, x.w.Now())
}

// set gives a signal a value.
func (x *Watcher) set(s *watched, ps uint64, signal int, v Value) {
	if s.now[signal] != v {
		s.now[signal] = v
		x.sink(Change{Mote: s.number, PS: ps, Signal: signal, Value: v})
	}
}

func (x *Watcher) registers(s *watched, ps uint64) {
	if len(s.ports) == 0 {
		return
	}
	s.m.Ports(func(port int, value, direction uint8) {
		x.set(s, ps, s.ports[port], Value{Int: int64(value)})
		x.set(s, ps, s.ports[port]+1, Value{Int: int64(direction)})
	})
}

// look looks at registers and variables after a store.
func (x *Watcher) look(s *watched, cycle uint64) {
	if len(s.ports) > 0 {
		x.registers(s, x.w.TimeOf(s.number, cycle))
	}
	for k := range s.vars {
		v := &s.vars[k]
		if v.pending && cycle > v.cycle+torn {
			x.settle(s, v)
		}
		old := s.now[v.signal]
		if v.pending {
			old = v.value
		}
		if is := v.read(s.m); is != old {
			v.pending, v.cycle, v.value = true, cycle, is
		}
	}
}

// settle reports the change of a variable that is over.
func (x *Watcher) settle(s *watched, v *variable) {
	if v.pending {
		v.pending = false
		x.set(s, x.w.TimeOf(s.number, v.cycle), v.signal, v.value)
	}
}

// read is a variable's value; 0 while it has none.
func (v *variable) read(m *mote.Mote) Value {
	is, err := v.ref.Read(m.Memory())
	switch {
	case err != nil:
		return Value{}
	case is.Kind == image.KindFloat:
		return Value{Real: is.Float()}
	case is.Kind == image.KindInt || is.Kind == image.KindEnum:
		return Value{Int: is.Int()}
	}
	return Value{Int: int64(is.Uint())}
}

// item follows handlers.
func (x *Watcher) item(i int, it kernel.Item) {
	s, ps := x.motes[i], x.w.TimeOf(i, it.Cycle)
	switch it.Kind {
	case kernel.Int, kernel.Reti:
		if int(it.Arg) < len(s.vectors) && s.vectors[it.Arg] != 0 {
			x.set(s, ps, int(s.vectors[it.Arg]-1), bit(it.Kind == kernel.Int))
		}
	case kernel.Reset:
		for _, at := range s.vectors {
			if at != 0 {
				x.set(s, ps, int(at-1), Value{})
			}
		}
	}
}

// MoteName names a mote of a world as its scope in other tools.
func MoteName(w *world.World, mote int) string {
	return "mote " + strconv.Itoa(int(w.Motes()[mote].ID()))
}
