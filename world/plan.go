package world

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"motehound/firmware/image"
	"motehound/isa/avr"
	"motehound/mote"
	"motehound/mote/periph"
	"motehound/world/medium"
)

// plan is what a Config means, worked out once: a world and its clones share it.
type plan struct {
	acts    [][]act     // by mote, in the order of time
	sensors [][]channel // by mote
	vars    [][]setting // by mote
	kinds   []startKind
	frail   []bool // by mote: see Faults.Frail
	shared  bool   // some budget is for several motes together
	holds   bool   // some interrupts have to wait
	resent  bool   // some Edits are of what is sent
}

// act is something that the Config has happen to a mote.
type act struct {
	at   uint64
	kind actKind
	set  setting

	vector uint8 // of actHold and actRelease

	pin   periph.Pin // of SetPin
	drive periph.Drive
	frame []byte // of HearFrame, and what actPoke writes
	addr  uint16 // of actPoke
}

// actKind is an EventKind, or one of those below.
type actKind uint8

const (
	actReset = actKind(numEventKinds) + iota
	actPoke
	actHold
	actRelease
)

// setting is a value for a variable that was looked up.
type setting struct {
	ref   image.Ref
	value int64
}

// channel is what an ADC channel reads, in the order of time.
type channel struct {
	number uint8
	points []Sensor
}

// startKind is where main is in the firmware of a kind of motes, and the program that stops to look there.
type startKind struct {
	kind *mote.Kind
	main uint32 // word address
	code *avr.Program
}

func newPlan(cfg *Config) (*plan, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	n := len(cfg.Motes)
	p := &plan{acts: make([][]act, n), sensors: make([][]channel, n), vars: make([][]setting, n), frail: make([]bool, n)}
	for i, m := range cfg.Motes {
		for _, v := range m.Vars {
			s, err := lookUp(m.Kind, v)
			if err != nil {
				return nil, fmt.Errorf("mote %d: %w", m.ID, err)
			}
			p.vars[i] = append(p.vars[i], s)
		}
		if len(m.Vars) > 0 {
			if err := p.findMain(m.Kind); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range cfg.Events {
		a := act{at: e.At, kind: actKind(e.Kind), pin: e.Pin, drive: e.Drive, frame: e.Frame}
		if e.Kind == SetVar {
			var err error
			if a.set, err = lookUp(cfg.Motes[e.Mote].Kind, e.Var); err != nil {
				return nil, fmt.Errorf("mote %d: %w", cfg.Motes[e.Mote].ID, err)
			}
		}
		p.acts[e.Mote] = append(p.acts[e.Mote], a)
	}
	for _, r := range cfg.Resets { // behind events of the same moment
		p.acts[r.Mote] = append(p.acts[r.Mote], act{at: r.At, kind: actReset})
	}
	for _, k := range cfg.Pokes {
		p.acts[k.Mote] = append(p.acts[k.Mote], act{at: k.At, kind: actPoke, addr: k.Addr, frame: k.Data})
	}
	p.planHolds(cfg.Holds)
	p.resent = slices.ContainsFunc(cfg.Edits, func(e Edit) bool { return e.Sent })
	for i := range p.acts {
		slices.SortStableFunc(p.acts[i], func(a, b act) int { return cmp.Compare(a.at, b.at) })
	}
	p.sortSensors(cfg.Sensors)
	for _, f := range cfg.Faults {
		p.shared = p.shared || f.Kind != LateBoot && f.Mote == Everyone && f.To == None
	}
	for i := range p.frail {
		p.frail[i] = cfg.Faults.Frail(i)
	}
	return p, nil
}

// lookUp finds a variable, and checks that it can hold the value.
func lookUp(k *mote.Kind, v Variable) (setting, error) {
	ref, err := k.Image.Settable(v.Path, v.Value)
	return setting{ref, v.Value}, err
}

func (p *plan) findMain(k *mote.Kind) error {
	if p.start(k) != nil {
		return nil
	}
	s, ok := k.Image.Symbol("main")
	if !ok {
		return fmt.Errorf("%s has no symbol main: variables are set when it is reached", k.Image.Path)
	}
	at := s.Addr / 2
	p.kinds = append(p.kinds, startKind{k, at, k.Program().Hooked([]uint32{at})})
	return nil
}

// start is where a kind's main is, nil if nobody needs it.
func (p *plan) start(k *mote.Kind) *startKind {
	for i := range p.kinds {
		if p.kinds[i].kind == k {
			return &p.kinds[i]
		}
	}
	return nil
}

// withReset is the plan with one reset more, which is later than everything that has happened.
func (p *plan) withReset(r Reset) *plan {
	q := *p
	q.acts = slices.Clone(p.acts)
	list := q.acts[r.Mote]
	i := sort.Search(len(list), func(i int) bool { return list[i].at > r.At })
	q.acts[r.Mote] = slices.Insert(slices.Clone(list), i, act{at: r.At, kind: actReset})
	return &q
}

func (p *plan) sortSensors(all []Sensor) {
	for _, s := range all {
		list := p.sensors[s.Mote]
		i := slices.IndexFunc(list, func(c channel) bool { return c.number == s.Channel })
		if i < 0 {
			i = len(list)
			list = append(list, channel{number: s.Channel})
		}
		list[i].points = append(list[i].points, s)
		p.sensors[s.Mote] = list
	}
	for _, list := range p.sensors {
		for _, c := range list {
			slices.SortStableFunc(c.points, func(a, b Sensor) int { return cmp.Compare(a.At, b.At) })
		}
	}
}

// changes is when a mote's ADC channel reads something else, after a moment.
func (p *plan) changes(mote int, number uint8, now uint64) uint64 {
	for _, c := range p.sensors[mote] {
		if i := sort.Search(len(c.points), func(i int) bool { return c.points[i].At > now }); c.number == number && i < len(c.points) {
			return c.points[i].At
		}
	}
	return medium.Never
}

// reading is what a mote's ADC channel reads at a moment, if anything was said about that.
func (p *plan) reading(mote int, number uint8, now uint64) (value uint16, known bool) {
	for _, c := range p.sensors[mote] {
		if c.number != number {
			continue
		}
		i := sort.Search(len(c.points), func(i int) bool { return c.points[i].At > now })
		if i > 0 {
			return c.points[i-1].Value, true
		}
	}
	return 0, false
}
