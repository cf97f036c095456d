package scenario

import (
	"fmt"
	"slices"

	"go.starlark.net/starlark"
)

// assume handles assume(name, fn, byte): fn says of a byte of a symbolic input whether its value is of interest. It is asked about all
// 256 values while the file is loaded, so the solver gets ranges, and no script runs later.
func (r *request) assume() (starlark.Value, error) {
	var (
		name  string
		fn    starlark.Callable
		which starlark.Value
	)
	if err := r.unpack("name", &name, "fn", &fn, "byte?", &which); err != nil {
		return nil, err
	}
	x := Assumption{Byte: -1}
	if which != nil {
		n, err := intIn(which, 0, 1023)
		if err != nil {
			return nil, r.errorf("byte %v", err)
		}
		x.Byte = int(n)
	}
	for v := range 256 {
		ok, err := new(Evaluator).ask(r.thread, fn, starlark.MakeInt(v))
		if err != nil {
			return nil, err
		}
		switch last := len(x.Ranges) - 1; {
		case !ok:
		case last >= 0 && int(x.Ranges[last][1]) == v-1:
			x.Ranges[last][1] = uint8(v)
		default:
			x.Ranges = append(x.Ranges, [2]uint8{uint8(v), uint8(v)})
		}
	}
	if x.Ranges == nil {
		return nil, r.errorf("no value of a byte is of interest: %s is False for all of 0 to 255", fn.Name())
	}
	r.then(r, func() error { return r.assumed(name, x) })
	return starlark.None, nil
}

// assumed gives an input its assumption.
func (r *request) assumed(name string, x Assumption) error {
	i := slices.IndexFunc(r.sc.Symbolic, func(s Symbolic) bool { return s.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no symbolic input %q yet: give it a name, and call assume after it", name)
	}
	s := &r.sc.Symbolic[i]
	switch {
	case s.Kind == SymbolicVar || s.Kind == SymbolicSensor:
		return fmt.Errorf("%q is no row of bytes: assume is for symbolic_serial, symbolic_frame and symbolic_wire", name)
	case x.Byte >= int(s.Length):
		return fmt.Errorf("%q has %d bytes, and there is no byte %d", name, s.Length, x.Byte)
	}
	s.Assumed = append(s.Assumed, x)
	return nil
}
