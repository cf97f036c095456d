package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"motehound/mote"
	"motehound/world"
)

// Variable is a variable's value.
type Variable struct {
	Path  string `json:"path"`
	Value int64  `json:"value"`
}

// Event is something that happens to a mote.
type Event struct {
	At   uint64 `json:"at_ps"`
	Mote int    `json:"mote"`
	Kind string `json:"kind"` // as world.EventKind has them
	// Of set_var.
	Path  string `json:"path,omitempty"`
	Value int64  `json:"value,omitempty"`
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

// BuiltIn tells a library that every Motehound has, as @tinyos, from a file.
func (s Source) BuiltIn() bool {
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
	c := world.MoteConfig{Kind: k, ID: m.ID, BootFrom: m.Boot, BootUntil: m.BootUntil, Drift: m.Drift}
	for _, v := range m.Vars {
		c.Vars = append(c.Vars, world.Variable(v))
	}
	return c
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
		list = append(list, world.Event{At: e.At, Mote: e.Mote, Kind: k, Var: world.Variable{Path: e.Path, Value: e.Value}})
	}
	return list, nil
}

func (r *Recipe) faults() ([]world.Fault, error) {
	var list []world.Fault
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
