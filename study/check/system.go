package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"motehound/study/finding"
)

// Class says what kind of thing an event is.
type Class uint8

// The classes of events. Faults and inputs come from outside: no run is unfair for lack of them.
const (
	Interrupt Class = iota
	Task
	Frame
	Fault
	Input
)

var classNames = [...]string{Interrupt: "interrupt", Task: "task", Frame: "frame", Fault: "fault", Input: "input"}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// Event is something that a system can do next. Of each queue only the head is enabled, so that in one state two events of one
// queue differ in their Option alone.
type Event struct {
	Mote   int16 // -1 for what belongs to no mote
	Class  Class
	Option uint8  // which outcome; 0 is the natural one
	Source uint16 // which queue of the mote
	Serial uint32 // the number of the event in that queue; of an interrupt in the middle of something, where that is
}

// Healing stands in a trace for the moment at which the system was told to Heal. No system has it as an event of its own.
var Healing = Event{Mote: -1, Class: Fault, Option: 0xff, Source: 0xffff}

// key is the event without its serial: unique among the events that are enabled in one state, and equal in two states that are
// equal although they were reached after different numbers of events.
func (e Event) key() uint64 {
	k := uint64(uint16(e.Mote))<<32 | uint64(e.Class)<<24 | uint64(e.Source)<<8 | uint64(e.Option)
	if e.Intrudes() || e.Made() || e.Pauses() {
		k |= mix(uint64(e.Serial)) << 48
	}
	return k
}

// Intrudes tells whether the event is one into which an interrupt comes. Its Option says which interrupt, its Serial where.
func (e Event) Intrudes() bool { return e.Serial&Place != 0 }

// Place marks a Serial that is a place.
const Place = 1 << 31

// MarshalJSON writes the five numbers of the event in a short form: traces are long.
func (e Event) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%d,%d,%d,%d,%d]", e.Mote, e.Class, e.Source, e.Option, e.Serial), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Event) UnmarshalJSON(data []byte) error {
	var n []int64
	if err := json.Unmarshal(data, &n); err != nil {
		return err
	}
	if len(n) != 5 {
		return fmt.Errorf("an event is five numbers (mote, class, source, option, serial), not %d", len(n))
	}
	r := Event{Mote: int16(n[0]), Class: Class(n[1]), Source: uint16(n[2]), Option: uint8(n[3]), Serial: uint32(n[4])}
	if [...]int64{int64(r.Mote), int64(r.Class), int64(r.Source), int64(r.Option), int64(r.Serial)} != [5]int64(n) {
		return fmt.Errorf("the numbers %v are not an event: one is out of range", n)
	}
	*e = r
	return nil
}

// Text is the event in a form for files that people may look at, without its serial number: "1 interrupt 16", "0 frame 1 1".
func (e Event) Text() string {
	text := fmt.Sprintf("%d %v %d", e.Mote, e.Class, e.Source)
	if e.Option != 0 || e.Made() || e.Pauses() {
		text += fmt.Sprintf(" %d", e.Option)
	}
	if e.Intrudes() || e.Made() || e.Pauses() {
		text += fmt.Sprintf(" %d", e.Serial)
	}
	return text
}

// ParseEvent reads what Text wrote.
func ParseEvent(text string) (Event, error) {
	var e Event
	var class string
	bad := fmt.Errorf("%q is not an event: write mote, class (%s), source and option, as in \"1 interrupt 16\"", text, strings.Join(classNames[:], ", "))
	fields := strings.Fields(text)
	for len(fields) < 5 {
		fields = append(fields, "0")
	}
	if len(strings.Fields(text)) < 3 || len(fields) != 5 {
		return e, bad
	}
	if n, err := fmt.Sscan(strings.Join(fields, " "), &e.Mote, &class, &e.Source, &e.Option, &e.Serial); err != nil || n != 5 {
		return e, bad
	}
	i := slices.Index(classNames[:], class)
	if i < 0 {
		return e, bad
	}
	e.Class = Class(i)
	if e.Serial != 0 && !e.Intrudes() && !e.Made() && !e.Pauses() || e.Intrudes() && (e.Made() || e.Pauses()) {
		return Event{}, bad
	}
	return e, nil
}

// natural tells whether the event is neither a fault nor an unfortunate outcome.
func (e Event) natural() bool { return e.Class != Fault && e.Option == 0 }

// obliged tells whether a run that could for ever take this event, and never does, is unfair.
func (e Event) obliged() bool { return e.natural() && e.Class != Input }

func compareEvents(a, b Event) int {
	return cmp.Or(cmp.Compare(a.key(), b.key()), cmp.Compare(a.Serial, b.Serial))
}

// Step is what firing an event did.
type Step struct {
	// Footprint is what the transition depended on and what it changed; nil means everything. It must not change later.
	// It has to contain as read whatever decided that the event was enabled, and whatever the properties read that were
	// evaluated because of it: reductions rely on it.
	Footprint *Footprint
	// Violations are the safety properties that the transition broke.
	Violations []finding.Violation
}

// System is what is explored. Audit tests whether one keeps what is said here. One goroutine at a time uses a system, but different goroutines use different clones.
type System interface {
	// Enabled appends the events that can be fired now, in an order that depends on the state alone.
	Enabled(dst []Event) []Event
	// Fire fires an enabled event. The result depends on the state and the event alone. An error ends the exploration.
	Fire(Event) (Step, error)
	Clone() System
	// CopyFrom makes the system equal to another one, which Clone made from it or from which Clone made it.
	CopyFrom(System)
	// Release gives back what the system holds. It is not used afterwards.
	Release()
	// Hash tells states apart: what can happen from now on depends on what is hashed alone. Serials are not hashed, nor is time
	// itself, only how far things lie from now: else no state would ever come again.
	Hash() [2]uint64
	// Describe names an event for people.
	Describe(Event) string
}

// Liver is a System with liveness properties.
type Liver interface {
	// Goals lists them. It never changes.
	Goals() []finding.Goal
	// Live appends for each of them whether it holds in this state. It depends on what is hashed alone.
	Live(dst []bool) []bool
}

// Patient is a Pacer whose goals have bounds.
type Patient interface {
	// Within lists how long each goal may take, in picoseconds by the clock of the mote for which that is longest.
	Within() []uint64
}

// withinOf is how long a goal may take; 0 if nobody knows.
func withinOf(s System, goal int) uint64 {
	if p, ok := s.(Patient); ok {
		return p.Within()[goal]
	}
	return 0
}

// Healer is a System whose faults can be ended for good.
type Healer interface {
	// Heal stops all faults and mends what they broke: links work again, motes are up. The motes' own state stays.
	Heal()
}

// Tracker is a System for which footprints cost something: they are asked for only where a reduction needs them.
type Tracker interface {
	// Track says whether steps need footprints. Clones inherit it.
	Track(on bool)
}

func track(s System, on bool) {
	if t, ok := s.(Tracker); ok {
		t.Track(on)
	}
}

// fire fires an event of a trace.
func fire(s System, e Event) (Step, error) {
	if e == Healing {
		h, ok := s.(Healer)
		if !ok {
			return Step{}, fmt.Errorf("the trace heals the system, which cannot be healed")
		}
		h.Heal()
		return Step{}, nil
	}
	step, err := s.Fire(e)
	if err != nil {
		return step, fmt.Errorf("firing %s: %w", s.Describe(e), err)
	}
	return step, nil
}

func goalsOf(s System) []finding.Goal {
	if l, ok := s.(Liver); ok {
		return l.Goals()
	}
	return nil
}

func liveOf(s System, dst []bool) []bool {
	if l, ok := s.(Liver); ok {
		return l.Live(dst)
	}
	return dst
}
