package debugger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"motehound/firmware/image"
	"motehound/job"
	"motehound/job/document"
	"motehound/mote"
	"motehound/study/property/builtin"
	"motehound/study/travel"
)

// parse reads a moment: a time, a time from now on, or the number of an event.
func (d *Debugger) parse(text string) (travel.Point, error) {
	first, last := d.run.Bounds()
	switch text {
	case "start":
		return first, nil
	case "end":
		return last, nil
	case "here", ".":
		return d.run.Here().Point, nil
	}
	if d.run.Explored() {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > last.Event {
			return first, fmt.Errorf("%q is no event: give 1 to %d, 'start' or 'end'", text, last.Event-1)
		}
		return travel.Point{Event: n}, nil
	}
	span, err := time.ParseDuration(strings.TrimLeft(text, "+-"))
	ps := uint64(span.Nanoseconds()) * 1000
	now := d.run.Here().Time
	switch {
	case err != nil || text == "":
		return first, fmt.Errorf("%q is no moment: give a time such as 1.5s, 20ms, +5ms or -5ms, 'start' or 'end'", text)
	case strings.HasPrefix(text, "+"):
		ps += now
	case strings.HasPrefix(text, "-"):
		ps = now - min(ps, now)
	}
	if ps > last.Time {
		return first, fmt.Errorf("the run ends at %s", d.run.Moment(last))
	}
	return travel.Point{Time: ps}, nil
}

func (d *Debugger) goTo(arg string) error {
	if arg == "finding" {
		return d.finding("")
	}
	p, err := d.parse(arg)
	if err != nil {
		return err
	}
	if err := d.run.Go(p, d.stop); err != nil {
		return err
	}
	if p.Event > 0 && p.Event <= len(d.run.Beats) { // whose event it is
		if err := d.run.Look(int(d.run.Beats[p.Event-1].Event.Mote)); err != nil {
			return err
		}
	}
	return d.arrived()
}

// finding goes to the instruction that breaks what the run is a finding of, or the first thing that the built-in checks find.
func (d *Debugger) finding(string) error {
	x, err := d.run.GoToFinding(d.stop)
	if err != nil {
		return err
	}
	if x == nil {
		return errors.New("nothing goes wrong in this run, as far as the built-in checks can tell")
	}
	d.say("%s", document.BrokenText(&x.Violation))
	return d.arrived()
}

func forward(by job.Step) func(*Debugger, string) error {
	return func(d *Debugger, arg string) error { return d.steps(arg, by, false) }
}

func backward(by job.Step) func(*Debugger, string) error {
	return func(d *Debugger, arg string) error { return d.steps(arg, by, true) }
}

type mover func(*travel.Watch, func() bool) (travel.Hit, error)

func (d *Debugger) steps(arg string, by job.Step, back bool) error {
	n, err := count(arg)
	if err != nil {
		return err
	}
	var h travel.Hit
	for range n {
		if h, err = d.run.Step(by, back, d.stop); err != nil {
			return d.ended(err)
		}
	}
	if h.Kind == travel.Interrupt {
		d.tellHit(h)
	}
	return d.arrived()
}

// ended says that the run has no more of something.
func (d *Debugger) ended(err error) error {
	if !errors.Is(err, travel.ErrNone) {
		return err
	}
	if first, _ := d.run.Bounds(); d.run.Here().Point == first {
		d.say("the run begins here")
	} else {
		d.say("the run ends here")
	}
	return d.arrived()
}

func (d *Debugger) finish(string) error { return d.leave(d.run.Next) }
func (d *Debugger) caller(string) error { return d.leave(d.run.Previous) }

// leave goes to where the function that called this one is at work: behind the call, or before it.
func (d *Debugger) leave(move mover) error {
	m := d.run.Mote()
	up := builtin.Unwind(m, builtin.Frame{PC: m.Core().PC, SP: m.Core().SP})
	if len(up) == 0 {
		return errors.New("nobody has called this function, as far as the firmware tells")
	}
	over := func(m *mote.Mote, _ travel.Hit) bool { return m.Core().SP >= up[0].SP }
	if _, err := move(&travel.Watch{Each: []int{d.run.Here().Mote}, If: over}, d.stop); err != nil {
		return d.ended(err)
	}
	return d.arrived()
}

// entries is where a function begins: where it is called, and where it is inlined.
func entries(im *image.Image, name string) (pcs []uint32) {
	var inside func(s *image.Scope)
	inside = func(s *image.Scope) {
		for _, x := range s.Inlines {
			if x.Origin.Name == name && len(x.Ranges) > 0 {
				pcs = append(pcs, x.Ranges[0].Lo/2)
			}
			inside(&x.Scope)
		}
	}
	for _, f := range im.Functions() {
		if at, ok := f.Entry(); ok && f.Name == name {
			pcs = append(pcs, at/2)
		}
		inside(&f.Scope)
	}
	if s, ok := im.Symbol(name); ok && len(pcs) == 0 && s.Space == image.Flash {
		pcs = append(pcs, s.Addr/2)
	}
	slices.Sort(pcs)
	return slices.Compact(pcs)
}
