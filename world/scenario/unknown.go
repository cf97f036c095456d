package scenario

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Unknowns is a View in which some numbers are not known. What they do in a property is up to the View: it gives them as values that
// scripts compute with. Whenever the script has to know how one compares with another number, the view picks an answer; whoever
// wants all answers evaluates the property again for each.
type Unknowns interface {
	View
	// Number is what lies in a field if something of that is unknown; nil if all is known: then LoadByte tells it.
	Number(f Field) Unknown
}

// Field is where a number lies in a mote's data space, and how.
type Field struct {
	Mote               int
	Addr, Size         uint32 // in bytes
	BitOffset, BitSize uint32 // of a bit-field, from the lowest bit of its bytes; BitSize is 0 for others
	BigEndian, Signed  bool
}

// Unknown is a number that is not known. Its Type must be "int", so that Starlark asks it when it is compared with a number.
type Unknown interface {
	starlark.HasBinary
	starlark.HasUnary
	starlark.Comparable
	// Compare reports whether it compares so with a number.
	Compare(op syntax.Token, y starlark.Value) (bool, error)
	// Known is one of its values: each is another answer.
	Known() starlark.Int
}

// unknown is a number of a mote that is not known; nil if it is.
func (e *Evaluator) unknown(l *layout, mote int, addr uint32) Unknown {
	v := e.unknowns.Number(Field{Mote: mote, Addr: addr, Size: l.size, BitOffset: l.bitOffset, BitSize: l.bitSize,
		BigEndian: l.bigEndian, Signed: l.signed()})
	if v != nil {
		e.reads.Memory = append(e.reads.Memory, Read{mote, addr, addr + l.size})
	}
	return v
}

// hasUnknown reports whether a value is, or has among its elements, an unknown number.
func hasUnknown(v starlark.Value) bool {
	switch v := v.(type) {
	case Unknown:
		return true
	case *array:
		return v.n.e.unknowns != nil
	case starlark.Tuple, *starlark.List:
		for x := range starlark.Elements(v.(starlark.Iterable)) {
			if hasUnknown(x) {
				return true
			}
		}
	case *starlark.Dict:
		for _, x := range v.Entries() {
			if hasUnknown(x) {
				return true
			}
		}
	}
	return false
}

// equalUnknown is equal where unknown numbers are among what is compared. Keys of dicts never are: they cannot be hashed.
func equalUnknown(x, y starlark.Value) (bool, error) {
	if u, ok := x.(Unknown); ok {
		return u.Compare(syntax.EQL, y)
	}
	if u, ok := y.(Unknown); ok {
		return u.Compare(syntax.EQL, x)
	}
	switch a := x.(type) {
	case starlark.Tuple:
		if b, ok := y.(starlark.Tuple); ok {
			return equalElements(a, b)
		}
	case *starlark.List:
		if b, ok := y.(*starlark.List); ok {
			return equalElements(a, b)
		}
	case *starlark.Dict:
		b, ok := y.(*starlark.Dict)
		if !ok || a.Len() != b.Len() {
			return false, nil
		}
		for k, v := range a.Entries() {
			w, found, err := b.Get(k)
			if err != nil || !found {
				return false, err
			}
			if same, err := equal(v, w); err != nil || !same {
				return false, err
			}
		}
		return true, nil
	default:
		return starlark.Equal(x, y)
	}
	return false, nil
}

func equalElements(a, b starlark.Indexable) (bool, error) {
	if a.Len() != b.Len() {
		return false, nil
	}
	for i := range a.Len() {
		if same, err := equal(a.Index(i), b.Index(i)); err != nil || !same {
			return false, err
		}
	}
	return true, nil
}

// checkedOrder is x < y and similar, where y may be unknown.
func checkedOrder(op syntax.Token) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		x, y := args[0], args[1]
		if err := walk(thread, x, y); err != nil {
			return nil, err
		}
		if u, ok := y.(Unknown); ok {
			holds, err := u.Compare(flipped[op], x)
			return starlark.Bool(holds), err
		}
		holds, err := starlark.Compare(op, x, y)
		return starlark.Bool(holds), err
	}
}

// flipped is the order seen from the other side.
var flipped = map[syntax.Token]syntax.Token{
	syntax.LT: syntax.GT, syntax.GT: syntax.LT, syntax.LE: syntax.GE, syntax.GE: syntax.LE, syntax.EQL: syntax.EQL, syntax.NEQ: syntax.NEQ,
}

// checkedIn is x in y, and with not x not in y.
func checkedIn(not bool) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		compared := 1
		switch args[1].(type) {
		case *starlark.List, starlark.Tuple, starlark.String:
			compared = max(1, bulk(args[1]))
		}
		if err := charge(thread, compared-1); err != nil {
			return nil, err
		}
		if err := walkTimes(thread, args[0], compared); err != nil {
			return nil, err
		}
		found, err := in(args[0], args[1])
		return starlark.Bool(found != not), err
	}
}

func in(x, y starlark.Value) (bool, error) {
	switch list := y.(type) {
	case *starlark.List:
		if hasUnknown(x) || hasUnknown(y) {
			i, err := indexOf(list, x)
			return i >= 0, err
		}
	case starlark.Tuple:
		if hasUnknown(x) || hasUnknown(y) {
			i, err := indexOf(list, x)
			return i >= 0, err
		}
	default:
		if u, ok := x.(Unknown); ok {
			if _, ok := y.(*array); !ok { // which compares by itself
				x = u.Known()
			}
		}
	}
	v, err := starlark.Binary(syntax.IN, x, y)
	if err != nil {
		return false, err
	}
	return bool(v.Truth()), nil
}

func indexOf(list starlark.Indexable, x starlark.Value) (int, error) {
	for i := range list.Len() {
		if same, err := equal(list.Index(i), x); err != nil || same {
			return i, err
		}
	}
	return -1, nil
}

// indexUnknown is list.index(x) where something of that is unknown.
func indexUnknown(list *starlark.List, args starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 {
		return nil, fmt.Errorf("index: where numbers are symbolic it takes the value alone")
	}
	i, err := indexOf(list, args[0])
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, fmt.Errorf("index: value not in list")
	}
	return starlark.MakeInt(i), nil
}

// known replaces unknown numbers by one of their values, where a script writes them into a text.
func known(v starlark.Value) starlark.Value {
	switch v := v.(type) {
	case Unknown:
		return v.Known()
	case starlark.Tuple:
		if !hasUnknown(v) {
			return v
		}
		out := make(starlark.Tuple, len(v))
		for i, x := range v {
			out[i] = known(x)
		}
		return out
	}
	return v
}
