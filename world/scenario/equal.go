package scenario

import (
	"fmt"

	"go.starlark.net/starlark"
)

func checkedEqual(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if err := walk(thread, args[0], args[1]); err != nil {
		return nil, err
	}
	same, err := equal(args[0], args[1])
	return starlark.Bool(same), err
}

func checkedUnequal(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	same, err := checkedEqual(thread, b, args, kwargs)
	if err != nil {
		return nil, err
	}
	return !same.(starlark.Bool), nil
}

// equal is ==, as Python users know it: True equals 1, and an array of a firmware equals a list or tuple with equal
// elements.
func equal(x, y starlark.Value) (bool, error) {
	switch x.(type) {
	case starlark.Int, starlark.String, starlark.NoneType:
		switch y.(type) {
		case starlark.Bool, Unknown:
		default:
			return starlark.Equal(x, y)
		}
	}
	x, y = number(x), number(y)
	a, isArray := x.(*array)
	b, isArray2 := y.(*array)
	switch {
	case isArray:
		return equalArray(a, y)
	case isArray2:
		return equalArray(b, x)
	case weigh(x, maxSize, 0) > maxSize || weigh(y, maxSize, 0) > maxSize:
		return false, fmt.Errorf("too large or too deeply nested to be compared")
	case hasUnknown(x) || hasUnknown(y):
		return equalUnknown(x, y)
	}
	return starlark.Equal(x, y)
}

func number(v starlark.Value) starlark.Value {
	if b, ok := v.(starlark.Bool); ok {
		if b {
			return starlark.MakeInt(1)
		}
		return starlark.MakeInt(0)
	}
	return v
}

func equalArray(a *array, y starlark.Value) (bool, error) {
	switch y.(type) {
	case *array, *starlark.List, starlark.Tuple:
	default:
		return false, nil
	}
	other := y.(starlark.Indexable)
	if a.Len() != other.Len() {
		return false, nil
	}
	for i := range a.Len() {
		same, err := equal(a.Index(i), other.Index(i))
		if err != nil || !same {
			return false, err
		}
	}
	return true, nil
}
