package story

import (
	"strconv"
	"strings"

	"motehound/firmware/kernel"
	"motehound/study/pathtrace/cflow"
	"motehound/study/pathtrace/record"
)

// Item is a lifecycle item that a trace shows.
type Item struct {
	kernel.Item
	Name  string // of the task; empty for interrupts
	Ticks uint32
	Boot  uint16
}

// role is what a procedure means to the kernel.
type role struct {
	kind kernel.Kind // Int, Run or Post
	arg  uint16
	name string
}

// Lifecycle gives the items that a log shows: interrupts and tasks whose handlers and bodies are traced, and posts by functions
// that post one task only, as nesC makes them (<task>__postTask). Tasks are numbered in the order of the map. A mote's clock is
// much coarser than its cycles: cycles are counted on from each of its ticks by one for each item, so that they say the order
// and, to within what the log says, the time.
func (t *Teller) Lifecycle(l *record.Log, hertz uint64, give func(Item)) (posts bool) {
	roles := t.roles()
	for _, r := range roles {
		posts = posts || r.kind == kernel.Post
	}
	var cycle uint64
	put := func(at record.At, kind kernel.Kind, r role) {
		cycle = max(cycle+1, uint64(at.Ticks)*hertz/uint64(max(l.Clock, 1)))
		give(Item{Item: kernel.Item{Cycle: cycle, Arg: r.arg, Kind: kind}, Name: r.name, Ticks: at.Ticks, Boot: at.Boot})
	}
	for at, e := range l.Events() {
		if e.Kind == record.Reset {
			cycle = 0
			put(at, kernel.Reset, role{})
			continue
		}
		r, ok := roles[e.Proc]
		if !ok || e.Kind > record.Leave {
			continue
		}
		switch {
		case r.kind == kernel.Post && e.Kind == record.Enter:
			put(at, kernel.Post, r)
		case r.kind == kernel.Int && e.Kind == record.Enter:
			put(at, kernel.Int, r)
		case r.kind == kernel.Int && e.Kind == record.Leave:
			put(at, kernel.Reti, r)
		case r.kind == kernel.Run && e.Kind == record.Enter:
			put(at, kernel.Run, r)
		case r.kind == kernel.Run && e.Kind == record.Leave:
			put(at, kernel.End, r)
		}
	}
	return posts
}

// roles is what the map's procedures mean.
func (t *Teller) roles() map[uint16]role {
	roles := map[uint16]role{}
	if t.m == nil {
		return roles
	}
	tasks := map[string]uint16{}
	for i := range t.m.Procs {
		if p := &t.m.Procs[i]; p.Kind == cflow.Task.String() {
			name := strings.TrimSuffix(p.Name, "__runTask")
			tasks[name] = uint16(len(tasks))
			roles[uint16(p.ID)] = role{kernel.Run, tasks[name], name}
		}
	}
	for i := range t.m.Procs {
		p := &t.m.Procs[i]
		name, isPost := strings.CutSuffix(p.Name, "__postTask")
		task, known := tasks[name]
		switch {
		case p.Kind == cflow.Interrupt.String():
			if n, ok := vector(p.Name); ok {
				roles[uint16(p.ID)] = role{kind: kernel.Int, arg: n}
			}
		case isPost && known:
			roles[uint16(p.ID)] = role{kernel.Post, task, name}
		}
	}
	return roles
}

// vector is the datasheet's number of a handler: avr-libc calls that of number n __vector_{n-1}.
func vector(name string) (uint16, bool) {
	text, ok := strings.CutPrefix(name, "__vector_")
	n, err := strconv.ParseUint(text, 10, 8)
	return uint16(n) + 1, ok && err == nil
}
