package job

import (
	"errors"
	"fmt"
	"strings"

	"motehound/firmware/image"
	"motehound/job/document"
	"motehound/mote"
	"motehound/mote/mcu"
	"motehound/mote/periph"
	"motehound/study/property/builtin"
	"motehound/study/travel"
)

// Document says what the run is, as far as nothing in it changes.
func (j *Journey) Document() *document.Journey {
	first, last := j.Bounds()
	d := &document.Journey{Explored: j.Explored(), First: document.MomentOf(first), Last: document.MomentOf(last), Motes: []document.JourneyMote{}, Links: []document.JourneyLink{}}
	for n, m := range j.Motes() {
		x := document.JourneyMote{ID: m.ID(), Board: m.Board().Name, Firmware: j.Recipe.Motes[n].Firmware, LEDs: []string{}, Files: document.List(m.Kind.Image.Files())}
		for _, l := range m.Board().LEDs {
			x.LEDs = append(x.LEDs, l.Name)
		}
		d.Motes = append(d.Motes, x)
	}
	for _, l := range j.Recipe.Links {
		d.Links = append(d.Links, document.JourneyLink{From: j.Recipe.Motes[l.From].ID, To: j.Recipe.Motes[l.To].ID, Loss: l.Loss})
	}
	if j.Found != nil {
		d.Found = j.Found.Property
	}
	for n, b := range j.Beats {
		e := document.Event{At: document.MomentOf(travel.Point{Event: n + 1}), Mote: j.id(int(b.Event.Mote)), From: j.id(b.From), Title: b.Title, Lost: b.Lost, Notes: document.List(b.Notes), Broken: []string{}}
		for _, v := range b.Broken {
			e.Broken = append(e.Broken, v.Property)
		}
		d.Events = append(d.Events, e)
	}
	return d
}

// id is the node id of a mote, -1 for none.
func (j *Journey) id(i int) int {
	if i < 0 || i >= len(j.Recipe.Motes) {
		return -1
	}
	return int(j.Recipe.Motes[i].ID)
}

// Stop says where the traveller is.
func (j *Journey) Stop() *document.Halt {
	m := j.Mote()
	return &document.Halt{At: document.MomentOf(j.Here().Point), Mote: m.ID(), Says: j.Moment(j.Here().Point), Place: place(m, m.Core().PC)}
}

func place(m *mote.Mote, pc uint32) document.Spot {
	return document.SpotOf(builtin.Places(m.Kind.Image, pc*2)[0])
}

// State is all motes where the traveller is, and the one that is looked at in detail.
func (j *Journey) State() *document.State {
	d := &document.State{At: document.MomentOf(j.Here().Point), Says: j.Moment(j.Here().Point), Motes: []document.MoteState{}, Flying: j.flying(), Faults: j.faults()}
	w := j.World()
	for i, m := range j.Motes() {
		x := document.MoteState{ID: m.ID(), State: state(m), Place: place(m, m.Core().PC), LEDs: m.LEDs(), Sent: w.FramesSent(i), Heard: w.FramesReceived(i)}
		x.Millijoules = j.notes.millijoules(i, j.Here().Time)
		if w.Off(i) {
			x.State = "off"
		}
		if r := m.Radio(); r != nil {
			x.Radio = r.Draw().Mode.String()
		}
		d.Motes = append(d.Motes, x)
	}
	d.Mote = j.detail(j.Mote())
	return d
}

func (j *Journey) detail(m *mote.Mote) *document.MoteDetail {
	c := m.Core()
	d := &document.MoteDetail{ID: m.ID(), Cycles: c.Cycles, Registers: document.RegistersOf(m), Next: fmt.Sprint(c.Coming()), Calls: Calls(m), Pending: []string{}, Masked: c.I == 0,
		Pins: []document.Pin{}, Locals: []document.Value{}, Variables: []document.Value{}, Stack: max(int(c.RAMBase)+len(c.RAM)-1-int(c.SP), 0)}
	for v := range uint8(64) {
		if m.Requests()>>v&1 != 0 {
			d.Pending = append(d.Pending, m.Chip().VectorName(v))
		}
	}
	for _, port := range m.Chip().Ports {
		for bit := range uint8(8) {
			if p := periph.P(port.Name, bit); m.Chip().HasPin(p) {
				d.Pins = append(d.Pins, document.Pin{Name: p.String(), Output: m.IsOutput(p), High: m.Level(p)})
			}
		}
	}
	if locals, err := Locals(m); err == nil {
		d.Locals = locals
	}
	for _, v := range m.Kind.Image.Vars() {
		if v.Register || v.Space != image.Data || len(d.Variables) == mostVariables {
			continue
		}
		path := v.Name
		if v.Func != "" {
			path = v.Func + "." + v.Name
		}
		x := document.Value{Name: image.Readable(v.Name), Path: path, Value: "not known"}
		if ref, err := m.Kind.Image.Lookup(path); err == nil {
			if value, err := ref.Read(m.Memory().In(ref.Space)); err == nil {
				x.Value, x.Known = shortened(value.String()), true
			}
		}
		d.Variables = append(d.Variables, x)
	}
	return d
}

// What is shown of a mote's variables is bounded.
const (
	mostVariables = 2000
	longestValue  = 300
)

func shortened(value string) string {
	if len(value) > longestValue {
		return strings.ToValidUTF8(value[:longestValue], "") + "…"
	}
	return value
}

// Calls are the functions that a mote is in, the innermost first.
func Calls(m *mote.Mote) (list []document.Call) {
	at := builtin.Frame{PC: m.Core().PC, SP: m.Core().SP}
	how := "in"
	for _, f := range append([]builtin.Frame{at}, builtin.Unwind(m, at)...) {
		for _, p := range builtin.Places(m.Kind.Image, f.PC*2) {
			list = append(list, document.Call{How: how, Place: document.SpotOf(p)})
			how = "inlined"
			if strings.HasPrefix(p.Function, "__vector_") {
				how = "interrupted"
			}
		}
		if how == "inlined" {
			how = "called"
		}
	}
	return list
}

// Locals are the parameters and local variables of the function that a mote is in.
func Locals(m *mote.Mote) ([]document.Value, error) {
	regs := image.Regs{R: m.Core().R, SP: m.Core().SP, PC: m.Core().PC * 2}
	f, ok := m.Kind.Image.FunctionAt(regs.PC)
	if !ok {
		return nil, errors.New("the firmware does not say what this function has: build it with -gdwarf-4")
	}
	list := []document.Value{}
	for _, l := range append(append([]*image.Local{}, f.Params...), f.Locals...) {
		x := document.Value{Name: l.Name, Path: l.Name, Value: "not known here: the compiler has optimised it away"}
		if v, err := m.Kind.Image.ReadLocal(f, l, regs, m.Memory()); err == nil {
			x.Value, x.Known = v.String(), true
		}
		list = append(list, x)
	}
	return list, nil
}

// Wrote is Written as a document.
func (j *Journey) Wrote(path string, changed bool, stop func() bool) (*document.Store, error) {
	h, err := j.Written(path, changed, stop)
	if errors.Is(err, travel.ErrNone) {
		return &document.Store{Says: "nobody has written " + path + " before"}, nil
	}
	if err != nil {
		return nil, err
	}
	m := j.Motes()[h.Mote]
	d := &document.Store{Stop: &document.Halt{At: document.MomentOf(h.Point), Mote: m.ID(), Says: j.Moment(h.Point), Place: place(m, h.PC)}, Addr: fmt.Sprintf("0x%04x", h.Addr), Old: h.Old, New: h.New}
	if h.Kind == travel.Interrupt {
		d.Says = "the return address of a handler overwrites it: the stack has grown into it"
	}
	return d, nil
}

// state says what a mote does.
func state(m *mote.Mote) string {
	if why := m.Stopped(); why != mcu.Running {
		return "stopped: " + why.String()
	}
	if mode, asleep := m.Asleep(); asleep {
		return "asleep (" + mode + ")"
	}
	return "running"
}
