package world

import (
	"fmt"

	"motehound/mote"
	"motehound/mote/periph"
	"motehound/world/medium"
	"motehound/world/reception"
)

// Config is what a world is made of. It must not change once a world was made of it. Parts with JSON names are the same in recipes.
type Config struct {
	Motes   []MoteConfig
	Serial  []Serial
	Sensors []Sensor
	Resets  []Reset
	Events  []Event
	Faults  Faults
	Edits   []Edit      // of timed runs; a guided world does not heed them
	Holds   []Hold      // likewise
	Pokes   []Poke      // likewise
	Net     *medium.Net // who hears whom; nil when nobody does
	Drift   uint32      // crystals are off by a choice of up to this many ppm, besides their own Drift
	Stagger uint32      // motes are switched on later by a choice of up to this many microseconds
}

// MoteConfig is one mote.
type MoteConfig struct {
	Kind *mote.Kind
	ID   uint16
	// It is switched on at BootFrom or, if BootUntil is later, at a choice of whole microseconds from there to BootUntil.
	BootFrom, BootUntil uint64
	Drift               int32 // ppm that its crystal is off, for certain
	Vars                []Variable
}

// Variable is a variable's value. Of a mote's Config, it is set whenever main is reached for the first time after a
// reset: start-up code has copied and cleared the variables by then.
type Variable struct {
	Path  string `json:"path"` // as image.Lookup takes it
	Value int64  `json:"value"`
}

// Serial is bytes that reach a mote's USART from outside.
type Serial struct {
	Mote  int
	USART uint8
	At    uint64 // picoseconds since the start
	Baud  uint32 // the sender's rate; 0 for the mote's own
	Bytes []byte
}

// BitTime is how long a bit takes at the sender's rate, in picoseconds; 0 if it is the mote's own.
func (s *Serial) BitTime() uint64 {
	if s.Baud == 0 {
		return 0
	}
	return Second / uint64(s.Baud)
}

// Sensor says what an ADC channel reads from a moment on.
type Sensor struct {
	Mote    int    `json:"mote"`
	Channel uint8  `json:"channel"`
	At      uint64 `json:"at_ps"`
	Value   uint16 `json:"value"`
}

// Reset is somebody pressing a mote's reset button: SRAM and the parts beside the chip stay as they are.
type Reset struct {
	Mote int    `json:"mote"`
	At   uint64 `json:"at_ps"`
}

// EventKind is something that happens to a mote.
type EventKind uint8

// The kinds of events. The names are part of the recipe format.
const (
	// PowerCycle takes the power away and gives it back at once: SRAM, registers, and the states of radio and parts are lost;
	// program flash, EEPROM and external flash stay. Nothing happens to a mote that is off.
	PowerCycle EventKind = iota
	// PowerOff is the same, but the mote stays off: it does nothing, sends nothing, hears nothing, and serial input that
	// comes meanwhile is lost. A transmission under way breaks off.
	PowerOff
	// PowerOn switches a mote on that is off.
	PowerOn
	// SetVar gives a variable a value. Nothing happens to a mote that is off.
	SetVar
	// SetPin is somebody outside who drives a pad from then on, or lets it go.
	SetPin
	// HearFrame is a stranger nearby who sends a frame, on the channel and at the rate that the mote's radio listens to. A radio that does not listen,
	// or a mote that is off, does not hear it. Nobody else does.
	HearFrame
	numEventKinds
)

var eventNames = [numEventKinds]string{"power_cycle", "power_off", "power_on", "set_var", "set_pin", "hear_frame"}

// String is the kind's name in recipes.
func (k EventKind) String() string { return eventNames[k] }

// Event is something that happens to a mote, at the end of the instruction during which its time comes.
type Event struct {
	At   uint64
	Mote int
	Kind EventKind
	Var  Variable // of SetVar

	// Of SetPin.
	Pin   periph.Pin
	Drive periph.Drive

	Frame []byte // of HearFrame: as Compose takes it
}

// Poke is memory that gets another content at a moment, before the instruction that begins then or later.
type Poke struct {
	At   uint64
	Mote int
	Addr uint16
	Data []byte
}

// Everyone stands for all motes, None for no link or no wire.
const (
	Everyone = -1
	None     = reception.None
)

// FaultKind is something that may go wrong.
type FaultKind uint8

// The kinds of faults. The names are part of the recipe format.
const (
	Lose      FaultKind = iota // a frame does not arrive
	Duplicate                  // a frame arrives twice
	Corrupt                    // a frame arrives with a wrong bit
	Reboot                     // a mote's power fails for a moment, as in PowerCycle
	Outage                     // a mote's power fails for Span, or for good
	LateBoot                   // a mote is switched on up to Span later
	Delay                      // a frame arrives Span after its end
	Reorder                    // a frame arrives after the next one of the same sender, or on the same wire; if none comes, never
	Busy                       // the channel around a mote is busy for Span: somebody else uses it
	numFaultKinds
)

var faultNames = [numFaultKinds]string{"lose", "duplicate", "corrupt", "reboot", "outage", "late_boot", "delay", "reorder", "busy"}

// String is the kind's name in recipes.
func (k FaultKind) String() string { return faultNames[k] }

// Fault is the permission for something to go wrong, up to Max times. Nothing of it happens by itself: it makes options
// of choices allowed, and Natural never takes them. What links and wires lose by their own Loss needs no permission.
type Fault struct {
	Kind     FaultKind
	Max      uint32
	Mote     int // the mote, or the receiver of frames; or Everyone, all together up to Max times
	From, To int // only frames on this link; or None
	Wire     int // frames on this wire, an index into Net.Wires; or None, for frames on the air
	After    uint64
	Until    uint64 // 0 for no end
	Span     uint64 // of Outage, where 0 is for good, LateBoot, Delay and Busy
}

// OnFrames reports whether the fault happens to frames rather than to motes.
func (k FaultKind) OnFrames() bool { return k <= Corrupt || k == Delay || k == Reorder }

// check finds what cannot be.
func (c *Config) check() error {
	n := len(c.Motes)
	if n == 0 {
		return fmt.Errorf("a world needs at least one mote")
	}
	known := func(i int, what string) error {
		if i < 0 || i >= n {
			return fmt.Errorf("%s mote %d, but there are only %d", what, i, n)
		}
		return nil
	}
	for _, m := range c.Motes {
		if m.BootUntil > m.BootFrom && (m.BootUntil-m.BootFrom)/Microsecond+uint64(c.Stagger) >= 1<<32-1 {
			return fmt.Errorf("mote %d boots at a time within more than 4294 s: give a shorter window", m.ID)
		}
		if m.Drift <= -500_000 || m.Drift >= 500_000 {
			return fmt.Errorf("the crystal of mote %d is off by %d ppm: give less than half of its frequency", m.ID, m.Drift)
		}
	}
	for _, s := range c.Serial {
		if err := known(s.Mote, "serial input for"); err != nil {
			return err
		}
	}
	for _, s := range c.Sensors {
		if err := known(s.Mote, "sensor of"); err != nil {
			return err
		}
	}
	for _, r := range c.Resets {
		if err := known(r.Mote, "reset of"); err != nil {
			return err
		}
	}
	for _, e := range c.Events {
		if err := known(e.Mote, e.Kind.String()+" of"); err != nil {
			return err
		}
		if e.Kind == HearFrame && c.Motes[e.Mote].Kind.Board.Radio == nil {
			return fmt.Errorf("mote %d has no radio to hear a frame with", c.Motes[e.Mote].ID)
		}
	}
	for i := range c.Faults {
		if err := c.Faults[i].check(c, known); err != nil {
			return fmt.Errorf("fault %d: %w", i, err)
		}
	}
	for i := range c.Edits {
		if err := c.Edits[i].check(c); err != nil {
			return err
		}
	}
	for i := range c.Holds {
		if err := c.Holds[i].check(c, known); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fault) check(c *Config, known func(int, string) error) error {
	wires := 0
	if c.Net != nil {
		wires = len(c.Net.Wires)
	}
	for _, i := range []int{f.Mote, f.From, f.To} {
		if i == Everyone {
			continue
		}
		if err := known(i, f.Kind.String()+" at"); err != nil {
			return err
		}
	}
	switch {
	case f.Wire != None && (f.Wire < 0 || f.Wire >= wires):
		return fmt.Errorf("%s on wire %d, but there are %d", f.Kind, f.Wire, wires)
	case (f.From == None) != (f.To == None):
		return fmt.Errorf("%s on a link needs both ends of it", f.Kind)
	case !f.Kind.OnFrames() && (f.From != None || f.Wire != None):
		return fmt.Errorf("%s happens to motes, not on links or wires", f.Kind)
	case f.Kind == Delay && f.Span < Millisecond:
		return fmt.Errorf("delay by %d ps: give at least 1 ms", f.Span)
	case f.Kind == Busy && f.Span < Millisecond:
		return fmt.Errorf("busy for %d ps: give at least 1 ms", f.Span)
	case f.Kind == LateBoot && (f.Span < Microsecond || f.Span/Microsecond >= 1<<32-1):
		return fmt.Errorf("late_boot by %d ps: give from 1 us to 4294 s", f.Span)
	}
	return nil
}

// FindEventKind looks a kind up by its name in recipes.
func FindEventKind(name string) (EventKind, error) {
	k, err := findName("event", name, eventNames[:])
	return EventKind(k), err
}

// FindFaultKind looks a kind up by its name in recipes.
func FindFaultKind(name string) (FaultKind, error) {
	k, err := findName("fault", name, faultNames[:])
	return FaultKind(k), err
}
