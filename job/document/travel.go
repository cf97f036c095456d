package document

import (
	"fmt"
	"strconv"
	"strings"

	"motehound/study/finding"
	"motehound/study/property/builtin"
	"motehound/study/travel"
)

// Moment names a point of a run: picoseconds since its start, as in "1500000000"; of an explored run an event, as in "e17", or a moment inside of
// it by its mote's clock, as in "e17.1500000000". It is text, since numbers of JSON are not exact.
type Moment string

// MomentOf names a point.
func MomentOf(p travel.Point) Moment {
	switch {
	case p.Event == 0:
		return Moment(strconv.FormatUint(p.Time, 10))
	case p.Time == 0:
		return Moment(fmt.Sprintf("e%d", p.Event))
	}
	return Moment(fmt.Sprintf("e%d.%d", p.Event, p.Time))
}

// Point is the point that a moment names.
func (m Moment) Point() (p travel.Point, err error) {
	text, isEvent := strings.CutPrefix(string(m), "e")
	if isEvent {
		event, rest, inside := strings.Cut(text, ".")
		if p.Event, err = strconv.Atoi(event); err == nil && p.Event < 1 {
			err = strconv.ErrRange
		}
		if text = rest; !inside {
			text = "0"
		}
	}
	if err == nil {
		p.Time, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		return travel.Point{}, fmt.Errorf("%q is no moment: give picoseconds, as 1500000000, or the event of a finding, as e17 or e17.1500000000", string(m))
	}
	return p, nil
}

// Spot is an instruction by its source.
type Spot struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text"` // all of it, for people
}

// SpotOf names a place of code.
func SpotOf(p builtin.Place) Spot { return Spot{p.Function, p.File, p.Line, p.String()} }

// Halt is a moment and the mote that is looked at, by its node id, and where that is.
type Halt struct {
	At    Moment `json:"at"`
	Mote  uint16 `json:"mote"`
	Says  string `json:"says"` // which moment it is, for people
	Place Spot   `json:"place"`
}

// Journey is a run that can be travelled in.
type Journey struct {
	Explored bool          `json:"explored"` // it has events instead of a clock that all motes share
	First    Moment        `json:"first"`
	Last     Moment        `json:"last"`
	Motes    []JourneyMote `json:"motes"`
	Links    []JourneyLink `json:"links"`
	Found    string        `json:"found,omitempty"` // what the run is a finding of
	Events   []Event       `json:"events,omitempty"`
}

// JourneyMote is a mote of a journey, as far as it does not change.
type JourneyMote struct {
	ID       uint16   `json:"id"`
	Board    string   `json:"board"`
	Firmware string   `json:"firmware"`
	LEDs     []string `json:"leds"`
	Files    []string `json:"files"` // the sources of its code
}

// JourneyLink says who hears whom, by node id.
type JourneyLink struct {
	From uint16  `json:"from"`
	To   uint16  `json:"to"`
	Loss float64 `json:"loss,omitempty"`
}

// Event is one event of an explored run. Its moment is the one before it.
type Event struct {
	At     Moment   `json:"at"`
	Mote   int      `json:"mote"` // -1 for all
	From   int      `json:"from"` // of a frame: who sent it; -1 otherwise
	Title  string   `json:"title"`
	Lost   bool     `json:"lost,omitempty"`
	Notes  []string `json:"notes"`
	Broken []string `json:"broken"` // what it breaks
}

// State is all motes at a moment, and one of them in detail.
type State struct {
	At    Moment      `json:"at"`
	Says  string      `json:"says"`
	Motes []MoteState `json:"motes"`
	Mote  *MoteDetail `json:"mote,omitempty"`
	// Flying are the frames on the air, of a timed run. Faults are what may go wrong, by choice.
	Flying []Flight     `json:"flying"`
	Faults []FaultState `json:"faults"`
}

// Flight is a frame that is under way.
type Flight struct {
	From  uint16   `json:"from"`
	Sent  int      `json:"sent"`  // bytes until now
	Bytes int      `json:"bytes"` // all in all
	Heard []uint16 `json:"heard"` // who will have heard all of it
}

// FaultState is how often a fault has happened.
type FaultState struct {
	Title string `json:"title"`
	Used  uint32 `json:"used"`
	Max   uint32 `json:"max"`
}

// MoteState is what a mote does.
type MoteState struct {
	ID    uint16 `json:"id"`
	State string `json:"state"` // running, asleep, stopped or off, with more words
	Place Spot   `json:"place"`
	LEDs  uint32 `json:"leds"`            // a bit for each
	Radio string `json:"radio,omitempty"` // off, power down, idle, tuning, receiving or sending
	Sent  uint32 `json:"frames_sent"`
	Heard uint32 `json:"frames_received"`
	// Millijoules is what it took from its supply until now, of a board for which that is known.
	Millijoules *float64 `json:"energy_mj,omitempty"`
}

// MoteDetail is what else is known of a mote.
type MoteDetail struct {
	ID        uint16    `json:"id"`
	Cycles    uint64    `json:"cycles"`
	Registers Registers `json:"registers"`
	Next      string    `json:"next"` // the instruction that comes
	Calls     []Call    `json:"calls"`
	Pending   []string  `json:"pending"` // interrupts that wait
	Masked    bool      `json:"masked"`  // interrupts are off
	Pins      []Pin     `json:"pins"`
	Stack     int       `json:"stack_bytes"`
	Locals    []Value   `json:"locals"`
	Variables []Value   `json:"variables"`
}

// Call is a function that is under way, the innermost first.
type Call struct {
	How   string `json:"how"` // in, inlined, called or interrupted
	Place Spot   `json:"place"`
}

// Pin is a pad of the chip.
type Pin struct {
	Name   string `json:"name"`
	Output bool   `json:"output"`
	High   bool   `json:"high"`
}

// Value is a variable at a moment.
type Value struct {
	Name  string `json:"name"`  // as people know it
	Path  string `json:"path"`  // as the compiler does
	Value string `json:"value"` // or why it is not known
	Known bool   `json:"known"`
}

// Store is what wrote to a variable; none if nobody has.
type Store struct {
	Stop *Halt  `json:"stop,omitempty"`
	Addr string `json:"address,omitempty"`
	Old  uint8  `json:"old"`
	New  uint8  `json:"new"`
	Says string `json:"says,omitempty"` // what is special about it
}

// Covered is the source of a firmware with how often lines were executed.
type Covered struct {
	Until Moment   `json:"until"` // as far as the run is recorded
	File  string   `json:"file"`
	Lines []string `json:"lines"`
	Note  string   `json:"note,omitempty"` // why there is no text
	Hits  []Hits   `json:"hits"`           // of lines with code
}

// Hits is how often a line was executed, by all motes with that firmware.
type Hits struct {
	Line int `json:"line"`
	Hits int `json:"hits"`
}

// Timeline is what happened in a stretch of a run. If it is much, it is only counted.
type Timeline struct {
	From  Moment         `json:"from"`
	To    Moment         `json:"to"`
	Motes []TimelineMote `json:"motes"`
}

// Calls are the functions that a mote executed in a stretch, inlined ones too, in the order in which they began.
type Calls struct {
	From   Moment      `json:"from"`
	To     Moment      `json:"to"` // earlier than was asked for, if there are too many
	Names  []string    `json:"names"`
	Slices []CallSlice `json:"slices"`
}

// CallSlice is one of them. Depth counts those around it.
type CallSlice struct {
	Slice
	Depth   int  `json:"depth"`
	Inlined bool `json:"inlined"`
}

// TimelineMote is what happened on one mote: each lane either as slices or as counts.
type TimelineMote struct {
	ID    uint16         `json:"id"`
	Lanes []TimelineLane `json:"lanes"`
}

// TimelineLane is one kind of things: interrupts, tasks or frames. Counts are how many began in each of as many equal parts of the stretch.
type TimelineLane struct {
	Kind   string   `json:"kind"`
	Names  []string `json:"names"`
	Slices []Slice  `json:"slices"`
	Counts []uint32 `json:"counts,omitempty"`
	Total  int      `json:"total"`
}

// Slice is something that took time. Times are seconds from the start of the run, for drawing; At is exact.
type Slice struct {
	At   Moment  `json:"at"`
	From float64 `json:"from_s"`
	To   float64 `json:"to_s"`
	Name int     `json:"name"` // index in Names
}

// BrokenText says what is wrong.
func BrokenText(v *finding.Violation) string {
	text := v.Property
	if v.Detail != "" {
		text += ": " + v.Detail
	}
	if v.Function != "" || v.File != "" {
		text += " (" + PlaceText(v.Function, v.File, v.Line) + ")"
	}
	return text
}

// Choices is what can happen at a moment of an explored run, and how its goals stand.
type Choices struct {
	At      Moment      `json:"at"`
	Path    string      `json:"path"` // that leads here: see docs/workbench.md
	Choices []Choice    `json:"choices"`
	More    int         `json:"more"` // how many are not listed
	Goals   []GoalState `json:"goals"`
}

// Choice is something that can happen.
type Choice struct {
	Path    string `json:"path"` // that leads behind it
	Mote    int    `json:"mote"`
	Kind    string `json:"kind"` // interrupt, task, frame, fault or input
	Title   string `json:"title"`
	Natural bool   `json:"natural,omitempty"` // it is due first
	Fault   bool   `json:"fault,omitempty"`   // it is a fault, or an unfortunate outcome
	Inside  bool   `json:"inside,omitempty"`  // an interrupt comes in the middle of it
}

// GoalState is whether a goal holds at a moment.
type GoalState struct {
	Name  string `json:"name"`
	Mote  int    `json:"mote"` // -1 for the network
	Holds bool   `json:"holds"`
}
