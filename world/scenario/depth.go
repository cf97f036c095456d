package scenario

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Hashing, comparing and freezing go through all of a value, and through what it shares as often as that is there: (t, t) made from
// itself forty times has forty tuples and a million million leaves. The interpreter counts such a walk as one step. So what can be deep is
// weighed before, refused if it is too heavy, and charged for.

var errTooDeep = errors.New("too large or too deeply nested to be compared, or to be a key")

// walk charges for going through values once.
func walk(thread *starlark.Thread, values ...starlark.Value) error {
	for _, v := range values {
		if err := walkTimes(thread, v, 1); err != nil {
			return err
		}
	}
	return nil
}

// walkTimes charges for going through a value n times.
func walkTimes(thread *starlark.Thread, v starlark.Value, n int) error {
	switch v := v.(type) {
	case starlark.Int, starlark.Bool, starlark.NoneType, starlark.Float:
		return nil
	case starlark.String:
		const free = 256
		if len(v) < free {
			return nil
		}
	case *starlark.List, starlark.Tuple, *starlark.Dict, *starlark.Set, starlark.Bytes:
	default:
		return nil
	}
	weight := weigh(v, maxSize, 0)
	if weight > maxSize+2 {
		return errTooDeep
	}
	return charge(thread, weight/16*min(n, maxSize))
}

// walkKeys charges for hashing what a dict or set is made of.
func walkKeys(thread *starlark.Thread, v starlark.Value) error {
	each, ok := v.(starlark.Iterable)
	if !ok {
		return nil
	}
	for e := range starlark.Elements(each) {
		if err := walk(thread, e); err != nil {
			return err
		}
	}
	return nil
}

// checkedKey is a key, charged for.
func checkedKey(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return args[0], walk(thread, args[0])
}

// mayBeDeep reports whether an expression can be a tuple.
func mayBeDeep(x syntax.Expr) bool {
	switch x := unparen(x).(type) {
	case *syntax.Literal, *syntax.UnaryExpr:
		return false
	case *syntax.BinaryExpr:
		return (x.Op == syntax.PLUS || x.Op == syntax.STAR) && !isNumber(x.X) && !isNumber(x.Y)
	}
	return true
}

// key is the expression of a key, charged for if it can be deep.
func (r rewriter) key(x syntax.Expr, at syntax.Position) syntax.Expr {
	deep := mayBeDeep(x)
	if x = r.expr(x); deep {
		return call(opKey, at, x)
	}
	return x
}

// walkMethod charges for what methods hash and compare.
func walkMethod(thread *starlark.Thread, x starlark.Value, name string, args starlark.Tuple) error {
	if len(args) == 0 {
		return nil
	}
	switch x := x.(type) {
	case *starlark.List:
		if name == "index" || name == "remove" {
			return walkTimes(thread, args[0], x.Len())
		}
	case *starlark.Dict, *starlark.Set:
		if err := walk(thread, args[0]); err != nil {
			return err
		}
		return walkKeys(thread, args[0])
	}
	return nil
}

// frozen is how much Freeze has to do, or more than limit. It enters lists, dicts and functions once, and tuples as often as they are there.
type frozen struct {
	seen map[starlark.Value]bool
}

func (f *frozen) cost(v starlark.Value, limit, depth int) int {
	const deepest = 10_000
	if depth > deepest {
		return limit + 1
	}
	switch v.(type) {
	case *starlark.List, *starlark.Dict, *starlark.Set, *starlark.Function, *quantified:
		if f.seen[v] {
			return 1
		}
		f.seen[v] = true
	}
	n := 1
	parts(v, func(part starlark.Value) bool {
		n += f.cost(part, limit-n, depth+1)
		return n <= limit
	})
	return n
}

// parts goes through what a value holds.
func parts(v starlark.Value, yield func(starlark.Value) bool) {
	switch v := v.(type) {
	case *starlark.Function:
		for i := range v.NumParams() {
			if d := v.ParamDefault(i); d != nil && !yield(d) {
				return
			}
		}
		for i := range v.NumFreeVars() {
			if _, x := v.FreeVar(i); x != nil && !yield(x) {
				return
			}
		}
	case *starlark.Builtin:
		if r := v.Receiver(); r != nil {
			yield(r)
		}
	case *quantified:
		yield(v.fn)
	case *starlark.Dict:
		for key, value := range v.Entries() {
			if !yield(key) || !yield(value) {
				return
			}
		}
	case *starlark.List, starlark.Tuple, *starlark.Set:
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if !yield(e) {
				return
			}
		}
	}
}

// freeze freezes a value, unless that would take too long.
func freeze(v starlark.Value, pos Pos, what string) error {
	const most = 1 << 22
	if (&frozen{map[starlark.Value]bool{}}).cost(v, most, 0) > most {
		return errorAt(pos, "%s", fmt.Sprintf("what %s uses is too large or too deeply nested", what))
	}
	v.Freeze()
	return nil
}
