package scenario

import (
	"fmt"
	"math"

	"go.starlark.net/starlark"

	"motehound/world"
)

// faultValue is a fault as scripts hold it: something that may happen, or, inside at(), something that does.
type faultValue struct {
	opaque
	f    Fault
	who  nodeRef
	a, b nodeRef // of the link
}

func (v *faultValue) String() string { return v.f.Kind.String() + "()" }
func (v *faultValue) Type() string   { return "fault" }

// usuallyBusy is how long a channel is busy if nobody says: longer than radios wait before they send all the same, and than drivers wait for them.
const usuallyBusy = 500 * world.Millisecond

// faultMaker handles lose, duplicate and the others: (max, mote, link, after, until), and for some a time.
func faultMaker(kind world.FaultKind) func(*request) (starlark.Value, error) {
	return func(r *request) (starlark.Value, error) {
		v := &faultValue{f: Fault{world.Fault{Kind: kind, Mote: Everyone, From: none, To: none, Wire: none}, r.pos}}
		budget := starlark.Value(starlark.MakeInt(1))
		var (
			after, until, length instant
			link                 starlark.Value
		)
		args := []any{"max?", &budget, "mote?", &v.who, "after?", &after, "until?", &until}
		if kind.OnFrames() {
			args = append(args, "link?", &link)
		}
		switch kind {
		case world.Delay, world.LateBoot:
			args = append(args, "by?", &length)
		case world.Outage, world.Busy:
			args = append(args, "length?", &length)
		}
		if err := r.unpack(args...); err != nil {
			return nil, err
		}
		if (kind == world.Delay || kind == world.LateBoot) && !length.set {
			return nil, r.errorf("%s: the time is missing: give one, such as by = \"10ms\"", kind)
		}
		if kind == world.Busy && !length.set {
			length.ps = usuallyBusy
		}
		n, err := intIn(budget, 0, math.MaxInt32)
		if err != nil {
			return nil, r.errorf("max %v", err)
		}
		v.f.Max, v.f.After, v.f.Until, v.f.Span = uint32(n), after.ps, until.ps, length.ps
		if until.set && until.ps <= after.ps {
			return nil, r.errorf("until %s is not after %s", showTime(until.ps), showTime(after.ps))
		}
		return v, v.onLink(r, link)
	}
}

// onLink reads link = (a, b).
func (v *faultValue) onLink(r *request, link starlark.Value) error {
	if link == nil || link == starlark.None {
		return nil
	}
	ends := values(link)
	if len(ends) != 2 {
		return r.errorf("link: want a pair of node ids, such as link = (0, 1)")
	}
	if err := v.a.Unpack(ends[0]); err != nil {
		return r.errorf("link: %v", err)
	}
	if err := v.b.Unpack(ends[1]); err != nil {
		return r.errorf("link: %v", err)
	}
	if !v.a.set || !v.b.set {
		return r.errorf("link: want a pair of node ids, such as link = (0, 1)")
	}
	if v.who.set {
		return r.errorf("give mote or link, not both: a link has its receiver")
	}
	return nil
}

// addFaults settles the faults of the network, or of one of its wires.
func (r *request) addFaults(list []starlark.Value, wire int) error {
	for _, v := range list {
		f, ok := v.(*faultValue)
		if !ok {
			return r.errorf("faults: got %s, want lose(...), reboot(...) or another fault", shown(v))
		}
		if wire != none && !f.f.Kind.OnFrames() {
			return r.errorf("faults: %s happens to motes, not on wires: give it to network()", f.f.Kind)
		}
		one := *f
		one.f.Wire = wire
		r.then(&request{name: f.f.Kind.String(), pos: f.f.Pos}, func() error { return r.addFault(&one) })
	}
	return nil
}

func (r *request) addFault(v *faultValue) error {
	if v.who.set {
		i, err := r.resolve(v.who)
		if err != nil {
			return err
		}
		v.f.Mote = i
	}
	if v.a.set {
		var err error
		if v.f.From, v.f.To, err = r.ends(v.a, v.b); err != nil {
			return err
		}
		if v.f.Wire == none && !r.linked(v.f.From, v.f.To) {
			return fmt.Errorf("mote %d cannot hear mote %d: there is no such link", r.sc.Motes[v.f.To].ID, r.sc.Motes[v.f.From].ID)
		}
	}
	r.sc.Faults = append(r.sc.Faults, v.f)
	return nil
}

func (b *builder) ends(x, y nodeRef) (from, to int, err error) {
	if from, err = b.resolve(x); err != nil {
		return 0, 0, err
	}
	to, err = b.resolve(y)
	return from, to, err
}

// linked reports whether there is a link.
func (b *builder) linked(from, to int) bool {
	for _, l := range b.sc.Links[b.firstLink(from):] {
		if l.From != from {
			break
		}
		if l.To == to {
			return true
		}
	}
	return false
}

// firstLink is where the links of a sender start.
func (b *builder) firstLink(from int) int {
	lo, hi := 0, len(b.sc.Links)
	for lo < hi {
		if mid := (lo + hi) / 2; b.sc.Links[mid].From < from {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
