package scenario

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"
)

// intIn is an integer within bounds. Its errors go on from the name of an argument.
func intIn(v starlark.Value, lo, hi int64) (int64, error) {
	if v == nil {
		return 0, fmt.Errorf("is missing")
	}
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("is a %s, want an int", v.Type())
	}
	n, ok := i.Int64()
	if !ok || n < lo || n > hi {
		return 0, fmt.Errorf("= %s is not in %d to %d", shown(v), lo, hi)
	}
	return n, nil
}

// cNumber is a value for a variable of the firmware.
func cNumber(v starlark.Value) (int64, error) {
	i, ok := number(v).(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("got %s, want a whole number or a bool", v.Type())
	}
	n, ok := i.Int64()
	if !ok {
		return 0, fmt.Errorf("%s does not fit into 64 bits", shown(v))
	}
	return n, nil
}

// realIn is a finite number within bounds.
func realIn(v starlark.Value, lo, hi float64) (float64, error) {
	f, ok := starlark.AsFloat(v)
	if !ok {
		return 0, fmt.Errorf("is a %s, want a number", v.Type())
	}
	if math.IsNaN(f) || f < lo || f > hi {
		return 0, fmt.Errorf("= %s is not in %v to %v", shown(v), lo, hi)
	}
	return f, nil
}

// chance is a probability.
func chance(v starlark.Value) (float64, error) { return realIn(v, 0, 1) }

// octets are bytes given as a list of numbers, as bytes, or as text.
type octets []byte

// Unpack implements starlark.Unpacker.
func (o *octets) Unpack(v starlark.Value) error {
	switch v := v.(type) {
	case starlark.Bytes:
		*o = octets(v)
		return nil
	case starlark.String:
		*o = octets(v)
		return nil
	case *starlark.List, starlark.Tuple:
		out := octets{}
		for i, e := range values(v) {
			n, err := intIn(e, 0, math.MaxUint8)
			if err != nil {
				return fmt.Errorf("byte %d %v", i, err)
			}
			out = append(out, byte(n))
		}
		*o = out
		return nil
	}
	return fmt.Errorf("got %s, want bytes: a list of numbers, b\"...\", or a string", v.Type())
}
