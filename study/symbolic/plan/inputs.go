package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"motehound/study/symbolic/core"
	"motehound/study/symbolic/engine"
	"motehound/world"
	"motehound/world/medium"
	"motehound/world/scenario"
)

// inputs gives the engine what a scenario says is unknown. Serial input that becomes symbolic is taken out of the world's own.
func inputs(sc *scenario.Scenario, cfg *engine.Config) error {
	w := *cfg.World
	cfg.World = &w
	w.Serial, w.Sensors = slices.Clone(w.Serial), slices.Clone(w.Sensors)
	serial := make([]engine.Serial, len(w.Serial))
	for i, in := range w.Serial {
		serial[i].Serial = in
	}
	for i := range sc.Symbolic {
		own := sc.Symbolic[i]
		y := &own
		// A name that the script did not give begins with the mote, which is told besides.
		y.Name = strings.TrimPrefix(y.Name, fmt.Sprintf("mote %d: ", w.Motes[y.Mote].ID))
		var err error
		switch y.Kind {
		case scenario.SymbolicVar:
			at := y.Function
			if y.File != "" {
				at = fmt.Sprintf("%s:%d", y.File, y.Line)
			}
			cfg.Vars = append(cfg.Vars, engine.Var{Mote: y.Mote,
				Input: core.Input{At: at, Var: y.Variable, Name: y.Name, Skip: int(y.Nth) - 1, Times: 1}})
		case scenario.SymbolicSerial:
			err = serialInput(y, serial)
		case scenario.SymbolicSensor:
			err = reading(y, cfg)
		case scenario.SymbolicFrame:
			cfg.Frames = append(cfg.Frames, frame(y, world.None))
		case scenario.SymbolicWire:
			cfg.Frames = append(cfg.Frames, wireFrame(y, w.Net))
		}
		if err != nil {
			return &scenario.Error{Pos: y.Pos, Msg: err.Error()}
		}
	}
	w.Serial = w.Serial[:0]
	for _, in := range serial {
		if len(in.Symbolic) == 0 {
			w.Serial = append(w.Serial, in.Serial)
		} else {
			cfg.Serial = append(cfg.Serial, in)
		}
	}
	settle(cfg)
	return nil
}

// serialInput makes bytes of the nth input of a USART symbolic.
func serialInput(y *scenario.Symbolic, serial []engine.Serial) error {
	n := uint32(0)
	for i := range serial {
		in := &serial[i]
		if in.Mote != y.Mote || in.USART != y.USART {
			continue
		}
		if n++; n != y.Nth {
			continue
		}
		if end := y.Offset + y.Length; int(end) > len(in.Bytes) {
			return fmt.Errorf("serial input %d has %d bytes, and byte %d is said to be symbolic: give serial(...) as many, of any value", y.Nth, len(in.Bytes), end-1)
		}
		in.Name = cmp.Or(in.Name, y.Name)
		for k := range y.Length {
			if at := int(y.Offset + k); !slices.Contains(in.Symbolic, at) {
				in.Symbolic = append(in.Symbolic, at)
			}
			for _, a := range y.Assumed {
				if a.Byte < 0 || a.Byte == int(k) {
					in.Assumed = append(in.Assumed, engine.Assumption{Byte: int(y.Offset + k), Ranges: a.Ranges})
				}
			}
		}
		return nil
	}
	return fmt.Errorf("there is no serial input %d to USART %d of that mote: add one with serial(...)", y.Nth, y.USART)
}

// reading makes the nth reading of a channel symbolic. Those of one channel must follow each other.
func reading(y *scenario.Symbolic, cfg *engine.Config) error {
	nth := int(y.Nth) - 1
	for i := range cfg.Readings {
		r := &cfg.Readings[i]
		switch {
		case r.Mote != y.Mote || r.Channel != y.Channel:
		case nth == r.From+r.Count:
			r.Count++
			return nil
		default:
			return fmt.Errorf("symbolic readings of one channel must follow each other: after reading %d comes %d", r.From+r.Count, r.From+r.Count+1)
		}
	}
	cfg.Readings = append(cfg.Readings, engine.Reading{Mote: y.Mote, Sensor: core.Sensor{Channel: y.Channel, Name: y.Name, From: nth, Count: 1}})
	return nil
}

// settle gives channels with symbolic readings the value that the scenario says they have otherwise.
func settle(cfg *engine.Config) {
	w := cfg.World
	for i := range cfg.Readings {
		r := &cfg.Readings[i]
		w.Sensors = slices.DeleteFunc(w.Sensors, func(s world.Sensor) bool {
			mine := s.Mote == r.Mote && s.Channel == r.Channel && s.At == 0
			if mine {
				r.Value = s.Value
			}
			return mine
		})
	}
}

func frame(y *scenario.Symbolic, wire int) engine.Frame {
	f := engine.Frame{Mote: y.Mote, Sent: y.Sender, Wire: wire, Nth: int(y.Nth) - 1, Offset: int(y.Offset), Length: int(y.Length), Name: y.Name}
	for _, a := range y.Assumed {
		f.Assumed = append(f.Assumed, engine.Assumption(a))
	}
	return f
}

// wireFrame is a frame on a wire. It has one receiver, whoever of the two the scenario names.
func wireFrame(y *scenario.Symbolic, net *medium.Net) engine.Frame {
	end := medium.End{Mote: y.Mote, USART: y.USART}
	f := frame(y, wireTo(net, end))
	if y.Sender {
		x := net.Wires[f.Wire]
		f.Mote, f.Sent = x.A.Mote, false
		if x.A == end {
			f.Mote = x.B.Mote
		}
	}
	return f
}

// wireTo is the wire with frames that ends at a USART: Scenario.check has seen that there is one.
func wireTo(net *medium.Net, end medium.End) int {
	return slices.IndexFunc(net.Wires, func(w medium.Wire) bool { return (w.A == end || w.B == end) && w.Framing != medium.NoFraming })
}
