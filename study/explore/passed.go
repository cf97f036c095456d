package explore

import (
	"slices"
	"strings"

	"motehound/firmware/image"
)

// Arrays that tasks fill. A task stores elements of an array, run by run, or several tasks do. Then a task stores the address of the variable in a pointer, and
// thereby passes it on: to a radio's driver, say, which reads it later, in other tasks and handlers. If one of those who have filled it stores in it
// before it is read, then what is read is partly old, partly new. As in overtaken.go, the reader must read an element that was overwritten and one that was not.
//
// Who stores what is there already, in elements of the last run that filled the variable, has only prepared it once more, before it saw that it cannot be sent now. That
// is nothing, and whether some of it was read in the meantime does not matter. So what was read is remembered.
//
// What handlers read in the meantime was read, too, even if they store nothing: a ring that is sent byte by byte. And what is no pointer passes nothing on: a timer's
// number is some variable's address sooner or later. Without debug information nothing is passed on.
//
// Where a variable is an array of structures, an address of one of them passes on that one alone: the others are free to be filled.

// ended is the end of a task: what a handler has stored for it was read, or is passed on, or does not matter.
func (t *overtaking) ended(task uint16) {
	for n := range t.now.fills {
		f := &t.now.fills[n]
		if f.by >= aTask {
			continue
		}
		over := func(p posting) bool { return p.task == task && !p.passed }
		if !slices.ContainsFunc(f.posts, over) {
			continue
		}
		var passed []posting
		f.repost()
		f.posts = slices.DeleteFunc(f.posts, func(p posting) bool {
			if !over(p) {
				return false
			}
			for _, part := range t.k.parts(f) {
				if via := t.pointers(part.Lo); len(via) > 0 && !p.read {
					p.passed, p.part, p.via, p.since = true, part, via, t.now.turn
					passed = append(passed, p)
				}
			}
			return true
		})
		f.posts = append(f.posts, passed...)
	}
}

// returned has a handler read a variable. If the address of what it has stored was passed on in it, that was passed to the handler.
func (t *overtaking) returned(addr uint32) {
	for n := range t.now.fills {
		if f := &t.now.fills[n]; f.by == producer(t.vector) {
			f.unpost(func(p posting) bool { return slices.Contains(p.via, addr) })
		}
	}
}

// rest is where a task ends, or is interrupted in the middle of it: what it has stored is there, and what it has passed on is handed over.
func (t *overtaking) rest() {
	who, does, ok := t.runs()
	if !ok || t.vector != 0 {
		return
	}
	t.stored(who, does)
	does.begin()
	for n := range t.now.fills {
		f := &t.now.fills[n]
		if f.by < aTask || len(t.wrote) == 0 {
			continue
		}
		for _, part := range t.k.parts(f) {
			if len(t.pointers(part.Lo)) > 0 {
				f.renew(part)
				f.repost()
				f.posts = slices.DeleteFunc(f.posts, func(p posting) bool { return p.part == part })
				f.posts = append(f.posts, posting{task: uint16(t.now.task), at: f.runs, passed: true, part: part, since: t.now.turn})
			}
		}
	}
	t.wrote = t.wrote[:0]
}

// renew has what was stored once more, with the same value, be stored now.
func (f *fill) renew(part image.Range) {
	for n := range f.cells {
		if c := f.cells[n]; c.again && part.Contains(c.addr) {
			f.change()
			f.cells[n].last, f.cells[n].again = f.runs, false
		}
	}
}

// repeats tells whether a run has only stored once more what the last run has that filled the variable.
func (k *kind) repeats(f *fill, was, now *filled) bool {
	x, _ := k.scalars.at(was.addr)
	part := k.part(x)
	return was.value == now.value && !slices.ContainsFunc(f.cells, func(c filled) bool { return part.Contains(c.addr) && c.last > was.last && c.last < now.last })
}

// valueOf is the value of an element.
func (t *overtaking) valueOf(x image.Scalar) (v uint64) {
	ram := t.ram()
	for n := range x.Size {
		v = v<<8 | uint64(ram[x.Addr+n-t.k.scalars.base])
	}
	return v
}

// pointers is the variables in which the task has stored an address.
func (t *overtaking) pointers(to uint32) (list []uint32) {
	ram, base := t.ram(), t.k.scalars.base
	for _, at := range t.wrote {
		if n := at - base; to == uint32(ram[n])|uint32(ram[n+1])<<8 {
			list = append(list, at)
		}
	}
	return list
}

const pointerSize = 2

// parts is what can be passed on of that in which something was stored: the variable, or if it is an array of structures, each of these.
func (k *kind) parts(f *fill) (list []image.Range) {
	for _, c := range f.cells {
		if c.read {
			continue
		}
		x, _ := k.scalars.at(c.addr)
		if part := k.part(x); !slices.Contains(list, part) {
			list = append(list, part)
		}
	}
	return list
}

// part is the variable of an element; if that is an array of structures, the structure.
func (k *kind) part(x image.Scalar) image.Range {
	end := strings.IndexByte(x.Name, ']') + 1
	if !strings.HasPrefix(x.Name[len(x.Object):], "[") || end == len(x.Name) {
		return x.Whole
	}
	same := func(at uint32) bool {
		o, ok := k.scalars.at(at)
		return ok && strings.HasPrefix(o.Name, x.Name[:end])
	}
	r := image.Range{Lo: x.Addr, Hi: x.Addr + x.Size}
	for r.Lo > x.Whole.Lo && same(r.Lo-1) {
		r.Lo--
	}
	for r.Hi < x.Whole.Hi && same(r.Hi) {
		r.Hi++
	}
	return r
}
