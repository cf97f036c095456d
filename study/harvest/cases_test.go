package harvest_test

import (
	"fmt"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/mote"
	"motehound/mote/board"
	"motehound/study/harvest"
	"motehound/study/symptom"
	"motehound/world"
	"motehound/world/medium"
)

// study is one of Sentomist's case studies on a MicaZ.
type study struct {
	app     string
	links   []medium.Link
	n       int
	mote    int // -1 for all
	vector  uint16
	seconds uint64
	skip    uint64
	vars    []world.Variable // at boot, on the mined mote
}

// harvested runs a case and returns its intervals and the world at its end.
func (s study) harvested(t testing.TB, crop *harvest.Crop, run int) *world.World {
	t.Helper()
	f, ok := examples.Find(s.app, "micaz")
	if !ok {
		t.Fatalf("there is no example %s", s.app)
	}
	im, err := image.Parse(f.File(), f.ELF())
	if err != nil {
		t.Fatal(err)
	}
	k, err := mote.NewKind(&board.MicaZ, im, nil)
	if err != nil {
		t.Fatal(err)
	}
	net, err := medium.New(s.n, s.links)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &world.Config{Net: net, Stagger: 100_000}
	for i := range s.n {
		m := world.MoteConfig{Kind: k, ID: uint16(i)}
		if i == s.mote {
			m.Vars = s.vars
		}
		cfg.Motes = append(cfg.Motes, m)
	}
	w, err := world.New(cfg, world.Natural{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if crop.Field == nil {
		if crop.Field, err = harvest.NewField(k); err != nil {
			t.Fatal(err)
		}
	}
	opt := harvest.Options{Vectors: []uint16{s.vector}, Skip: s.skip * world.Second}
	if s.mote >= 0 {
		opt.Motes = []int{s.mote}
	}
	h, err := crop.Field.Watch(w, run, opt, crop.Keep)
	if err != nil {
		t.Fatal(err)
	}
	w.RunUntil(s.seconds * world.Second)
	h.Close()
	return w
}

// truth reads a list of numbers that a mote kept in a ring, as many as its counter says.
func truth(t testing.TB, m *mote.Mote, count, ring string) map[int64]bool {
	t.Helper()
	read := func(path string) image.Value {
		ref, err := m.Kind.Image.Lookup(path)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ref.Read(m.Memory())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	n := int(read(count).Int())
	values := read(ring)
	all := map[int64]bool{}
	for i := range min(n, values.Len()) {
		all[values.Elems[i].Int()] = true
	}
	return all
}

func ranking(t testing.TB, crop *harvest.Crop, vector uint16) *harvest.Ranking {
	t.Helper()
	r, err := crop.Rank(vector, symptom.All()[0], 10)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	vectorINT6       = 8
	vectorTimer0Comp = 16
	vectorADC        = 22
)

// Case I: readings are written into a packet that still waits to be sent. Five runs with periods of 20 to 100 ms: the
// intervals with the lowest scores are pollutions, and the explanation names the function that writes.
func TestPollute(t *testing.T) {
	var crop harvest.Crop
	polluted := map[int64]bool{}
	for run, period := range []int64{20, 40, 60, 80, 100} {
		s := study{app: "pollute", n: 2, links: medium.Full(2, -60, 0), mote: 1, vector: vectorADC, seconds: 10,
			vars: []world.Variable{{Path: "PolluteC__period", Value: period}}}
		w := s.harvested(t, &crop, run)
		for instance := range truth(t, w.Motes()[1], "PolluteC__polluted", "PolluteC__pollutedOf") {
			polluted[int64(run)<<32|instance] = true
		}
	}
	r := ranking(t, &crop, vectorADC)
	if n := len(r.Suspects); n < 1000 || len(polluted) < 3 {
		t.Fatalf("%d intervals, %d of them polluted", n, len(polluted))
	}
	for _, s := range r.Suspects[:3] {
		if !polluted[int64(s.Run)<<32|int64(s.Instance)] {
			t.Errorf("rank %d is [%d, %d], which was not polluted", s.Rank, s.Run, s.Instance)
		}
		named := false
		for _, y := range s.Why {
			named = named || y.File == "examples/pollute/pollute.c"
		}
		if !named {
			t.Errorf("rank %d: no line of pollute.c among %v", s.Rank, s.Why)
		}
	}
}

// Case II: a relay drops what comes while it is busy. All dropping intervals come before every other one.
func TestDrop(t *testing.T) {
	s := study{app: "drop", n: 3, links: medium.Line(3, -60, 0), mote: 1, vector: vectorINT6, seconds: 20, skip: 2}
	var crop harvest.Crop
	w := s.harvested(t, &crop, 0)
	dropped := truth(t, w.Motes()[1], "DropC__dropped", "DropC__droppedAt")
	seen := 0
	for _, iv := range crop.Intervals {
		if dropped[int64(iv.Instance)] {
			seen++
		}
	}
	if seen < 3 {
		t.Fatalf("only %d of %d drops are among the intervals", seen, len(dropped))
	}
	for _, x := range ranking(t, &crop, vectorINT6).Suspects[:seen] {
		if !dropped[int64(x.Instance)] {
			t.Errorf("rank %d is instance %d, in which nothing was dropped (those were %v)", x.Rank, x.Instance, dropped)
		}
	}
}

// Case III: nine motes; a send that fails is never tried again. An interval with a failed send is among the first four.
func TestHang(t *testing.T) {
	s := study{app: "hang", n: 9, links: medium.Grid(3, 3, -60, 0), mote: -1, vector: vectorTimer0Comp, seconds: 15, skip: 2}
	var crop harvest.Crop
	w := s.harvested(t, &crop, 0)
	failed := map[int]map[int64]bool{}
	for i, m := range w.Motes() {
		failed[i] = truth(t, m, "ForwarderP__failed", "ForwarderP__failedTime")
	}
	const hertz, ticks = 7_372_800, 1024
	found := ""
	for _, x := range ranking(t, &crop, vectorTimer0Comp).Suspects[:4] {
		for at := range failed[x.Mote] {
			if cycle := uint64(at) * hertz / ticks; cycle+hertz/ticks >= x.Start && cycle <= x.End+hertz/ticks {
				found += fmt.Sprintf(" rank %d: mote %d instance %d", x.Rank, x.Mote, x.Instance)
			}
		}
	}
	if found == "" {
		t.Errorf("none of the first four intervals has a failed send: %v", failed)
	}
}

// The fixed builds have nothing that the firmware calls wrong.
func TestFixedBuilds(t *testing.T) {
	for _, c := range []struct {
		study
		count string
	}{
		{study{app: "pollute_fixed", n: 2, links: medium.Full(2, -60, 0), mote: 1, vector: vectorADC, seconds: 10}, "PolluteC__polluted"},
		{study{app: "drop_fixed", n: 3, links: medium.Line(3, -60, 0), mote: 1, vector: vectorINT6, seconds: 20}, "DropC__dropped"},
		{study{app: "hang_fixed", n: 9, links: medium.Grid(3, 3, -60, 0), mote: -1, vector: vectorTimer0Comp, seconds: 15}, "ForwarderP__failed"},
	} {
		t.Run(c.app, func(t *testing.T) {
			var crop harvest.Crop
			w := c.harvested(t, &crop, 0)
			for i, m := range w.Motes() {
				ref, err := m.Kind.Image.Lookup(c.count)
				if err != nil {
					t.Fatal(err)
				}
				if v, err := ref.Read(m.Memory()); err != nil || v.Int() != 0 {
					t.Errorf("mote %d: %s = %v, %v", i, c.count, v, err)
				}
			}
			if len(crop.Intervals) == 0 {
				t.Error("no intervals")
			}
		})
	}
}
