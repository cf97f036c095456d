package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"motehound/mote"
	"motehound/mote/board"
	"motehound/mote/periph"
	"motehound/world"
)

// What a recipe has of a world as it is.
type (
	Variable = world.Variable
	Sensor   = world.Sensor
	Reset    = world.Reset
	Hold     = world.Hold
)

// Event is something that happens to a mote.
type Event struct {
	At   uint64 `json:"at_ps"`
	Mote int    `json:"mote"`
	Kind string `json:"kind"` // as world.EventKind has them
	// Of set_var.
	Path  string `json:"path,omitempty"`
	Value int64  `json:"value,omitempty"`
	// Of set_pin.
	Pin   string `json:"pin,omitempty"`
	Drive string `json:"drive,omitempty"`
	// Of hear_frame: the bytes without length and check sequence, in hexadecimal.
	Frame string `json:"frame,omitempty"`
}

// Pin is a pad that the outside drives.
type Pin struct {
	Pin   string `json:"pin"`
	Drive string `json:"drive"`
}

// Device is a part on the I2C bus or the SPI that answers from a table.
type Device struct {
	Address uint8  `json:"address,omitempty"` // on the I2C bus
	Select  string `json:"select,omitempty"`  // the pin that chooses a device on the SPI
	Table   string `json:"table"`             // its registers from 0 on, in hexadecimal; the others are 0
}

func (x Device) device() (d board.Device, err error) {
	d.Address = x.Address
	if x.Select != "" {
		if d.Select, err = periph.FindPin(x.Select); err != nil {
			return d, err
		}
	}
	b, err := hex.DecodeString(x.Table)
	if err != nil || len(b) > len(d.Table) || x.Address > 127 {
		return d, fmt.Errorf("a device has an address up to 127, or a pin that selects it, and up to %d registers, two hexadecimal digits each", len(d.Table))
	}
	copy(d.Table[:], b)
	return d, nil
}

func (x Pin) pull() (board.Pull, error) {
	p, err := periph.FindPin(x.Pin)
	if err != nil {
		return board.Pull{}, err
	}
	d, err := periph.FindDrive(x.Drive)
	return board.Pull{Pin: p, Drive: d}, err
}

// Fault is something that may go wrong, up to Max times.
type Fault struct {
	Kind  string  `json:"kind"` // as world.FaultKind has them
	Max   uint32  `json:"max"`
	Mote  *int    `json:"mote,omitempty"` // any, if nil
	Link  *[2]int `json:"link,omitempty"` // from, to
	Wire  *int    `json:"wire,omitempty"` // on the air, if nil
	After uint64  `json:"after_ps,omitempty"`
	Until uint64  `json:"until_ps,omitempty"`
	Span  uint64  `json:"span_ps,omitempty"`
}

// Source is a file, as one of a scenario.
type Source struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// builtIn tells a library that every Motehound has, as @tinyos, from a file.
func (s Source) builtIn() bool {
	return strings.HasPrefix(s.Name, "@") && !strings.ContainsAny(s.Name, "./")
}

// Param is a value of a scenario's parameter, as text.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SourceOf describes a file.
func SourceOf(name string, data []byte) Source {
	sum := sha256.Sum256(data)
	return Source{name, hex.EncodeToString(sum[:])}
}

func (m *Mote) config(k *mote.Kind) world.MoteConfig {
	return world.MoteConfig{Kind: k, ID: m.ID, BootFrom: m.Boot, BootUntil: m.BootUntil, Drift: m.Drift, Vars: slices.Clone(m.Vars)}
}

// EventOf is an event of a world.
func EventOf(e world.Event) Event {
	x := Event{At: e.At, Mote: e.Mote, Kind: e.Kind.String(), Path: e.Var.Path, Value: e.Var.Value}
	if e.Kind == world.SetPin {
		x.Pin, x.Drive = e.Pin.String(), e.Drive.String()
	}
	x.Frame = hex.EncodeToString(e.Frame)
	return x
}

func (r *Recipe) events() ([]world.Event, error) {
	var list []world.Event
	for _, e := range r.Events {
		k, err := world.FindEventKind(e.Kind)
		if err != nil {
			return nil, err
		}
		if (k == world.SetVar) != (e.Path != "") {
			return nil, fmt.Errorf("event %s at %d ps: set_var has a path, the others have none", e.Kind, e.At)
		}
		x := world.Event{At: e.At, Mote: e.Mote, Kind: k, Var: world.Variable{Path: e.Path, Value: e.Value}}
		if k == world.SetPin {
			p, err := Pin{e.Pin, e.Drive}.pull()
			if err != nil {
				return nil, err
			}
			x.Pin, x.Drive = p.Pin, p.Drive
		}
		if x.Frame, err = hex.DecodeString(e.Frame); err != nil || (k == world.HearFrame) != (len(x.Frame) > 0) {
			return nil, fmt.Errorf("event %s at %d ps: hear_frame has a frame in hexadecimal digits, the others have none", e.Kind, e.At)
		}
		list = append(list, x)
	}
	return list, nil
}

// FaultOf is a fault of a world.
func FaultOf(f world.Fault) Fault {
	x := Fault{Kind: f.Kind.String(), Max: f.Max, After: f.After, Until: f.Until, Span: f.Span}
	if f.Mote != world.Everyone {
		x.Mote = &f.Mote
	}
	if f.From != world.None {
		x.Link = &[2]int{f.From, f.To}
	}
	if f.Wire != world.None {
		x.Wire = &f.Wire
	}
	return x
}

func (r *Recipe) faults() (world.Faults, error) {
	var list world.Faults
	for _, f := range r.Faults {
		k, err := world.FindFaultKind(f.Kind)
		if err != nil {
			return nil, err
		}
		x := world.Fault{Kind: k, Max: f.Max, Mote: world.Everyone, From: world.None, To: world.None, Wire: world.None,
			After: f.After, Until: f.Until, Span: f.Span}
		if f.Mote != nil {
			x.Mote = *f.Mote
		}
		if f.Link != nil {
			x.From, x.To = f.Link[0], f.Link[1]
		}
		if f.Wire != nil {
			x.Wire = *f.Wire
		}
		list = append(list, x)
	}
	return list, nil
}
