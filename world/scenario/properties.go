package scenario

import (
	"fmt"
	"math"
	"path"
	"slices"

	"go.starlark.net/starlark"
)

// PropertyKind says when a property must hold.
type PropertyKind uint8

// The kinds of properties.
const (
	Always     PropertyKind = iota // in every state
	Eventually                     // again and again: no run may violate it for ever
	AtLine                         // whenever a mote is about to execute a source line
	AtTime                         // at one moment
	AtCall                         // whenever a mote enters a function
	AtReturn                       // whenever one returns
	numPropertyKinds
)

var propertyNames = [numPropertyKinds]string{"always", "eventually", "at_line", "at_time", "at_call", "at_return"}

// String is the kind's name in scenario files.
func (k PropertyKind) String() string { return propertyNames[k] }

// AtCode reports whether properties of the kind are looked at where a mote is in its code.
func (k PropertyKind) AtCode() bool { return k == AtLine || k == AtCall || k == AtReturn }

// Property is something that must hold. See Evaluator.
type Property struct {
	Name   string
	Kind   PropertyKind
	Fn     starlark.Callable // of the network; of a node at code, and inside each() and any_of()
	Within uint64            // of Eventually: how long it may be violated; 0 for no bound
	At     uint64            // of AtTime
	File   string            // of AtLine
	Line   int
	Func   string            // of AtCall and AtReturn
	Given  starlark.Callable // of AtReturn: what must have held when the function was entered; nil for nothing
	Mote   int               // at code: whose; or Everyone
	Pos    Pos
}

// PerMote reports whether the property is a matter of single motes, so that its Verdict names those that violate it.
func (p *Property) PerMote() bool {
	q, ok := p.Fn.(*quantified)
	return p.Kind.AtCode() || ok && q.over == overEach
}

// quantified is each(fn) or any_of(fn): a function of a network, made of one of a node. Motes that are not alive are
// left out: they have no state.
type quantified struct {
	opaque
	over scope
	fn   starlark.Callable
}

type scope uint8

const (
	overEach scope = iota
	overAny
	numScopes
)

var scopeNames = [numScopes]string{"each", "any_of"}

func (q *quantified) String() string { return scopeNames[q.over] + "(" + q.fn.Name() + ")" }
func (q *quantified) Type() string   { return "function" }
func (q *quantified) Name() string   { return scopeNames[q.over] }

// Freeze implements starlark.Value.
func (q *quantified) Freeze() { q.fn.Freeze() }

// CallInternal implements starlark.Callable, for each() inside other functions.
func (q *quantified) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) != 1 || len(kwargs) > 0 {
		return nil, fmt.Errorf("%s(...) takes the network alone", q.Name())
	}
	net, ok := args[0].(*network)
	if !ok {
		return nil, fmt.Errorf("%s(...) takes the network, got %s", q.Name(), args[0].Type())
	}
	for i := range net.e.view.Motes() {
		if !net.e.alive(i) {
			continue
		}
		holds, err := net.e.ask(thread, q.fn, net.e.node(i))
		if err != nil || holds == (q.over == overAny) {
			return starlark.Bool(holds), err
		}
	}
	return starlark.Bool(q.over == overEach), nil
}

func quantifier(over scope) builtinFunc {
	return func(thread *starlark.Thread, f *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var fn starlark.Callable
		if err := unpack(thread, f.Name(), args, kwargs, "fn", &fn); err != nil {
			return nil, err
		}
		if err := takesOne(fn); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		return &quantified{over: over, fn: fn}, nil
	}
}

// takesOne checks that a property function can be called with one argument.
func takesOne(fn starlark.Callable) error {
	f, ok := fn.(*starlark.Function)
	if !ok {
		return nil
	}
	required := 0
	for i := range f.NumParams() {
		if f.ParamDefault(i) == nil {
			required++
		}
	}
	if f.HasVarargs() {
		required--
	}
	if f.HasKwargs() {
		required--
	}
	if f.NumParams() == 0 || required > 1 || f.NumKwonlyParams() == f.NumParams() {
		return fmt.Errorf("%s must take one argument, the network (or the node, inside each() and any_of())", f.Name())
	}
	return nil
}

// declare adds a property.
func (r *request) declare(p Property, who nodeRef) (starlark.Value, error) {
	p.Pos, p.Mote = r.pos, Everyone
	if p.Name == "" {
		return nil, r.errorf("the name is empty: findings are reported under it")
	}
	for _, other := range r.sc.Properties {
		if other.Name == p.Name {
			return nil, r.errorf("there is already a property %q, at %s: give each its own name", p.Name, other.Pos)
		}
	}
	if len(r.sc.Properties) >= maxProperties {
		return nil, r.errorf("more than %d properties", maxProperties)
	}
	for _, fn := range []starlark.Callable{p.Fn, p.Given} {
		if fn == nil {
			continue
		}
		if err := takesOne(fn); err != nil {
			return nil, r.errorf("%v", err)
		}
		if _, ok := fn.(*quantified); ok && p.Kind.AtCode() {
			return nil, r.errorf("the function already gets one node: leave each() and any_of() out")
		}
	}
	n := len(r.sc.Properties)
	r.sc.Properties = append(r.sc.Properties, p)
	if who.set {
		r.then(r, func() error {
			i, err := r.resolve(who)
			r.sc.Properties[n].Mote = i
			return err
		})
	}
	return starlark.None, nil
}

const maxProperties = 1000

// always handles always(name, fn).
func (r *request) always() (starlark.Value, error) {
	p := Property{Kind: Always}
	if err := r.unpack("name", &p.Name, "fn", &p.Fn); err != nil {
		return nil, err
	}
	return r.declare(p, nodeRef{})
}

// eventually handles eventually(name, fn, within).
func (r *request) eventually() (starlark.Value, error) {
	p := Property{Kind: Eventually}
	var within instant
	if err := r.unpack("name", &p.Name, "fn", &p.Fn, "within?", &within); err != nil {
		return nil, err
	}
	p.Within = within.ps
	return r.declare(p, nodeRef{})
}

// atLine handles at_line(file, line, fn, name, mote).
func (r *request) atLine() (starlark.Value, error) {
	p := Property{Kind: AtLine}
	var (
		who  nodeRef
		line starlark.Value
	)
	if err := r.unpack("file", &p.File, "line", &line, "fn", &p.Fn, "name?", &p.Name, "mote?", &who); err != nil {
		return nil, err
	}
	n, err := intIn(line, 1, math.MaxInt32)
	if err != nil {
		return nil, r.errorf("line %v", err)
	}
	p.Line = int(n)
	if p.Name == "" {
		p.Name = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return r.declare(p, who)
}

// atCall handles at_call(function, fn, name, mote).
func (r *request) atCall() (starlark.Value, error) {
	p := Property{Kind: AtCall}
	var who nodeRef
	if err := r.unpack("function", &p.Func, "fn", &p.Fn, "name?", &p.Name, "mote?", &who); err != nil {
		return nil, err
	}
	return r.atFunction(p, who)
}

// atReturn handles at_return(function, fn, given, name, mote).
func (r *request) atReturn() (starlark.Value, error) {
	p := Property{Kind: AtReturn}
	var who nodeRef
	if err := r.unpack("function", &p.Func, "fn", &p.Fn, "given?", &p.Given, "name?", &p.Name, "mote?", &who); err != nil {
		return nil, err
	}
	return r.atFunction(p, who)
}

func (r *request) atFunction(p Property, who nodeRef) (starlark.Value, error) {
	if p.Func == "" {
		return nil, r.errorf("the function is missing: give its name as the compiler does")
	}
	if p.Name == "" {
		p.Name = fmt.Sprintf("%s %s", p.Kind, p.Func)
	}
	return r.declare(p, who)
}

// atTime handles at_time(time, name, fn).
func (r *request) atTime() (starlark.Value, error) {
	p := Property{Kind: AtTime}
	var when instant
	if err := r.unpack("time", &when, "name", &p.Name, "fn", &p.Fn); err != nil {
		return nil, err
	}
	p.At = when.ps
	return r.declare(p, nodeRef{})
}

// failure handles failure(function, ...).
func (r *request) failure() (starlark.Value, error) {
	list, err := r.names("functions that the firmware calls when it has failed", "a function (* and ? stand for any characters)", func(name string) bool {
		_, err := path.Match(name, "")
		return err == nil
	})
	r.sc.Failures = append(r.sc.Failures, list...)
	return starlark.None, err
}

// benign handles benign(variable, ...).
func (r *request) benign() (starlark.Value, error) {
	list, err := r.names("variables whose races are not reported", "a variable", func(string) bool { return true })
	for _, name := range list {
		r.sc.Benign = append(r.sc.Benign, Benign{name, r.pos})
	}
	return starlark.None, err
}

// names are the arguments of a function that takes nothing but names of something.
func (r *request) names(takes, what string, valid func(string) bool) (list []string, err error) {
	if len(r.args) == 0 || len(r.kwargs) > 0 {
		return nil, r.errorf("%s takes the names of %s", r.name, takes)
	}
	for _, v := range r.args {
		name, ok := starlark.AsString(v)
		if !ok || name == "" || !valid(name) {
			return nil, r.errorf("%s is not the name of %s", shown(v), what)
		}
		list = append(list, name)
	}
	return list, nil
}

// Optional are the built-in checks that are on only if somebody asks for them. Resets by the watchdog are so in timed runs.
var Optional = struct{ Unwritten, FailedPost, Watchdog string }{"memory: unwritten", "kernel: failed_post", "kernel: watchdog"}

// report handles report(check, ...).
func (r *request) report() (starlark.Value, error) {
	if len(r.args) == 0 || len(r.kwargs) > 0 {
		return nil, r.errorf("report takes the names of checks that are off otherwise, such as %q", Optional.Watchdog)
	}
	for _, v := range r.args {
		name, _ := starlark.AsString(v)
		switch name {
		case Optional.Unwritten, Optional.FailedPost, Optional.Watchdog:
			r.sc.Reported = append(r.sc.Reported, name)
		default:
			return nil, r.errorf("%s is not a check that is off otherwise: choose among %q, %q and %q", shown(v), Optional.Unwritten, Optional.FailedPost, Optional.Watchdog)
		}
	}
	return starlark.None, nil
}

// Reports reports whether an optional check is on.
func (s *Scenario) Reports(check string) bool { return s != nil && slices.Contains(s.Reported, check) }

// silence handles silence(check, function, variable, reason).
func (r *request) silence() (starlark.Value, error) {
	s := Silence{Pos: r.pos}
	if err := r.unpack("check", &s.Check, "function?", &s.Function, "variable?", &s.Variable, "reason?", &s.Reason); err != nil {
		return nil, err
	}
	switch {
	case s.Check == "":
		return nil, r.errorf("the check is missing: give its name as findings show it")
	case (s.Function == "") == (s.Variable == ""):
		return nil, r.errorf("give function or variable: where is the check silenced?")
	case s.Reason == "":
		return nil, r.errorf("give reason: later readers must know why this is not a bug")
	}
	r.sc.Silenced = append(r.sc.Silenced, s)
	return starlark.None, nil
}
