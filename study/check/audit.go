package check

import (
	"fmt"
	"slices"

	"motehound/study/finding"
)

// AuditOptions say how much to audit.
type AuditOptions struct {
	Events int // of the walk along which states are looked at; 0 for 1,000
	Every  int // look at only one of this many states; 0 for each
	Seed   uint64
	Stop   func() bool
}

// Audit tests whether a system keeps the promises on which verdicts rest, along a random walk from its state, which is left as it was. It
// gives the first promise that is broken as an error. In each state that it looks at
//   - a clone, and a system that was copied into, behave like the original: same hash, same events in the same order;
//   - events of one queue differ in their option alone, and asking for events changes nothing;
//   - firing an event twice, in two clones, gives the same state, footprint and violations;
//   - whatever two events do not conflict by their footprints can be swapped: neither disables the other, and each has the same
//     footprint and violations before and after the other, but for its slack, and the state behind both is the same.
func Audit(base System, o AuditOptions) error {
	if o.Events == 0 {
		o.Events = 1000
	}
	a := &auditor{sys: base.Clone(), twin: base.Clone()}
	list(a.sys, true)
	list(a.twin, true)
	defer a.release()
	track(a.sys, true)
	choose := chooser{rng: generator(o.Seed, 0)}
	for i := range o.Events {
		if o.Stop != nil && o.Stop() {
			return nil
		}
		if i%max(1, o.Every) == 0 {
			if err := a.state(); err != nil {
				return fmt.Errorf("after %d events: %w", i, err)
			}
		}
		e, ok := choose.pick(a.sys.Enabled(nil))
		if !ok {
			return nil
		}
		step, err := fire(a.sys, e)
		if err != nil || finding.Harmful(step.Violations) {
			return err
		}
	}
	return nil
}

type auditor struct {
	sys  System
	twin System // is copied into
}

func (a *auditor) release() {
	a.sys.Release()
	a.twin.Release()
}

// shot is an event that was fired in a state, with what came of it.
type shot struct {
	event Event
	step  Step
	after System
	hash  [2]uint64
}

// state audits the current state.
func (a *auditor) state() error {
	hash := a.sys.Hash()
	events := a.sys.Enabled(nil)
	a.twin.CopyFrom(a.sys)
	clone := a.sys.Clone()
	defer clone.Release()
	for _, c := range []struct {
		name string
		sys  System
	}{{"a clone", clone}, {"a copy", a.twin}, {"the system itself, asked again,", a.sys}} {
		if c.sys.Hash() != hash {
			return fmt.Errorf("%s has another hash", c.name)
		}
		if !slices.Equal(c.sys.Enabled(nil), events) {
			return fmt.Errorf("%s has other events, or the same in another order", c.name)
		}
	}
	if err := a.queues(events); err != nil {
		return err
	}
	shots, err := a.shoot(events)
	defer func() {
		for _, s := range shots {
			s.after.Release()
		}
	}()
	if err != nil {
		return err
	}
	for i, first := range shots {
		for _, second := range shots[i+1:] {
			if first.step.Footprint.Conflicts(second.step.Footprint) {
				continue
			}
			if err := a.swap(first, second); err != nil {
				return fmt.Errorf("%s and %s are independent by their footprints, but %w", a.sys.Describe(first.event),
					a.sys.Describe(second.event), err)
			}
		}
	}
	if a.sys.Hash() != hash {
		return fmt.Errorf("firing events in clones changes the system that they were cloned from")
	}
	return nil
}

// queues audits that only heads of queues are enabled.
func (a *auditor) queues(events []Event) error {
	for i, e := range events {
		for _, f := range events[:i] {
			if e.key() == f.key() || e.key()>>8 == f.key()>>8 && e.Serial != f.Serial {
				return fmt.Errorf("%s and %s are enabled at once, but are of one queue", a.sys.Describe(f), a.sys.Describe(e))
			}
		}
	}
	return nil
}

// shoot fires each event twice.
func (a *auditor) shoot(events []Event) ([]shot, error) {
	var shots []shot
	for _, e := range events {
		s := shot{event: e, after: a.sys.Clone()}
		shots = append(shots, s)
		step, err := fire(s.after, e)
		if err != nil {
			return shots, err
		}
		a.twin.CopyFrom(a.sys)
		again, err := fire(a.twin, e)
		if err != nil {
			return shots, err
		}
		s.step, s.hash = step, s.after.Hash()
		shots[len(shots)-1] = s
		if a.twin.Hash() != s.hash || !sameStep(step, again) {
			return shots, fmt.Errorf("%s does not do the same when it is fired twice from the same state", a.sys.Describe(e))
		}
	}
	return shots, nil
}

// swap fires two independent events in both orders.
func (a *auditor) swap(x, y shot) error {
	var ends [2][2]uint64
	for i, pair := range [2][2]shot{{x, y}, {y, x}} {
		first, second := pair[0], pair[1]
		a.twin.CopyFrom(first.after)
		if !slices.Contains(a.twin.Enabled(nil), second.event) {
			return fmt.Errorf("the first disables the second, or makes another one of it")
		}
		step, err := fire(a.twin, second.event)
		if err != nil {
			return err
		}
		if !sameStep(step, second.step) {
			return fmt.Errorf("one has another footprint, or other violations, after the other")
		}
		ends[i] = a.twin.Hash()
	}
	if ends[0] != ends[1] {
		return fmt.Errorf("their order makes a difference for the state behind them")
	}
	return nil
}

// sameStep tells whether two steps are the same. By how much later they would be is a promise that the one may make and the other not.
func sameStep(a, b Step) bool {
	if (a.Footprint == nil) != (b.Footprint == nil) || !slices.Equal(a.Violations, b.Violations) {
		return false
	}
	if a.Footprint == nil {
		return true
	}
	f, g := a.Footprint, b.Footprint
	return slices.Equal(f.reads, g.reads) && slices.Equal(f.writes, g.writes) && f.timed == g.timed && f.clock == g.clock && f.span == g.span
}
