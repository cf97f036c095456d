package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.starlark.net/starlark"

	"motehound/world"
	"motehound/world/medium"
)

// Bounds on what a scenario can declare.
const (
	maxReadings = 1 << 20
	maxInput    = 1 << 24 // bytes of serial input
)

// builder collects what a script declares. Motes are named by node id before all of them are known, so what refers to
// them is settled at the end, in the order of declaration.
type builder struct {
	sc      *Scenario
	files   *files
	dir     string // what firmware paths are relative to
	params  []Param
	asked   []string // names of parameters, in the order of their first use
	horizon uint64   // how long readings without an end go on; 0 for unknown

	network   *request // the call of network, once there was one
	nodes     []*moteValue
	byID      map[uint16]int
	run       *request
	later     []func() error
	loose     []*action // made without a time, and not yet used in at()
	wired     map[medium.End]Pos
	inputSize int
}

// finish settles what had to wait.
func (b *builder) finish() error {
	if b.network == nil {
		return errorAt(Pos{File: b.sc.Name}, "the scenario has no network: call network(motes = [mote(...), ...])")
	}
	if err := b.unasked(); err != nil {
		return err
	}
	for _, f := range b.later {
		if err := f(); err != nil {
			return err
		}
	}
	for _, a := range b.loose {
		if !a.used {
			return errorAt(a.pos, "%s never happens: give at = \"3s\", or use it as in at(\"3s\", %s(...))", a.name, a.name)
		}
	}
	s := b.sc
	for _, p := range s.Properties {
		if err := freeze(p.Fn, p.Pos, p.Name); err != nil {
			return err
		}
		if p.Given != nil {
			if err := freeze(p.Given, p.Pos, p.Name); err != nil {
				return err
			}
		}
	}
	slices.SortStableFunc(s.Serial, func(x, y Input) int { return cmp.Compare(x.At, y.At) })
	slices.SortStableFunc(s.Sensors, func(x, y world.Sensor) int { return cmp.Compare(x.At, y.At) })
	slices.SortStableFunc(s.Events, func(x, y Event) int { return cmp.Compare(x.At, y.At) })
	return nil
}

// then settles something once all motes are known. Errors without a place get that of the request.
func (b *builder) then(r *request, f func() error) {
	b.later = append(b.later, func() error {
		err := f()
		if _, ok := err.(*Error); err == nil || ok {
			return err
		}
		return errorAt(r.pos, "%v", err)
	})
}

// request is one call of a scenario function.
type request struct {
	*builder
	thread *starlark.Thread
	name   string
	pos    Pos
	args   starlark.Tuple
	kwargs []starlark.Tuple
}

func (r *request) unpack(pairs ...any) error {
	return unpack(r.thread, r.name, r.args, r.kwargs, pairs...)
}

// askKey is what a thread has that wants to know the names of a function's arguments: a func([]any).
const askKey = "ask"

var errAsked = errors.New("only the names of the arguments were wanted")

// unpack takes the arguments of a call, which pairs name.
func unpack(thread *starlark.Thread, name string, args starlark.Tuple, kwargs []starlark.Tuple, pairs ...any) error {
	if ask, ok := thread.Local(askKey).(func([]any)); ok {
		ask(pairs)
		return errAsked
	}
	return starlark.UnpackArgs(name, args, kwargs, pairs...)
}

// errorf is an error of this call.
func (r *request) errorf(format string, args ...any) error { return errorAt(r.pos, format, args...) }

const builderKey = "builder"

// declared makes a scenario function of a handler. Calls from properties are refused: by then the scenario is made.
func declared(name string, handle func(*request) (starlark.Value, error)) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		b, ok := thread.Local(builderKey).(*builder)
		if !ok {
			return nil, fmt.Errorf("%s cannot be called in a property: call it while the file is loaded", name)
		}
		return handle(&request{b, thread, name, callerPos(thread), args, kwargs})
	})
}

// declarations are the scenario functions.
var declarations = []struct {
	name   string
	handle func(*request) (starlark.Value, error)
}{
	{"mote", (*request).mote},
	{"network", (*request).networkOf},
	{"boot", (*request).boot},
	{"run", (*request).runFor},
	{"param", (*request).param},

	{"line", (*request).line},
	{"grid", (*request).grid},
	{"full", (*request).full},
	{"disk", (*request).disk},
	{"link", (*request).link},
	{"gains", (*request).gains},

	{"lose", faultMaker(world.Lose)},
	{"duplicate", faultMaker(world.Duplicate)},
	{"corrupt", faultMaker(world.Corrupt)},
	{"reorder", faultMaker(world.Reorder)},
	{"delay", faultMaker(world.Delay)},
	{"reboot", faultMaker(world.Reboot)},
	{"outage", faultMaker(world.Outage)},
	{"late_boot", faultMaker(world.LateBoot)},
	{"busy", faultMaker(world.Busy)},

	{"serial", (*request).serial},
	{"wire", (*request).wire},
	{"sensor", (*request).sensor},
	{"frame", (*request).frame},
	{"pin", (*request).pin},
	{"button", (*request).button},
	{"i2c", (*request).i2c},
	{"spi", (*request).spi},

	{"at", (*request).at},
	{"cut", linkEvent(EventCut)},
	{"heal", linkEvent(EventHeal)},
	{"reboot_at", (*request).rebootAt},
	{"set_var", (*request).setVar},

	{"always", (*request).always},
	{"eventually", (*request).eventually},
	{"at_line", (*request).atLine},
	{"at_call", (*request).atCall},
	{"at_return", (*request).atReturn},
	{"at_time", (*request).atTime},
	{"failure", (*request).failure},
	{"silence", (*request).silence},
	{"benign", (*request).benign},
	{"report", (*request).report},

	{"symbolic_frame", (*request).symbolicFrame},
	{"symbolic_serial", (*request).symbolicSerial},
	{"symbolic_var", (*request).symbolicVar},
	{"symbolic_sensor", (*request).symbolicSensor},
	{"symbolic_wire", (*request).symbolicWire},
	{"assume", (*request).assume},
}

// pure are the functions that only compute. Properties may call them too.
var pure = []struct {
	name string
	f    builtinFunc
}{
	{"ps", picoseconds},
	{"ramp", ramp},
	{"steps", steps},
	{"sine", sine},
	{"noise", noise},
	{"tinyos_packet", tinyosPacket},
	{"slip", slip},
	{"each", quantifier(overEach)},
	{"any_of", quantifier(overAny)},
}

// environment is everything that a script finds predeclared. It is immutable and shared.
var environment = func() starlark.StringDict {
	env := universe()
	for _, d := range declarations {
		env[d.name] = declared(d.name, d.handle)
	}
	for _, p := range pure {
		env[p.name] = starlark.NewBuiltin(p.name, p.f)
	}
	env.Freeze()
	return env
}()

func picoseconds(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var t instant
	if err := unpack(thread, f.Name(), args, kwargs, "time", &t); err != nil {
		return nil, err
	}
	return starlark.MakeUint64(t.ps), nil
}

// opaque is the part that all values made by scenario functions have in common: they are immutable, and scripts can do
// nothing with them but hand them on.
type opaque struct{}

func (opaque) Freeze()               {}
func (opaque) Truth() starlark.Bool  { return true }
func (opaque) Hash() (uint32, error) { return 0, fmt.Errorf("unhashable") }

// values are the elements of a list or tuple; a single value is a list of one.
func values(v starlark.Value) []starlark.Value {
	if v == nil || v == starlark.None {
		return nil
	}
	seq, ok := v.(starlark.Indexable)
	if _, isString := v.(starlark.String); !ok || isString {
		return []starlark.Value{v}
	}
	out := make([]starlark.Value, seq.Len())
	for i := range out {
		out[i] = seq.Index(i)
	}
	return out
}
