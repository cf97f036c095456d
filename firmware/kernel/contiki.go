package kernel

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"motehound/firmware/image"
	"motehound/isa/avr"
)

// Contiki's kernel (core/sys/process.c) has a ring of events and, in every process, a flag that it wants to be polled.
// process_post puts an event in and adds one to nevents; process_run serves the polls, and then one event: it takes
// one from nevents and calls the process's thread by ICALL, with process_current set.
//
// A task is a process and an event: its Arg has the process's place among the processes, by address, in the high byte, and
// the event in the low one. A poll is the event PROCESS_EVENT_POLL; it waits at most once, so that a second one fails. An
// event for all processes is one task, and ends when the last one has had it. Polls are served between its receivers:
// then the rest of it is posted again, and runs after the poll. A synchronous post is a call, and so a part of what
// runs.
const (
	cProcessPost = "process_post"
	cProcessPoll = "process_poll"
	cProcessRun  = "process_run"

	eventPoll = 0x82 // process.h

	everyProcess = 0xFF
	otherProcess = 0xFE // not in the symbol table: made at run time

	rolePost = 0
	rolePoll = 1

	near = 16 // words in which what belongs to one statement of the source is found
)

// eventNames are those of process.h.
var eventNames = map[uint8]string{
	0x80: "none", 0x81: "init", 0x82: "poll", 0x83: "exit", 0x84: "service removed", 0x85: "continue", 0x86: "msg",
	0x87: "exited", 0x88: "timer", 0x89: "com",
}

// contikiVars is where the kernel's variables are.
type contikiVars struct {
	current, events, nevents, fevent, polls uint16
	entry, slots                            uint16 // size and number of the ring's entries
	evOffset, pOffset                       uint16 // in an entry
	processes                               []process
}

type process struct {
	name      string
	addr      uint16
	needsPoll uint16 // address of the flag
}

func contiki(c *code) (*Profile, error) {
	var v contikiVars
	var events image.Symbol
	for name, to := range map[string]*uint16{"process_current": &v.current, "events": &v.events, "nevents": &v.nevents,
		"fevent": &v.fevent, "poll_requested": &v.polls} {
		s, ok := c.variable(name)
		if !ok {
			return nil, nil
		}
		*to = uint16(s.Addr)
		if name == "events" {
			events = s
		}
	}
	v.layout(c.im, events)
	v.findProcesses(c.im)
	p := newProfile(c, fmt.Sprintf("it has the variables of Contiki's kernel, and %d processes", len(v.processes)))
	p.Queue = whole(events)
	p.name = v.taskName
	if post, ok := c.function(cProcessPost); ok {
		p.on(post.Lo, func(w *Watch) { w.enter(rolePost, v.arg(w.reg16(24), w.cpu.Reg(22))) })
		p.onAll(c.ops(avr.OpRet, post), leaves)
	}
	if !v.watchEvents(c, p) {
		return nil, errors.New("no store that takes an event out of nevents can be found")
	}
	v.watchPolls(c, p)
	return p, nil
}

// layout reads how an entry of the ring is made: struct event_data { ev, data, p }.
func (v *contikiVars) layout(im *image.Image, events image.Symbol) {
	v.entry, v.evOffset, v.pOffset = 5, 0, 3
	if x, ok := im.Var("events"); ok && x.Type.Strip().Kind == image.KindArray {
		t := x.Type.Strip().Elem.Strip()
		v.entry = max(1, uint16(t.Size))
		for _, f := range t.Fields {
			switch f.Name {
			case "ev":
				v.evOffset = uint16(f.Offset)
			case "p":
				v.pOffset = uint16(f.Offset)
			}
		}
	}
	v.slots = max(1, uint16(events.Size)/v.entry)
}

// findProcesses finds the processes: PROCESS(x) makes a variable x and a function process_thread_x. The flag that a process
// wants to be polled is the last byte of its struct, unless DWARF says otherwise.
func (v *contikiVars) findProcesses(im *image.Image) {
	for _, s := range im.Symbols {
		if s.Space != image.Data || s.Kind != image.Object || s.Size < 8 {
			continue
		}
		if _, ok := im.Symbol("process_thread_" + s.Name); !ok {
			continue
		}
		p := process{name: s.Name, addr: uint16(s.Addr), needsPoll: uint16(s.Addr + s.Size - 1)}
		if r, err := im.Lookup(s.Name + ".needspoll"); err == nil {
			p.needsPoll = uint16(r.Addr)
		}
		v.processes = append(v.processes, p)
	}
	slices.SortFunc(v.processes, func(a, b process) int { return int(a.addr) - int(b.addr) })
	if len(v.processes) > otherProcess {
		v.processes = v.processes[:otherProcess]
	}
}

func (v *contikiVars) index(addr uint16) uint8 {
	if addr == 0 {
		return everyProcess
	}
	i, ok := slices.BinarySearchFunc(v.processes, addr, func(p process, addr uint16) int { return int(p.addr) - int(addr) })
	if !ok {
		return otherProcess
	}
	return uint8(i)
}

func (v *contikiVars) arg(process uint16, event uint8) uint16 {
	return uint16(v.index(process))<<8 | uint16(event)
}

func (v *contikiVars) taskName(arg uint16) string {
	process, event := uint8(arg>>8), uint8(arg)
	name := "a process"
	switch {
	case process == everyProcess:
		name = "all processes"
	case int(process) < len(v.processes):
		name = strings.TrimSuffix(v.processes[process].name, "_process")
	}
	if e, ok := eventNames[event]; ok {
		return name + ": " + e
	}
	return name + ": event " + strconv.Itoa(int(event))
}

// slot reads an entry of the ring.
func (v *contikiVars) slot(w *Watch, n int) uint16 {
	slots := int(v.slots)
	at := v.events + v.entry*uint16((n%slots+slots)%slots)
	return v.arg(w.peek16(at+v.pOffset), w.cpu.Peek(at+v.evOffset))
}

// watchEvents follows nevents: up is a post, down takes an event out. It ends when process_run returns; where that is
// inlined, when it begins again. (Contiki idles by calling it over and over: the fewer hooks there the better.)
func (v *contikiVars) watchEvents(c *code, p *Profile) (takes bool) {
	run, _ := c.function(cProcessRun)
	ends := c.ops(avr.OpRet, run)
	p.onAll(ends, endTop)
	for _, x := range c.stores(uint32(v.nevents)) {
		if x.from == fromCode {
			continue
		}
		reg := int(x.D)
		first := 0 // the entry taken out, counted from fevent
		if at, ok := c.loadBefore(uint32(v.nevents), x.pc); ok && stored(c, v.fevent, at, x.pc) {
			first = -1
		}
		p.on(x.pc, func(w *Watch) {
			before, after := w.cpu.Peek(v.nevents), w.cpu.Reg(reg)
			fevent := int(w.cpu.Peek(v.fevent))
			switch {
			case after == before+1:
				arg := v.slot(w, fevent+int(before))
				if call := w.call(rolePost); call != nil {
					call.done, arg = true, call.arg
				}
				w.emit(Post, arg)
			case after+1 == before && w.nHandlers == 0:
				w.run(v.slot(w, fevent+first), anyStack)
			}
		})
		takes = true
		if at, ok := c.loadBefore(uint32(v.nevents), x.pc); ok && stored(c, v.fevent, at, x.pc+near) && !(len(ends) > 0 && run.Contains(x.pc)) {
			p.on(at, endTop)
			if at, ok := c.loadBefore(uint32(v.polls), at); ok {
				p.on(at, endTop)
			}
		}
	}
	return takes
}

// watchPolls watches process_poll, and calls of threads with its event.
func (v *contikiVars) watchPolls(c *code, p *Profile) {
	posted := func(w *Watch, i uint8) {
		kind := Post
		if w.waits(i) {
			kind = Fail
		}
		w.wait(i, true)
		w.emit(kind, uint16(i)<<8|eventPoll)
	}
	poll, real := c.function(cProcessPoll)
	if real {
		p.on(poll.Lo, func(w *Watch) {
			i := v.index(w.reg16(24))
			v.waitsAgain(w, i)
			w.enter(rolePoll, uint16(i)<<8|eventPoll)
		})
		p.onAll(c.ops(avr.OpRet, poll), leaves)
	}
	for _, x := range c.stores(uint32(v.polls)) {
		reg := int(x.D)
		p.on(x.pc, func(w *Watch) {
			if call := w.call(rolePoll); call != nil && !call.done && w.cpu.Reg(reg) != 0 {
				call.done = true
				posted(w, uint8(call.arg>>8))
			}
		})
	}
	for i, process := range v.processes { // where process_poll of a known process is inlined
		for _, x := range c.stores(uint32(process.needsPoll)) {
			reg := int(x.D)
			p.on(x.pc, func(w *Watch) {
				if w.cpu.Reg(reg) != 0 {
					posted(w, uint8(i))
				}
			})
		}
	}
	v.watchThreads(c, p)
}

// watchThreads finds polls among the calls of threads: they are in the functions that set process_current.
func (v *contikiVars) watchThreads(c *code, p *Profile) {
	seen := map[uint32]bool{}
	for _, x := range c.stores(uint32(v.current)) {
		for _, pc := range c.ops(avr.OpIcall, c.around(x.pc)) {
			if seen[pc] {
				continue
			}
			seen[pc] = true
			p.on(pc, func(w *Watch) {
				if w.cpu.Reg(22) != eventPoll || w.nHandlers > 0 {
					return
				}
				arg := v.arg(w.peek16(v.current), eventPoll)
				v.waitsAgain(w, uint8(arg>>8))
				if w.isRunning && w.running.arg>>8 == everyProcess { // between two of its receivers
					w.emit(Post, w.running.arg)
					w.suspend()
				}
				w.run(arg, w.cpu.SP()-p.returnSize)
			})
			p.on(pc+1, look)
		}
	}
}

// waitsAgain forgets that a process waits to be polled, unless its flag says so.
func (v *contikiVars) waitsAgain(w *Watch, i uint8) {
	w.wait(i, int(i) < len(v.processes) && w.waits(i) && w.cpu.Peek(v.processes[i].needsPoll) != 0)
}

// suspend ends the running task, to go on after the next one.
func (w *Watch) suspend() {
	arg := w.running.arg
	w.end()
	w.resume, w.resumes = arg, true
}

// stored reports whether there is a store to a byte between two instructions.
func stored(c *code, addr uint16, from, to uint32) bool {
	return slices.ContainsFunc(c.stores(uint32(addr)), func(x inst) bool { return x.pc > from && x.pc < to })
}
