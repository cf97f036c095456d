package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/check"
	"motehound/study/explore"
	"motehound/world"
	"motehound/world/medium"
)

// network is so many MicaZ motes that hear each other, without anything that fails and without checks: orders alone are counted.
func network(name string, motes int) (check.System, error) {
	f, ok := examples.Find(name, "micaz")
	if !ok {
		return nil, fmt.Errorf("there is no example %s", name)
	}
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		return nil, err
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		return nil, err
	}
	net, err := medium.New(motes, medium.Full(motes, medium.DefaultGain, 0))
	if err != nil {
		return nil, err
	}
	cfg := &world.Config{Net: net}
	for i := range motes {
		cfg.Motes = append(cfg.Motes, world.MoteConfig{Kind: k, ID: uint16(i)})
	}
	s, err := explore.New(cfg, explore.Options{})
	if err != nil {
		return nil, err
	}
	return s.Clone(), nil
}

// walk fires events at random.
func walk(s check.System, events int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	for range events {
		list := s.Enabled(nil)
		if _, err := s.Fire(list[r.IntN(len(list))]); err != nil {
			return err
		}
	}
	return nil
}

// level is what a search to some depth comes to.
type level struct {
	transitions float64 // without states kept
	states      int     // different ones
}

// sleeper is an event that is asleep, and what it touched.
type sleeper struct {
	event check.Event
	foot  *check.Footprint
}

// class is all runs of one length that come to one state with the same events asleep.
type class struct {
	sys    check.System
	asleep []sleeper
	runs   float64
}

// name tells classes apart.
func (c *class) name() string {
	list := make([]string, len(c.asleep))
	for i, s := range c.asleep {
		list[i] = s.event.Text()
	}
	slices.Sort(list)
	return fmt.Sprint(c.sys.Hash(), list)
}

// count counts the transitions of searches with a reduction to each depth up to a bound. It is package check's rule of sleep sets:
// an event falls asleep when it has been fired, and wakes when one is that it is not independent of.
func count(base check.System, r check.Reduction, depth int) ([]level, error) {
	root := base.Clone()
	root.(check.Tracker).Track(r != check.None)
	now := []*class{{sys: root, runs: 1}}
	states := map[[2]uint64]bool{base.Hash(): true}
	var list []level
	total := 0.0
	for range depth {
		var next []*class
		known := map[string]*class{}
		for _, c := range now {
			n, err := c.expand(r, func(child *class) {
				states[child.sys.Hash()] = true
				name := child.name()
				if same := known[name]; same != nil {
					same.runs += child.runs
					child.sys.Release()
					return
				}
				known[name] = child
				next = append(next, child)
			})
			if err != nil {
				return nil, err
			}
			total += n
			c.sys.Release()
		}
		list = append(list, level{total, len(states)})
		now = next
	}
	for _, c := range now {
		c.sys.Release()
	}
	return list, nil
}

// expand gives what follows a class, and how many transitions lead there.
func (c *class) expand(r check.Reduction, each func(*class)) (float64, error) {
	asleep := slices.Clone(c.asleep)
	total := 0.0
	for _, e := range c.sys.Enabled(nil) {
		if slices.ContainsFunc(c.asleep, func(s sleeper) bool { return s.event.Text() == e.Text() }) {
			continue
		}
		work := c.sys.Clone()
		step, err := work.Fire(e)
		if err != nil {
			return 0, err
		}
		total += c.runs
		fired := sleeper{e, step.Footprint}
		child := &class{sys: work.Clone(), runs: c.runs} // at rest, so that it needs no emulator of its own
		work.Release()
		for _, s := range asleep {
			if independent(r, s, fired) {
				child.asleep = append(child.asleep, s)
			}
		}
		if r != check.None {
			asleep = append(asleep, fired)
		}
		each(child)
	}
	return total, nil
}

func independent(r check.Reduction, a, b sleeper) bool {
	return (r == check.Dynamic || a.event.Mote != b.event.Mote) && !a.foot.Conflicts(b.foot)
}
