package field_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"motehound/examples"
	"motehound/firmware/image"
	"motehound/firmware/pathtrace/instrument"
	"motehound/internal/testkit"
	"motehound/observe/calltree"
	"motehound/study/fieldtrace/field"
	"motehound/study/fieldtrace/narrative"
	"motehound/study/fieldtrace/record"
	"motehound/study/mining"
	"motehound/study/outlier"
	"motehound/world"
)

// spi is the interrupt of the Mica2's radio, in the datasheet's numbers.
const spi = 18

// source is the log of a mote whose radio's handler and one task are traced.
func source(t *testing.T, name string) *field.Source {
	t.Helper()
	f, ok := examples.Find(name, "mica2")
	if !ok {
		t.Fatalf("there is no example %s", name)
	}
	k := testkit.Kind(t, f)
	w := testkit.Alone(t, k, 1)
	w.RunUntil(4 * world.Second)
	m := w.Motes()[0]
	flash := make([]byte, m.ExternalFlash().Size())
	for i := range flash {
		flash[i] = m.ExternalFlash().Read(uint32(i))
	}
	log, err := record.Read(record.AT45DB, flash)
	if err != nil {
		t.Fatal(err)
	}
	tm, err := instrument.Read(bytes.NewReader(f.Map()))
	if err != nil {
		t.Fatal(err)
	}
	return &field.Source{Log: log, Teller: narrative.New(tm), Hertz: m.Hertz(), Vector: func(n uint16) string { return fmt.Sprint("vector ", n) }}
}

// paths is how often the log says that procedures took paths, by the names that counters have for them.
func paths(s *field.Source) map[string]uint32 {
	all := map[string]uint32{}
	for _, e := range s.Log.Events() {
		if e.Kind == record.Path || e.Kind == record.Leave && !e.Abandoned {
			all[fmt.Sprintf("%s, path %d", image.Readable(s.Teller.Name(e.Proc)), e.Path)]++
		}
	}
	return all
}

// The intervals of a handler that causes no tasks are its runs: their counters are the paths of it and of what it called.
func TestHarvest(t *testing.T) {
	s := source(t, "starve_fixed_traced")
	var collection mining.Collection
	if err := s.Collect(&collection, 1, 0); err != nil {
		t.Fatal(err)
	}
	counted := map[string]uint32{}
	intervals := uint32(0)
	for iv := range collection.All() {
		if iv.Vector != spi {
			continue
		}
		intervals++
		own := uint32(0)
		for _, c := range iv.Counts {
			name := collection.Firmware.Places[c.Feature].Function
			counted[name] += c.N
			if strings.HasPrefix(name, "__vector_17") {
				own += c.N
			}
		}
		if own != 1 || iv.End <= iv.Start {
			t.Fatalf("instance %d, from %d to %d: its handler took %d paths", iv.Instance, iv.Start, iv.End, own)
		}
	}
	said := paths(s)
	gaps := uint32(0) // in which a handler may have begun
	for _, e := range s.Log.Events() {
		if e.Kind.Gap() {
			gaps++
		}
	}
	if ran := said["__vector_17, path 0"] + said["__vector_17, path 1"]; intervals < 5000 || intervals > ran || intervals+gaps < ran {
		t.Errorf("%d intervals, the handler ran %d times, %d gaps", intervals, ran, gaps)
	}
	for name, n := range counted {
		if n > said[name] || n+gaps < said[name] && strings.HasPrefix(name, "__vector_17") {
			t.Errorf("%s: counted %d, said %d", name, n, said[name])
		}
	}
	if p := collection.Firmware.Places[0]; p.File == "" || p.Line == 0 {
		t.Errorf("%+v has no place in the source", p)
	}
	r, err := collection.Rank(spi, outlier.Default(), 3)
	if err != nil || len(r.Suspects) != int(intervals) || r.Verdict == mining.StandsOut {
		t.Errorf("%v, %+v", err, r)
	}
	// What began early is left out if it is asked for.
	var later mining.Collection
	if err := s.Collect(&later, 1, 2*s.Hertz); err != nil || later.Len() >= collection.Len() || later.Len() == 0 {
		t.Errorf("%d of %d intervals began after 2 s, %v", later.Len(), collection.Len(), err)
	}
}

// Trees have what was called in the order of the first time, with the paths that it took; instances come in order.
func TestInstances(t *testing.T) {
	s := source(t, "starve_fixed_traced")
	var numbers uint32
	shapes := map[string]int{}
	if err := s.Instances(calltree.NewBook(), func(x calltree.Instance) {
		if x.Vector != spi {
			return
		}
		if numbers++; x.Number != numbers {
			t.Fatalf("instance %d comes as number %d", x.Number, numbers)
		}
		if x.Complete {
			shapes[shape(x.Tree)]++
		}
	}); err != nil {
		t.Fatal(err)
	}
	const quiet = "instance(vector 18(vector 18 path 1))"
	const sent = "instance(vector 18(StarveP.post(StarveP.post path 1) vector 18 path 0))"
	if numbers < 5000 || shapes[quiet] < 4000 || shapes[sent] == 0 || len(shapes) > 6 {
		t.Errorf("%d instances: %v", numbers, shapes)
	}
}

func shape(n *calltree.Node) string {
	if len(n.Calls) == 0 {
		return n.Func.Name
	}
	var parts []string
	for _, c := range n.Calls {
		parts = append(parts, shape(c))
	}
	return n.Func.Name + "(" + strings.Join(parts, " ") + ")"
}

// Where no handler is traced there is nothing to learn from, and what to do is said.
func TestNothingToLearn(t *testing.T) {
	s := source(t, "starve_fixed_traced")
	s.Teller = narrative.New(nil)
	for _, err := range []error{s.Collect(&mining.Collection{}, 1, 0), s.Instances(calltree.NewBook(), func(calltree.Instance) {})} {
		if err == nil || !strings.Contains(err.Error(), "--kind interrupt") {
			t.Errorf("%v", err)
		}
	}
}
