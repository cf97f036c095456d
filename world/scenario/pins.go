package scenario

import (
	"fmt"

	"go.starlark.net/starlark"

	"motehound/mote/periph"
	"motehound/world"
	"motehound/world/recipe"
)

// pad is a pin of a mote that has to be resolved.
type pad struct {
	who  nodeRef
	name string
}

// find finds the pin on the mote's chip.
func (r *request) find(p pad) (mote int, pin periph.Pin, err error) {
	if mote, err = r.resolve(p.who); err != nil {
		return 0, 0, err
	}
	if pin, err = periph.FindPin(p.name); err != nil {
		return 0, 0, err
	}
	c := chipOf(&r.sc.Motes[mote])
	if !c.HasPin(pin) {
		return 0, 0, fmt.Errorf("mote %d has no pin %s: its %s has no such pad", r.sc.Motes[mote].ID, pin, c.Name)
	}
	return mote, pin, nil
}

// drives has a pin driven from a moment on; without one, from the start.
func (r *request) drives(p pad, d periph.Drive, when instant) error {
	r.then(r, func() error {
		i, pin, err := r.find(p)
		if err != nil {
			return err
		}
		if !when.set {
			m := &r.sc.Motes[i]
			m.Pins = append(m.Pins, recipe.Pin{Pin: pin.String(), Drive: d.String()})
			return nil
		}
		r.sc.Events = append(r.sc.Events, Event{At: when.ps, Kind: EventPin, Mote: i, From: none, To: none, Pin: pin, Drive: d, Pos: r.pos})
		return nil
	})
	return nil
}

// pin handles pin(mote, pin, level, at).
func (r *request) pin() (starlark.Value, error) {
	var (
		p     pad
		level string
		when  instant
	)
	if err := r.unpack("mote", &p.who, "pin", &p.name, "level", &level, "at?", &when); err != nil {
		return nil, err
	}
	d, err := periph.FindDrive(level)
	if err != nil {
		return nil, r.errorf("%v", err)
	}
	return starlark.None, r.drives(p, d, when)
}

// maxBounces bounds how often a contact opens again.
const maxBounces = 1000

// button handles button(mote, pin, at, hold, bounces, within, active, seed): a contact that is pressed, and bounces when it closes and when
// it opens.
func (r *request) button() (starlark.Value, error) {
	var (
		p       pad
		when    instant
		hold    = instant{ps: 100_000_000_000, set: true}
		within  = instant{ps: 2_000_000_000, set: true}
		bounces int
		active  = "low"
		seed    int
	)
	err := r.unpack("mote", &p.who, "pin", &p.name, "at", &when, "hold?", &hold, "bounces?", &bounces, "within?", &within, "active?", &active, "seed?", &seed)
	if err != nil {
		return nil, err
	}
	switch {
	case !when.set:
		return nil, r.errorf("got None for a time: %s", timeHelp)
	case active != "low" && active != "high":
		return nil, r.errorf("active is %q: a button that is pressed makes its pin low, or high", active)
	case bounces < 0 || bounces > maxBounces:
		return nil, r.errorf("%d bounces: give 0 to %d", bounces, maxBounces)
	case within.ps >= hold.ps:
		return nil, r.errorf("the contact bounces for %s, but is held for %s only", showTime(within.ps), showTime(hold.ps))
	}
	press := world.Press{At: when.ps, Hold: hold.ps, Bounces: bounces, Within: within.ps, High: active == "high", Seed: uint64(seed)}
	_, rest := press.Drives()
	if err := r.drives(p, rest, instant{}); err != nil {
		return nil, err
	}
	for _, c := range press.Contacts() {
		if err := r.drives(p, c.Drive, instant{ps: c.At, set: true}); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}
