package narrative

import (
	"fmt"
	"strconv"
	"strings"

	"motehound/firmware/kernel"
	"motehound/firmware/pathtrace/cflow"
	"motehound/study/fieldtrace/record"
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
	return t.Walk(l, hertz, give, func(record.At, record.Event) {})
}

// Walk is Lifecycle, with all events between the items: the begin of a procedure comes behind the item that it makes, its end
// before it.
func (t *Teller) Walk(l *record.Log, hertz uint64, give func(Item), event func(record.At, record.Event)) (posts bool) {
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
		}
		r, ok := roles[e.Proc]
		ok = ok && e.Kind <= record.Leave
		if ok && e.Kind == record.Enter {
			put(at, r.kind, r)
		}
		event(at, e)
		if end, has := ends[r.kind]; ok && e.Kind == record.Leave && has {
			put(at, end, r)
		}
	}
	return posts
}

// ends is the items of procedures' ends, by those of their begins.
var ends = map[kernel.Kind]kernel.Kind{kernel.Int: kernel.Reti, kernel.Run: kernel.End}

// Role is what a procedure is to the kernel: Int, Run or Post if ok, and the task's name.
func (t *Teller) Role(proc uint16) (kind kernel.Kind, task string, ok bool) {
	if t.known == nil {
		t.known = t.roles()
	}
	r, ok := t.known[proc]
	return r.kind, r.name, ok
}

// Task is the name of a task by its number in lifecycle items.
func (t *Teller) Task(number uint16) string {
	for _, r := range t.roles() {
		if r.kind == kernel.Run && r.arg == number {
			return r.name
		}
	}
	return fmt.Sprintf("task %d", number)
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
