package document

import (
	"fmt"
	"path"
	"strconv"
	"time"

	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/observe/outputs"
	"motehound/study/verdict"
	"motehound/world"
	"motehound/world/recipe"
)

// Run is the document of a run.
type Run struct {
	Verdict verdict.Verdict `json:"verdict"`  // violated or unknown: a run shows what it shows
	LeftOut []string        `json:"left_out"` // what was not judged, and why nothing more is known
	TimeS   float64         `json:"time_s"`
	Speed   float64         `json:"speed"`
	Motes   []Mote          `json:"motes"`
	// Findings are what the built-in checks found, in the order of time.
	Findings []RunFinding `json:"findings"`
	Stops    []Stop       `json:"stops"`
	Notices  []Notice     `json:"notices"`
	Dump     []Dump       `json:"dump,omitempty"`
	Vars     []Var        `json:"vars,omitempty"`
	Code     []Code       `json:"code,omitempty"`
	Energy   []Energy     `json:"energy,omitempty"`
	// Violations are properties of the scenario that were seen not to hold.
	Violations []Violation `json:"violations,omitempty"`
	// Unmet are those that must hold at some time, without saying until when, and did not at the end.
	Unmet []Unmet `json:"unmet,omitempty"`
	// Dropped are those that could not be evaluated: whether they hold is not known.
	Dropped []Dropped      `json:"dropped,omitempty"`
	Hash    string         `json:"hash"`
	Recipe  *recipe.Recipe `json:"recipe"`
}

// Unmet is a property that a longer run might show to hold.
type Unmet struct {
	Property string `json:"property"`
	Where    string `json:"where"`
}

// Dropped is a property that could not be evaluated, and was not asked again.
type Dropped struct {
	Property string `json:"property"`
	Where    string `json:"where"`
	Error    string `json:"error"` // with the place in the script
}

// Mote is how a mote was at the end, and what it did until then.
type Mote struct {
	ID             uint16            `json:"id"`
	Board          string            `json:"board"`
	Firmware       string            `json:"firmware"` // without its folder, which the recipe has
	Cycles         uint64            `json:"cycles"`
	Instructions   uint64            `json:"instructions"`
	SleepCycles    uint64            `json:"sleep_cycles"`
	LEDs           uint32            `json:"leds"`
	LEDChanges     int               `json:"led_changes"`
	FramesSent     int               `json:"frames_sent"`
	FramesReceived int               `json:"frames_received"`
	UART           map[string]string `json:"uart"`
	UARTLeftOut    map[string]int    `json:"uart_left_out,omitempty"` // bytes behind those in UART
	Registers      Registers         `json:"registers"`
}

// Dump is a piece of a mote's data space.
type Dump struct {
	Mote uint16 `json:"mote"`
	Name string `json:"name"`
	Addr uint32 `json:"addr"`
	Hex  string `json:"hex"`
}

// Var is a variable of a mote, read by its type.
type Var struct {
	Mote  uint16 `json:"mote"`
	Name  string `json:"name"`
	Type  string `json:"type"`
	Text  string `json:"text"`
	Value any    `json:"value"`
	Error string `json:"error,omitempty"`
}

// Registers are the CPU's. PC is a byte address, as disassemblers show it.
type Registers struct {
	R    [32]int `json:"r"`
	SREG uint8   `json:"sreg"`
	SP   uint16  `json:"sp"`
	PC   uint32  `json:"pc"`
}

// Stop is a mote that could not go on by itself.
type Stop struct {
	Mote   uint16 `json:"mote"`
	Reason string `json:"reason"`
	Place
	Cycle uint64 `json:"cycle"`
}

// Notice is something that a user should know about a mote.
type Notice struct {
	Mote uint16 `json:"mote"`
	Text string `json:"text"`
	Place
	Cycle    uint64 `json:"cycle"`
	Register string `json:"-"` // the one that is not modelled, if it is about that
}

// RunFinding is what a built-in check found in a timed run.
type RunFinding struct {
	Property string `json:"property"`
	Mote     uint16 `json:"mote"` // where it was first seen
	Detail   string `json:"detail"`
	Place
	TimeS  float64  `json:"time_s"`
	TimePS uint64   `json:"time_ps"` // the same, exactly
	Cycle  uint64   `json:"cycle"`
	Count  int      `json:"count"`           // how often it was seen
	Calls  []string `json:"calls,omitempty"` // that led there, the innermost first
}

// Violation is a property of the scenario that did not hold when it was looked at.
type Violation struct {
	Property string  `json:"property"`
	Kind     string  `json:"kind"`  // always, eventually or at_time
	Where    string  `json:"where"` // in the scenario
	TimeS    float64 `json:"time_s"`
	Motes    []int   `json:"motes,omitempty"` // node ids of those that violate it
	Count    uint32  `json:"count"`           // at how many looks
}

// Place is an instruction: its byte address, and what the firmware's symbols and debug information say of it.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	PC       uint32 `json:"pc"`
}

// Text names an instruction for people.
func (p Place) Text() string {
	text := fmt.Sprintf("at 0x%04x", p.PC)
	if p.Function != "" {
		text += " in " + image.Readable(p.Function)
	}
	if p.File != "" {
		text += fmt.Sprintf(" (%s:%d)", image.ShortPath(p.File), p.Line)
	}
	return text
}

// RunOf makes the document of a run that took so long on the host. The recipe must be finished.
func RunOf(w *world.World, r *outputs.Recorder, rec *recipe.Recipe, took time.Duration) *Run {
	doc := &Run{
		TimeS:    float64(w.Now()) / world.Second,
		Motes:    []Mote{},
		Findings: []RunFinding{},
		Stops:    []Stop{},
		Notices:  []Notice{},
		Hash:     rec.Hash,
		Recipe:   rec,
	}
	if took > 0 {
		doc.Speed = doc.TimeS / took.Seconds()
	}
	for i, m := range w.Motes() {
		doc.Motes = append(doc.Motes, moteOf(w, r, i))
		if why := m.Stopped(); why != mcu.Running {
			pc := 2 * m.Core().PC
			if why == mcu.StopDeadSleep {
				pc -= 2 // the SLEEP itself
			}
			doc.Stops = append(doc.Stops, Stop{m.ID(), why.String(), place(m.Kind.Image, pc), m.Cycles()})
		}
		for _, n := range r.Notices(i) {
			doc.Notices = append(doc.Notices, Notice{m.ID(), n.Text, place(m.Kind.Image, 2*n.PC), n.Cycles, n.Register})
		}
	}
	return doc
}

// RegistersOf reads the registers of a mote.
func RegistersOf(m *mote.Mote) Registers {
	c := m.Core()
	x := Registers{SREG: c.SREG(), SP: c.SP, PC: 2 * c.PC}
	for n, v := range c.R {
		x.R[n] = int(v)
	}
	return x
}

func moteOf(w *world.World, r *outputs.Recorder, i int) Mote {
	m := w.Motes()[i]
	leds, beyond := r.LEDs(i)
	c := m.Core()
	doc := Mote{
		ID:           m.ID(),
		Board:        m.Board().Name,
		Firmware:     path.Base(m.Kind.Image.Path),
		Cycles:       m.Cycles(),
		Instructions: c.Instructions,
		SleepCycles:  m.SleepCycles(),
		LEDs:         m.LEDs(),
		LEDChanges:   len(leds) + beyond,
		UART:         map[string]string{},
		FramesSent:   int(w.FramesSent(i)), FramesReceived: int(w.FramesReceived(i)),
		Registers: RegistersOf(m),
	}
	for n := range m.USARTs() {
		first, beyond := r.UART(i, uint8(n))
		doc.UART[strconv.Itoa(n)] = latin1(first)
		if beyond > 0 {
			if doc.UARTLeftOut == nil {
				doc.UARTLeftOut = map[string]int{}
			}
			doc.UARTLeftOut[strconv.Itoa(n)] = beyond
		}
	}
	return doc
}

// Found reports whether a built-in check found something, a mote stopped in a way that a correct program does not, or a property did not
// hold, or could not be evaluated.
func (d *Run) Found() bool {
	if len(d.Findings) > 0 || len(d.Violations) > 0 || len(d.Dropped) > 0 {
		return true
	}
	for _, s := range d.Stops {
		if s.Reason == mcu.StopBadOpcode.String() || s.Reason == mcu.StopOffCode.String() {
			return true
		}
	}
	return false
}

// Judge gives the verdict, with what was left out.
func (d *Run) Judge(leftOut []string) {
	var c verdict.Case
	if d.Found() {
		c.Findings = 1
	}
	c.Miss("other orders, inputs and seeds: this was one run")
	c.Miss(leftOut...)
	d.Verdict, d.LeftOut = c.Verdict(), c.LeftOut
}

// latin1 gives each byte the character of its number, so that text stays text and bytes can be told apart.
func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// place says where an instruction comes from: the innermost function, inlined or real.
func place(im *image.Image, addr uint32) Place {
	p := Place{PC: addr}
	if l, ok := im.LineAt(addr); ok {
		p.File, p.Line = l.File, l.Line
	}
	if stack := im.InlineStack(addr); len(stack) > 0 {
		p.Function = stack[0].Name
	}
	return p
}
