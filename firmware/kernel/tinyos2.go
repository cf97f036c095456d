package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// TinyOS 2's scheduler (SchedulerBasicP.nc) keeps a list through an array in which every task has one place. A push ends
// with a store of the task to m_tail; a pop stores m_next[m_head] to m_head. The example kernel is made after it.
const (
	t2Head = "SchedulerBasicP__m_head"
	t2Tail = "SchedulerBasicP__m_tail"
	t2Next = "SchedulerBasicP__m_next"
	t2Post = "SchedulerBasicP__TaskBasic__postTask"
	t2Run  = "SchedulerBasicP__TaskBasic__runTask"
	t2Pop  = "SchedulerBasicP__popTask"

	noTask = 0xFF
)

func tinyos2(c *code) (*Profile, error) {
	head, ok1 := c.variable(t2Head)
	tail, ok2 := c.variable(t2Tail)
	next, ok3 := c.variable(t2Next)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil
	}
	p := newProfile(c, "it has the variables of TinyOS 2's SchedulerBasicP")
	p.Queue = whole(next)
	p.tasks = nescTasks(c.im, next.Size)
	t2Posts(c, p, uint16(tail.Addr))
	if f, ok := c.function(t2Run); ok {
		p.on(f.Lo, func(w *Watch) { w.run(uint16(w.cpu.Reg(24)), w.cpu.SP()) })
		p.onAll(c.returns(f.Lo), look)
		return p, nil
	}
	if next.Size == 0 || len(c.stores(tail.Addr)) == 0 {
		return p, nil // an application without tasks
	}
	return p, t2Pops(c, p, head.Addr)
}

// t2Posts watches pushes, and posts without one.
func t2Posts(c *code, p *Profile, tail uint16) {
	for _, x := range c.stores(uint32(tail)) {
		reg := int(x.D)
		p.on(x.pc, func(w *Watch) {
			id := w.cpu.Reg(reg)
			if id == noTask || id == w.cpu.Peek(tail) { // none is left; or GCC stores again what was there
				return
			}
			if call := w.call(0); call != nil {
				call.done = true
			}
			w.wait(id, true)
			w.emit(Post, uint16(id))
		})
	}
	if f, ok := c.function(t2Post); ok {
		p.on(f.Lo, func(w *Watch) { w.enter(0, uint16(w.cpu.Reg(24))) })
		p.onAll(c.ops(avr.OpRet, f), leaves)
	}
}

// t2Pops takes runs from the pops, where runTask is inlined. A task ends when the kernel looks for the next one.
func t2Pops(c *code, p *Profile, head uint32) error {
	pops := 0
	for _, x := range c.stores(head) {
		if x.from == fromCode { // the queue is made, or a known task is the first in it
			continue
		}
		sure := x.from == fromMemory
		reg := int(x.D)
		p.on(x.pc, func(w *Watch) {
			id := w.cpu.Peek(uint16(head))
			if id == noTask || id == w.cpu.Reg(reg) || !sure && !w.waits(id) || w.nHandlers > 0 {
				return
			}
			w.wait(id, false)
			w.run(uint16(id), anyStack)
		})
		if sure {
			at, ok := c.loadBefore(head, x.pc)
			if f, real := c.function(t2Pop); real && f.Contains(x.pc) {
				at, ok = f.Lo, true
			}
			if ok {
				p.on(at, endTop)
			}
		}
		pops++
	}
	if pops == 0 {
		return fmt.Errorf("neither %s nor a store that takes a task out of %s can be found", t2Run, t2Head)
	}
	return nil
}

// nescTasks names tasks by the enumerators that nesC makes of their ids: task X is the constant X, its body is the
// function X__runTask, most often inlined.
func nescTasks(im *image.Image, count uint32) []Task {
	bodies := map[string][]image.Range{}
	var inlined func(list []*image.Inline)
	inlined = func(list []*image.Inline) {
		for _, in := range list {
			bodies[in.Origin.Name] = append(bodies[in.Origin.Name], in.Ranges...)
			inlined(in.Inlines)
		}
	}
	for _, f := range im.Functions() {
		if len(f.Ranges) > 0 {
			name := f.Source().Name
			bodies[name] = append(bodies[name], f.Ranges...)
		}
		inlined(f.Inlines)
	}
	byID := make([]Task, count)
	for i := range byID {
		byID[i].Arg = uint16(i)
	}
	alone := map[int64][]string{}
	for _, e := range im.Enums() {
		for _, x := range e.Enumerators {
			if x.Value < 0 || x.Value >= int64(count) {
				continue
			}
			for _, joint := range []string{"__", "$"} {
				symbol := x.Name + joint + "runTask"
				if ranges, ok := bodies[symbol]; ok {
					slices.SortFunc(ranges, func(a, b image.Range) int { return cmp.Compare(a.Lo, b.Lo) })
					byID[x.Value] = Task{Arg: uint16(x.Value), Name: image.Readable(x.Name), Symbol: symbol, Bodies: ranges}
				}
			}
			if len(e.Enumerators) == 1 && isTaskEnum(e.Name, x.Name) {
				alone[x.Value] = append(alone[x.Value], x.Name)
			}
		}
	}
	for id, names := range alone { // where GCC merged the body with another's
		if byID[id].Name == "" && len(names) == 1 {
			byID[id].Name = image.Readable(names[0])
		}
	}
	return byID
}

// isTaskEnum reports whether an enumeration is of the kind that nesC makes for the id of each task of a component C:
// enum C____nesc_unnamed42 { C__task = 7 }. A component's own enumeration of one constant looks the same.
func isTaskEnum(enum, name string) bool {
	component, _, ok := strings.Cut(enum, "____nesc_unnamed")
	return ok && strings.HasPrefix(name, component+"__")
}
