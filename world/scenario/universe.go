package scenario

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark's own functions that walk or write what they are given, each with how many steps an element costs.
var walkers = []struct {
	name string
	cost int
	deep bool // it hashes or compares the elements
}{
	{"all", 1, false}, {"any", 1, false}, {"bytes", 1, false}, {"dict", hashed, true}, {"enumerate", 4, false}, {"hash", 1, false},
	{"list", 1, false}, {"max", 1, true}, {"min", 1, true}, {"reversed", 1, false}, {"set", hashed, true}, {"sorted", 8, true},
	{"tuple", 1, false}, {"zip", 4, false},
}

var writers = []string{"fail", "print", "repr", "str"}

// universe is what scripts have besides the scenario functions: Starlark's own functions, within bounds, and the
// checked operations.
func universe() starlark.StringDict {
	env := starlark.StringDict{}
	add := func(name string, f builtinFunc) { env[name] = starlark.NewBuiltin(name, f) }
	for _, w := range walkers {
		add(w.name, walker(starlark.Universe[w.name], w.cost, w.deep))
	}
	for _, name := range writers {
		add(name, writer(starlark.Universe[name]))
	}
	add("range", boundedRange)
	add("int", boundedInt)
	add("getattr", boundedGetattr)
	for _, op := range checkedOps {
		add(opChecked(op), checkedBinary(op))
		add(opInPlace(op), checkedInPlace(op))
	}
	for _, op := range orders {
		add(opChecked(op), checkedOrder(op))
	}
	add(opChecked(syntax.IN), checkedIn(false))
	add(opChecked(syntax.NOT_IN), checkedIn(true))
	add(opEqual, checkedEqual)
	add(opUnequal, checkedUnequal)
	add(opSized, checkedSized)
	add(opMethod, checkedMethod)
	add(opUpdate, checkedUpdate)
	add(opKey, checkedKey)
	return env
}

func walker(own starlark.Value, cost int, deep bool) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		for _, a := range args {
			if err := charge(thread, cost*max(starlark.Len(a), 0)); err != nil {
				return nil, err
			}
			if !deep {
				continue
			}
			if err := walkKeys(thread, a); err != nil {
				return nil, err
			}
		}
		return starlark.Call(thread, own, args, kwargs)
	}
}

func writer(own starlark.Value) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := writable(thread, args, kwargs); err != nil {
			return nil, err
		}
		return starlark.Call(thread, own, args, kwargs)
	}
}

func boundedRange(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(thread, starlark.Universe["range"], args, kwargs)
	if err != nil {
		return nil, err
	}
	if n := starlark.Len(v); n > maxSize || n < 0 { // a length beyond an int comes out negative
		return nil, fmt.Errorf("this range is too large: at most %d numbers are allowed", maxSize)
	}
	return v, nil
}

// boundedInt refuses to read numbers that no other operation would make.
func boundedInt(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	const maxDigits = 1000
	if len(args) > 0 {
		if u, ok := args[0].(Unknown); ok && len(args) == 1 {
			return u.Known(), nil
		}
		if s, ok := args[0].(starlark.String); ok && len(s) > maxDigits {
			return nil, fmt.Errorf("a number of %d digits is too large: at most %d are read", len(s), maxDigits)
		}
	}
	return starlark.Call(thread, starlark.Universe["int"], args, kwargs)
}

func boundedGetattr(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := starlark.Call(thread, starlark.Universe["getattr"], args, kwargs)
	if err != nil {
		return nil, err
	}
	if method, ok := v.(*starlark.Builtin); ok && method.Receiver() != nil {
		return attr(method.Receiver(), method.Name())
	}
	return v, nil
}
