package scenario

import (
	"fmt"

	"go.starlark.net/starlark"

	"motehound/world"
	"motehound/world/medium"
)

// action is something that happens at a time still to be given.
type action struct {
	opaque
	name string
	pos  Pos
	do   func(at uint64) error
	used bool
}

func (a *action) String() string { return a.name + "()" }
func (a *action) Type() string   { return "action" }

// happens settles something that happens at a time; without one it is an action, for at().
func (r *request) happens(when instant, do func(at uint64) error) (starlark.Value, error) {
	if when.set {
		r.then(r, func() error { return do(when.ps) })
		return starlark.None, nil
	}
	a := &action{name: r.name, pos: r.pos, do: do}
	r.loose = append(r.loose, a)
	return a, nil
}

// at handles at(time, action...).
func (r *request) at() (starlark.Value, error) {
	if len(r.kwargs) > 0 || len(r.args) < 2 {
		return nil, r.errorf("want a time and what happens then, such as at(\"3s\", reboot(mote = 1))")
	}
	var when instant
	if err := when.Unpack(r.args[0]); err != nil {
		return nil, r.errorf("%v", err)
	}
	if !when.set {
		return nil, r.errorf("got None for a time: %s", timeHelp)
	}
	flat, err := flatten(r.thread, nil, r.args[1:], 0)
	if err != nil {
		return nil, err
	}
	for _, v := range flat {
		switch v := v.(type) {
		case *action:
			v.used = true
			r.then(&request{name: v.name, pos: v.pos}, func() error { return v.do(when.ps) })
		case *faultValue:
			if err := r.certain(v, when.ps); err != nil {
				return nil, err
			}
		case starlark.NoneType:
			return nil, r.errorf("this already has a time of its own: leave at() out")
		default:
			return nil, r.errorf("got %s, want serial(...), frame(...), cut(...), heal(...), set_var(...), reboot(...) or outage(...)", shown(v))
		}
	}
	return starlark.None, nil
}

// certain makes an event of a fault: inside at() it does happen.
func (r *request) certain(v *faultValue, at uint64) error {
	e := Event{At: at, From: none, To: none, Span: v.f.Span, Pos: v.f.Pos}
	switch v.f.Kind {
	case world.Reboot:
		e.Kind = EventReboot
	case world.Outage:
		e.Kind = EventOutage
	case world.Busy:
		return r.errorf("busy cannot happen at a given time: give it to network(faults = ...), with after and until if you like")
	default:
		return r.errorf("%s cannot happen at a given time, because it needs a frame: give it to network(faults = ...)", v.f.Kind)
	}
	if !v.who.set {
		return r.errorf("%s: the mote is missing: give one, such as mote = 1", v.f.Kind)
	}
	r.then(&request{name: v.f.Kind.String(), pos: v.f.Pos}, func() error {
		i, err := r.resolve(v.who)
		e.Mote = i
		r.sc.Events = append(r.sc.Events, e)
		return err
	})
	return nil
}

// linkEvent handles cut and heal: (a, b, at, both).
func linkEvent(kind EventKind) func(*request) (starlark.Value, error) {
	return func(r *request) (starlark.Value, error) {
		var (
			a, b nodeRef
			when instant
			both = true
		)
		if err := r.unpack("a", &a, "b", &b, "at?", &when, "both?", &both); err != nil {
			return nil, err
		}
		return r.happens(when, func(at uint64) error {
			from, to, err := r.ends(a, b)
			if err != nil {
				return err
			}
			pairs := [][2]int{{from, to}, {to, from}}
			if !both {
				pairs = pairs[:1]
			}
			n := len(r.sc.Events)
			for _, p := range pairs {
				if r.linked(p[0], p[1]) {
					r.sc.Events = append(r.sc.Events, Event{At: at, Kind: kind, Mote: none, From: p[0], To: p[1], Pos: r.pos})
				}
			}
			if len(r.sc.Events) == n {
				return fmt.Errorf("there is no link from mote %d to mote %d", r.sc.Motes[from].ID, r.sc.Motes[to].ID)
			}
			return nil
		})
	}
}

// rebootAt handles reboot_at(mote, at).
func (r *request) rebootAt() (starlark.Value, error) {
	var (
		who  nodeRef
		when instant
	)
	if err := r.unpack("mote", &who, "at", &when); err != nil {
		return nil, err
	}
	if !when.set {
		return nil, r.errorf("got None for a time: %s", timeHelp)
	}
	return starlark.None, r.certain(&faultValue{f: Fault{world.Fault{Kind: world.Reboot}, r.pos}, who: who}, when.ps)
}

// setVar handles set_var(mote, path, value, at).
func (r *request) setVar() (starlark.Value, error) {
	var (
		who   nodeRef
		path  string
		value starlark.Value
		when  instant
	)
	if err := r.unpack("mote", &who, "path", &path, "value", &value, "at?", &when); err != nil {
		return nil, err
	}
	n, err := cNumber(value)
	if err != nil {
		return nil, r.errorf("%s: %v", path, err)
	}
	if path == "" {
		return nil, r.errorf("the path of the variable is empty")
	}
	return r.happens(when, func(at uint64) error {
		i, err := r.resolve(who)
		r.sc.Events = append(r.sc.Events, Event{
			At: at, Kind: EventSet, Mote: i, From: none, To: none, Var: world.Variable{Path: path, Value: n}, Pos: r.pos,
		})
		return err
	})
}

// cuts are the times during which links are cut, by EventCut and EventHeal, in the order of their beginning.
func (s *Scenario) cuts() []medium.Cut {
	var cuts []medium.Cut
	open := map[[2]int]int{} // where in cuts
	for _, e := range s.Events {
		link := [2]int{e.From, e.To}
		i, isOpen := open[link]
		switch {
		case e.Kind == EventCut && !isOpen:
			open[link] = len(cuts)
			cuts = append(cuts, medium.Cut{From: e.From, To: e.To, At: e.At, Until: medium.Never})
		case e.Kind == EventHeal && isOpen:
			cuts[i].Until = e.At
			delete(open, link)
		}
	}
	return cuts
}
