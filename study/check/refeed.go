package check

import (
	"errors"
	"slices"

	"motehound/study/finding"
	"motehound/study/guide"
	"motehound/study/guide/input"
)

// messages are the made-up inputs of a trace. Bytes on one serial line with nothing else made up in between are one message.
func messages(f Feeder, trace []Event) []MadeInput {
	var all []MadeInput
	for _, e := range trace {
		if !e.Made() {
			continue
		}
		in, ok := f.Content(e)
		if !ok {
			continue
		}
		if n := len(all); n > 0 && in.Kind == input.Serial && all[n-1].Kind == in.Kind && all[n-1].Mote == in.Mote && all[n-1].Number == in.Number {
			all[n-1].Data = append(slices.Clip(all[n-1].Data), in.Data...)
			continue
		}
		all = append(all, in)
	}
	return all
}

// Messages are the made-up inputs of a trace, for people and for a corpus.
func Messages(s System, trace []Event) []MadeInput {
	if f, ok := s.(Feeder); ok {
		return messages(f, trace)
	}
	return nil
}

// feedAll has messages come to a system in its natural order, one after the other, and everything that they cause. Each comes at one moment of so many at which
// one could.
func feedAll(base System, list []MadeInput, often int, m *Meter, stop func() bool) (*walker, error) {
	const most, after = 30_000, 300
	sys := base.Clone()
	defer sys.Release()
	track(sys, false)
	f, ok := sys.(Feeder)
	p, paced := sys.(Pacer)
	if !ok || !paced {
		return nil, errors.New("the system takes no made-up inputs")
	}
	if m == nil {
		m = new(Meter)
	}
	rng := generator(1, uint64(often))
	w := &walker{o: &WalkOptions{Meter: m}, sys: sys, bound: true, choose: chooser{rng: rng}, amid: &intrusions{rng: rng},
		made: &feeding{sys: f, pace: p, rng: rng, often: often, scripted: true, script: list}, abort: func() bool { return stop != nil && stop() }}
	w.strategy = newStrategy(sys, rng).settled()
	var seen []guide.Feature
	for n, left := 0, after; n < most && left > 0; n++ {
		if !w.step(w.choose.natural) {
			break
		}
		if c, ok := sys.(Scout); ok {
			seen = c.Seen(seen[:0]) // which code is reached is counted there
		}
		if len(w.made.script) == 0 && len(w.made.rest) == 0 {
			left--
		}
	}
	w.meter()
	if w.aborted {
		return w, errStopped
	}
	return w, w.err
}

// refeed looks for a short trace to what a finding broke: the last messages of the found trace come in the natural order. To leave out events one
// by one takes too long where there are thousands.
func refeed(base System, f *Finding, o MinimiseOptions) error {
	feeder, ok := base.(Feeder)
	if !ok || f.Kind != finding.Safety || !slices.ContainsFunc(f.Trace, Event.Made) {
		return nil
	}
	all := messages(feeder, f.Trace)
	for last := 1; ; last = min(2*last, len(all)) {
		for _, often := range [...]int{1, 8} {
			w, err := feedAll(base, all[len(all)-last:], often, o.Meter, o.Stop)
			if err != nil {
				return err
			}
			for _, h := range w.hits {
				if h.Cause() != f.Cause() || h.length >= len(f.Trace) || h.strain > f.Strain {
					continue
				}
				g := *f
				g.Trace, g.Since = slices.Clone(w.trace[:h.length]), h.length
				g.Inputs = inputsOf(base, g.Trace)
				if err := confirmed(base, &g, o.interrupted); err != nil {
					return err
				}
				*f = g
				return nil
			}
		}
		if last == len(all) {
			return nil
		}
	}
}

// explainSafety makes a trace short. One that hardware cannot make is eased before, and if that does not help, when it is short.
func (r *runner) explainSafety(f *Finding) error {
	if err := refeed(r.base, f, r.o.Minimise); err != nil {
		return err
	}
	if _, err := r.ease(f); err != nil {
		return err
	}
	if err := minimise(r.base, f, r.o.Minimise); err != nil {
		return err
	}
	if ok, err := r.ease(f); err != nil || !ok {
		return err
	}
	return minimise(r.base, f, r.o.Minimise)
}
