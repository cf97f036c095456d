package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"motehound/mote/board"
	"motehound/mote/chip"
	"motehound/world"
	"motehound/world/medium"
)

// chipOf is the chip of a mote.
func chipOf(m *Mote) *chip.Chip {
	for _, b := range board.All() {
		if b.Name == m.Board {
			return b.Chip
		}
	}
	for _, c := range chip.All() {
		if c.Name == m.Chip {
			return c
		}
	}
	panic(fmt.Sprintf("BUG: mote %d has an unchecked board %q and chip %q", m.ID, m.Board, m.Chip))
}

// usart checks that a mote has a USART.
func (b *builder) usart(mote int, n uint8) error {
	m := &b.sc.Motes[mote]
	if c := chipOf(m); int(n) >= len(c.USARTs) {
		return fmt.Errorf("mote %d has no USART %d: its %s has %d, counted from 0", m.ID, n, c.Name, len(c.USARTs))
	}
	return nil
}

// serial handles serial(mote, at, data, usart, baud).
func (r *request) serial() (starlark.Value, error) {
	var (
		who  nodeRef
		when instant
		data octets

		port, rate starlark.Value
	)
	if err := r.unpack("mote", &who, "at?", &when, "data?", &data, "usart?", &port, "baud?", &rate); err != nil {
		return nil, err
	}
	if data == nil {
		return nil, r.errorf("data is missing: give bytes, such as data = [1, 2, 3]")
	}
	n, err := r.usartNumber(port)
	if err != nil {
		return nil, err
	}
	baud, err := r.baud(rate)
	if err != nil {
		return nil, err
	}
	if r.inputSize += len(data); r.inputSize > maxInput {
		return nil, r.errorf("more than %d bytes of serial input in all", maxInput)
	}
	return r.happens(when, func(at uint64) error {
		i, err := r.resolve(who)
		if err == nil {
			err = r.usart(i, n)
		}
		if err == nil {
			r.sc.Serial = append(r.sc.Serial, Input{world.Serial{Mote: i, USART: n, At: at, Baud: baud, Bytes: slices.Clone(data)}, r.pos})
		}
		return err
	})
}

func (r *request) usartNumber(v starlark.Value) (uint8, error) {
	if v == nil {
		return 0, nil
	}
	n, err := intIn(v, 0, 3)
	if err != nil {
		return 0, r.errorf("usart %v", err)
	}
	return uint8(n), nil
}

// baud reads the rate of a sender; 0 if it is the mote's own.
func (r *request) baud(v starlark.Value) (uint32, error) {
	if v == nil {
		return 0, nil
	}
	n, err := intIn(v, 1, 4_000_000)
	if err != nil {
		return 0, r.errorf("baud %v", err)
	}
	return uint32(n), nil
}

// wire handles wire(a, b, framing, loss, faults).
func (r *request) wire() (starlark.Value, error) {
	var (
		ends    [2]starlark.Value
		framing = framingNames[medium.NoFraming]
		loss    = starlark.Value(starlark.Float(0))
		faults  starlark.Value
	)
	err := r.unpack("a", &ends[0], "b", &ends[1], "framing?", &framing, "loss?", &loss, "faults?", &faults)
	if err != nil {
		return nil, err
	}
	w := Wire{Pos: r.pos}
	kind := slices.Index(framingNames[:], framing)
	if kind < 0 {
		return nil, r.errorf("framing %q unknown: choose one of %s", framing, strings.Join(framingNames[:], ", "))
	}
	w.Framing = medium.Framing(kind)
	if w.Loss, err = chance(loss); err != nil {
		return nil, r.errorf("loss %v", err)
	}
	var who [2]nodeRef
	for i, e := range []*medium.End{&w.A, &w.B} {
		if who[i], e.USART, err = r.wireEnd(ends[i]); err != nil {
			return nil, err
		}
	}
	n := len(r.sc.Wires)
	r.sc.Wires = append(r.sc.Wires, w)
	r.then(r, func() error { return r.solder(n, who) })
	return starlark.None, r.addFaults(values(faults), n)
}

// wireEnd is a node, or a pair of node and USART.
func (r *request) wireEnd(v starlark.Value) (who nodeRef, usart uint8, err error) {
	if pair, ok := v.(starlark.Tuple); ok {
		if len(pair) != 2 {
			return who, 0, r.errorf("an end of a wire is a node id, or a pair of a node id and a USART, such as (0, 1)")
		}
		if usart, err = r.usartNumber(pair[1]); err != nil {
			return who, 0, err
		}
		v = pair[0]
	}
	if err = who.Unpack(v); err != nil {
		return who, 0, r.errorf("%v", err)
	}
	return who, usart, nil
}

// solder settles the ends of a wire: no USART has two.
func (r *request) solder(n int, who [2]nodeRef) error {
	w := &r.sc.Wires[n]
	for i, e := range []*medium.End{&w.A, &w.B} {
		mote, err := r.resolve(who[i])
		if err != nil {
			return err
		}
		e.Mote = mote
		if err := r.usart(mote, e.USART); err != nil {
			return err
		}
		if i == 1 && w.A == *e {
			break // its output is its own input
		}
		if other, taken := r.wired[*e]; taken {
			return fmt.Errorf("USART %d of mote %d already has a wire, from %s", e.USART, r.sc.Motes[mote].ID, other)
		}
		r.wired[*e] = r.pos
	}
	return nil
}

// sensor handles sensor(mote, channel, value, values, at).
func (r *request) sensor() (starlark.Value, error) {
	var (
		who            nodeRef
		channel, value starlark.Value
		several        starlark.Value
		when           instant
	)
	if err := r.unpack("mote", &who, "channel", &channel, "value?", &value, "values?", &several, "at?", &when); err != nil {
		return nil, err
	}
	ch, err := intIn(channel, 0, 15)
	if err != nil {
		return nil, r.errorf("channel %v", err)
	}
	var shape wave
	switch {
	case (value == nil) == (several == nil):
		return nil, r.errorf("give value = 512, or values = ramp(...), steps(...), sine(...) or noise(...)")
	case value != nil:
		n, err := intIn(value, 0, maxReading)
		if err != nil {
			return nil, r.errorf("value %v", err)
		}
		shape = &stepsWave{values: []uint16{uint16(n)}}
	default:
		w, ok := several.(wave)
		if !ok {
			return nil, r.errorf("values: got %s, want ramp(...), steps(...), sine(...) or noise(...)", shown(several))
		}
		shape = w
	}
	r.then(r, func() error {
		i, err := r.resolve(who)
		if err != nil {
			return err
		}
		return r.readings(world.Sensor{Mote: i, Channel: uint8(ch), At: when.ps}, shape)
	})
	return starlark.None, nil
}

// maxReading is the largest value of a ten-bit converter.
const maxReading = 1023

// readings adds what a wave makes of a channel.
func (r *request) readings(first world.Sensor, shape wave) error {
	return shape.each(r.horizon-min(r.horizon, first.At), func(after uint64, value uint16) error {
		if len(r.sc.Sensors) >= maxReadings {
			return fmt.Errorf("more than %d sensor readings: make steps longer", maxReadings)
		}
		if after > math.MaxInt64-first.At {
			return fmt.Errorf("readings after the largest possible time")
		}
		one := first
		one.At += after
		one.Value = value
		r.sc.Sensors = append(r.sc.Sensors, one)
		return nil
	})
}
