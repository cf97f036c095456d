package explore

import (
	"testing"

	"motehound/firmware/image"
	"motehound/firmware/kernel"
	"motehound/isa/avr"
)

// A handler stores elements of an array and posts a task that reads them; or a task stores them, and another one passes them on. Found is what the next run of who
// fills it overwrites too early, and nothing in programs that share arrays in other ways.
func TestOvertaken(t *testing.T) {
	const handler, task = 5, 1
	stores := func(post bool, elements ...uint32) (list []deed) {
		list = append(list, deed{kind: kernel.Int, arg: handler})
		for _, n := range elements {
			list = append(list, deed{access: true, element: n, write: true})
		}
		if post {
			list = append(list, deed{kind: kernel.Post, arg: task})
		}
		return append(list, deed{kind: kernel.Reti, arg: handler})
	}
	// takes is a handler that looks where to store.
	takes := func(elements ...uint32) []deed {
		return append([]deed{{kind: kernel.Int, arg: handler}, {pointer: true, reads: true}}, stores(false, elements...)[1:]...)
	}
	sums := func(element uint32) []deed {
		return []deed{{kind: kernel.Int, arg: handler}, {access: true, element: element}, {access: true, element: element, write: true}, {kind: kernel.Reti, arg: handler}}
	}
	runs := func(task uint16, elements ...uint32) (list []deed) {
		list = append(list, deed{kind: kernel.Run, arg: task})
		for _, n := range elements {
			list = append(list, deed{access: true, element: n})
		}
		return append(list, deed{kind: kernel.End, arg: task})
	}
	passes := []deed{{kind: kernel.Run, arg: task}, {pointer: true}, {kind: kernel.End, arg: task}}
	counts := []deed{{kind: kernel.Run, arg: task}, {number: true}, {kind: kernel.End, arg: task}}
	sends := func(elements ...uint32) (list []deed) {
		list = append(list, deed{kind: kernel.Int, arg: onlyReads})
		for _, n := range elements {
			list = append(list, deed{access: true, element: n})
		}
		return append(list, deed{kind: kernel.Reti, arg: onlyReads})
	}
	join := func(lists ...[]deed) (all []deed) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	fills := func(task uint16, value uint8, elements ...uint32) (list []deed) {
		list = append(list, deed{kind: kernel.Run, arg: task})
		for _, n := range elements {
			list = append(list, deed{access: true, element: n, write: true, value: value})
		}
		return append(list, deed{kind: kernel.End, arg: task})
	}
	const filler, driver = task + 2, task + 1
	complete := join(fills(filler, 7, 0), fills(filler, 7, 1), fills(filler, 7, 2))
	full := join(stores(false, 0), stores(false, 1), stores(true, 2))
	for _, c := range []struct {
		name string
		does []deed
		lost bool
	}{
		{"the next value comes before the task", join(full, stores(false, 0), runs(task, 0, 1, 2)), true},
		{"the other way round", join(full, stores(false, 2), runs(task, 0, 1, 2)), true},
		{"all values are in time", join(full, runs(task, 0, 1, 2), full, runs(task, 0, 1, 2)), false},
		{"the task has read the element", join(full, runs(task, 0, 1, 2), stores(false, 0), runs(task, 0, 1, 2)), false},
		{"another task reads it", join(full, stores(false, 0), runs(task+1, 0, 1, 2)), false},
		{"all elements are the latest", join(stores(true, 0, 1, 2), stores(false, 0, 1, 2), runs(task, 0, 1, 2)), false},
		{"each value is handed over by itself", join(stores(true, 0), stores(true, 1), stores(true, 0), runs(task, 0, 1)), false},
		{"a ring", join(stores(true, 0), stores(false, 1), stores(false, 2), runs(task, 0, 1, 2), stores(true, 0), stores(false, 1), runs(task, 0, 1)), false},
		{"a ring that overflows", join(stores(true, 0), runs(task, 0), stores(false, 1), stores(true, 0), stores(false, 1), runs(task, 0, 1)), true},
		{"sums", join(full, sums(0), runs(task, 0, 1, 2)), false},
		{"a driver reads it later", join(full, passes, stores(false, 2), runs(task+1, 0, 1, 2)), true},
		{"the handler is given it again", join(full, passes, takes(0), takes(2), runs(task+1, 0, 1, 2)), false},
		{"another handler reads where it is", join(full, passes, []deed{{kind: kernel.Int, arg: handler + 1}, {pointer: true, reads: true}, {kind: kernel.Reti, arg: handler + 1}},
			stores(false, 2), runs(task+1, 0, 1, 2)), true},
		{"a driver has read the first", join(full, passes, runs(task+1, 0), stores(false, 0), runs(task+1, 1, 2)), false},
		{"a task fills what a driver has not read", join(complete, passes, fills(filler, 7, 0), runs(driver, 0, 1, 2)), true},
		{"while the driver reads it", join(complete, passes, runs(driver, 0), fills(filler, 7, 1), runs(driver, 1, 2)), true},
		{"a task fills what the driver has read", join(complete, passes, runs(driver, 0), fills(filler, 7, 0), runs(driver, 1, 2)), false},
		{"nobody has passed it on", join(complete, fills(filler, 7, 0), runs(driver, 0, 1, 2)), false},
		{"it is passed on once more", join(complete, passes, complete, passes, runs(driver, 0, 1, 2)), false},
		{"the task replaces all of it", join(fills(filler, 7, 0, 1, 2), passes, fills(filler, 8, 0, 1, 2), runs(driver, 0, 1, 2)), false},
		{"the task prepares it once more", join(fills(filler, 7, 0, 1, 2), passes, fills(filler, 7, 0, 1), runs(driver, 0, 1, 2)), false},
		{"once more, while the driver reads it", join(fills(filler, 7, 0, 1, 2), passes, runs(driver, 0), fills(filler, 7, 0, 1), runs(driver, 1, 2)), false},
		{"twice more, and the first was read before", join(fills(filler, 7, 0, 1, 2), passes, runs(driver, 0), fills(filler, 7, 0, 1), fills(filler, 7, 0, 1), runs(driver, 1, 2)), false},
		{"a buffer of two, always with the same value", join(fills(filler, 7, 0), fills(filler, 7, 1), passes, runs(driver, 0), fills(filler, 7, 0), fills(filler, 7, 1), runs(driver, 1)), true},
		{"the task changes a part of it", join(fills(filler, 7, 0, 1, 2), passes, fills(filler, 8, 0), runs(driver, 0, 1, 2)), true},
		{"the driver changes it itself", join(complete, passes, fills(driver, 9, 0), runs(driver, 0, 1, 2)), false},
		{"a handler has read it, which stores nothing", join(complete, sends(0, 1, 2), passes, fills(filler, 8, 0), runs(driver, 0, 1, 2)), false},
		{"a handler has read the first", join(complete, sends(0), passes, fills(filler, 7, 1), runs(driver, 1, 2)), true},
		{"a number that is the same as the address", join(complete, counts, fills(filler, 7, 0), runs(driver, 0, 1, 2)), false},
		{"the task does not know the array", join(full, runs(task), stores(false, 0), runs(task+1, 0, 1, 2)), false},
	} {
		x := overtakingOf(4)
		for _, d := range c.does {
			x.do(d)
		}
		if got := len(x.found) > 0; got != c.lost {
			t.Errorf("%s: found %v, want %v", c.name, got, c.lost)
		}
	}
}

// deed is an item, or an access.
type deed struct {
	kind    kernel.Kind
	arg     uint16
	access  bool
	element uint32
	write   bool
	value   uint8 // that it writes
	pointer bool  // it stores the address of the array
	number  bool  // it stores a number with that value
	reads   bool  // or reads it
}

// acted is a mote of which only an array and a pointer are known.
type acted struct {
	overtaking
	depth int16
}

const (
	testBase  = 0x100
	onlyReads = 9 // the vector of a handler that stores nothing
)

// overtakingOf is a mote with an array of so many bytes, and behind it a number and a pointer that have its address.
func overtakingOf(elements uint32) *acted {
	whole := image.Range{Lo: testBase, Hi: testBase + elements}
	l := &scalars{base: testBase}
	for n := range elements {
		l.list = append(l.list, scalar{image.Scalar{Name: "a[" + string(rune('0'+n)) + "]", Object: "a", Addr: testBase + n, Size: 1, Whole: whole}, true})
	}
	for _, name := range []string{"n", "p"} {
		at := testBase + uint32(len(l.list))
		v := image.Scalar{Name: name, Object: name, Addr: at, Size: pointerSize, Whole: image.Range{Lo: at, Hi: at + pointerSize}, Pointer: name == "p"}
		l.list = append(l.list, scalar{v, true}, scalar{v, true})
	}
	x := &acted{overtaking: overtaking{k: &kind{scalars: l}, now: handovers{task: noTask}, fillers: ^uint64(1 << onlyReads), readers: 1 << onlyReads}}
	x.k.arrays, x.k.arrayNames = arraysOf(l, image.Range{})
	ram := make([]uint8, len(l.list))
	for n := elements; n < uint32(len(ram)); n += pointerSize {
		ram[n], ram[n+1] = testBase&0xFF, testBase>>8
	}
	x.ram = func() []uint8 { return ram }
	return x
}

func (x *acted) do(d deed) {
	touch := func(pc uint32, a avr.Touch) {
		if x.wants() { // otherwise nobody looks
			x.touch(pc, a)
		}
	}
	switch {
	case d.pointer, d.number:
		at := len(x.k.scalars.list) - pointerSize
		if d.number {
			at -= pointerSize
		}
		for n := range uint16(pointerSize) {
			touch(2, avr.Touch{Addr: uint16(testBase+at) + n, Read: d.reads, Write: !d.reads})
		}
	case d.access:
		if d.write {
			x.ram()[d.element] = d.value
		}
		touch(1, avr.Touch{Addr: uint16(testBase + d.element), Read: !d.write, Write: d.write})
	default:
		switch d.kind {
		case kernel.Int:
			x.depth++
		case kernel.Reti:
			x.depth--
		}
		x.item(kernel.Item{Kind: d.kind, Arg: d.arg}, x.depth)
	}
}

// The kernel's queue is no array that something is handed over in.
func TestQueueIsNoBuffer(t *testing.T) {
	l := overtakingOf(3).k.scalars
	for queue, want := range map[image.Range]uint16{{}: 1, {Lo: testBase, Hi: testBase + 3}: 0} {
		if numbers, _ := arraysOf(l, queue); numbers[0] != want || numbers[2] != want {
			t.Errorf("with the queue at %v: %v", queue, numbers)
		}
	}
}

// Of an array of structures, one is passed on alone.
func TestPart(t *testing.T) {
	l := &scalars{base: testBase}
	add := func(name, object string, whole image.Range) {
		l.list = append(l.list, scalar{image.Scalar{Name: name, Object: object, Addr: testBase + uint32(len(l.list)), Size: 1, Whole: whole}, true})
	}
	two, one, plain := image.Range{Lo: testBase, Hi: testBase + 6}, image.Range{Lo: testBase + 6, Hi: testBase + 9}, image.Range{Lo: testBase + 9, Hi: testBase + 11}
	for _, n := range []string{"0", "1"} {
		add("two["+n+"].id", "two", two)
		add("two["+n+"].data[0]", "two", two)
		add("two["+n+"].data[1]", "two", two)
	}
	add("one.id", "one", one)
	add("one.data[0]", "one", one)
	add("one.data[1]", "one", one)
	add("plain[0]", "plain", plain)
	add("plain[1]", "plain", plain)
	k := &kind{scalars: l}
	for at, want := range map[uint32]image.Range{
		1: {Lo: testBase, Hi: testBase + 3}, 5: {Lo: testBase + 3, Hi: testBase + 6}, 7: one, 8: one, 9: plain, 10: plain,
	} {
		if x, _ := l.at(testBase + at); k.part(x) != want {
			t.Errorf("%s is part of %v, want %v", x.Name, k.part(x), want)
		}
	}
}
