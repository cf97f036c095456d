// Package cases has Sentomist's three case studies on the example firmware, which itself counts what is wrong: tests and the
// table of docs/mining.md compare rankings with that.
package cases

import (
	"slices"

	"motehound/firmware/image"
	"motehound/internal/motes"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/mining"
	"motehound/world"
	"motehound/world/medium"
)

// Study is one of the paper's case studies, on MicaZ motes.
type Study struct {
	Name, App string
	Vector    uint16
	Seed      uint64 // of the chances, 1 if 0
	n, mote   int    // how many motes, and which is mined (-1: all)
	links     []medium.Link
	seconds   uint64
	skip      uint64
	variable  string            // set at boot
	sweep     []int64           // its values, a run each; nil for one run with the value that it has
	other     func(n int) int64 // values for Other, nil if the seed is enough
	wrong     func(m *mote.Mote, iv *mining.Interval) (bool, error)
}

// All are the studies, as in the paper.
var All = []Study{
	{Name: "I: pollute, ADC", App: "pollute", n: 2, mote: 1, links: medium.Full(2, medium.DefaultGain, 0), Vector: 22, seconds: 10,
		variable: "PolluteC__period", sweep: []int64{20, 40, 60, 80, 100}, other: func(n int) int64 { return int64(21 + n) },
		wrong: byInstance("PolluteC__polluted", "PolluteC__pollutedOf")},
	{Name: "II: drop, INT6", App: "drop", n: 3, mote: 1, links: medium.Line(3, medium.DefaultGain, 0), Vector: 8, seconds: 20, skip: 2,
		variable: "DropC__spread", other: func(n int) int64 { return int64(300 + 10*n) }, wrong: byInstance("DropC__dropped", "DropC__droppedAt")},
	{Name: "III: hang, TIMER0_COMP", App: "hang", n: 9, mote: -1, links: medium.Grid(3, 3, medium.DefaultGain, 0), Vector: 16, seconds: 15, skip: 2,
		wrong: failedSend},
}

// Key names an interval of a study.
type Key struct {
	Run, Mote int
	Serial    uint64
}

// KeyOf is the key of an interval.
func KeyOf(iv *mining.Interval) Key { return Key{iv.Run, iv.Mote, iv.Serial} }

// Result is the intervals of a study, and which of them are wrong.
type Result struct {
	mining.Collection
	Wrong map[Key]bool
}

// Fixed is the study with the build in which the fault is mended.
func (s Study) Fixed() Study {
	s.App += "_fixed"
	s.Name += ", fixed"
	return s
}

// Other is the study with another run than the paper's: another seed and, where the firmware's own random numbers do not depend
// on that, another pace.
func (s Study) Other(n int) Study {
	s.Seed = 101 + uint64(n)
	if s.other != nil {
		s.sweep = []int64{s.other(n)}
	}
	return s
}

// Gather makes the runs of a study.
func (s Study) Gather() (*Result, error) {
	r := &Result{Wrong: map[Key]bool{}}
	var worlds []*world.World
	values := s.sweep
	if values == nil {
		values = []int64{0}
	}
	for run, value := range values {
		w, err := s.run(&r.Collection, run, value)
		if err != nil {
			return nil, err
		}
		worlds = append(worlds, w)
	}
	for iv := range r.All() {
		bad, err := s.wrong(worlds[iv.Run].Motes()[iv.Mote], iv)
		if err != nil {
			return nil, err
		}
		if bad {
			r.Wrong[KeyOf(iv)] = true
		}
	}
	return r, nil
}

// run makes one run and gathers its intervals.
func (s Study) run(collection *mining.Collection, run int, value int64) (*world.World, error) {
	k, err := motes.Kind(s.App, &board.MicaZ)
	if err != nil {
		return nil, err
	}
	net, err := medium.New(s.n, s.links)
	if err != nil {
		return nil, err
	}
	cfg := &world.Config{Net: net, Stagger: 100_000, Motes: motes.Of(k, s.n)}
	if value != 0 {
		for i := range cfg.Motes {
			cfg.Motes[i].Vars = []world.Variable{{Path: s.variable, Value: value}}
		}
	}
	w, err := world.New(cfg, world.Natural{Seed: max(s.Seed, 1)})
	if err != nil {
		return nil, err
	}
	if collection.Firmware == nil {
		if collection.Firmware, err = mining.NewFirmware(k); err != nil {
			return nil, err
		}
	}
	if collection.Losses == nil {
		collection.Losses = mining.NewLossTracker(collection.Firmware)
	}
	opt := mining.Options{Losses: collection.Losses, Vectors: []uint16{s.Vector}, Skip: s.skip * world.Second}
	if s.mote >= 0 {
		opt.Motes = []int{s.mote}
	}
	h, err := collection.Firmware.Watch(w, run, opt, collection.Keep)
	if err != nil {
		return nil, err
	}
	w.RunUntil(s.seconds * world.Second)
	h.Close()
	return w, nil
}

// ring reads what a mote has noted: the first entries of an array, as many as a counter says.
func ring(m *mote.Mote, count, list string) ([]int64, error) {
	value := func(path string) (image.Value, error) {
		ref, err := m.Kind.Image.Lookup(path)
		if err != nil {
			return image.Value{}, err
		}
		return ref.Read(m.Memory())
	}
	n, err := value(count)
	if err != nil {
		return nil, err
	}
	values, err := value(list)
	if err != nil {
		return nil, err
	}
	var all []int64
	for i := range min(int(n.Int()), values.Len()) {
		all = append(all, values.Elems[i].Int())
	}
	return all, nil
}

// byInstance is for firmware that notes the number of the interrupt.
func byInstance(count, list string) func(*mote.Mote, *mining.Interval) (bool, error) {
	return func(m *mote.Mote, iv *mining.Interval) (bool, error) {
		noted, err := ring(m, count, list)
		return slices.Contains(noted, int64(iv.Instance)), err
	}
}

// failedSend is for hang, which notes the time in 1/1024 s: to about a thousandth of a second.
func failedSend(m *mote.Mote, iv *mining.Interval) (bool, error) {
	const ticks = 1024
	tick := board.MicaZ.Hertz / ticks
	noted, err := ring(m, "ForwarderP__failed", "ForwarderP__failedTime")
	for _, n := range noted {
		if at := uint64(n) * tick; at+tick >= iv.Start && at <= iv.End+tick {
			return true, nil
		}
	}
	return false, err
}
