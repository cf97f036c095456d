package scenario

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Bounds on scripts. What an operation makes is charged as steps, one for each element or 16 bytes, so the bound on
// steps bounds memory too.
const (
	loadSteps     = 10_000_000
	evaluateSteps = 2_000_000
	maxSize       = 1 << 20 // elements of a list, bytes of a string
	maxBits       = 1 << 16 // of an integer
	maxDepth      = 200     // of lists in lists
	maxSource     = 1 << 18 // bytes of a file
	maxGains      = 1 << 25 // bytes of a gain file
)

// charge accounts for n elements. The interpreter stops the script once the steps are used up; functions that loop over
// many charges stop by themselves.
func charge(thread *starlark.Thread, n int) error {
	thread.Steps += uint64(n)
	if thread.Steps > loadSteps {
		return errors.New(tooManySteps)
	}
	return nil
}

var tooManySteps = fmt.Sprintf("the scenario takes more than %d steps: look for a loop that does not end, or for too much data", loadSteps)

// bulk is how much there is to a value, without what its elements hold.
func bulk(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v) / 16
	case starlark.Bytes:
		return len(v) / 16
	case *starlark.Dict, *starlark.Set:
		return hashed * starlark.Len(v)
	}
	return max(starlark.Len(v), 0)
}

// hashed is what an entry of a hash table costs, in elements of a list.
const hashed = 8

// fits refuses strings and integers that have grown too large, and charges for the rest.
func fits(thread *starlark.Thread, v starlark.Value) (starlark.Value, error) {
	switch v := v.(type) {
	case starlark.Int:
		return v, fitsBits(v, 0)
	case starlark.String:
		if len(v) > maxSize {
			return nil, tooLong(len(v))
		}
	case starlark.Bytes:
		if len(v) > maxSize {
			return nil, tooLong(len(v))
		}
	case *starlark.List, starlark.Tuple:
		if n := starlark.Len(v); n > maxSize {
			return nil, tooMany(n)
		}
	}
	return v, charge(thread, bulk(v))
}

func tooMany(n int) error {
	return fmt.Errorf("a value of %d elements is too large: at most %d are allowed", n, maxSize)
}

func tooLong(n int) error {
	return fmt.Errorf("a string of %d bytes is too long: at most %d are allowed", n, maxSize)
}

func fitsBits(v starlark.Int, more int) error {
	if _, small := v.Int64(); small && more < maxBits/2 {
		return nil
	}
	if n := v.BigInt().BitLen() + more; n > maxBits {
		return fmt.Errorf("a number of %d bits is too large: at most %d are allowed", n, maxBits)
	}
	return nil
}

// weigh is how long a value is when written out, or more than limit. Shared parts count each time, as they do there.
func weigh(v starlark.Value, limit, depth int) int {
	if depth > maxDepth {
		return limit + 1
	}
	switch v := v.(type) {
	case starlark.String:
		return len(v) + 2
	case starlark.Bytes:
		return 4*len(v) + 3
	case starlark.Int:
		if _, small := v.Int64(); small {
			return 20
		}
		return v.BigInt().BitLen()/3 + 2
	case *starlark.Dict:
		n := 2
		for key, value := range v.Entries() {
			n += weigh(key, limit-n, depth+1) + weigh(value, limit-n, depth+1) + 4
			if n > limit {
				break
			}
		}
		return n
	case *starlark.List, starlark.Tuple, *starlark.Set:
		n := 2
		for e := range starlark.Elements(v.(starlark.Iterable)) {
			if n += weigh(e, limit-n, depth+1) + 2; n > limit {
				break
			}
		}
		return n
	}
	return 64
}

// heavy is how long a value is when written out, or more than all methods may make: what is too large is not weighed to its end.
func heavy(v starlark.Value) int {
	n := weigh(v, maxSize, 0)
	if n > maxSize {
		n += 4 * maxSize
	}
	return n
}

// writable refuses values that would fill the memory when written out.
func writable(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	n := weigh(args, maxSize, 0)
	for _, kw := range kwargs {
		n += weigh(kw, maxSize, 0)
	}
	if n > maxSize {
		return fmt.Errorf("too large or too deeply nested to be written out")
	}
	return charge(thread, n/16)
}

type builtinFunc = func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error)

// checkedBinary is a binary operator that looks at sizes first.
func checkedBinary(op syntax.Token) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return binary(thread, op, args[0], args[1])
	}
}

func binary(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	var err error
	switch op {
	case syntax.STAR:
		err = fitsRepeated(x, y)
	case syntax.LTLT:
		if a, ok := x.(starlark.Int); ok {
			err = fitsBits(a, 512)
		}
	case syntax.PERCENT:
		if format, ok := x.(starlark.String); ok {
			y = known(y)
			err = fitsFormatted(thread, string(format), y)
		}
	}
	if err != nil {
		return nil, err
	}
	switch x.(type) {
	case *starlark.Dict, *starlark.Set:
		if err := walkKeys(thread, x); err != nil {
			return nil, err
		}
		if err := walkKeys(thread, y); err != nil {
			return nil, err
		}
	}
	z, err := starlark.Binary(op, x, y)
	if err != nil {
		return nil, err
	}
	return fits(thread, z)
}

func fitsRepeated(x, y starlark.Value) error {
	a, xIsInt := x.(starlark.Int)
	b, yIsInt := y.(starlark.Int)
	switch {
	case xIsInt && yIsInt:
		return fitsProduct(a, b)
	case xIsInt:
		return fitsTimes(y, a)
	case yIsInt:
		return fitsTimes(x, b)
	}
	return nil
}

func fitsProduct(a, b starlark.Int) error {
	if _, small := a.Int64(); small {
		a, b = b, a
	}
	if _, small := b.Int64(); small {
		return fitsBits(a, 64)
	}
	return fitsBits(a, b.BigInt().BitLen())
}

func fitsTimes(v starlark.Value, n starlark.Int) error {
	size := int64(starlark.Len(v))
	if times, ok := n.Int64(); ok && size > 0 && times > maxSize/size {
		return fmt.Errorf("%d times %d elements are too many: at most %d are allowed", times, size, maxSize)
	}
	return nil
}

// fitsFormatted bounds format % args: each conversion writes at most all of args.
func fitsFormatted(thread *starlark.Thread, format string, args starlark.Value) error {
	n, conversions := weigh(args, maxSize, 0), strings.Count(format, "%")
	if _, named := args.(*starlark.Dict); !named {
		conversions = min(conversions, 1)
	}
	if n > maxSize || len(format)+conversions*n > maxSize {
		return fmt.Errorf("the formatted text is too long: at most %d bytes are allowed", maxSize)
	}
	return charge(thread, (len(format)+conversions*n)/16)
}

// checkedInPlace is x op= y for a variable x. Like Starlark's own, += extends a list, and |= a dict, in place.
func checkedInPlace(op syntax.Token) builtinFunc {
	return func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		return inPlace(thread, op, args[0], args[1])
	}
}

func inPlace(thread *starlark.Thread, op syntax.Token, x, y starlark.Value) (starlark.Value, error) {
	method := ""
	switch x.(type) {
	case *starlark.List:
		if _, ok := y.(starlark.Iterable); ok && op == syntax.PLUS {
			method = "extend"
		}
	case *starlark.Dict:
		if _, ok := y.(*starlark.Dict); ok && op == syntax.PIPE {
			method = "update"
		}
	}
	if method == "" {
		return binary(thread, op, x, y)
	}
	if n := starlark.Len(x) + max(starlark.Len(y), 0); n > maxSize {
		return nil, tooMany(n)
	}
	if err := charge(thread, bulk(y)); err != nil {
		return nil, err
	}
	grow, err := x.(starlark.HasAttrs).Attr(method)
	if err != nil {
		return nil, err
	}
	_, err = starlark.Call(thread, grow, starlark.Tuple{y}, nil)
	return x, err
}

// checkedUpdate is container[key] op= y.
func checkedUpdate(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	code, _ := starlark.AsInt32(args[0])
	op, key := syntax.Token(code), args[2]
	if err := walk(thread, key); err != nil {
		return nil, err
	}
	switch c := args[1].(type) {
	case *starlark.Dict:
		old, found, err := c.Get(key)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, fmt.Errorf("key %s not in dict", shown(key))
		}
		v, err := inPlace(thread, op, old, args[3])
		if err != nil {
			return nil, err
		}
		return starlark.None, c.SetKey(key, v)
	case *starlark.List:
		i, err := starlark.AsInt32(key)
		if i < 0 {
			i += c.Len()
		}
		if err != nil || i < 0 || i >= c.Len() {
			return nil, fmt.Errorf("list index %s out of range [0:%d]", shown(key), c.Len())
		}
		v, err := inPlace(thread, op, c.Index(i), args[3])
		if err != nil {
			return nil, err
		}
		return starlark.None, c.SetIndex(i, v)
	}
	return nil, fmt.Errorf("%s value does not support item assignment", args[1].Type())
}

// shown is a value in an error message.
func shown(v starlark.Value) string {
	const limit = 80
	if weigh(v, limit, 0) > limit {
		return v.Type()
	}
	return v.String()
}

// checkedSized charges for a slice, or for arguments that are spread.
func checkedSized(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return fits(thread, args[0])
}

// checkedMethod is x.name where name may be a method that makes something large.
func checkedMethod(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	name, _ := starlark.AsString(args[1])
	return attr(args[0], name)
}

func attr(x starlark.Value, name string) (starlark.Value, error) {
	v, err := starlark.Value(nil), error(nil)
	if x, ok := x.(starlark.HasAttrs); ok {
		v, err = x.Attr(name)
	}
	if err != nil || v == nil {
		if err == nil {
			err = fmt.Errorf("%s has no .%s field or method", x.Type(), name)
		}
		return nil, err
	}
	method, ok := v.(*starlark.Builtin)
	if !ok || method.Receiver() == nil {
		return v, nil
	}
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := fitsMethod(thread, x, name, args, kwargs); err != nil {
			return nil, err
		}
		if list, ok := x.(*starlark.List); ok && name == "index" && (hasUnknown(x) || hasUnknown(args)) {
			return indexUnknown(list, args)
		}
		v, err := starlark.Call(thread, method, args, kwargs)
		if err != nil {
			return nil, err
		}
		return fits(thread, v)
	}).BindReceiver(x), nil
}

// fitsMethod charges for a method call, and refuses the three methods that multiply.
func fitsMethod(thread *starlark.Thread, x starlark.Value, name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	n := bulk(x)
	for _, a := range args {
		n += bulk(a)
	}
	for _, kw := range kwargs {
		n += bulk(kw[1])
	}
	if err := charge(thread, n); err != nil {
		return err
	}
	if err := walkMethod(thread, x, name, args); err != nil {
		return err
	}
	if name == "extend" && len(args) == 1 && starlark.Len(x)+starlark.Len(args[0]) > maxSize {
		return tooMany(starlark.Len(x) + starlark.Len(args[0]))
	}
	s, ok := x.(starlark.String)
	if !ok {
		return nil
	}
	size := 0
	switch {
	case name == "join" && len(args) == 1:
		size = len(s)*max(starlark.Len(args[0]), 1) + heavy(args[0])
	case name == "replace" && len(args) > 1:
		size = (len(s) + 1) * (starlark.Len(args[1]) + 1)
	case name == "format":
		size = len(s) + (strings.Count(string(s), "{")+1)*heavy(args)
		for _, kw := range kwargs {
			size += (strings.Count(string(s), "{") + 1) * heavy(kw[1])
		}
	}
	if size > 4*maxSize {
		return fmt.Errorf("the result of %s can be %d bytes long, which is too much", name, size)
	}
	return charge(thread, size/16)
}
